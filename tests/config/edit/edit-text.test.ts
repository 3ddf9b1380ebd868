import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { editJson, editYaml } from '../../../engine/src/config/edit/edit-text.ts';

const TEXT = `# yaml-language-server: $schema=../../schemas/director.schema.json
# The boss.
id: boss            # never changes
name:   Boss
tools: [ workspace,   mail ]   # shown to the model

agents:
  # who reads
  - reader
  - writer   # who writes
# how long
budget: { maxIterations: 40,  maxMinutes: 10 }
prompt:
  - role: system
    content: |
      Be calm.
      Be brief.
  - { role: user,   content: "{{email}}" }   # the mail
imprint: >-
  You are
  calm.
# the end
`;

/** Lines of `text` that are not in `other`. */
function onlyIn(text: string, other: string): string[] {
  const left = other.split('\n');
  return text.split('\n').filter((line) => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

interface Change {
  readonly name: string;
  readonly change: (value: Record<string, never>) => Record<string, unknown>;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

const CHANGES: readonly Change[] = [
  { name: 'a text', change: (v) => ({ ...v, name: 'Chief' }), removed: ['name:   Boss'], added: ['name:   Chief'] },
  {
    name: 'a text that needs quotes',
    change: (v) => ({ ...v, name: 'yes: no' }),
    removed: ['name:   Boss'],
    added: ['name:   "yes: no"'],
  },
  {
    name: 'a text with a comment behind it',
    change: (v) => ({ ...v, id: 'chief' }),
    removed: ['id: boss            # never changes'],
    added: ['id: chief            # never changes'],
  },
  {
    name: 'a number in a flow mapping',
    change: (v) => ({ ...v, budget: { maxIterations: 40, maxMinutes: 5 } }),
    removed: ['budget: { maxIterations: 40,  maxMinutes: 10 }'],
    added: ['budget: { maxIterations: 40,  maxMinutes: 5 }'],
  },
  {
    name: 'a key of a flow mapping taken out',
    change: (v) => ({ ...v, budget: { maxMinutes: 10 } }),
    removed: ['budget: { maxIterations: 40,  maxMinutes: 10 }'],
    added: ['budget: { maxMinutes: 10 }'],
  },
  {
    name: 'an item added to a flow list',
    change: (v) => ({ ...v, tools: ['workspace', 'mail', 'web'] }),
    removed: ['tools: [ workspace,   mail ]   # shown to the model'],
    added: ['tools: [ workspace,   mail, web ]   # shown to the model'],
  },
  {
    name: 'an item added to a list',
    change: (v) => ({ ...v, agents: ['reader', 'writer', 'judge'] }),
    removed: [],
    added: ['  - judge'],
  },
  {
    name: 'an item put first',
    change: (v) => ({ ...v, agents: ['judge', 'reader', 'writer'] }),
    removed: [],
    added: ['  - judge'],
  },
  {
    name: 'an item taken out',
    change: (v) => ({ ...v, agents: ['reader'] }),
    removed: ['  - writer   # who writes'],
    added: [],
  },
  {
    name: 'an item changed',
    change: (v) => ({ ...v, agents: ['reader', 'judge'] }),
    removed: ['  - writer   # who writes'],
    added: ['  - judge   # who writes'],
  },
  { name: 'a key added', change: (v) => ({ ...v, order: 3 }), removed: [], added: ['order: 3'] },
  {
    name: 'a mapping added',
    change: (v) => ({ ...v, permissions: { deny: ['a_*'] } }),
    removed: [],
    added: ['permissions:', '  deny:', '    - a_*'],
  },
  { name: 'a key taken out', change: ({ name: _gone, ...v }) => v, removed: ['name:   Boss'], added: [] },
  {
    name: 'a block text',
    change: (v) => ({
      ...v,
      prompt: [
        { role: 'system', content: 'Be quick.\nBe kind.\n' },
        { role: 'user', content: '{{email}}' },
      ],
    }),
    removed: ['      Be calm.', '      Be brief.'],
    added: ['      Be quick.', '      Be kind.'],
  },
  {
    name: 'a message in the middle',
    change: (v) => ({
      ...v,
      prompt: [
        { role: 'system', content: 'Be calm.\nBe brief.\n' },
        { role: 'assistant', content: 'Yes.' },
        { role: 'user', content: '{{email}}' },
      ],
    }),
    removed: [],
    added: ['  - role: assistant', '    content: Yes.'],
  },
  {
    name: 'a text inside a flow mapping',
    change: (v) => ({
      ...v,
      prompt: [
        { role: 'system', content: 'Be calm.\nBe brief.\n' },
        { role: 'user', content: 'a, b' },
      ],
    }),
    removed: ['  - { role: user,   content: "{{email}}" }   # the mail'],
    added: ['  - { role: user,   content: "a, b" }   # the mail'],
  },
  {
    name: 'a folded text',
    change: (v) => ({ ...v, imprint: 'You are quick.' }),
    removed: ['imprint: >-', '  You are', '  calm.'],
    added: ['imprint: You are quick.'],
  },
];

describe('an edit of YAML', () => {
  const value = parse(TEXT) as Record<string, never>;

  test.each(CHANGES)('changes only the lines that say something else: $name', ({ change, removed, added }) => {
    const wanted = change(value);
    const edited = editYaml(TEXT, wanted);
    expect(parse(edited)).toEqual(wanted);
    expect(onlyIn(TEXT, edited)).toEqual(removed);
    expect(onlyIn(edited, TEXT)).toEqual(added);
  });

  test('that changes nothing leaves every byte', () => {
    expect(editYaml(TEXT, { ...value })).toBe(TEXT);
  });

  test('keeps CRLF', () => {
    const edited = editYaml('id: a\r\nname: A # x\r\n', { id: 'a', name: 'B', order: 1 });
    expect(edited).toBe('id: a\r\nname: B # x\r\norder: 1\r\n');
  });

  test('adds a key to a text without a last line break', () => {
    expect(editYaml('id: a', { id: 'a', order: 1 })).toBe('id: a\norder: 1\n');
  });

  test('of a text that cannot be parsed writes it anew', () => {
    expect(parse(editYaml('id: [', { id: 'a' }))).toEqual({ id: 'a' });
  });

  test('turns a text with a comment into several lines without losing either', () => {
    const edited = editYaml('id: a\nname: A # who\n', { id: 'a', name: 'one\ntwo\n' });
    expect(parse(edited)).toEqual({ id: 'a', name: 'one\ntwo\n' });
    expect(edited).toContain('# who');
  });

  test.each([
    ["allow: ['mail_*', b] # who\n", ['mail_*', 'b', 'c(to=@thread)'], "allow: ['mail_*', b, c(to=@thread)] # who\n"],
    [
      'allow: [\n  \'a\', # one\n  "b", # two\n]\n',
      ['a', 'b', 'c, d'],
      'allow: [\n  \'a\', # one\n  "b", "c, d", # two\n]\n',
    ],
    ["p: { allow: ['*'] }\n", { allow: ['*', 'x'] }, "p: { allow: ['*', x] }\n"],
    ["allow: ['a', 'b']\n", ['x', 'a', 'b'], 'allow: [x, a, b]\n'],
  ])('an item that is added to the end of %j leaves the others as they are written', (text, value, edited) => {
    const [key = ''] = /^\w+/.exec(text) ?? [];
    expect(editYaml(text, { [key]: value })).toBe(edited);
  });

  test('whatever is changed, the text says what was wanted and no comment above a kept key is lost', () => {
    const text = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.constantFrom('a: b', '- x', '# no', 'two\nlines', 'yes', '1', '', ' x ', '{{email}}', '[a'),
    );
    const key = fc.constantFrom('name', 'tools', 'agents', 'budget', 'prompt', 'imprint', 'order', 'extra');
    const leaf = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null));
    const anything = fc.oneof(
      leaf,
      fc.array(leaf, { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('x', 'y'), leaf),
      fc.array(fc.record({ role: text, content: text }), { maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.dictionary(key, anything, { noNullPrototype: true }), fc.uniqueArray(key), (changes, removed) => {
        const wanted: Record<string, unknown> = { ...value, ...changes };
        for (const name of removed) delete wanted[name];
        const edited = editYaml(TEXT, wanted);
        expect(parse(edited)).toEqual(wanted);
        for (const comment of ['# The boss.', '# never changes']) expect(edited).toContain(comment);
      }),
      { numRuns: 500 },
    );
  });
});

describe('an edit of JSON', () => {
  test('keeps order, indentation and the last line break', () => {
    const text = '{\n\t"id": "a",\n\t"name": "A",\n\t"budget": {\n\t\t"maxMinutes": 1\n\t}\n}\n';
    const edited = editJson(text, { order: 2, budget: { maxMinutes: 2 }, name: 'A', id: 'a' });
    expect(edited).toBe('{\n\t"id": "a",\n\t"name": "A",\n\t"budget": {\n\t\t"maxMinutes": 2\n\t},\n\t"order": 2\n}\n');
  });
});
