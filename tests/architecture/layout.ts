import { posix } from 'node:path';
import { roomOf } from './rules.ts';
import { linesWith, type Offence, type Source, targetOf } from './source.ts';

/** Most files in one folder of the engine, of its tests or of the viewer. */
const MAX_FILES = 20;

/**
 * Order inside the rooms, from left to right: a folder or a listed root file imports only what stands to its left, and
 * itself. Root files that are not listed are contracts and stand leftmost, so they import no folder of their room. Entries of
 * an inner list are siblings: they do not import each other.
 */
const ORDER: Readonly<Record<string, readonly (string | readonly string[])[]>> = {
  base: ['watch'],
  store: ['maintenance', ['sqlite', 'postgres'], 'move'],
  cluster: ['queue'],
  config: [
    ...[
      'rule',
      'parse',
      'prompt',
      'schedule',
      'chat',
      'validate',
      'link',
      'revision',
      'live',
      'edit',
      'config-folder.ts',
      'test',
      'validate-folder.ts',
    ],
    ...['shared', 'service.ts'],
  ],
  account: ['oauth', ['google', 'microsoft'], 'connections.ts', 'connection-state.ts'],
  mail: ['html', 'parse', 'send', 'search', ['folder', 'imap', 'gmail', 'outlook'], 'providers.ts', 'open-mail.ts'],
  file: ['text', 'search', 'notebook', 'upload', 'open-files.ts'],
  agenda: ['ical', ['local', 'google', 'microsoft'], 'open-agenda.ts'],
  model: ['http', 'protocol', 'openai', ['ollama', 'anthropic', 'scripted', 'cli'], 'models.ts'],
  memory: ['embedding', 'search', 'open-memory.ts'],
  tool: ['preview', 'family', 'registry.ts', 'declared', 'mcp', 'open-run-tools.ts'],
  guard: ['privacy', 'placeholder', 'time', 'claims', 'needs-time.ts', 'guards.ts'],
  run: [
    'step',
    'objective',
    'output',
    'ask',
    'fallback',
    'answer',
    'file',
    'cli',
    'turn',
    'conversation',
    'role',
    'plan',
    'lifecycle',
    'session',
    'learn',
    'pursuit',
    'in-flight',
    'mode',
    'engine',
  ],
  chat: ['message', 'export', 'roam', 'roaming.ts', 'round', 'rounds.ts', 'view-chat.ts', 'chats.ts'],
  intake: ['due', 'sent', 'notices.ts'],
  replay: ['play', 'read', 'compare', 'shadow', 'report', 'case', 'test'],
  api: ['http', 'auth', 'routes', 'viewer', 'metrics-page.ts', 'worker-server.ts', 'server.ts'],
  app: [
    'services',
    'read',
    'app.ts',
    'scratch',
    'test',
    'process-app.ts',
    'sample-inbox.ts',
    'api-services.ts',
    'serve-app.ts',
    'serve-worker.ts',
    'command-server.ts',
  ],
  cli: ['terminal', 'context.ts', 'command.ts', 'with-api.ts', 'doctor', 'commands', 'program.ts'],
};

/** Folders with more files than a reader takes in at a glance. */
export function crowdedFolders(sources: readonly Source[]): Offence[] {
  const counts = Map.groupBy(sources, ({ path }) => posix.dirname(path));
  return [...counts]
    .filter(([, files]) => files.length > MAX_FILES)
    .map(([folder, files]) => `${folder} holds ${files.length} files; the most is ${MAX_FILES}`);
}

/** Imports inside a room that run from left to right, or between siblings. */
export function backwardImports(sources: readonly Source[]): Offence[] {
  return sources.flatMap((source) => {
    const room = roomOf(source.path);
    return source.imports.flatMap((item) => {
      const target = targetOf(source, item);
      if (target === undefined || item.kind === 'url' || roomOf(target) !== room) return [];
      const from = placeIn(room, source.path);
      const to = placeIn(room, target);
      if (from.entry === to.entry || to.rank < from.rank) return [];
      return [`${source.path} imports ${target}: ${to.entry} is not to the left of ${from.entry} in ${room}`];
    });
  });
}

/** The entry of ORDER that a file belongs to, and its rank; `contracts` for root files that are not listed. */
function placeIn(room: string, path: string): { readonly entry: string; readonly rank: number } {
  const name = path.slice(`engine/src/${room}/`.length).split('/')[0] ?? '';
  const rank = (ORDER[room] ?? []).findIndex((entry) =>
    typeof entry === 'string' ? entry === name : entry.includes(name),
  );
  return rank < 0 ? { entry: 'contracts', rank } : { entry: name, rank };
}

