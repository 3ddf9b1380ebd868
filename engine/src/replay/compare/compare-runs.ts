import { diffWordsWithSpace } from 'diff';
import { canonicalJson, type Json } from '../../base/json.ts';
import { createYielder } from '../../base/yielding.ts';
import type { Miss } from '../cassette.ts';
import type { Difference, WordChange } from '../difference.ts';
import type { PlayedCall, PlayedItem, PlayedRun } from '../replay.ts';
import { shapeOf, timeless } from '../shape.ts';

/** Longest text of which both versions are compared word by word. */
const MAX_DIFF = 20_000;
/** Most words by which two texts may differ: the time that it takes to find them grows with their square. */
const MAX_CHANGED_WORDS = 500;
const MAX_SHOWN = 120;

/** A difference of which the two texts are not compared yet. */
type Found = Omit<Difference, 'words'> & { readonly texts?: readonly [string, string] };

/**
 * The differences between a recorded run and its play. A play that missed a request ended there: only what came before is compared.
 * Keeps the event loop free.
 */
export async function compareRuns(before: PlayedRun, after: PlayedRun, misses: readonly Miss[]): Promise<Difference[]> {
  const breathe = createYielder();
  const differences: Difference[] = [];
  for (const { texts, ...difference } of findDifferences(before, after, misses)) {
    await breathe();
    differences.push({ ...difference, ...(texts && { words: wordsOf(...texts) }) });
  }
  return differences;
}

function findDifferences(before: PlayedRun, after: PlayedRun, misses: readonly Miss[]): Found[] {
  const [miss] = misses;
  const calls = compareCalls(before.calls, after.calls, miss !== undefined);
  if (miss !== undefined) return [missed(miss), ...calls];
  return [
    ...compareStatus(before, after),
    ...calls,
    ...compareItems(before.items, after.items),
    ...compareText('the final answer', before.answer, after.answer),
    ...compareNumbers(before, after),
  ];
}

function missed({ kind, agentId, name, why, asked, recorded }: Miss): Found {
  const who = agentId === '' ? 'the director' : `agent ${agentId}`;
  const what = kind === 'model' ? `${who} asks ${name} something else` : `${who} calls ${name} otherwise`;
  return {
    kind: 'requests',
    text: `${what}: ${why}`,
    ...(kind === 'model' && recorded !== undefined && { texts: changedMessages(recorded, asked) }),
    after: asked,
    ...(recorded !== undefined && { before: recorded }),
  };
}

/** The messages of two requests that differ. */
function changedMessages(recorded: Json, asked: Json): [string, string] {
  const textOf = (request: Json) => {
    const { messages = [] } = request as { messages?: { role: string; content: string | null }[] };
    return messages.map(({ role, content }) => `${role}: ${content ?? ''}`);
  };
  const [before, after] = [textOf(recorded), textOf(asked)];
  const changed = Array.from({ length: Math.max(before.length, after.length) }, (_, n) => n).filter(
    (n) => before[n] !== after[n],
  );
  return [changed.map((n) => before[n] ?? '').join('\n'), changed.map((n) => after[n] ?? '').join('\n')];
}

function compareStatus(before: PlayedRun, after: PlayedRun): Found[] {
  const name = ({ status, waitingFor, error }: PlayedRun) =>
    error?.code ?? (waitingFor === undefined ? status : `waiting for ${waitingFor}`);
  if (name(before) === name(after)) return [];
  const isBudget = [before, after].some(({ error }) => error?.code.startsWith('LIMIT_') === true);
  const why = after.error === undefined ? '' : `: ${after.error.message}`;
  return [{ kind: isBudget ? 'budgets' : 'status', text: `ended as ${name(before)}, now ${name(after)}${why}` }];
}

/** Pairs the calls of each tool of each actor in their order. */
function compareCalls(before: readonly PlayedCall[], after: readonly PlayedCall[], isCut: boolean): Found[] {
  const differences: Found[] = [];
  const rest = [...after];
  for (const call of before) {
    const own = rest.findIndex(
      (other) => other.agentId === call.agentId && other.tool === call.tool && isEqual(call, other),
    );
    const at = own >= 0 ? own : rest.findIndex((other) => other.agentId === call.agentId && other.tool === call.tool);
    const other = at < 0 ? undefined : rest.splice(at, 1)[0];
    if (other !== undefined) differences.push(...compareCall(call, other, isCut));
    else if (!isCut)
      differences.push({ kind: 'calls', text: `${nameOf(call)} is gone`, before: call.arguments as Json });
  }
  for (const call of rest)
    differences.push({
      kind: 'calls',
      text: `${nameOf(call)} is new, with ${shown(call.arguments)}`,
      after: call.arguments as Json,
    });
  return differences;
}

