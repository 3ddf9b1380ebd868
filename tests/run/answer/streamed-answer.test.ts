import { afterEach, beforeEach, expect, test } from 'vitest';
import { createRedactor } from '../../../engine/src/base/redact.ts';
import { EngineError } from '../../../engine/src/base/error.ts';
import type { Recogniser } from '../../../engine/src/guard/privacy/recogniser.ts';
import type { ModelRequest } from '../../../engine/src/model/model.ts';
import type { AnswerPiece } from '../../../engine/src/trace/live-answers.ts';
import { call, playModels, setStage, type Stage } from '../harness.ts';

const NAME = /Karthik Rao/g;
const recogniser: Recogniser = {
  recognise: async (text) =>
    [...text.matchAll(NAME)].map(({ 0: name, index }) => ({
      ...{ start: index, end: index + name.length, kind: 'person' as const, text: name },
    })),
  close: async () => {},
};
const PRIVATE = '\nprivacy: { redact: [person] }\n';
const CHECKS = '\nchecks: [{ kind: claims, claim: mail-sent, otherwise: remove }]\n';
const FILES = {
  'directors/boss.yaml': 'id: boss\nname: Boss\napiConfigId: main\nagents: [helper]\ntools: [workspace]\n',
  'directors/planner.yaml': 'id: planner\nname: Planner\nmode: plan\napiConfigId: main\ntools: [workspace]\n',
  'directors/careful.yaml': `id: careful\nname: Careful\napiConfigId: main\ntools: [workspace]${CHECKS}`,
  'directors/form.yaml': 'id: form\nname: Form\napiConfigId: main\noutput: { schema: { type: object } }\n',
  'directors/private.yaml': `id: private\nname: Private\napiConfigId: main\ntools: [workspace]${PRIVATE}`,
};

let stage: Stage;
/** What the test model does next. */
let play: (request: ModelRequest) => Promise<{ content: string | null }>;
const pieces: AnswerPiece[] = [];
let shown = '';
let watchers: (() => void)[] = [];
let stopListening = () => {};

function take(piece: AnswerPiece): void {
  pieces.push(piece);
  shown = shown.slice(0, piece.at) + piece.text;
  for (const watcher of watchers) watcher();
}

/** Resolves once what is shown matches. */
const untilShown = (pattern: RegExp) =>
  new Promise<void>((resolve) => {
    const look = () => pattern.test(shown) && resolve();
    watchers.push(look);
    look();
  });

beforeEach(async () => {
  const redactor = createRedactor();
  redactor.add('hunter2-hunter3');
  stage = await setStage({ files: FILES, recogniser, redactor, models: playModels((request) => play(request)) });
  [pieces.length, shown, watchers] = [0, '', []];
  stopListening = stage.app.deps.live.answers.subscribe(take);
});
afterEach(() => {
  stopListening();
  return stage.close();
});

test('an answer is shown while it arrives, and ends when its message is stored', async () => {
  play = async ({ onText }) => {
    onText?.('Tea ');
    await untilShown(/^Tea $/);
    onText?.('is hot.');
    await untilShown(/hot\.$/);
    return { content: 'Tea is hot.' };
  };
  const id = await stage.begin();
  const run = await stage.ended(id);
  expect(pieces).toEqual([
    { runId: id, threadId: run.dirThreadId, turn: 1, at: 0, text: 'Tea ' },
    { runId: id, threadId: run.dirThreadId, turn: 1, at: 4, text: 'is hot.' },
    { runId: id, threadId: run.dirThreadId, turn: 1, at: 11, text: '', done: true },
  ]);
  expect(stage.app.deps.live.answers.open).toEqual([]);
});

test('whoever comes late gets what is there so far', async () => {
  let late: readonly AnswerPiece[] = [];
  play = async ({ onText }) => {
    onText?.('Tea ');
    await untilShown(/Tea/);
    // Text that ends with the first letters of a secret, such as the key of the API, would wait for more.
    onText?.('is hot');
    await untilShown(/hot/);
    late = stage.app.deps.live.answers.open;
    return { content: 'Tea is hot.' };
  };
  await stage.ended(await stage.begin());
  expect(late).toMatchObject([{ at: 0, text: 'Tea is hot', turn: 1 }]);
});

test('a request that fails takes its text back, and the next attempt begins anew', async () => {
  let attempts = 0;
  play = async ({ onText }) => {
    attempts++;
    onText?.(attempts === 1 ? 'Wrong ' : 'Right.');
    await untilShown(attempts === 1 ? /Wrong/ : /Right/);
    if (attempts === 1) throw new EngineError('MODEL_UNAVAILABLE', 'cut', { retryable: true });
    return { content: 'Right.' };
  };
  await stage.ended(await stage.begin());
  expect(pieces.map(({ at, text, done }) => [at, text, done])).toEqual([
    [0, 'Wrong ', undefined],
    [0, '', true],
    [0, 'Right.', undefined],
    [6, '', true],
  ]);
});