/** Folders of rooms that ORDER does not place. */
export function unplacedFolders(sources: readonly Source[]): Offence[] {
  const folders = new Set(sources.flatMap(({ path }) => /^engine\/src\/([^/]+\/[^/]+)\//.exec(path)?.[1] ?? []));
  return [...folders]
    .filter((folder) => !(ORDER[folder.split('/')[0] ?? ''] ?? []).flat().includes(folder.split('/')[1] ?? ''))
    .map((folder) => `${folder} has no place in the order of its room`);
}

/** Test folders without a folder of that name in the engine, and folders of the engine without tests. */
export function unmatchedTests(
  engine: readonly Source[],
  tests: readonly Source[],
  others: readonly string[],
): Offence[] {
  const inEngine = foldersOf(engine, 'engine/src/');
  const inTests = foldersOf(tests, 'tests/');
  const isOther = (folder: string) => others.includes(folder.split('/')[0] ?? '');
  return [
    ...[...inTests]
      .filter((folder) => !inEngine.has(folder) && !isOther(folder))
      .map((one) => `tests/${one} mirrors no room`),
    ...[...inEngine].filter((folder) => !inTests.has(folder)).map((one) => `engine/src/${one} has no folder in tests`),
  ];
}

/** Folders that hold a file directly, below a prefix. */
function foldersOf(sources: readonly Source[], prefix: string): Set<string> {
  const folders = sources
    .filter(({ path }) => path.startsWith(prefix))
    .map(({ path }) => posix.dirname(path.slice(prefix.length)));
  return new Set(folders.filter((folder) => folder !== '.'));
}

const EXPORTED =
  /^export (?:declare )?(?:abstract )?(?:(interface|type|class)|(?:async )?(?:function\*?|const|let)) +([A-Za-z_$][\w$]*)/gm;

/** Places that decide by the kind of a plug-in in a `switch`: such a decision is a field of the kind's row in its registry. */
export function kindSwitches(sources: readonly Source[]): Offence[] {
  return sources.flatMap(({ path, code }) =>
    linesWith(code, /\bswitch \([^)]*\b(?:provider|family|mode|route|screen)\)/g).map(
      (line) => `${path}:${line} has a switch on a kind`,
    ),
  );
}

/** Exported types that bear the name of another one. */
export function repeatedTypes(sources: readonly Source[]): Offence[] {
  const places = new Map<string, string[]>();
  for (const { path, code } of sources) {
    if (path.includes('.gen.')) continue;
    for (const [, isType, name = ''] of code.matchAll(EXPORTED))
      if (isType !== undefined) places.set(name, [...(places.get(name) ?? []), path]);
  }
  return [...places]
    .filter(([, paths]) => new Set(paths).size > 1)
    .map(([name, paths]) => `the type ${name} is exported by ${[...new Set(paths)].join(', ')}`);
}

/**
 * Words of the first layout that no exported name holds any more; the field's words took their place (house plan, "Types and
 * words").
 */
const RETIRED = new Set([
  ...['ways', 'parts', 'manner', 'how', 'roots', 'cast', 'surface', 'performer', 'look', 'looks', 'hold', 'pulse'],
  ...['hands', 'book', 'standing', 'ground', 'place', 'places', 'office', 'courier', 'desk', 'room', 'judge', 'doubt'],
  ...['doubts', 'marked', 'take', 'give', 'tell'],
]);

/** Names that hold a retired word in its own sense: parts of a MIME message, of a body, of a message in OpenTelemetry. */
const PLAIN = new Set(['readParts', 'readBodyParts', 'toParts']);

/** Exported names that hold a retired word. */
export function retiredNames(sources: readonly Source[]): Offence[] {
  return sources.flatMap(({ path, code }) =>
    [...code.matchAll(EXPORTED)].flatMap(([, , name = '']) => {
      const word = wordsOf(name).find((one) => RETIRED.has(one));
      return word === undefined || PLAIN.has(name) ? [] : [`${path} exports ${name}: "${word}" is a retired word`];
    }),
  );
}

/** Words of a name in camel case or in capitals, in small letters. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[ _]/)
    .map((word) => word.toLowerCase());
}
