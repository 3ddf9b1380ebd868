import type { Files } from '../folder.ts';
import { agent, api, director, type ProblemCase } from '../problem-cases.ts';

/** Links to documents that are missing, invalid, disabled or in a circle. */
export const BROKEN_LINKS: readonly ProblemCase[] = [
  {
    name: 'an api that is not there',
    files: { 'agents/x.yaml': 'id: x\napiConfigId: mian\n' },
    found: ['agents/x.yaml:2:14 CONFIG_UNKNOWN_API'],
    says: 'did you mean "main"?',
  },
  {
    name: 'a fallback that is not there',
    files: { 'apis/x.yaml': 'id: x\nprovider: ollama\nmodel: m\nfallback: [local]\n' },
    found: ['apis/x.yaml:4:12 CONFIG_UNKNOWN_API'],
  },
  {
    name: 'an account that is not there',
    files: { 'filters/x.yaml': 'id: x\nfield: To\nregex: a\ndirectorId: boss\naccountIds: [suport]\n' },
    found: ['filters/x.yaml:5:14 CONFIG_UNKNOWN_ACCOUNT'],
    says: '"support"',
  },
  {
    name: 'an account for notifications that is not there',
    files: { 'settings.yaml': 'notify: { mail: { accountId: suport, to: me@example.org } }\n' },
    found: ['settings.yaml:1:30 CONFIG_UNKNOWN_ACCOUNT'],
    says: '"support"',
  },
  {
    name: 'a director that is not there',
    files: { 'filters/x.yaml': 'id: x\nfield: To\nregex: a\ndirectorId: [boss, chief]\n' },
    found: ['filters/x.yaml:4:20 CONFIG_UNKNOWN_DIRECTOR'],
  },
  {
    name: 'an agent that is not there',
    files: director('agents: [reader, writer]\n'),
    found: ['directors/boss.yaml:3:18 CONFIG_UNKNOWN_AGENT'],
    says: 'agents/writer.yaml',
  },
  {
    name: 'an agent for learning that is not there',
    files: { 'settings.yaml': 'learn: { agent: teacher }\n' },
    found: ['settings.yaml:1:17 CONFIG_UNKNOWN_AGENT'],
  },
  {
    name: 'a template that is not there',
    files: { 'agents/x.yaml': 'id: x\nprompt: { use: mod }\n' },
    found: ['agents/x.yaml:2:16 CONFIG_UNKNOWN_PROMPT'],
    says: '"mood"',
  },
  {
    name: 'a template variable that is not there',
    files: { 'agents/x.yaml': 'id: x\nprompt:\n  use: mood\n  with: { langage: German }\n' },
    found: ['agents/x.yaml:4:11 CONFIG_UNKNOWN_VARIABLE'],
    says: '"language"',
  },
  {
    name: 'fallbacks that go round',
    files: {
      'apis/x.yaml': 'id: x\nprovider: ollama\nmodel: m\nfallback: [y]\n',
      'apis/y.yaml': 'id: y\nprovider: ollama\nmodel: m\nfallback: [x]\n',
    },
    found: ['apis/x.yaml:4:12 CONFIG_FALLBACK_CYCLE', 'apis/y.yaml:4:12 CONFIG_FALLBACK_CYCLE'],
    says: 'x → y → x',
  },
  {
    name: 'an api that is its own fallback',
    files: { 'apis/x.yaml': 'id: x\nprovider: ollama\nmodel: m\nfallback: [x]\n' },
    found: ['apis/x.yaml:4:12 CONFIG_FALLBACK_CYCLE'],
  },
  {
    name: 'a disabled api',
    files: api('provider: ollama\nmodel: m\nenabled: false\n'),
    found: ['directors/boss.yaml:3:14 CONFIG_DISABLED'],
  },
  {
    name: 'a disabled agent',
    files: agent('enabled: false\n'),
    found: ['directors/boss.yaml:5:10 CONFIG_DISABLED_IN_USE'],
  },
  {
    name: 'a disabled director',
    files: director('enabled: false\n'),
    found: ['filters/all.yaml:4:13 CONFIG_DISABLED_IN_USE'],
  },
];

