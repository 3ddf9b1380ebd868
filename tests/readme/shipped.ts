import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Api, Filter } from '../../engine/src/config/config.ts';
import { type Checks, type TypedDocument, validateSource } from '../../engine/src/config/validate/validate.ts';
import { readSource } from '../../engine/src/config/parse/read.ts';

/** A document of the shipped config; throws where it is not valid. */
async function read(dir: string, relative: string, checks: Checks): Promise<TypedDocument> {
  const source = await readSource(dir, relative);
  if (source === undefined || 'code' in source) throw new Error(`${relative} cannot be read`);
  const { document, problems } = validateSource(source, checks);
  if (document === undefined) throw new Error(JSON.stringify(problems));
  return document.typed;
}

/** The filters in the order in which they are asked. */
export async function shippedFilters(root: string, checks: Checks): Promise<Filter[]> {
  const dir = join(root, 'config');
  const files = readdirSync(join(dir, 'filters')).map((name) => `filters/${name}`);
  const documents = await Promise.all(files.map((file) => read(dir, file, checks)));
  const filters = documents.flatMap((typed) => (typed.kind === 'filter' ? [typed.value] : []));
  return filters.sort((a, b) => (a.order ?? Infinity) - (b.order ?? Infinity));
}

/** The scripted api. */
export async function shippedScript(root: string, checks: Checks): Promise<Extract<Api, { provider: 'scripted' }>> {
  const typed = await read(join(root, 'config'), 'apis/offline.yaml', checks);
  if (typed.kind === 'api' && typed.value.provider === 'scripted') return typed.value;
  throw new Error('config/apis/offline.yaml is not scripted');
}
