import { linesWith, type Offence, type Source, targetOf } from './source.ts';

/** The rooms of engine/src from left to right: a room imports only rooms to its left, and itself. */
export const ROOMS = [
  ...[
    'base',
    'regex',
    'store',
    'cluster',
    'search',
    'budget',
    'config',
    'trace',
    'account',
    'mail',
    'filter',
    'workspace',
    'agenda',
  ],
  ...[
    'notification',
    'file',
    'model',
    'memory',
    'tool',
    'guard',
    'run',
    'task',
    'chat',
    'intake',
    'replay',
    'api',
    'app',
    'cli',
    'main',
  ],
];

const MAX_LINES = 300;

/** Room of a path: a folder of engine/src, `main`, `machines`, `ui`, or the top folder of anything else. */
export function roomOf(path: string): string {
  const inside = /^engine\/src\/([^/]+?)(?:\.ts)?(?:\/|$)/.exec(path)?.[1];
  return inside ?? /^engine\/(machines)\//.exec(path)?.[1] ?? path.split('/')[0] ?? '';
}

/** Files in a folder of engine/src that is no room. */
export function strangers(sources: readonly Source[]): Offence[] {
  return sources
    .filter(({ path }) => path.startsWith('engine/src/') && !ROOMS.includes(roomOf(path)))
    .map(({ path }) => `${path} is in no room; the rooms are ${ROOMS.join(', ')}`);
}

/** Imports that go the wrong way between rooms, or to a file that is not there; those of `others` are not looked at. */
export function wrongWays(sources: readonly Source[], others: readonly Source[] = []): Offence[] {
  const known = new Set([...sources, ...others].map(({ path }) => path));
  return edges(sources).flatMap(({ source, kind, target }) => {
    const reason = known.has(target)
      ? wrongWay(roomOf(source.path), roomOf(target), kind === 'type')
      : 'there is no such file';
    return reason === undefined ? [] : [`${source.path} imports ${target}: ${reason}`];
  });
}

function wrongWay(from: string, to: string, isType: boolean): string | undefined {
  if (from === to) return undefined;
  if (from === 'machines') return isType ? undefined : 'machines take nothing but types from outside';
  if (to === 'machines')
    return ['run', 'chat', 'bench'].includes(from) ? undefined : 'only run and chat drive machines';
  if (from === 'ui')
    return isType && ROOMS.includes(to) ? undefined : 'the viewer meets the engine over HTTP and by import type';
  if (!ROOMS.includes(from)) return undefined;
  if (!ROOMS.includes(to)) return 'the engine imports nothing outside engine/';
  return ROOMS.indexOf(to) < ROOMS.indexOf(from) ? undefined : `${to} is to the right of ${from}`;
}

/** Packages that engine, machines or viewer import without being allowed to. */
export function wrongPackages(sources: readonly Source[], dependencies: readonly string[]): Offence[] {
  return sources.flatMap((source) =>
    source.imports.flatMap((item) => {
      const name = /^(@[^/]+\/[^/]+|[^/]+)/.exec(item.specifier)?.[1] ?? '';
      if (item.kind !== 'value' || item.specifier.startsWith('.')) return [];
      if (roomOf(source.path) === 'machines')
        return name === 'xstate' ? [] : [`${source.path} imports ${name}: machines import xstate alone`];
      if (name.startsWith('node:') || dependencies.includes(name)) return [];
      return [`${source.path} imports ${name}, which is not among the dependencies of package.json`];
    }),
  );
}

/** Files that a process loads which begins with one: not those of its workers. */
export function loadedBy(path: string, sources: readonly Source[]): ReadonlySet<string> {
  const loads = edges(sources).filter(({ kind }) => kind === 'value');
  const loaded = new Set([path]);
  // A set that grows while it is walked is walked to its end.
  for (const at of loaded) for (const { source, target } of loads) if (source.path === at) loaded.add(target);
  return loaded;
}

/** Cycles among files, each as `a -> b -> a`. Types count: two files that need each other's are one file. */
export function cycles(sources: readonly Source[]): Offence[] {
  const next = new Map<string, string[]>(sources.map(({ path }) => [path, []]));
  // A worker's URL names a process to start, not a module to load.
  for (const { source, kind, target } of edges(sources)) if (kind !== 'url') next.get(source.path)?.push(target);
  const found: Offence[] = [];
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]) => {
    if (trail.includes(path)) found.push([...trail.slice(trail.indexOf(path)), path].join(' -> '));
    if (done.has(path) || trail.includes(path)) return;
    for (const target of next.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const path of next.keys()) visit(path, []);
  return found;
}

/** Files above the ceiling; generated ones are exempt. */
export function tooLong(sources: readonly Source[]): Offence[] {
  return sources
    .filter(({ path, lines }) => lines > MAX_LINES && !isGenerated(path))
    .map(({ path, lines }) => `${path} has ${lines} lines; the ceiling is ${MAX_LINES}`);
}

interface Ban {
  readonly name: string;
  readonly pattern: RegExp;
  readonly in: 'code' | 'comments';
  /** Files that the ban does not hold for. */
  readonly except: RegExp;
}

const BANS: readonly Ban[] = [
  {
    name: 'any',
    pattern: /(?:[:<|&,=]|=>|\bas|\bextends)\s*any\b(?!\s*[:(])/g,
    in: 'code',
    except: /\.gen\.ts$/,
  },
  { name: 'TODO', pattern: /\b(?:TODO|FIXME|XXX)\b/g, in: 'comments', except: /^$/ },
  { name: 'console', pattern: /\bconsole\s*\./g, in: 'code', except: /^(?!engine\/)|^engine\/src\/cli\// },
  {
    name: 'process.env, argv or exit',
    pattern: /\bprocess\s*\.\s*(?:env|argv|exit|exitCode)\b/g,
    in: 'code',
    except: /^(?!engine\/)|^engine\/src\/main\.ts$/,
  },
  { name: 'a default export', pattern: /^export default\b/gm, in: 'code', except: /^(?!engine\/|ui\/)/ },
  { name: 'export *', pattern: /^export \*/gm, in: 'code', except: /^$/ },
];

/** Words that do not belong: `any`, a note to do something later, console outside cli, the environment outside main. */
export function bannedWords(sources: readonly Source[]): Offence[] {
  return sources.flatMap((source) =>
    BANS.filter(({ except }) => !except.test(source.path)).flatMap((ban) =>
      linesWith(source[ban.in], ban.pattern).map((line) => `${source.path}:${line} has ${ban.name}`),
    ),
  );
}

/** Files whose name is not in kebab case. */
export function badNames(sources: readonly Source[]): Offence[] {
  return sources
    .filter(
      ({ path }) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.(gen|test|d))?\.(ts|mts|js|mjs)$/.test(path.split('/').at(-1) ?? ''),
    )
    .map(({ path }) => `${path} is not named in kebab case`);
}

function isGenerated(path: string): boolean {
  return path.includes('.gen.');
}

function edges(sources: readonly Source[]) {
  return sources.flatMap((source) =>
    source.imports.flatMap((item) => {
      const target = targetOf(source, item);
      // Data, such as a schema, is no module; and a URL may name a folder.
      const isModule = item.kind === 'url' ? /\.[cm]?[jt]s$/.test(item.specifier) : !item.specifier.endsWith('.json');
      return target === undefined || !isModule ? [] : [{ source, kind: item.kind, target }];
    }),
  );
}