/** Directors marked `locality: local` that name other apis. */
export const LOCALITY: readonly ProblemCase[] = [
  {
    name: 'a local director with an api that is not marked local',
    files: { ...api('provider: ollama\nmodel: m\n'), ...director('locality: local\n') },
    found: ['directors/boss.yaml:2:14 CONFIG_REMOTE_API'],
    says: 'api "main" is not marked "locality: local"',
  },
  {
    name: 'a local director with an agent whose api is not marked local',
    files: {
      ...api('provider: ollama\nmodel: m\nlocality: local\n'),
      ...agent('apiConfigId: far\n'),
      ...director('locality: local\nagents: [reader]\n'),
      'apis/far.yaml': 'id: far\nprovider: ollama\nmodel: m\n',
    },
    found: ['directors/boss.yaml:4:10 CONFIG_REMOTE_API'],
    says: 'agent "reader" uses api "far"',
  },
  {
    name: 'a local api whose fallback during a run is not marked local',
    files: {
      ...api('provider: ollama\nmodel: m\nlocality: local\nfallback: { to: [near, far], on: [unavailable] }\n'),
      'apis/near.yaml': 'id: near\nprovider: ollama\nmodel: m\nlocality: local\n',
      'apis/far.yaml': 'id: far\nprovider: ollama\nmodel: m\n',
    },
    found: ['apis/main.yaml:5:24 CONFIG_REMOTE_API'],
    says: 'api "far" is not marked "locality: local", so it never replaces "main"',
  },
  {
    name: 'a local api whose fallback at the start of a run is not marked local',
    files: {
      ...api('provider: ollama\nmodel: m\nlocality: local\nfallback: [far]\n'),
      'apis/far.yaml': 'id: far\nprovider: ollama\nmodel: m\n',
    },
    found: [],
  },
];

/** Templates with variables that have no value for the one who uses them. */
export const EMPTY_VARIABLES: readonly ProblemCase[] = [
  {
    name: 'an agent whose template uses the mail',
    files: {
      'prompts/read.yaml': 'id: read\nmessages: [{ role: user, content: "{{email}}" }]\n',
      ...agent('prompt: { use: read }\n'),
    },
    found: ['agents/reader.yaml:2:16 CONFIG_EMPTY_VARIABLE'],
    says: 'template "read": {{email}} is always empty here: an agent sees its prompt and what it is asked, never the mail',
  },
  {
    name: 'a director whose template uses the name of an agent',
    files: {
      'prompts/read.yaml': 'id: read\nmessages: [{ role: system, content: "You are {{agent.name}}." }]\n',
      ...director('prompt: { use: read }\n'),
    },
    found: ['directors/boss.yaml:3:16 CONFIG_EMPTY_VARIABLE'],
    says: '{{agent.name}}',
  },
  {
    name: 'a director whose template uses the mail',
    files: {
      'prompts/read.yaml': 'id: read\nmessages: [{ role: user, content: "{{email}}" }]\n',
      ...director('prompt: { use: read }\n'),
    },
    found: [],
  },
];

