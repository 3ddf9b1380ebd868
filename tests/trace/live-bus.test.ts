import { describe, expect, test } from 'vitest';
import { LiveBus, type LiveEvent } from '../../engine/src/trace/live-bus.ts';
import { joinedSignals, type MemorySignals } from '../cluster/memory-signals.ts';

/** Buses of so many processes, joined, and what each one's listeners hear. */
function joined(count: number) {
  return joinedSignals(count).map((signals) => {
    const bus = new LiveBus();
    const heard: LiveEvent[] = [];
    bus.subscribe((event) => heard.push(event));
    return { bus, heard, signals, leave: bus.join(signals) };
  });
}

type Ends = readonly { bus: LiveBus; heard: LiveEvent[]; signals: MemorySignals; leave: () => void }[];
const named = (ends: Ends) => ends.map(({ heard }) => heard.map(({ name, data }) => [name, data['id']]));

describe('joined buses', () => {
  test('deliver each event once to the listeners of all processes, in order', () => {
    const ends = joined(3);
    ends[0]?.bus.publish('mail', { id: 'mail_1' });
    ends[1]?.bus.publish('run', { id: 'run_1' });
    const all = [
      ['mail', 'mail_1'],
      ['run', 'run_1'],
    ];
    expect(named(ends)).toEqual([all, all, all]);
    expect(ends.map(({ signals }) => signals.sent)).toEqual([['live'], ['live'], []]);
  });

  test('number events per bus, so that listeners can resume there', () => {
    const [a, b] = joined(2);
    b?.bus.publish('mail', { id: 'mail_1' });
    a?.bus.publish('mail', { id: 'mail_2' });
    expect(a?.bus.since(1)?.map(({ data }) => data['id'])).toEqual(['mail_2']);
    expect(b?.heard.map(({ id }) => id)).toEqual([1, 2]);
  });

  test('send `reset` after a gap, also to listeners that resume later', () => {
    const [a, b] = joined(2);
    b?.bus.publish('mail', { id: 'mail_1' });
    b?.signals.setAway(true);
    a?.bus.publish('mail', { id: 'mail_2' });
    b?.signals.setAway(false);
    expect(b?.heard.map(({ name }) => name)).toEqual(['mail', 'reset']);
    expect(b?.bus.since(1)?.map(({ name }) => name)).toEqual(['reset']);
    expect(a?.heard.map(({ name }) => name)).toEqual(['mail', 'mail']);
  });

  test.each([
    ['too long to be sent', undefined, ['reset']],
    ['of a later version', ['weather', { id: 'x' }], []],
    ['no event', { name: 'mail' }, []],
    ['without data', ['mail'], []],
  ])('hear one that is %s', (_name, value, expected) => {
    const [a, b] = joined(2);
    a?.signals.send('live', value);
    expect(b?.heard.map(({ name }) => name)).toEqual(expected);
  });

  test('no longer share events after they left', () => {
    const ends = joined(2);
    ends[0]?.leave();
    ends[0]?.bus.publish('mail', { id: 'mail_1' });
    ends[1]?.bus.publish('mail', { id: 'mail_2' });
    expect(named(ends)).toEqual([[['mail', 'mail_1']], [['mail', 'mail_2']]]);
  });
});
