import type { RunFailure } from '../../../machines/run-events.ts';
import type { JsonSchema, Message, ModelAnswer } from '../../model/model.ts';
import { outputOf } from '../step/actor.ts';
import type { Machine } from '../step/machine.ts';
import { readOutput } from './read-output.ts';
import type { Step } from '../step/step.ts';
import { agentOf } from '../step/tool-result.ts';

/** What a model gets after an answer that does not end the work, and the error where that does not help. */
export interface Nudge {
  readonly message: Message;
  readonly failure: RunFailure;
  /** The model has had all its attempts: the machine fails now. */
  readonly isHopeless: boolean;
}

/** How often a model may correct an answer that does not match its schema. */
export const MAX_CORRECTIONS = 2;

const TOO_LONG: RunFailure = {
  code: 'MODEL_BAD_ANSWER',
  message: 'the model ran into its length limit three times in a row',
};
const REFUSED: RunFailure = { code: 'MODEL_REFUSED', message: 'the model refused three times in a row' };

/**
 * What the model gets after an answer without calls that was cut or refused, or that does not match the schema of the machine;
 * undefined where the answer ends the work. Counts corrections in the facts of the machine, and says in the diagnostics what was wrong.
 */
export async function nudgeOf(
  step: Step,
  machine: Machine,
  { message, stop }: Pick<ModelAnswer, 'message' | 'stop'>,
): Promise<Nudge | undefined> {
  if (stop === 'refusal')
    return nudge(
      'your last answer was a refusal. Do the part of the task that you can do; if there is none, say so in one sentence and finish.',
      REFUSED,
    );
  const schema = outputOf(step.runState, machine.facts);
  if (schema !== undefined) return correction(step, machine, schema, { message, stop });
  if (stop !== 'length') return undefined;
  return nudge(
    'your last answer was cut off at the length limit. Go on from where it stopped, and be shorter.',
    TOO_LONG,
  );
}

async function correction(
  step: Step,
  machine: Machine,
  schema: JsonSchema,
  { message, stop }: Pick<ModelAnswer, 'message' | 'stop'>,
): Promise<Nudge | undefined> {
  const isCut = stop === 'length';
  const faults = isCut ? 'it was cut off at the length limit' : await faultsOf(step, message.content ?? '', schema);
  if (faults === undefined) return undefined;
  const { corrections = 0 } = machine.facts;
  machine.facts = { ...machine.facts, corrections: corrections + 1 };
  machine.isChanged = true;
  const actor = step.actors.resolve(step.runState, machine.facts);
  step.entry({ ...agentOf(actor), phase: actor.role, detail: { action: 'output_invalid', reason: faults } });
  const again = `Answer again with the whole JSON value${isCut ? ', shorter than before' : ''}, and nothing else.`;
  const failure = { code: 'OUTPUT_INVALID', message: `the answer does not match its schema: ${faults}` };
  const text = `your last answer does not match the JSON Schema of this task: ${faults}. ${again}`;
  return { ...nudge(text, failure), isHopeless: corrections >= MAX_CORRECTIONS };
}

function nudge(text: string, failure: RunFailure): Nudge {
  return { message: { role: 'user', content: `Note from the engine: ${text}` }, failure, isHopeless: false };
}

/** Why a final answer does not match a schema; undefined where it does. */
async function faultsOf({ deps }: Step, text: string, schema: JsonSchema): Promise<string | undefined> {
  if (text.trim() === '') return 'it is empty';
  let value: unknown;
  try {
    value = readOutput(text, schema);
  } catch (error) {
    return `it is not JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
  return deps.checker.faults(value, schema, 'the answer');
}
