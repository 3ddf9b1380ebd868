import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { makeFolder } from '../../../base/folder.ts';
import { EngineError } from '../../../base/error.ts';
import { isRecord } from '../../../base/json.ts';
import { writeNamed } from '../../../file/write-named.ts';
import type { Page } from '../../../api/http/paging.ts';
import { writeMemoryFile } from '../../../memory/memory-file.ts';
import type { MemoryView } from '../../../memory/memory-view.ts';
import type { ApiClient } from '../../client.ts';
import type { CommandContext } from '../../context.ts';
import { oneLine } from '../../terminal/table.ts';
import { EXIT } from '../../terminal/terminal.ts';
import { withApi } from '../../with-api.ts';
import { filterQuery, type MemoryFilterOptions } from './memory.ts';

/** Largest file that is read, in bytes. */
const MAX_BYTES = 1_000_000;
/** Files and characters of one request. */
const BATCH = { files: 200, characters: 2_000_000 } as const;

/**
 * `memory export <folder>`: writes each memory to `<id>.md`. A file that is equal already stays as it is, so that git shows only
 * what has changed. Memories of a director's folder are files already and are left out.
 */
export async function exportMemories(
  context: CommandContext,
  { prune = false, ...filter }: MemoryFilterOptions & { readonly prune?: boolean },
  [given = '']: readonly string[],
): Promise<number> {
  const folder = resolve(context.terminal.cwd, given);
  await writeNamed(folder, makeFolder(folder, 0o700));
  const kept = new Set<string>();
  let written = 0;
  await withApi(context, { isDriving: false }, async (client) => {
    for await (const memory of allMemories(client, filter)) {
      if (memory.folder !== undefined) continue;
      const name = `${memory.id}.md`;
      kept.add(name);
      const text = await writeMemoryFile({ ...memory, text: memory.content });
      if (await writeNamed(folder, writeIfChanged(join(folder, name), text))) written++;
    }
  });
  const gone = (await readdir(folder)).filter((name) => /^mem_[0-9a-z]+\.md$/.test(name) && !kept.has(name)).sort();
  if (prune) for (const name of gone) await rm(join(folder, name));
  if (context.isJson) context.print({ folder, memories: kept.size, written, gone, pruned: prune });
  else {
    context.say(`${kept.size} memories, ${written} files written to ${folder}`);
    if (gone.length > 0)
      context.say(
        `${gone.length} files of memories that are gone or not selected${prune ? ' were deleted' : ' stay; --prune deletes them'}`,
      );
  }
  return EXIT.fine;
}

async function* allMemories(client: ApiClient, filter: MemoryFilterOptions): AsyncGenerator<MemoryView> {
  const query = filterQuery(filter);
  query.set('limit', '200');
  for (;;) {
    const { items, nextCursor } = await client.request<Page<MemoryView>>('GET', `/api/memory?${query}`);
    yield* items;
    if (nextCursor === null) return;
    query.set('cursor', nextCursor);
  }
}

/** False where the file has this content already. The file is replaced as a whole. */
async function writeIfChanged(file: string, content: string): Promise<boolean> {
  const before = await readFile(file, 'utf8').catch(() => undefined);
  if (before === content) return false;
  const temporary = `${file}.tmp`;
  await rm(temporary, { force: true });
  await writeFile(temporary, content, { mode: 0o600, flag: 'wx' });
  await rename(temporary, file);
  return true;
}

interface ImportResult {
  readonly name: string;
  readonly did?: string;
  readonly as?: string;
  readonly error?: { readonly message: string };
}

/** `memory import <paths...>`: reads Markdown files, and all that lie in folders, back into memories of the same ids. */
export async function importMemories(
  context: CommandContext,
  _options: object,
  paths: readonly string[],
): Promise<number> {
  const files = (await Promise.all(paths.map((path) => markdownFiles(resolve(context.terminal.cwd, path))))).flat();
  const results = await withApi(context, { isDriving: false }, (client) => send(client, files));
  const failed = results.filter(({ error }) => error !== undefined);
  if (context.isJson) context.print({ items: results });
  else {
    const count = (did: string) => results.filter((one) => one.did === did).length;
    const same = results.filter(({ did }) => did === 'same');
    for (const { name, as } of same) context.say(`${oneLine(name)}: memory ${as ?? ''} has the same text`);
    for (const { name, error } of failed) context.say(`${oneLine(name)}: ${oneLine(error?.message ?? '')}`);
    context.say(
      `${count('added')} added, ${count('changed')} changed, ${count('unchanged') + same.length} known already`,
    );
  }
  return failed.length > 0 ? EXIT.usage : EXIT.fine;
}

async function markdownFiles(path: string): Promise<string[]> {
  const facts = await stat(path).catch((cause: unknown) => {
    throw new EngineError('USAGE', `cannot read ${path}`, { cause });
  });
  if (facts.isFile()) return [path];
  const names = await readdir(path);
  return names
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => join(path, name));
}

async function send(client: ApiClient, paths: readonly string[]): Promise<ImportResult[]> {
  const results: ImportResult[] = [];
  let files: { name: string; content: string }[] = [];
  let characters = 0;
  const flush = async () => {
    if (files.length === 0) return;
    const answer = await client.request<{ items: ImportResult[] }>('POST', '/api/memory/import', { body: { files } });
    results.push(...answer.items.filter(isRecord));
    [files, characters] = [[], 0];
  };
  for (const path of paths) {
    const { size } = await stat(path);
    if (size > MAX_BYTES) {
      results.push({
        name: basename(path),
        error: { message: `the file has ${size} bytes, at most ${MAX_BYTES} are read` },
      });
      continue;
    }
    const content = await readFile(path, 'utf8');
    if (files.length >= BATCH.files || characters + content.length > BATCH.characters) await flush();
    files.push({ name: basename(path), content });
    characters += content.length;
  }
  await flush();
  return results;
}
