import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cutSummary, longestSummary } from '../../../engine/src/run/pursuit/summary-length.ts';
import { type ObjectiveStage, objectiveStage } from '../../run/pursuit/players.ts';

describe('the longest summary', () => {
  test.each([
    ['few characters', 4000, undefined],
    ['a long thread', 10_000, 5000],
    ['a thread of any length', 600_000, 20_000],
  ])('of %s is bounded by the mails', (_name, chars, most) => {
    expect(longestSummary(chars)).toBe(most);
  });

  test.each([
    ['whole sentences', 'One is here. Two is here. Three is here.', 30, 'One is here. Two is here.…'],
    ['whole words where a sentence is long', 'One is here and it goes on and on', 20, 'One is here and it…'],
    ['characters where a word is long', 'x'.repeat(40), 10, `${'x'.repeat(9)}…`],
  ])('keeps %s of one that is cut', (_name, summary, most, kept) => {
    expect(cutSummary(summary, most)).toBe(kept);
    expect(kept.length).toBeLessThanOrEqual(most);
  });
});

describe('a summary of intake', () => {
  let stage: ObjectiveStage;
  let thread = '';
  let count = 0;
  beforeAll(async () => {
    stage = await objectiveStage();
  });
  afterAll(() => stage.close());
  beforeEach(() => {
    thread = `thread-${++count}`;
    stage.asked.length = 0;
  });

  const understood = { dates: ['3 May'], names: ['Ann'], openQuestions: [], wishes: [], userQuery: 'Order' };
  const long = 'Ann sells paper. '.repeat(500);
  /** Intake answers with these summaries, one after the other. */
  const summarises = (...summaries: readonly string[]) => {
    let n = 0;
    stage.answer = () => ({ ...understood, summary: summaries[Math.min(n++, summaries.length - 1)] });
  };
  const readThread = async (text: string) => {
    await stage.fetch(stage.mail('1', { thread, labels: ['Autopilot'], text }));
    return stage.reached(({ threads, waitingFor }) => threads[0]?.threadId === thread && waitingFor === 'answer');
  };
  const notes = () => stage.asked.map(({ data }) => /Your summary has \d+ characters/.exec(data)?.[0]);

  test('that is longer than half of a long thread is asked for once more', async () => {
    summarises(long, 'Ann sells paper.');
    const { summary, history } = await readThread(long);
    expect(summary).toBe('Ann sells paper.');
    expect(notes()).toEqual([undefined, `Your summary has ${long.length} characters`]);
    expect(history.map(({ text }) => text).join()).not.toContain('was cut');
  });

  test('that stays too long is cut, says so in the story, and leaves the constraints whole', async () => {
    summarises(long);
    const { summary, constraints, history } = await readThread(long);
    expect(notes()).toHaveLength(2);
    expect(summary?.length).toBeLessThan(long.length * 0.6);
    expect(summary).toMatch(/^Ann sells paper\..*paper\.…$/);
    expect(constraints).toMatchObject({ dates: ['3 May'], names: ['Ann'] });
    const cuts = history.filter(({ text }) => /^The summary of intake was cut to \d+ characters/.test(text));
    expect(cuts).toHaveLength(1);
  });

  test('may have any length where the mails are short, and is not asked for again', async () => {
    summarises(long);
    expect((await readThread('Paper?')).summary).toBe(long);
    expect(notes()).toEqual([undefined]);
  });
});
