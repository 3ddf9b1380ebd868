import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { ROUTES } from '../../../engine/src/api/routes/routes.ts';
import { root } from '../../available.ts';

/** Routes that the files of a folder export, by the base name of their file. */
async function routesIn(folder: string): Promise<[string, unknown][]> {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const found: [string, unknown][] = [];
  for (const file of files) {
    const exports = (await import(pathToFileURL(join(root, folder, file)).href)) as object;
    for (const [name, value] of Object.entries(exports))
      if (name.endsWith('Routes') && typeof value === 'function') found.push([basename(file, '.ts'), value]);
  }
  return found;
}

test('the table of routes lists each file that adds routes, once and by its name', async () => {
  const found = [...(await routesIn('engine/src/api/routes')), ...(await routesIn('engine/src/api/auth'))];
  const byName = (one: [string, unknown], other: [string, unknown]) => one[0].localeCompare(other[0]);
  const listed = ROUTES.map(({ name, add }): [string, unknown] => [name, add]);
  expect(listed.length).toBeGreaterThan(10);
  expect(listed.sort(byName)).toEqual(found.sort(byName));
});
