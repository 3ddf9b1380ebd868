import { agent, api, director, type ProblemCase } from '../problem-cases.ts';

const codex = api('provider: cli\ncli: codex\n');

/** Directors and agents whose api is a command-line agent, and documents of such apis. */
export const CLI_AGENTS: readonly ProblemCase[] = [
  {
    name: 'a director with tools and agents whose api is a command-line agent',
    files: {
      ...codex,
      ...agent('apiConfigId: far\n'),
      ...director('tools: [lookup]\nagents: [reader]\n'),
      ...far(),
    },
    found: ['directors/boss.yaml:3:1 CONFIG_CLI_TOOLS', 'directors/boss.yaml:4:1 CONFIG_CLI_TOOLS'],
    says: 'api "main" is a command-line agent, which is offered no tools, so tools has no effect',
  },
  {
    name: 'an agent with tools whose api is a command-line agent',
    files: { ...codex, ...director(''), ...agent('apiConfigId: main\ntools: [lookup]\n') },
    found: ['agents/reader.yaml:3:1 CONFIG_CLI_TOOLS'],
  },
  {
    name: 'a director without tools whose api is a command-line agent',
    files: { ...codex, ...director('') },
    found: [],
  },
  {
    name: 'a command-line agent that gets a key of the engine itself',
    files: { 'apis/spare.yaml': 'id: spare\nprovider: cli\ncli: codex\nenv: [OPENAI_API_KEY, DATABASE_URL]\n' },
    found: ['apis/spare.yaml:4:23 CONFIG_ENV_OWN'],
  },
  {
    name: 'a command-line agent that nobody knows',
    files: { 'apis/spare.yaml': 'id: spare\nprovider: cli\ncli: kodex\n' },
    found: ['apis/spare.yaml:3:6 CONFIG_VALUE'],
    says: 'codex, claude, gemini',
  },
  {
    name: 'a command of the user',
    files: { 'apis/spare.yaml': 'id: spare\nprovider: cli\ncli: { argv: [my-agent, --print], output: jsonl }\n' },
    found: [],
  },
];

function far() {
  return { 'apis/far.yaml': 'id: far\nprovider: ollama\nmodel: m\n' };
}
