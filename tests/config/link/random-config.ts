import fc from 'fast-check';

/** A change of one file: its path below the config folder and its new text; null if it is deleted. */
export interface Edit {
  readonly path: string;
  readonly text: string | null;
}

const IDS = ['a', 'b', 'c'] as const;
/** Also one that no document has. */
const NAMES = [...IDS, ...IDS, 'e'];
const lists = ['[a]', '[b]', '[c]', '[a, b]', '[a, c]', '[b, a]', '[c, a]', '[c, b]', '[b, c, a]', '[b, e, c]'];
const enabled = ['false'];
const tools = [
  ...['[]', '[mail]', '[mail, a]', '[mail_send, mail_read, b]', '[memory, web]', '[memory, mail]', '[notebook]'],
  ...['[document, c]', '[reminder, mail_send]', '[e]', '[a, b, c__find]'],
];
const permissions = [
  ...['{ allow: [mail_send] }', '{ allow: [mail_send] }', '{ ask: ["mail_*"] }', '{ allow: [mail_send, a] }'],
  ...['{ ask: ["b*"] }', '{ allow: ["c__find"] }', '{ allow: [agent__b] }'],
  '{ deny: ["nothing_*"], allow: ["mail_send(to=me@example.org)"] }',
];
const prompt = [
  ...['{ use: a }', '{ use: b, with: { x: y } }', '{ use: c }', '{ use: e }'],
  '[{ role: user, content: "Think of {{memories}}" }, { role: user, content: "{{email}}" }]',
];
const scope = ['{ notebooks: [lab] }', '{ notebooks: ["*"], operations: [read, write] }', '{ notebooks: [home] }'];
const untrusted = ['{ act: [mail_send] }', '{ act: [mail_send] }', '{ act: [a] }'];
/** Reads private mail and sends mail; the second kind asks a person all the same. */
const sender = [
  '[mail, memory]\npermissions: { allow: [mail_send] }\nuntrusted: { act: [mail_send] }',
  '[mail]\npermissions: { allow: [mail_send] }',
  '[mail]\npermissions: { allow: [mail_send] }',
];
const actor = { enabled, tools, permissions, prompt, scope, untrusted, memoryAccess: lists };

/** Keys of the documents of a folder, each with the values that it may have. */
const KEYS: Readonly<Record<string, readonly Readonly<Record<string, readonly string[]>>[]>> = {
  apis: [
    {
      provider: ['ollama\nmodel: m'],
      fallback: [...lists, '{ to: [b, c], on: [unavailable] }', '{ to: [a], on: [rateLimit] }'],
      locality: ['local'],
      enabled,
    },
    { provider: ['cli\ncli: codex'], enabled },
    { provider: ['scripted\nscript: [{ when: { any: true }, call: { tool: a, arguments: {} } }]'], fallback: lists },
    { provider: ['openai\nmodel: m\napiKey: ${secret:KEY}', 'openai\nmodel: m\napiKey: ${env:NONE}'], enabled },
  ],
  accounts: [{ provider: ['folder\nemail: me@example.org\npath: ./inbox'], enabled }],
  agents: [
    { ...actor, apiConfigId: NAMES },
    { tools: sender, enabled, prompt },
  ],
  directors: [
    {
      ...{ ...actor, agents: lists, accountIds: lists, locality: ['local'] },
      apiConfigId: NAMES,
      guards: ['[{ kind: needsTime, tools: ["c__*"] }]', '[{ kind: needsTime, tools: ["none_*", a] }]'],
    },
    { apiConfigId: NAMES, tools: sender, agents: lists },
    { apiConfigId: NAMES, tools: ['[a, b]'], agents: lists, locality: ['local'] },
  ],
  filters: [{ directorId: [...NAMES, ...lists], accountIds: lists, enabled }],
  prompts: [
    {
      variables: ['{ x: z }', '{ x: z, y: z }'],
      messages: [
        '[{ role: user, content: "{{email}}" }]',
        '[{ role: user, content: "{{memories}} and {{scope}}" }]',
        '[{ role: system, content: hi }]',
      ],
      enabled,
    },
  ],
  tools: [
    { kind: ['http\ndescription: Asks.\neffects: read\nrequest: { url: https://api.example.org/v1 }'], enabled },
    { kind: ['mcp\nurl: https://mcp.example.org\neffects: read\nallow: [find, "get_*"]'], enabled },
    { kind: ['command\ndescription: Counts.\nargv: [wc]\neffects: read'], enabled },
  ],
  chats: [
    {
      participants: [
        '[{ displayName: Ada, apiConfigId: a }, { displayName: Bo, apiConfigId: e }]',
        '[{ displayName: Ada, agentId: c }]',
      ],
      summaryApiConfigId: NAMES,
      files: ['[lab:/x.txt]', '[/tmp/x.txt]'],
      enabled,
    },
  ],
};

