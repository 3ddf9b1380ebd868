import { envelopeOf } from '../../config/prompt/envelope.ts';
import type { Message } from '../../model/model.ts';
import type { Plan, PlanStep, StepTry } from './plan-record.ts';

/** What roles read: the conversation, the plan, and marks that nobody outside can guess. */
export interface RoleMaterial {
  /** The conversation with the user, without the messages that its summary covers. */
  readonly conversation: readonly Message[];
  /** The summary of the earlier part, in an envelope; `''` where there is none (seed 003, short-term memory). */
  readonly summary: string;
  readonly plan: Plan | undefined;
  /** Memories that match the wish, as text; `''` where there are none. */
  readonly memories: string;
  /** The mark of the envelope around a text, by its key. */
  readonly markOf: (key: string) => string;
}

/** What the planner reads. */
export function plannerData(material: RoleMaterial): string {
  const { memories } = material;
  return joined([conversationText(material), memories === '' ? '' : `What is remembered:\n${memories}`]);
}

/** What the executor of a step reads. */
export function executorData(material: RoleMaterial, step: PlanStep): string {
  const tries = step.tries.map(({ reason }, n) => `Try ${n + 1} failed: ${reason}`);
  const done = (material.plan?.steps ?? []).flatMap((one) => one.tries.flatMap((made) => made.done));
  return joined([
    conversationText(material),
    planText(material, step),
    done.length === 0 ? '' : `Done already in this run. Name it, and do not do it again:\n${bullets(done)}`,
    resultsText(material, step),
    `Your step is ${step.number}: ${step.title}\n${step.task}`,
    tries.length === 0 ? '' : `${tries.join('\n')}\nDo it another way.`,
  ]);
}

/** What the evaluator of a step reads: the newest try. */
export function evaluatorData(material: RoleMaterial, step: PlanStep, { output, isTainted }: StepTry): string {
  const key = `evaluated ${step.number}/${step.tries.length}`;
  return joined([
    `Step ${step.number}: ${step.title}\n${step.task}`,
    `Result:\n${isTainted ? envelopeOf(output, 'RESULT', material.markOf(key)) : output}`,
  ]);
}

/** What the synthesis reads. */
export function synthesisData(material: RoleMaterial): string {
  const { notes = [] } = material.plan ?? {};
  return joined([
    conversationText(material),
    resultsText(material),
    notes.length === 0 ? '' : `About the plan:\n${bullets(notes)}`,
  ]);
}

function conversationText({ conversation, summary }: RoleMaterial): string {
  const said = conversation.flatMap((message) => {
    if (message.role !== 'user' && message.role !== 'assistant') return [];
    const { content, role } = message;
    return content === null || content === '' ? [] : [`${role === 'user' ? 'User' : 'You'}: ${content}`];
  });
  if (said.length === 1 && summary === '') return `The wish of the user:\n\n${said.join('').slice('User: '.length)}`;
  return joined(['The conversation with the user, the wish last:', summary, ...said]);
}

function planText({ plan }: RoleMaterial, now: PlanStep): string {
  return `The plan:\n${(plan?.steps ?? []).map(({ number, title, status }) => `${number}. ${title} (${number === now.number ? 'your step' : status})`).join('\n')}`;
}

function resultsText(material: RoleMaterial, now?: PlanStep): string {
  const parts = (material.plan?.steps ?? []).flatMap((step) =>
    step.number === now?.number ? [] : resultText(material, step),
  );
  return parts.length === 0 ? '' : `Results so far:\n\n${parts.join('\n\n')}`;
}

function resultText({ markOf }: RoleMaterial, { number, title, status, tries }: PlanStep): string[] {
  const last = tries.at(-1);
  if (status === 'skipped') return [`${number}. ${title}: skipped, nobody worked on it.`];
  if (last === undefined || status === 'pending' || status === 'running') return [];
  const done = tries.flatMap((made) => made.done);
  const output = last.isTainted ? envelopeOf(last.output, 'RESULT', markOf(`result ${number}`)) : last.output;
  return [
    [
      `${number}. ${title}: ${status === 'failed' ? `failed, ${last.reason}` : status}`,
      ...(output === '' ? [] : [output]),
      ...(done.length === 0 ? [] : [`Made: ${done.join('; ')}`]),
    ].join('\n'),
  ];
}

const bullets = (lines: readonly string[]) => lines.map((line) => `- ${line}`).join('\n');
const joined = (parts: readonly string[]) => parts.filter((part) => part !== '').join('\n\n');
