import { afterAll, beforeAll, expect, test } from 'vitest';
import { listApprovals } from '../../../engine/src/guard/approval.ts';
import type { Recogniser } from '../../../engine/src/guard/privacy/recogniser.ts';
import type { Message } from '../../../engine/src/model/model.ts';
import { defineTool } from '../../../engine/src/tool/define-tool.ts';
import { parameters } from '../../../engine/src/tool/parameters.ts';
import { call, type Play, playModels, setStage, type Stage } from '../harness.ts';

/** Finds the names Zoe and Karthik. */
const recogniser: Recogniser = {
  recognise: async (text) =>
    [...text.matchAll(/Zoe|Karthik/g)].map(({ 0: value, index }) => ({
      ...{ start: index, end: index + value.length, kind: 'person' as const, text: value },
    })),
  close: async () => {},
};

const booked: unknown[] = [];
const book = defineTool({
  ...{ name: 'book', family: 'book', effects: 'write' as const, repeat: 'key' as const, description: 'Books.' },
  trust: 'trusted',
  parameters: parameters({ title: { type: 'string', description: 'What.' } }),
  async run(args) {
    booked.push(args);
    return { ok: true };
  },
});

let play: Play = () => ({ content: 'Done.' });
let sent: (readonly Message[])[] = [];
let stage: Stage;
beforeAll(async () => {
  const head = 'apiConfigId: main\ntools: [ask_user, book]\npermissions: { allow: [book] }\n';
  stage = await setStage({
    recogniser,
    tools: [book],
    models: playModels((request) => {
      sent.push(request.messages);
      return play(request);
    }),
    files: {
      'directors/secret.yaml': `id: secret\nname: Secret\n${head}privacy: {}\n`,
      'directors/gated.yaml': `id: gated\nname: Gated\n${head}guards: [{ kind: needsTime, tools: [book] }]\n`,
    },
  });
});
afterAll(() => stage.close());

/** Runs a director until it has ended; gives these answers to its questions. Returns its messages and questions. */
async function runWith(directorId: string, message: string, answers: readonly (readonly [by: string, text: string])[]) {
  sent = [];
  booked.length = 0;
  const id = await stage.begin(directorId, message);
  const asked: string[] = [];
  for (const [by, text] of answers) {
    await stage.until(id, ({ status }) => status === 'waiting');
    const [question] = await listApprovals(stage.app.deps.store, id, 'pending');
    asked.push(String(question?.arguments['question']));
    await stage.app.engine.message(id, { text, by, questionId: question?.id });
  }
  const { status, dirThreadId } = await stage.ended(id);
  expect(status).toBe('completed');
  return { asked, messages: await stage.messages(dirThreadId) };
}

test('under privacy the person reads real values, and the model gets the answer without them', async () => {
  play = ({ turn }) =>
    turn === 1
      ? { tool_calls: [call('a', 'ask_user', { question: 'Who comes with <PERSON_1>?' })] }
      : { content: 'Thanks.' };
  const { asked, messages } = await runWith('secret', 'Invite Zoe', [['jane', 'Karthik comes']]);
  expect(asked).toEqual(['Who comes with Zoe?']);
  expect(JSON.stringify(sent)).not.toMatch(/Zoe|Karthik/);
  expect(sent.at(-1)?.at(-1)?.content).toBe('{"answer":"<PERSON_2> comes"}');
  expect(messages.findLast(({ role }) => role === 'tool')?.content).toBe('{"answer":"Karthik comes"}');
});

const ASK_THEN_BOOK: Play = ({ turn }) => {
  if (turn === 1) return { tool_calls: [call('a', 'ask_user', { question: 'When?' })] };
  if (turn === 2) return { tool_calls: [call('b', 'book', { title: 'one' }), call('c', 'book', { title: 'two' })] };
  return { content: 'Done.' };
};
const errors = (messages: readonly Message[]) =>
  messages.flatMap(({ role, content }) => (role === 'tool' ? [/"code":"(\w+)"/.exec(content ?? '')?.[1] ?? ''] : []));

test('the answer of a person with a time opens the gate, once for each time', async () => {
  play = ASK_THEN_BOOK;
  const { messages } = await runWith('gated', 'book a call', [['jane', 'tomorrow at ten']]);
  expect(booked).toEqual([{ title: 'one' }]);
  // The refused call is answered in the step of the turn, the other one when it has ended.
  expect(errors(messages).toSorted()).toEqual(['', '', 'TOOL_NEEDS_TIME']);
});

test('the answer of a program opens no gate', async () => {
  play = ASK_THEN_BOOK;
  const { messages } = await runWith('gated', 'book a call', [['mcp', 'tomorrow at ten']]);
  expect(booked).toEqual([]);
  expect(errors(messages)).toEqual(['', 'TOOL_NEEDS_TIME', 'TOOL_NEEDS_TIME']);
});

test('a time in the message was used up by the call before the answer, which opens the gate anew', async () => {
  play = ({ turn }) => {
    if (turn === 1) return { tool_calls: [call('a', 'book', { title: 'one' })] };
    if (turn === 2) return { tool_calls: [call('b', 'ask_user', { question: 'And the next?' })] };
    if (turn === 3) return { tool_calls: [call('c', 'book', { title: 'two' })] };
    return { content: 'Done.' };
  };
  await runWith('gated', 'book a call on Monday', [['jane', 'Friday at noon']]);
  expect(booked).toEqual([{ title: 'one' }, { title: 'two' }]);
});
