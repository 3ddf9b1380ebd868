import { stringify } from 'yaml';
import { canonicalJson, isRecord, type Json } from '../../base/json.ts';
import type { TestAssertion } from '../../config/documents.gen.ts';
import type { Outcome, PlayedCall, Recording } from '../replay.ts';
import { shapeOf, timeless } from '../shape.ts';

/** Longest argument, as JSON, that a written test repeats; `unchanged` compares the others. */
const MAX_ARGUMENT_CHARS = 200;

/** The text of a test file for a recorded run. `path`: its case, from the folder that holds the config folder. */
export function testOfRecording({ name, stimulus, expected }: Recording, path: string): string {
  const outcome = expected ?? { runs: [], misses: [] };
  const who =
    stimulus.kind === 'agent'
      ? { agent: stimulus.agentId }
      : stimulus.directorId === undefined
        ? {}
        : { director: stimulus.directorId };
  const file = { ...who, tests: [{ description: `As in ${name}`, case: path, assert: assertionsOf(outcome) }] };
  return stringify(file, { lineWidth: 120 });
}

function assertionsOf({ route, runs }: Outcome): (Pick<TestAssertion, 'type'> & { readonly value?: unknown })[] {
  const calls = runs.flatMap((run) => run.calls);
  const named = new Map(calls.map((call) => [canonicalJson([call.tool, fixedArguments(call)]), call]));
  const asked = new Set(calls.filter((call) => call.asked).map(({ tool }) => tool));
  const hasEffect = calls.some(({ effects, state }) => effects === 'write' && state === 'done');
  return [
    ...(route === undefined
      ? []
      : [{ type: 'route' as const, value: route.directors.map(({ directorId }) => directorId) }]),
    ...[...named.values()].map((call) => ({ type: 'tool-called' as const, value: calledValue(call) })),
    ...[...asked].map((tool) => ({ type: 'approval-asked' as const, value: tool })),
    ...(asked.size === 0 ? [{ type: 'not-approval-asked' as const }] : []),
    ...(hasEffect ? [] : [{ type: 'effect-none' as const }]),
    { type: 'unchanged' },
  ];
}

function calledValue(call: PlayedCall): unknown {
  const args = fixedArguments(call);
  return Object.keys(args).length === 0 ? call.tool : { tool: call.tool, arguments: args };
}

/** The arguments that are the same in every play: without ids and times, and without long texts. */
function fixedArguments({ arguments: args }: PlayedCall): Readonly<Record<string, unknown>> {
  if (!isRecord(args)) return {};
  return Object.fromEntries(
    Object.entries(args).filter(([, value]) => {
      const json = JSON.parse(JSON.stringify(value ?? null)) as Json;
      const isSame = canonicalJson(timeless(shapeOf(json).value)) === canonicalJson(json);
      return isSame && JSON.stringify(json).length <= MAX_ARGUMENT_CHARS;
    }),
  );
}