/** Keys without which a document is invalid, so that they are seldom left out. */
const NEEDED = new Set(['provider', 'apiConfigId', 'directorId', 'messages', 'kind', 'participants']);
const SETTINGS = [
  'roots: { lab: ./lab }\n',
  'roots: { home: ./home }\nvirtualRoot: ./home\n',
  'clients: { mcp: { allow: [run_start] } }\n',
  'learn: { agent: a }\n',
  'enabled: false\n',
  'roots: { lab: ./lab }\nnonsense: 1\n',
];
const BROKEN = ['oops: [\n', 'nonsense: 1\n', ''];

/** Lines with some of these keys. */
function lines(keys: Readonly<Record<string, readonly string[]>>): fc.Arbitrary<string> {
  const each = Object.entries(keys).map(([key, values]) =>
    fc.oneof(
      { weight: NEEDED.has(key) ? 30 : 2, arbitrary: fc.constantFrom(...values).map((value) => `${key}: ${value}\n`) },
      { weight: key === 'enabled' ? 6 : 3, arbitrary: fc.constant('') },
    ),
  );
  return fc.tuple(...each).map((found) => found.join(''));
}

function textOf(folder: string, id: string): fc.Arbitrary<string> {
  const head = folder === 'filters' ? `id: ${id}\nfield: To\nregex: a\n` : `id: ${id}\n`;
  const valid = fc.oneof(...(KEYS[folder] ?? []).map((keys) => lines(keys))).map((text) => head + text);
  return fc.oneof({ weight: 14, arbitrary: valid }, { weight: 1, arbitrary: fc.constantFrom(...BROKEN) });
}

const documentEdit: fc.Arbitrary<Edit> = fc
  .tuple(fc.constantFrom(...Object.keys(KEYS)), fc.constantFrom(...IDS))
  .chain(([folder, id]) =>
    fc
      .oneof({ weight: 6, arbitrary: textOf(folder, id) }, { weight: 1, arbitrary: fc.constant(null) })
      .map((text) => ({ path: `${folder}/${id}.yaml`, text })),
  );

/** Every document once. */
export const wholeFolder: fc.Arbitrary<readonly Edit[]> = fc.tuple(
  ...Object.keys(KEYS).flatMap((folder) =>
    IDS.map((id) => textOf(folder, id).map((text) => ({ path: `${folder}/${id}.yaml`, text }))),
  ),
);

/** An edit of some document: of every kind, valid or not, with intact links or broken ones, or its deletion. */
export const anyEdit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 30, arbitrary: documentEdit },
  // A second file of the same document, which more often goes than comes.
  {
    weight: 1,
    arbitrary: fc
      .tuple(documentEdit, fc.boolean())
      .map(([{ path, text }, isGone]) => ({ path: path.replace('.yaml', '.yml'), text: isGone ? null : text })),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(...SETTINGS, null).map((text) => ({ path: 'settings.yaml', text })),
  },
);
