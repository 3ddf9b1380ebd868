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
    files: director('tools: [mail]\npermissions: { allow: [mail_*] }\n'),
    found: ['directors/boss.yaml:4:24 CONFIG_CAN_LEAK'],
    says: 'put "mail_send" under permissions.ask',
  },
  {
    name: 'a director that may send what its agent reads',
    files: {
      ...agent('tools: [mail_read]\n'),
      ...director('tools: [mail_send]\nagents: [reader]\npermissions: { allow: [mail_send] }\n'),
    },
    found: ['directors/boss.yaml:5:24 CONFIG_CAN_LEAK'],
    says: 'or an agent of it',
  },
];
