import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { MACHINES } from '../../scripts/machine-diagrams.ts';
import { root } from '../available.ts';

const TABLE = 'tests/machines/versions.json';

/**
 * What each version of each machine was, by hash. A stored run is taken up under the definition of its version, so a
 * definition never changes under a version that runs out there may have.
 */
const known = JSON.parse(readFileSync(join(root, TABLE), 'utf8')) as Readonly<
  Record<string, Readonly<Record<string, string>>>
>;

/**
 * Hash of what a machine does: its code with guards, actions and their helpers, without types, comments and layout. A large machine has
 * more files: `objective-setup.ts` belongs to `objective.ts`.
 */
function hashOf(file: string): string {
  const folder = dirname(file);
  const more = readdirSync(join(root, folder)).filter((one) => one.startsWith(`${basename(file, '.ts')}-`));
  const sources = [file, ...more.toSorted().map((one) => join(folder, one))];
  const code = sources
    .map((one) => stripTypeScriptTypes(readFileSync(join(root, one), 'utf8')))
    .join('')
    .replace(/\/\*[^]*?\*\/|\/\/.*$/gm, '')
    .replace(/\s+/g, '')
    .replace(/,(?=[)\]}])/g, '');
  return createHash('sha256').update(code).digest('hex').slice(0, 16);
}

test.each(MACHINES.map(({ id, version = '' }) => ({ id, version })))(
  'the machine $id is what its version says',
  ({ id: name, version }) => {
    const file = `engine/machines/${name}.ts`;
    const hash = hashOf(file);
    const versions = known[name] ?? {};
    const advice =
      version in versions
        ? `${file} has changed, and its version is still "${version}". Give it a new version, make sure that ` +
          `what restores it migrates or refuses what "${version}" has written, and add the new version with ` +
          `"${hash}" to ${TABLE}. Only while no release has "${version}" may you put the new hash in its place.`
        : `${file} has the new version "${version}": add "${version}": "${hash}" to ${TABLE}.`;
    expect(versions[version], advice).toBe(hash);
  },
);

test('every machine has its versions in the table, and no other has', () => {
  expect(Object.keys(known).toSorted()).toEqual(MACHINES.map(({ id }) => id).toSorted());
});