/** Directors that can read what is private and send it outward. */
export const EXFILTRATION: readonly ProblemCase[] = [
  {
    name: 'a director that may read mail and send it, unasked',
    files: director('tools: [mail]\npermissions: { allow: [mail_*] }\nuntrusted: { act: [mail_send] }\n'),
    found: ['directors/boss.yaml:5:20 CONFIG_CAN_LEAK'],
    says: 'mail by filter all → director boss → mail_read → mail_send (untrusted.act)',
  },
  {
    name: 'a reminder, which goes to the user alone, and is not what untrusted.act opens',
    files: director(
      'tools: [mail_read, mail_send, reminder]\npermissions: { allow: [reminder_create] }\nuntrusted: { act: [mail_send] }\n',
    ),
    found: [],
  },
  {
    name: 'a director that may send what its agent reads',
    files: {
      ...agent('tools: [mail_read]\n'),
      ...director(
        'tools: [mail_send]\nagents: [reader]\npermissions: { allow: [mail_send] }\nuntrusted: { act: [mail_send(to=@thread)] }\n',
      ),
    },
    found: ['directors/boss.yaml:6:20 CONFIG_CAN_LEAK'],
    says: 'mail by filter all → director boss → agent reader mail_read → director boss mail_send (untrusted.act)',
  },
  {
    name: 'a director on mail that may send mail, which asks all the same',
    files: {
      ...director('tools: [mail]\npermissions: { allow: [mail_send] }\n'),
      'filters/to-boss.yaml': 'id: to-boss\nfield: Subject\nregex: x\ndirectorId: boss\n',
    },
    found: ['directors/boss.yaml:4:24 CONFIG_ASKS_ANYWAY'],
    says: 'asks a person all the same',
  },
  {
    name: 'an agent that may send mail for a director on mail, which asks all the same',
    files: {
      ...agent('tools: [mail]\npermissions: { allow: [mail_read, mail_send] }\n'),
      'directors/two.yaml': 'id: two\napiConfigId: main\nagents: [reader]\n',
      ...director('tools: [mail]\nagents: [reader]\npermissions: { allow: ["mail_s*"] }\n'),
    },
    found: ['agents/reader.yaml:3:35 CONFIG_ASKS_ANYWAY', 'directors/boss.yaml:5:24 CONFIG_ASKS_ANYWAY'],
    says: 'director boss, which asks this agent, works on mail name the call in untrusted of director boss',
  },
];

/** A director `desk` that gets no mail, and may send some. */
const desk = (rest: string) => ({
  'directors/desk.yaml': `id: desk\napiConfigId: main\n${SENDS}${rest}`,
});
const SENDS = 'permissions: { allow: [mail_send] }\nuntrusted: { act: [mail_send] }\n';
const LEAK = 'directors/desk.yaml:4:20 CONFIG_CAN_LEAK';
const DRAFTS = { 'settings.yaml': 'roots: { drafts: ./drafts, notes: ./notes }\nvirtualRoot: ./drafts/old\n' };
const NO_FOLDERS = ['settings.yaml:1:18 CONFIG_ROOT_MISSING', 'settings.yaml:1:35 CONFIG_ROOT_MISSING'];
const WRITER =
  'tools: [notebook]\nscope: { notebooks: [drafts], operations: [write] }\npermissions: { allow: [notebook_write_file] }\n';
const READER = 'tools: [notebook, mail_send]\nscope: { notebooks: ["*"], operations: [read] }\n';

