import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../engine/src/base/clock.ts';
import { type Logger, silentLogger } from '../../engine/src/base/log.ts';
import type {
  ConfigService,
  ToolCatalog,
  Problem,
  LastGoodStore,
  StoredDocument,
  StoredRevision,
} from '../../engine/src/config/config.ts';
import { DISCOVERY_TOOLS } from '../../engine/src/config/permissions.ts';
import { openConfig } from '../../engine/src/config/service.ts';
import { validateConfig } from '../../engine/src/config/validate-folder.ts';

/** Files of a config folder by path: `agents/a.yaml`. */
export type Files = Readonly<Record<string, string>>;

export const catalog: ToolCatalog = {
  tools: new Map([
    ['workspace_add_item', { family: 'workspace', effects: 'none' }],
    ['workspace_remove_item', { family: 'workspace', effects: 'none' }],
    ['mail_read', { family: 'mail', effects: 'read', reach: 'private', arguments: ['emailId'] }],
    [
      'mail_send',
      {
        ...{ family: 'mail', effects: 'write', reach: 'outward' },
        ...{ arguments: ['to', 'cc', 'bcc', 'subject', 'text'], recipients: ['to', 'cc', 'bcc'] },
      },
    ],
    ['search', { family: 'web', effects: 'read' }],
    ['notebook_read_file', { family: 'notebook', effects: 'read', reach: 'private', operation: 'read', trust: 'told' }],
    ['notebook_write_file', { family: 'notebook', effects: 'write', operation: 'write', trust: 'told' }],
    ['document_read', { family: 'document', effects: 'read', reach: 'private', trust: 'told' }],
    ['memory_search', { family: 'memory', effects: 'none', reach: 'private', trust: 'told' }],
    ['memory_add', { family: 'memory', effects: 'none' }],
    ['reminder_create', { family: 'reminder', effects: 'write', reach: 'outward', trust: 'trusted' }],
    ['reminder_list', { family: 'reminder', effects: 'read', reach: 'private', trust: 'told' }],
  ]),
  aliases: new Map([['read_email', 'mail_read']]),
  discovery: DISCOVERY_TOOLS,
};

/** Nothing is set but KEY. */
export const env = (name: string) => (name === 'KEY' ? 'set' : undefined);

/** A valid config of one document a kind. */
export const VALID: Files = {
  'settings.yaml': 'runs: { concurrency: 2 }\n',
  'apis/main.yaml': 'id: main\nprovider: openai\nmodel: gpt-5-mini\napiKey: ${env:KEY}\nfallback: [offline]\n',
  'apis/offline.yaml': 'id: offline\nprovider: scripted\nscript:\n  - when: { any: true }\n    say: Done.\n',
  'accounts/support.yaml': 'id: support\nprovider: folder\nemail: me@example.org\npath: ./inbox\n',
  'agents/reader.yaml': 'id: reader\nname: Reader\ndescription: Reads.\n',
  'directors/boss.yaml':
    'id: boss\nname: Boss\napiConfigId: main\naccountIds: [support]\nagents: [reader]\nprompt: { use: mood, with: { language: German } }\n',
  'filters/all.yaml': 'id: all\nfield: Subject\nregex: .\ndirectorId: boss\n',
  'prompts/mood.yaml':
    'id: mood\nvariables: { language: English }\nmessages:\n  - { role: system, content: "Answer in {{language}}." }\n',
  'tools/lookup.yaml':
    'id: lookup\nkind: http\ndescription: Looks up.\neffects: read\nrequest: { url: https://api.example.org/v1 }\n',
  'chats/review.yaml': 'id: review\nparticipants:\n  - { displayName: Ada, apiConfigId: offline }\n',
};

/** A folder of its own for one test, with a config folder in it; gone when the test is done. */
export async function makeFolder(files: Files): Promise<{ base: string; dir: string }> {
  const base = await mkdtemp(join(tmpdir(), 'callsheet-config-'));
  onTestFinished(() => rm(base, { recursive: true, force: true }));
  const dir = join(base, 'config');
  for (const [path, text] of Object.entries(files)) await save(dir, path, text);
  return { base, dir };
}

/** Writes a file in place, its folder included. */
export async function save(dir: string, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(dir, path)), { recursive: true });
  await writeFile(join(dir, path), text);
}

/** Writes a file as vim and others do: beside it, then renamed over it. */
export async function saveByRename(dir: string, path: string, text: string): Promise<void> {
  await writeFile(join(dir, `${path}.tmp`), text);
  await rename(join(dir, `${path}.tmp`), join(dir, path));
}

/** A place in memory that outlives a service, as the store outlives a process. */
export class MemoryPlace implements LastGoodStore {
  readonly good = new Map<string, StoredDocument>();
  readonly revisions = new Map<string, ReadonlyMap<string, StoredDocument>>();
  /** Of the Callsheet that made the revisions. */
  version = '';
  isBroken = false;

  loadGood(): Promise<ReadonlyMap<string, StoredDocument>> {
    return Promise.resolve(new Map(this.good));
  }

  saveGood(changes: ReadonlyMap<string, StoredDocument | null>): Promise<void> {
    if (this.isBroken) return Promise.reject(new Error('disk full'));
    for (const [name, document] of changes) {
      if (document === null) this.good.delete(name);
      else this.good.set(name, document);
    }
    return Promise.resolve();
  }

  loadRevision(id: string): Promise<StoredRevision | undefined> {
    const documents = this.revisions.get(id);
    if (documents === undefined) return Promise.resolve(undefined);
    const hashes = new Map(Array.from(documents, ([name, { hash }]) => [name, hash]));
    return Promise.resolve({ version: this.version, hashes, documents });
  }
}

export interface OpenOptions {
  readonly place?: LastGoodStore;
  readonly watch?: boolean;
  readonly log?: Logger;
  readonly catalog?: ToolCatalog;
  readonly version?: string;
}

/** A service on a folder; closed when the test is done. Without `watch` it looks only when told to. */
export async function open(dir: string, options: OpenOptions = {}): Promise<ConfigService> {
  const config = await openConfig({
    dir,
    revisionStore: options.place ?? new MemoryPlace(),
    catalog: options.catalog ?? catalog,
    env,
    log: options.log ?? silentLogger,
    clock: systemClock,
    watch: options.watch ?? false,
    ...(options.version !== undefined && { version: options.version }),
  });
  onTestFinished(() => config.close());
  return config;
}

/** What `validate` finds in a folder of these files. */
export async function problemsOf(files: Files): Promise<readonly Problem[]> {
  const { dir } = await makeFolder(files);
  return (await validateConfig({ dir, dataDir: join(dirname(dir), 'data'), catalog, env })).problems;
}

/** `agents/a.yaml:2:3 CODE` of each problem. */
export function brief(problems: readonly Problem[]): string[] {
  return problems.map(({ file, line, column, code }) => `${file.replace('config/', '')}:${line}:${column} ${code}`);
}

/** The state of each document by name: `{ 'agents/reader': 'live' }`. */
export function statesOf(config: ConfigService): Record<string, string> {
  return Object.fromEntries(
    config.documents().map(({ file, state }) => [file.replace(/^config\/|\.\w+$/g, ''), state]),
  );
}