function compareCall(before: PlayedCall, after: PlayedCall, isCut: boolean): Found[] {
  const differences: Found[] = [];
  if (before.asked !== after.asked)
    differences.push(
      after.asked
        ? { kind: 'permissions', text: `${nameOf(before)} now asks a person` }
        : {
            kind: 'permissions',
            text: `${nameOf(before)} no longer asks a person`,
            ...(after.state !== 'denied' && { loosens: true }),
          },
    );
  const [was, is] = [before.state === 'denied', after.state === 'denied'];
  if (was !== is && before.asked === after.asked)
    differences.push(
      is
        ? { kind: 'permissions', text: `${nameOf(before)} is now denied` }
        : { kind: 'permissions', text: `${nameOf(before)} is no longer denied`, loosens: true },
    );
  if (!isEqual(before, after))
    differences.push({
      kind: 'calls',
      text: `${nameOf(before)} has other arguments`,
      texts: [textOf(before.arguments), textOf(after.arguments)],
      before: before.arguments as Json,
      after: after.arguments as Json,
    });
  const hasFailed = before.state !== 'failed' && after.state === 'failed';
  if (hasFailed && !isCut)
    differences.push({ kind: 'calls', text: `${nameOf(before)} now fails with ${after.error ?? 'an error'}` });
  return differences;
}

function compareItems(before: readonly PlayedItem[], after: readonly PlayedItem[]): Found[] {
  const rest = [...after];
  const differences: Found[] = [];
  for (const item of before) {
    const at = rest.findIndex(({ label, agentId }) => label === item.label && agentId === item.agentId);
    const other = at < 0 ? undefined : rest.splice(at, 1)[0];
    const name = item.label === '' ? 'an item' : `the item "${item.label}"`;
    if (other === undefined) differences.push({ kind: 'drafts', text: `${name} is gone`, texts: [item.data, ''] });
    else differences.push(...compareText(name, item.data, other.data));
  }
  for (const { label, data } of rest)
    differences.push({ kind: 'drafts', text: `the item "${label}" is new`, texts: ['', data] });
  return differences;
}

function compareText(name: string, before: string, after: string): Found[] {
  if (textOf(before) === textOf(after)) return [];
  return [{ kind: 'drafts', text: `${name} has other words`, texts: [before, after] }];
}

function compareNumbers(before: PlayedRun, after: PlayedRun): Found[] {
  const differences: Found[] = [];
  const add = (kind: 'turns' | 'cost' | 'duration', text: string) => differences.push({ kind, text });
  if (before.turns !== after.turns) add('turns', `${before.turns} turns, now ${after.turns}`);
  if (before.cost !== after.cost) add('cost', `cost ${dollars(before.cost)}, now ${dollars(after.cost)}`);
  if (before.turns !== after.turns && before.durationMs !== after.durationMs)
    add('duration', `took ${seconds(before.durationMs)}, now ${seconds(after.durationMs)}`);
  return differences;
}

/** Two texts word by word; one after the other where they are long or have little in common. */
function wordsOf(before: string, after: string): WordChange[] {
  const changes =
    before.length + after.length > MAX_DIFF
      ? undefined
      : diffWordsWithSpace(before, after, { maxEditLength: MAX_CHANGED_WORDS });
  if (changes === undefined)
    return [
      { text: before.slice(0, MAX_DIFF / 2), state: 'removed' },
      { text: after.slice(0, MAX_DIFF / 2), state: 'added' },
    ];
  return changes.map(({ value, added, removed }) => ({
    text: value,
    state: added ? 'added' : removed ? 'removed' : 'same',
  }));
}

function isEqual(one: PlayedCall, two: PlayedCall): boolean {
  return textOf(one.arguments) === textOf(two.arguments);
}

/** A value as text without ids and times: those differ from run to run. */
function textOf(value: unknown): string {
  const plain = timeless(shapeOf(value as Json).value);
  return typeof plain === 'string' ? plain : canonicalJson(plain);
}

function nameOf({ agentId, tool }: Pick<PlayedCall, 'agentId' | 'tool'>): string {
  return agentId === '' ? tool : `${tool} of agent ${agentId}`;
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN).toWellFormed()}…` : text;
}

function dollars(cost: number | null): string {
  return cost === null ? 'unknown' : `$${cost.toFixed(4)}`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
