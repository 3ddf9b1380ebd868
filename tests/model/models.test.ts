import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { modelProviders } from '../../engine/src/model/models.ts';
import schema from '../../schemas/api.schema.json' with { type: 'json' };

/** Folders of engine/src/model that are not providers. */
const SHARED_FOLDERS = ['http', 'protocol'];

test('the table of providers has a row for each provider of the schema', () => {
  const branches = schema.oneOf.map(({ $ref }) => $ref.replace('#/$defs/', ''));
  expect(Object.keys(modelProviders).sort()).toEqual(branches.sort());
});

test('each provider of the table has a folder', () => {
  const folders = readdirSync(new URL('../../engine/src/model', import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !SHARED_FOLDERS.includes(entry.name))
    .map(({ name }) => name);
  expect(Object.keys(modelProviders).sort()).toEqual(folders.sort());
});
