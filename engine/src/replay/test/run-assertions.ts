import { EngineError } from '../../base/error.ts';
import { globTest } from '../../base/glob.ts';
import { canonicalJson, isRecord, type Json } from '../../base/json.ts';
import type { TestAssertion } from '../../config/documents.gen.ts';
import type { AssertionType } from '../../config/test/test-file.ts';
import type { Outcome, PlayedCall, PlayedRun } from '../replay.ts';
import { shapeOf, timeless } from '../shape.ts';
import { type Checker, cut } from './checker.ts';
import { hasUnnamedRecipients, recipientsOf } from './texts.ts';

const callsOf = ({ runs }: Outcome): PlayedCall[] => runs.flatMap(({ calls }) => calls);
const listOf = (value: unknown): string[] => [value].flat().map(String);

/** A checker of a number against `threshold`, or else `value`, which is the most that passes. */
const atMost =
  (unit: string, measure: (outcome: Outcome) => number): Checker =>
  ({ threshold, value }, { outcome }) => {
    const found = measure(outcome);
    return { holds: found <= (threshold ?? Number(value)), found: `${Number(found.toFixed(6))} ${unit}` };
  };

/** The checkers that look at what runs did. */
export const RUN_ASSERTIONS = {
  'tool-called': ({ value }, { outcome }) => {
    const { tool, arguments: args } = wantedCall(value);
    const named = callsOf(outcome).filter((call) => globTest(tool)(call.tool));
    const holds = named.some((call) => includes(call.arguments, args));
    return { holds, found: named.length === 0 ? calledTools(outcome) : `it was called with ${argumentsOf(named)}` };
  },
  'tool-sequence': ({ value }, { outcome }) => {
    const called = callsOf(outcome).map(({ tool }) => tool);
    let at = 0;
    for (const wanted of listOf(value)) {
      const test = globTest(wanted);
      const next = called.findIndex((tool, n) => n >= at && test(tool));
      if (next < 0) return { holds: false, found: calledTools(outcome) };
      at = next + 1;
    }
    return { holds: true, found: calledTools(outcome) };
  },
  'turns': atMost('turns', ({ runs }) => sum(runs, ({ turns }) => turns)),
  'latency': atMost('ms', ({ runs }) => sum(runs, ({ durationMs }) => durationMs)),
  'cost': atMost('US dollars', ({ runs }) => sum(runs, costOf)),
  'route': ({ value }, { outcome }) => {
    if (outcome.route === undefined) throw new EngineError('BAD_REQUEST', 'a message is not routed');
    const found = outcome.route.directors.map(({ directorId }) => directorId);
    const holds = canonicalJson(found.toSorted()) === canonicalJson(listOf(value).toSorted());
    return { holds, found: found.length === 0 ? 'it goes to no director' : `it goes to ${found.join(', ')}` };
  },
  'recipient': ({ value, isNot }, { outcome }) => {
    const found = recipientsOf(outcome);
    const isFound = (one: string) => found.includes(one.toLowerCase());
    const wanted = listOf(value);
    const holds = isNot ? wanted.some(isFound) : wanted.every(isFound);
    if (!holds && hasUnnamedRecipients(outcome))
      throw new EngineError('BAD_REQUEST', 'a mail answers whoever wrote, and its call does not name them', {
        hint: 'assert tool-called or not-tool-called of mail_send and mail_draft instead',
      });
    return {
      holds,
      found: found.length === 0 ? 'no mail was written' : `mail was written to ${cut(found.join(', '))}`,
    };
  },
  'approval-asked': ({ value }, { outcome }) => {
    const test = value === undefined ? () => true : globTest(String(value));
    const asked = callsOf(outcome).filter((call) => call.asked);
    const found = asked.length === 0 ? 'no call asked' : `${cut(asked.map(({ tool }) => tool).join(', '))} asked`;
    return { holds: asked.some(({ tool }) => test(tool)), found };
  },
  'effect-none': (_assertion, { outcome }) => {
    const done = callsOf(outcome).filter(({ effects, state }) => effects === 'write' && state === 'done');
    const found =
      done.length === 0 ? 'no call wrote anything' : `${cut(done.map(({ tool }) => tool).join(', '))} wrote`;
    return { holds: done.length === 0, found };
  },
  'unchanged': (_assertion, { outcome, expected }) => {
    if (expected === undefined) throw new EngineError('BAD_REQUEST', 'the case does not say what happened');
    const changed = changedParts(expected, outcome);
    return {
      holds: changed.length === 0,
      found: changed.length === 0 ? 'nothing changed' : `changed: ${changed.join(', ')}`,
    };
  },
} satisfies Partial<Record<AssertionType, Checker>>;

function sum(runs: readonly PlayedRun[], measure: (run: PlayedRun) => number): number {
  return runs.reduce((total, run) => total + measure(run), 0);
}

function costOf({ cost, turns }: PlayedRun): number {
  if (cost !== null || turns === 0) return cost ?? 0;
  throw new EngineError('BAD_REQUEST', 'the price of its model is unknown (price in the api)');
}

function wantedCall(value: TestAssertion['value']): { readonly tool: string; readonly arguments: unknown } {
  const read: unknown = value;
  if (isRecord(read)) return { tool: String(read['tool']), arguments: read['arguments'] ?? {} };
  return { tool: String(read), arguments: {} };
}

/** Whether a value has everything that another one has: keys of objects, and texts and numbers that are equal. */
export function includes(value: unknown, wanted: unknown): boolean {
  if (!isRecord(wanted)) return canonicalJson(value ?? null) === canonicalJson(wanted ?? null);
  return isRecord(value) && Object.entries(wanted).every(([key, one]) => includes(value[key], one));
}

function calledTools(outcome: Outcome): string {
  const called = callsOf(outcome).map(({ tool }) => tool);
  return called.length === 0 ? 'no tool was called' : `called: ${cut(called.join(', '))}`;
}

function argumentsOf(calls: readonly PlayedCall[]): string {
  return cut(calls.map(({ arguments: args }) => JSON.stringify(args)).join(' and '));
}

/** The parts of an outcome that differ from the recorded one; ids and times count as equal. */
function changedParts(before: Outcome, after: Outcome): string[] {
  const isSame = (a: unknown, b: unknown) => normal(a) === normal(b);
  const parts: Readonly<Record<string, (outcome: Outcome) => unknown>> = {
    'the route': ({ route }) => route?.directors.map(({ directorId }) => directorId) ?? null,
    'how runs ended': ({ runs }) => runs.map(({ status }) => status),
    'calls': ({ runs }) =>
      runs.map(({ calls }) => calls.map((one) => [one.agentId, one.tool, one.arguments, one.asked])),
    'items': ({ runs }) => runs.map(({ items }) => items.map(({ label, data }) => [label, data])),
    'answers': ({ runs }) => runs.map(({ answer }) => answer),
  };
  return Object.entries(parts).flatMap(([name, read]) => (isSame(read(before), read(after)) ? [] : [name]));
}

function normal(value: unknown): string {
  return canonicalJson(timeless(shapeOf(JSON.parse(JSON.stringify(value)) as Json).value));
}
