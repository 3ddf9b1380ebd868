import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isRecord } from '../../../engine/src/base/json.ts';
import { KINDS } from '../../../engine/src/config/config.ts';
import { TESTS_FOLDER } from '../../../engine/src/config/test/test-file.ts';
import { toolNames } from '../../../scripts/tool-names.ts';
import { LanguageServer } from './language-server.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** Files with tests are no documents, but editors know them, too. */
const FOLDERS: Readonly<Record<string, string>> = { ...KINDS, test: TESTS_FOLDER };
const modeline = (kind: string) => `# yaml-language-server: $schema=../../schemas/${kind}.schema.json\n`;

/** Labels of what the server would complete with. */
function labels(answer: unknown): string[] {
  const items = isRecord(answer) ? answer['items'] : answer;
  return Array.isArray(items) ? items.map((item: unknown) => (isRecord(item) ? String(item['label']) : '')) : [];
}

describe('in an editor', { timeout: 60_000 }, () => {
  const server = new LanguageServer();
  beforeAll(() => server.start(ROOT), 60_000);
  afterAll(() => server.stop());
  const path = (name: string) => join(ROOT, 'config', name);

  test('a valid document has no diagnostic', async () => {
    expect(await server.open(path('agents/e1.yaml'), `${modeline('agent')}id: e1\ntools: [workspace]\n`)).toEqual([]);
  });

  test.each([
    { name: 'an unknown key', kind: 'agent', text: 'id: e2\nnme: x\n', line: 2, says: 'nme' },
    {
      name: 'a wrong type',
      kind: 'director',
      text: 'id: e2\napiConfigId: main\nbudget: { maxMinutes: soon }\n',
      line: 3,
      says: 'number',
    },
    {
      name: 'a key of another provider',
      kind: 'api',
      text: 'id: e2\nprovider: ollama\nmodel: m\napiKey: x\n',
      line: 4,
      says: 'apiKey',
    },
    {
      name: 'a rule without an answer',
      kind: 'api',
      text: 'id: e2\nprovider: scripted\nscript:\n  - when: { any: true, nope: 1 }\n    say: a\n',
      line: 4,
      says: 'nope',
    },
  ])('$name is underlined where it stands', async ({ name, kind, text, line, says }) => {
    const folder = KINDS[kind as keyof typeof KINDS];
    const found = await server.open(path(`${folder}/${name.replaceAll(' ', '-')}.yaml`), modeline(kind) + text);
    expect(found.map(({ message }) => message).join('\n')).toContain(says);
    expect(found.map(({ range }) => range.start.line)).toContain(line);
  });

  test('keys are completed, those of the chosen provider among them', async () => {
    await server.open(path('agents/e3.yaml'), `${modeline('agent')}id: e3\n\n`);
    expect(labels(await server.at('completion', path('agents/e3.yaml'), 2, 0))).toEqual(
      expect.arrayContaining(['name', 'apiConfigId', 'tools', 'prompt', 'permissions', 'budget', 'enabled']),
    );
    await server.open(path('apis/e3.yaml'), `${modeline('api')}id: e3\nprovider: openai\n\n`);
    expect(labels(await server.at('completion', path('apis/e3.yaml'), 3, 0))).toEqual(
      expect.arrayContaining(['apiKey', 'limits', 'retry']),
    );
  });

  test('values are completed: modes, fields, variables', async () => {
    await server.open(path('filters/e4.yaml'), `${modeline('filter')}id: e4\nfield: \n`);
    expect(labels(await server.at('completion', path('filters/e4.yaml'), 2, 7))).toEqual(
      expect.arrayContaining(['From', 'Subject', 'Body']),
    );
    await server.open(path('agents/e4.yaml'), `${modeline('agent')}id: e4\nprompt:\n  - role: user\n    content: \n`);
    expect(labels(await server.at('completion', path('agents/e4.yaml'), 4, 13)).join(' ')).toContain('{{email}}');
  });

  test('names of families, tools and aliases are completed', async () => {
    const names = toolNames();
    for (const [kind, more] of [
      ['agent', ''],
      ['director', 'apiConfigId: main\n'],
    ] as const) {
      const folder = path(`${KINDS[kind]}/e6.yaml`);
      const head = `${modeline(kind)}id: e6\n${more}`;
      const line = head.split('\n').length;
      await server.open(folder, `${head}tools:\n  - \npermissions:\n  ask:\n    - \n`);
      const tools = labels(await server.at('completion', folder, line, 4));
      expect(tools).toEqual(expect.arrayContaining([...names.tools]));
      const permissions = labels(await server.at('completion', folder, line + 3, 6));
      expect(permissions).toEqual(expect.arrayContaining([...names.permissions]));
    }
    expect(names.tools).toEqual(expect.arrayContaining(['mail', 'mail_read', 'read_email']));
  });

  test('keys and types of assertions are completed in a file with tests', async () => {
    const head = `${modeline('test')}tests:\n  - mail: samples/13-newsletter.eml\n    assert:\n      - type: `;
    await server.open(path('tests/e7.yaml'), `${head}\n`);
    const types = labels(await server.at('completion', path('tests/e7.yaml'), 4, 14));
    expect(types).toEqual(expect.arrayContaining(['route', 'not-contains', 'llm-rubric']));
  });

  test('a key explains itself', async () => {
    await server.open(path('agents/e5.yaml'), `${modeline('agent')}id: e5\nbudget:\n  maxMinutes: 5\n`);
    expect(JSON.stringify(await server.at('hover', path('agents/e5.yaml'), 3, 4))).toContain('Maximum working time');
  });
});

describe('the shipped files', () => {
  test('begin with a modeline that leads to the schema of their kind', async () => {
    const wrong: string[] = [];
    for (const [kind, folder] of Object.entries(FOLDERS)) {
      const names = folder === '' ? ['settings.yaml'] : await readdir(join(ROOT, 'config', folder));
      const schema = `${folder === '' ? '..' : '../..'}/schemas/${kind}.schema.json`;
      for (const name of names.filter((one) => /\.ya?ml$/.test(one))) {
        const text = await readFile(join(ROOT, 'config', folder, name), 'utf8');
        if (!text.startsWith(`# yaml-language-server: $schema=${schema}\n`)) wrong.push(`${folder}/${name}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test('VS Code is told the schema of each folder', async () => {
    const settings: unknown = JSON.parse(await readFile(join(ROOT, '.vscode/settings.json'), 'utf8'));
    const schemas = isRecord(settings) && isRecord(settings['yaml.schemas']) ? settings['yaml.schemas'] : {};
    expect(Object.keys(schemas).sort()).toEqual(
      Object.keys(FOLDERS)
        .map((kind) => `./schemas/${kind}.schema.json`)
        .sort(),
    );
  });
});
