import { agent, director, type ProblemCase } from '../problem-cases.ts';

const user = (content: string) => `prompt: [{ role: user, content: "${content}" }]\n`;

/** Prompts whose author may expect other messages than the model gets. */
export const PROMPTS: readonly ProblemCase[] = [
  {
    name: 'an agent that expects the mail',
    files: agent(user('{{email.text}}')),
    found: ['agents/reader.yaml:2:33 CONFIG_EMPTY_VARIABLE'],
    says: 'write {{message}}, and have the director hand on the mail',
  },
  {
    name: 'an agent that expects the thread of the mail',
    files: agent(user('{{thread}}')),
    found: ['agents/reader.yaml:2:33 CONFIG_EMPTY_VARIABLE'],
  },
  {
    name: 'an agent that expects the account of the mail',
    files: agent('imprint: You read {{account}}.\n'),
    found: ['agents/reader.yaml:2:10 CONFIG_EMPTY_VARIABLE'],
  },
  { name: 'an agent that places what it is asked', files: agent(user('{{message}}')), found: [] },
  { name: 'an agent without a user message', files: agent('imprint: Calm.\n'), found: [] },
  {
    name: 'a director that names an agent',
    files: director(user('{{email}} for {{agent.name}}')),
    found: ['directors/boss.yaml:3:33 CONFIG_EMPTY_VARIABLE'],
  },
  {
    name: 'a director that names only the subject of the mail',
    files: director(user('About {{email.subject}}')),
    found: ['directors/boss.yaml:3:33 CONFIG_MAIL_NOT_PLACED'],
    says: 'write {{email}} or {{email.text}} where the mail belongs',
  },
  {
    name: 'a template that names only the sender of the mail',
    files: { 'prompts/x.yaml': 'id: x\nmessages: [{ role: user, content: "{{email.from}}" }]\n' },
    found: ['prompts/x.yaml:2:35 CONFIG_MAIL_NOT_PLACED'],
  },
  {
    name: 'a director that places the mail besides its subject',
    files: director(
      'prompt:\n  - { role: user, content: "{{email.subject}}" }\n  - { role: user, content: "{{email}}" }\n',
    ),
    found: [],
  },
  { name: 'a director without a user message', files: director('imprint: Calm.\n'), found: [] },
  {
    name: 'a director that places only a message',
    files: director(user('{{message}}')),
    found: [],
  },
  {
    name: 'the scope of a director without one',
    files: director('prompt: [{ role: system, content: "{{scope}}" }]\n'),
    found: ['directors/boss.yaml:3:35 CONFIG_EMPTY_VARIABLE'],
    says: '{{scope}} is always empty',
  },
  {
    name: 'a scope in a template',
    files: {
      'prompts/x.yaml': 'id: x\nmessages: [{ role: system, content: "{{scope}}" }]\n',
      ...director('prompt: { use: x }\n'),
    },
    found: ['directors/boss.yaml:3:16 CONFIG_EMPTY_VARIABLE'],
  },
  {
    name: 'the result of a tool as an example',
    files: agent('prompt:\n  - { role: tool, name: search, arguments: { q: tea }, content: none }\n'),
    found: [],
  },
  { name: 'a result without a name', files: agent('prompt: [{ role: tool, content: none }]\n'), found: [] },
  {
    name: 'a mail in role tool',
    files: agent('prompt: [{ role: tool, content: "{{email}}" }]\n'),
    found: ['agents/reader.yaml:2:33 CONFIG_UNTRUSTED_VARIABLE'],
  },
  {
    name: 'the name of a tool in another role',
    files: agent('prompt: [{ role: assistant, name: search, content: none }]\n'),
    found: ['agents/reader.yaml:2:29 CONFIG_UNKNOWN_KEY'],
    says: '"name" belongs to a message in role tool',
  },
];
