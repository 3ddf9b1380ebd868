import { expect, test } from 'vitest';
import { makeFolder, open, statesOf, VALID } from '../folder.ts';
import { testProblems } from '../problem-cases.ts';
import { CHATS } from './chat-cases.ts';

testProblems(CHATS);

test('a preset does not keep an agent that it names from being deleted', async () => {
  const preset = 'id: review\nparticipants:\n  - { displayName: Ada, agentId: spare }\n';
  const { dir } = await makeFolder({ ...VALID, 'agents/spare.yaml': 'id: spare\n', 'chats/review.yaml': preset });
  const config = await open(dir);
  await config.remove('agent', 'spare');
  expect(statesOf(config)).toMatchObject({ 'chats/review': 'live' });
  expect(config.current().agents.has('spare')).toBe(false);
});