test('an answer that is JSON for a program is not shown while it arrives', async () => {
  const asked: boolean[] = [];
  play = async ({ onText }) => {
    asked.push(onText !== undefined);
    return { content: '{}' };
  };
  const run = await stage.ended(await stage.begin('form'));
  expect(run.status).toBe('completed');
  expect([asked, pieces]).toEqual([[false], []]);
});

test('a cancelled run takes its text back', async () => {
  play = async ({ onText, signal }) => {
    onText?.('Tea ');
    await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)));
    return { content: null };
  };
  const id = await stage.begin();
  await untilShown(/Tea/);
  await stage.app.engine.cancel(id);
  await untilShown(/^$/);
  expect(pieces.at(-1)).toMatchObject({ at: 0, text: '', done: true });
});

test('names are shown in place of placeholders, and secrets not at all, however they are split', async () => {
  play = async ({ onText, messages }) => {
    expect(JSON.stringify(messages)).toContain('<PERSON_1>');
    onText?.('It is for <PER');
    onText?.('SON');
    await untilShown(/^It is for $/);
    onText?.('_1');
    onText?.('> with hunter2-');
    await untilShown(/^It is for Karthik Rao with $/);
    onText?.('hunter3 as key.');
    await untilShown(/ with \[redacted\] as key\.$/);
    return { content: 'It is for <PERSON_1> with hunter2-hunter3 as key.' };
  };
  const run = await stage.ended(await stage.begin('private', 'Write to Karthik Rao'));
  expect(shown).toBe('It is for Karthik Rao with [redacted] as key.');
  expect((await stage.messages(run.dirThreadId)).at(-1)?.content).toBe(shown);
});

test('a claim that no call proves is never shown, nor what follows it', async () => {
  play = async ({ onText }) => {
    onText?.('Ada waits. I have se');
    await untilShown(/waits/);
    onText?.('nt the mail to her. All is well. Bye');
    // The next piece is shown 50 ms after the last one, if it is.
    await new Promise<void>((resolve) => stage.app.deps.clock.delay(resolve, 60));
    return { content: 'Ada waits. I have sent the mail to her. All is well.' };
  };
  const run = await stage.ended(await stage.begin('careful'));
  expect(pieces.map(({ at, text, done }) => [at, text, done])).toEqual([
    [0, 'Ada waits. ', undefined],
    [11, 'All is well.', true],
  ]);
  expect((await stage.messages(run.dirThreadId)).at(-1)?.content).not.toContain('sent');
});

test('nothing of an agent under the director is shown, and nothing is prepared while nobody listens', async () => {
  const asked: [string, boolean][] = [];
  play = async ({ role, turn, onText }) => {
    asked.push([role, onText !== undefined]);
    onText?.('Secret thoughts');
    if (role === 'agent') return { content: 'Done.' };
    if (turn > 1) return { content: 'Bye.' };
    return { content: null, tool_calls: [call('1', 'agent__helper', { input: 'look' })] };
  };
  await stage.ended(await stage.begin());
  stopListening();
  await stage.ended(await stage.begin());
  expect(asked).toEqual([
    ...[
      ['director', true],
      ['agent', false],
      ['director', true],
    ],
    ...[
      ['director', false],
      ['agent', false],
      ['director', false],
    ],
  ]);
});

test('of a plan only the last answer is shown, in the thread that the person reads', async () => {
  const steps = [{ title: 'Look', task: 'Look it up.', tool: 'none' }];
  const plan = { language: 'en', needsOutside: false, wantsSeveralFiles: false, preferences: [], steps };
  const shownIn: string[] = [];
  play = async ({ messages, onText }) => {
    const system = messages.map(({ role, content }) => (role === 'system' ? content : '')).join('\n');
    const [, role = 'synthesis'] = /You are the (planner|executor|evaluator)/.exec(system) ?? [];
    if (onText !== undefined) shownIn.push(role);
    onText?.('Found: ');
    if (role === 'synthesis') await untilShown(/Found: /);
    if (role === 'planner') return { content: JSON.stringify(plan) };
    return {
      content: role === 'synthesis' ? 'Found: tea.' : 'The cupboard holds tea, as the list of the kitchen says.',
    };
  };
  const run = await stage.ended(await stage.begin('planner'));
  expect(run.status).toBe('completed');
  expect(shownIn).toEqual(['synthesis']);
  expect(pieces).toMatchObject([
    { threadId: run.dirThreadId, at: 0, text: 'Found: ' },
    { threadId: run.dirThreadId, at: 7, text: 'tea.', done: true },
  ]);
});
