import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtInToolCatalog } from '../../engine/src/app/tool-catalog.ts';
import { sha256 } from '../../engine/src/base/json.ts';
import { type Kind, KINDS, type Problem } from '../../engine/src/config/config.ts';
import { type Checks, validateSource } from '../../engine/src/config/validate/validate.ts';
import { createShapeCheck } from '../../engine/src/config/parse/schema.ts';

const catalog = builtInToolCatalog();

/** The checks of a real start, with `env` as the environment. */
export function checksWith(env: Readonly<Record<string, string>>): Checks {
  return { checkShape: createShapeCheck(), catalog, env: (name) => env[name] };
}

/** A YAML block of a Markdown file that says by its modeline of which kind it is. */
export interface Block {
  readonly file: string;
  readonly line: number;
  readonly kind: Kind;
  readonly id: string;
  readonly text: string;
}

const FENCE = /^```ya?ml\n(# yaml-language-server: \$schema=\S*?([a-z]+)\.schema\.json\n[^]*?)^```$/gm;

/** The blocks of a Markdown text. */
export function blocksOf(file: string, text: string): Block[] {
  return [...text.matchAll(FENCE)].map((match) => {
    const [, body = '', kind = ''] = match;
    const line = text.slice(0, match.index).split('\n').length + 1;
    return { file, line, kind: kindOf(kind), id: /^id: (\S+)/m.exec(body)?.[1] ?? kind, text: body };
  });
}

/** Every block in the README and below docs/. */
export function readBlocks(root: string): Block[] {
  const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => join('docs', name));
  const files = ['README.md', 'AGENTS.md', ...docs.filter((name) => name.endsWith('.md'))];
  return files.flatMap((file) => blocksOf(file, readFileSync(join(root, file), 'utf8')));
}

/** What a start would say of a block, were it a file of its own. */
export function problemsOf({ file, kind, id, text }: Block, checks: Checks): readonly Problem[] {
  const relative = kind === 'settings' ? 'settings.yaml' : `${KINDS[kind]}/${id}.yaml`;
  return validateSource({ relative, kind, id, file, text, hash: sha256(text) }, checks).problems;
}

function kindOf(name: string): Kind {
  if (Object.hasOwn(KINDS, name)) return name as Kind;
  throw new Error(`a block names ${name}.schema.json, and there is no such kind`);
}