/** Ways of text of strangers to a director that gets no mail. */
export const ROUTES: readonly ProblemCase[] = [
  {
    name: 'the global memories that an agent of another director writes',
    files: {
      ...director('agents: [reader]\n'),
      ...agent('tools: [memory_add]\n'),
      ...desk('tools: [memory_search, mail_send]\n'),
    },
    found: [LEAK],
    says: 'without approval: mail by filter all → director boss → agent reader memory_add (global) → director desk memory_search → mail_send (untrusted.act)',
  },
  {
    name: 'the local memories of an agent of two directors',
    files: {
      ...director('agents: [reader]\n'),
      ...agent('tools: [memory]\n'),
      ...desk('tools: [mail_send]\nagents: [reader]\n'),
    },
    found: [LEAK],
    says: 'agent reader memory_add (global) → memory_search → director desk mail_send (untrusted.act)',
  },
  {
    name: 'memories that a prompt recalls',
    files: {
      ...director('tools: [memory_add]\n'),
      ...desk('tools: [mail_send]\nprompt: [{ role: user, content: "{{memories}}" }]\n'),
    },
    found: [LEAK],
    says: 'director boss → memory_add (global) → director desk {{memories}} → mail_send (untrusted.act)',
  },
  {
    name: 'a third director between them',
    files: {
      ...director('tools: [memory_add]\n'),
      'directors/mid.yaml':
        'id: mid\napiConfigId: main\nscope: { notebooks: [drafts], operations: [write] }\ntools: [memory_search, notebook_write_file]\npermissions: { allow: [notebook_write_file] }\nuntrusted: { act: [notebook_write_file] }\n',
      ...DRAFTS,
      ...desk(READER),
    },
    found: [LEAK, ...NO_FOLDERS],
    says: 'director boss → memory_add (global) → director mid memory_search → notebook_write_file → director desk notebook_read_file → mail_send (untrusted.act)',
  },
  {
    name: 'a notebook that the other director may write unasked',
    files: { ...director(`${WRITER}untrusted: { act: [notebook_write_file] }\n`), ...DRAFTS, ...desk(READER) },
    found: [LEAK, ...NO_FOLDERS],
    says: 'director boss → notebook_write_file → director desk notebook_read_file → mail_send (untrusted.act)',
  },
  {
    name: 'an MCP server',
    files: {
      'tools/crm.yaml': 'id: crm\nkind: mcp\ncommand: crm\neffects: read\nallow: [get]\n',
      'directors/desk.yaml':
        'id: desk\napiConfigId: main\nuntrusted: { act: ["crm__*"] }\ntools: [memory_search, crm]\n',
    },
    found: ['directors/desk.yaml:3:20 CONFIG_CAN_LEAK'],
    says: 'approval: director desk → crm__get → memory_search → crm__get (untrusted.act)',
  },
  {
    name: 'files that are attached to questions',
    files: desk('tools: [document_read, mail_send]\n'),
    found: [LEAK],
    says: 'file attached to a question → director desk → document_read → mail_send (untrusted.act)',
  },
  {
    name: 'messages of programs that may start runs over MCP',
    files: {
      'settings.yaml': 'clients: { mcp: { allow: [run_start] } }\n',
      ...desk('tools: [memory_search, mail_send]\n'),
    },
    found: [LEAK],
    says: 'message of a program over callsheet mcp → director desk → memory_search → mail_send (untrusted.act)',
  },
  {
    name: 'mail that an agent reads in a session of a person',
    files: agent(`tools: [mail]\n${SENDS}`),
    found: ['agents/reader.yaml:4:20 CONFIG_CAN_LEAK'],
    says: 'approval: agent reader → mail_read → mail_send (untrusted.act)',
  },
];

/** Directors that may send, and to which no text of strangers gets. */
export const NO_ROUTE: readonly (readonly [string, Files])[] = [
  ['gets no mail and reads memories that nobody with mail writes', desk('tools: [memory_search, mail_send]\n')],
  [
    'reads memories that the other director may not write',
    {
      ...director('tools: [memory]\npermissions: { deny: [memory_add] }\n'),
      ...desk('tools: [memory_search, mail_send]\n'),
    },
  ],
  [
    'reads memories that a person must allow',
    {
      ...director('tools: [memory]\npermissions: { ask: [memory_add] }\n'),
      ...desk('tools: [memory_search, mail_send]\n'),
    },
  ],
  [
    'reads no memories of runs with local models',
    {
      ...director('locality: local\ntools: [memory_add]\n'),
      ...desk('tools: [memory_search, mail_send]\n'),
    },
  ],
  [
    'reads notebooks that the other director asks before it writes',
    { ...director(WRITER), ...DRAFTS, ...desk(READER) },
  ],
  [
    'reads another notebook',
    {
      ...director(`${WRITER}untrusted: { act: [notebook_write_file] }\n`),
      ...DRAFTS,
      ...desk(READER.replace('"*"', 'notes')),
    },
  ],
  [
    'reads notebooks of a director that gets none',
    { 'directors/three.yaml': `id: three\napiConfigId: main\n${WRITER}`, ...DRAFTS, ...desk(READER) },
  ],
];
