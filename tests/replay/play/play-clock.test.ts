import { describe, expect, test } from 'vitest';
import { PlayClock } from '../../../engine/src/replay/play/play-clock.ts';

describe('the clock of a play', () => {
  test('delivers answers in the order of their latency, not of their requests', async () => {
    const clock = new PlayClock(1000);
    const heard: string[] = [];
    const slow = clock.arrive(50, undefined).then(() => heard.push('slow'));
    const fast = clock.arrive(20, undefined).then(() => heard.push('fast'));
    clock.nextArrival();
    await fast;
    expect([clock.now(), clock.arriving, heard]).toEqual([1020, 1, ['fast']]);
    clock.nextArrival();
    await slow;
    expect([clock.now(), heard]).toEqual([1050, ['fast', 'slow']]);
  });

  test('fires the delays that end on the way to an answer, and no later one', () => {
    const clock = new PlayClock(0);
    const fired: string[] = [];
    clock.delay(() => fired.push(`early at ${clock.now()}`), 10);
    clock.delay(() => fired.push('late'), 1000);
    const cancel = clock.delay(() => fired.push('cancelled'), 5);
    cancel();
    void clock.arrive(30, undefined);
    clock.nextArrival();
    expect(fired).toEqual(['early at 10']);
  });

  test('rejects an answer whose request is aborted', async () => {
    const clock = new PlayClock(0);
    const stop = new AbortController();
    const answer = clock.arrive(30, stop.signal);
    stop.abort(new Error('stopped'));
    await expect(answer).rejects.toThrow('stopped');
    expect(clock.arriving).toBe(0);
  });
});
