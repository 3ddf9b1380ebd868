import type { Files } from '../folder.ts';
import type { ProblemCase } from '../problem-cases.ts';

const preset = (participants: string, rest = ''): Files => ({
  'chats/review.yaml': `id: review\n${rest}participants:\n${participants}`,
});

/** Presets of chats with problems. */
export const CHATS: readonly ProblemCase[] = [
  {
    name: 'a preset of a model and an agent',
    files: preset('  - { displayName: Ada, apiConfigId: main }\n  - { displayName: Ben, agentId: reader }\n'),
    found: [],
  },
  {
    name: 'a participant for whom nothing speaks',
    files: preset('  - { displayName: Ada }\n'),
    found: ['chats/review.yaml:3:5 CONFIG_PARTICIPANT'],
    says: 'nothing speaks for "Ada" write apiConfigId',
  },
  {
    name: 'a participant with an API and an agent',
    files: preset('  - { displayName: Ada, apiConfigId: main, agentId: reader }\n'),
    found: ['chats/review.yaml:3:53 CONFIG_PARTICIPANT'],
    says: 'an apiConfigId and an agentId',
  },
  {
    name: 'two participants of one name',
    files: preset('  - { displayName: Ada, apiConfigId: main }\n  - { displayName: ada, agentId: reader }\n'),
    found: ['chats/review.yaml:4:20 CONFIG_PARTICIPANT'],
    says: 'participant 1 has the name "ada" as well',
  },
  {
    name: 'a participant that roams without a folder',
    files: preset('  - { displayName: Ada, apiConfigId: main, roaming: { enabled: true } }\n'),
    found: ['chats/review.yaml:3:53 CONFIG_PARTICIPANT'],
    says: 'workspaceDir: ./folder',
  },
  {
    name: 'an agent that roams',
    files: preset('  - { displayName: Ada, agentId: reader, roaming: { enabled: true, workspaceDir: ./w } }\n'),
    found: ['chats/review.yaml:3:62 CONFIG_PARTICIPANT'],
    says: 'does not roam',
  },
  {
    name: 'a participant with an API that is not there',
    files: preset('  - { displayName: Ada, apiConfigId: mian }\n'),
    found: ['chats/review.yaml:3:38 CONFIG_PARTICIPANT_UNKNOWN'],
    says: 'there is no api "mian"; did you mean "main"',
  },
  {
    name: 'a participant with an agent that is not there',
    files: preset('  - { displayName: Ada, agentId: nobody }\n'),
    found: ['chats/review.yaml:3:34 CONFIG_PARTICIPANT_UNKNOWN'],
    says: 'a new chat needs another agent for "Ada"',
  },
  {
    name: 'a participant with a disabled API',
    files: {
      ...preset('  - { displayName: Ada, apiConfigId: spare }\n'),
      'apis/spare.yaml':
        'id: spare\nenabled: false\nprovider: scripted\nscript: [{ when: { any: true }, say: Done. }]\n',
    },
    found: ['chats/review.yaml:3:38 CONFIG_PARTICIPANT_UNKNOWN'],
    says: 'api "spare" is disabled',
  },
  {
    name: 'an API for its summary that is not there',
    files: preset('  - { displayName: Ada, apiConfigId: main }\nsummaryApiConfigId: mian\n'),
    found: ['chats/review.yaml:4:21 CONFIG_PARTICIPANT_UNKNOWN'],
    says: 'a new chat needs another api for its summary: there is no api "mian"',
  },
  {
    name: 'a color by name',
    files: preset('  - { displayName: Ada, apiConfigId: main, color: red }\n'),
    found: ['chats/review.yaml:3:51 CONFIG_VALUE'],
    says: 'a colour such as #7c3aed',
  },
  {
    name: 'a file in no notebook',
    files: preset('  - { displayName: Ada, apiConfigId: main }\n', 'files: [./plan.md]\n'),
    found: ['chats/review.yaml:2:9 CONFIG_CHAT_FILE'],
    says: 'is in no folder of "roots"',
  },
  {
    name: 'a preset without participants',
    files: { 'chats/review.yaml': 'id: review\nparticipants: []\n' },
    found: ['chats/review.yaml:2:15 CONFIG_VALUE'],
  },
];
