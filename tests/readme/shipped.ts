import { join } from 'node:path';
import { chooseCandidate } from '../../engine/src/config/candidate.ts';
import type { Api, Filter, Problem } from '../../engine/src/config/config.ts';
import { type Checks, type ValidDocument, validateSource } from '../../engine/src/config/document.ts';
import { toProblem } from '../../engine/src/config/problem.ts';
import { listFiles, readSource } from '../../engine/src/config/read.ts';

/** The shipped config as a first start finds it. */
export interface Shipped {
  /** Files of the config folder, the good and the bad. */
  readonly files: number;
  readonly accepted: ReadonlyMap<string, ValidDocument>;
  readonly problems: readonly Problem[];
}

/** Reads, validates and links the config folder of the repository. */
export async function loadShipped(root: string, checks: Checks): Promise<Shipped> {
  const dir = join(root, 'config');
  const newest = new Map<string, ValidDocument | undefined>();
  const problems: Problem[] = [];
  const files = await listFiles(dir);
  for (const { relative } of files) {
    const source = await readSource(dir, relative);
    if (source === undefined) continue;
    if ('code' in source) {
      problems.push(source);
      continue;
    }
    const valid = validateSource(source, checks);
    problems.push(...valid.problems);
    newest.set(valid.document?.name ?? source.relative, valid.document);
  }
  const { accepted, findings } = chooseCandidate({ newest, good: () => undefined });
  for (const { document, findings: found } of findings) {
    for (const finding of found)
      problems.push(toProblem(finding, document.source.file, () => ({ line: 1, column: 1 })));
  }
  return { files: files.length, accepted, problems };
}

/** The filters in the order in which they are asked. */
export function filtersOf({ accepted }: Shipped): Filter[] {
  const filters = [...accepted.values()].flatMap(({ typed }) => (typed.kind === 'filter' ? [typed.value] : []));
  return filters.sort((a, b) => (a.order ?? Infinity) - (b.order ?? Infinity));
}

/** The scripted api. */
export function scriptedOf({ accepted }: Shipped): Extract<Api, { provider: 'scripted' }> {
  for (const { typed } of accepted.values()) {
    if (typed.kind === 'api' && typed.value.provider === 'scripted') return typed.value;
  }
  throw new Error('the shipped config has no scripted api');
}
