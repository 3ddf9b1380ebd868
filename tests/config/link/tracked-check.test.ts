import { expect, test } from 'vitest';
import { ConfigView } from '../../../engine/src/config/link/config-view.ts';
import { TrackedCheck } from '../../../engine/src/config/link/tracked-check.ts';
import { locationOf, sourceOf } from '../../../engine/src/config/parse/read.ts';
import { createShapeCheck } from '../../../engine/src/config/parse/schema.ts';
import { type ValidDocument, validateSource } from '../../../engine/src/config/validate/validate.ts';
import { catalog, env } from '../folder.ts';

const checkShape = createShapeCheck();

function documentOf(path: string, text: string): ValidDocument {
  const location = locationOf(path, 'config');
  const source = 'code' in location ? location : sourceOf(location, `config/${path}`, Buffer.from(text));
  const { document } = 'code' in source ? {} : validateSource(source, { checkShape, catalog, env });
  if (document === undefined) throw new Error(`${path} is not valid`);
  return document;
}

const agent = (id: string, name = 'A') => documentOf(`agents/${id}.yaml`, `id: ${id}\nname: ${name}\n`);
const director = (id: string, of: string) =>
  documentOf(`directors/${id}.yaml`, `id: ${id}\napiConfigId: none\nagents: [${of}]\n`);

/** 200 agents, and a director of each. */
const DOCUMENTS = Array.from({ length: 200 }, (_, i) => [agent(`a${i}`), director(`d${i}`, `a${i}`)]).flat();

function viewOf(documents: readonly ValidDocument[]): ConfigView {
  const chosen = new Map(documents.map((document) => [document.name, document]));
  return new ConfigView({ chosen, unusable: new Set(), deleted: new Set(), catalog });
}

/** Checks the names of the agents of a director; `checked` has each document that was checked since it was last emptied. */
function agentNames() {
  const checked: string[] = [];
  const check = new TrackedCheck(({ name, typed }, others) => {
    checked.push(name);
    if (typed.kind !== 'director') return undefined;
    return typed.value.agents.map((id) => others.get(`agents/${id}`)?.typed.value).map((value) => value !== undefined);
  });
  return { check, checked };
}

test('a change has only the document checked again, and those whose last check read it', async () => {
  const { check, checked } = agentNames();
  await check.run(viewOf(DOCUMENTS));
  expect(checked).toHaveLength(400);
  checked.length = 0;
  const moved = [agent('a7', 'B'), director('d9', 'a7')];
  const documents = DOCUMENTS.map((one) => moved.find(({ name }) => name === one.name) ?? one);
  await check.run(viewOf(documents));
  expect(checked.sort()).toEqual(['agents/a7', 'directors/d7', 'directors/d9']);
  checked.length = 0;
  const gone = await check.run(viewOf(documents.filter(({ name }) => name !== 'agents/a7' && name !== 'directors/d7')));
  expect(checked).toEqual(['directors/d9']);
  expect([gone.get('directors/d9'), gone.has('directors/d7'), gone.get('directors/d8')]).toEqual([
    [false],
    false,
    [true],
  ]);
});

test('after a check that failed, all documents are checked again', async () => {
  const { check, checked } = agentNames();
  await check.run(viewOf(DOCUMENTS));
  const failing = viewOf([agent('a7', 'B')]);
  failing.chosen.get = () => {
    throw new Error('out of memory');
  };
  await expect(check.run(failing)).rejects.toThrow('out of memory');
  checked.length = 0;
  await check.run(viewOf(DOCUMENTS));
  expect(checked).toHaveLength(400);
});

test('who reads the tools is checked again if what a tool may do has changed, not if its description has', async () => {
  const tool = (description: string, effects: string) =>
    documentOf(
      'tools/find.yaml',
      `id: find\nkind: http\ndescription: ${description}\neffects: ${effects}\nrequest: { url: https://example.org/ }\n`,
    );
  const others = [director('d1', ''), agent('a1')];
  const checked: string[] = [];
  const check = new TrackedCheck(({ name, typed }, others) => {
    checked.push(name);
    return typed.kind === 'director' ? others.tools.get('find')?.effects : undefined;
  });
  const run = async (description: string, effects: string) => {
    checked.length = 0;
    return check.run(viewOf([tool(description, effects), ...others]));
  };
  await run('Finds.', 'read');
  await run('Finds files.', 'read');
  expect(checked).toEqual(['tools/find']);
  expect((await run('Finds files.', 'write')).get('directors/d1')).toBe('write');
  expect(checked.sort()).toEqual(['directors/d1', 'tools/find']);
});

test('the event loop turns while many documents are checked', async () => {
  const check = new TrackedCheck(() => {
    const start = performance.now();
    while (performance.now() - start < 1);
    return undefined;
  });
  let turns = 0;
  const count = () => {
    turns++;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  await check.run(viewOf(DOCUMENTS.slice(0, 50)));
  clearImmediate(next);
  expect(turns).toBeGreaterThanOrEqual(2);
});
