import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { loadedBy } from '../../architecture/rules.ts';
import { readSources, sourceOf } from '../../architecture/source.ts';
import { ROW_ROUTES } from '../../../engine/src/api/routes/row-routes.ts';
import { COMMANDS } from '../../../engine/src/cli/commands/commands.ts';
import { root } from '../../available.ts';

const TABLE = 'engine/src/cli/commands/commands.ts';
const engine = readSources(root, ['engine']);

test('the table of commands lists each command that a folder declares, once', async () => {
  const files = engine.map(({ path }) => path).filter((path) => /\/cli\/.*\/commands\.ts$/.test(path));
  const declared: unknown[] = [];
  for (const path of files.filter((file) => file !== TABLE)) {
    const exports = (await import(pathToFileURL(join(root, path)).href)) as object;
    declared.push(...Object.values(exports));
  }
  expect(declared.length).toBeGreaterThan(10);
  expect(new Set(declared).size).toBe(declared.length);
  expect(new Set(COMMANDS)).toEqual(new Set(declared));
  expect(COMMANDS).toHaveLength(declared.length);
});

/** The sources without dynamic imports, which load nothing before a command runs. */
const sources = engine.map(({ path }) =>
  sourceOf(path, readFileSync(join(root, path), 'utf8').replaceAll(/\bimport\s*\(/g, 'later(')),
);

test('callsheet validate loads no run, no model and no mail provider, and no watcher', () => {
  const loaded = [...loadedBy('engine/src/cli/commands/config/validate.ts', sources)];
  expect(loaded).toContain('engine/src/config/validate-folder.ts');
  const unused =
    /^engine\/src\/(?:run|model|api|intake|chat|mail\/(?:imap|gmail|outlook|folder|parse)|config\/live\/watch\.ts)\b/;
  expect(loaded.filter((path) => unused.test(path))).toEqual([]);
});

/** The files that answer the routes of `ROW_ROUTES`. */
const rowRoutes = readFileSync(join(root, 'engine/src/api/routes/row-routes.ts'), 'utf8')
  .matchAll(/import\('\.\/(.+?)'\)/g)
  .map(([, file]) => `engine/src/api/routes/${file}`)
  .toArray();

test.each(['engine/src/app/read/row-reader.ts', ...rowRoutes])(
  'a list without a server opens the store alone: %s loads no config, no model, no server',
  (file) => {
    const loaded = [...loadedBy(file, sources)];
    const unused =
      /^engine\/src\/(?:app\/(?:app|serve-app)\.ts|model|config\/(?!permissions\.ts|prompt\/envelope\.ts)|intake|chat\/(?!chat(?:-rows)?\.ts|view-chat\.ts|(?:session|summary)-rows\.ts|message\/mentions\.ts|roam\/change-rows\.ts|round\/(?:replies|round-state)\.ts)|tool\/(?!call-title|preview\.ts)|mail\/(?!searched-|mail-store\.ts)|run\/engine|api\/(?:server|listen)\.ts)\b/;
    expect(loaded.filter((path) => unused.test(path))).toEqual([]);
  },
);

test('the routes that are answered from rows are known', () => {
  expect(rowRoutes).toHaveLength(Object.keys(ROW_ROUTES).length);
});

test('callsheet --help loads no command, no store and no API', () => {
  const loaded = loadedBy('engine/src/cli/program.ts', sources);
  expect(loaded).toContain(TABLE);
  const isExpected = (path: string) =>
    /^engine\/src\/(?:base\/|app\/installation\.ts$|cli\/(?:[a-z-]+\.ts$|terminal\/|(?:.+\/)?commands\.ts$))/.test(
      path,
    );
  expect([...loaded].filter((path) => !isExpected(path))).toEqual([]);
  const packages = sources
    .filter(({ path }) => loaded.has(path))
    .flatMap(({ imports }) => imports.filter(({ kind, specifier }) => kind === 'value' && /^[^.]/.test(specifier)))
    .map(({ specifier }) => specifier)
    .filter((specifier) => !specifier.startsWith('node:'));
  expect([...new Set(packages)]).toEqual(['commander']);
});

test('the command line opens nothing itself: stores, connections and config are opened in app/', () => {
  const imports = /^import \{([^}]*)\} from '(?:\.\.\/)+([a-z]+)\/[^']*';/gm;
  const builders = engine
    .filter(({ path }) => path.startsWith('engine/src/cli/'))
    .flatMap(({ path }) =>
      [...readFileSync(join(root, path), 'utf8').matchAll(imports)].map((match) => [path, ...match]),
    )
    .flatMap(([path, , names = '', room = '']) =>
      ['base', 'app', 'terminal'].includes(room)
        ? []
        : names.split(',').map((name) => ({ path, room, name: name.trim() })),
    );
  expect(builders.length).toBeGreaterThan(5);
  // A class is in PascalCase; constants are in capitals.
  const builds = /^(?:open|create|lock|connect)[A-Z]|^[A-Z]+[a-z]/;
  expect(builders.filter(({ name }) => builds.test(name))).toEqual([]);
});
