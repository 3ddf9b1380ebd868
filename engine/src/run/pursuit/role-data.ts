import { envelopeOf } from '../../config/prompt/envelope.ts';
import { isoTime } from '../../base/clock.ts';
import type { Director } from '../../config/config.ts';
import type { ObjectiveContext } from '../../../machines/objective-events.ts';
import type { Objective, WakeNote } from '../objective/objective.ts';
import type { AnsweredCall } from './planner-tools.ts';

/** What roles read of an objective. */
export interface ObjectiveMaterial {
  readonly objective: Objective;
  readonly context: ObjectiveContext;
  readonly director: Director;
  readonly now: number;
  /** The mails of the linked threads, in envelopes; undefined where the prompt has them. */
  readonly threads: string | undefined;
  /** What the role must know of these mails, in place of the usual sentence; `''` where there is nothing. */
  readonly threadsNote: string;
  /** False where strangers, or a program, may have written what the user wants. */
  readonly isUserQuerySafe: boolean;
  /** The tools that the planner may call, a line each. */
  readonly tools: readonly string[];
  /** What its calls have answered, oldest first. */
  readonly calls: readonly AnsweredCall[];
  /** The mark of the envelope around a text, by its key. */
  readonly markOf: (key: string) => string;
  /** Why the rules did not permit the last decision; `''` where they did. */
  readonly refusal: string;
}

/** Lines of the story that a role reads at most. */
const MAX_LINES = 40;

/** The data of a role: first what is certain, then, in envelopes, what comes from mails and models. */
export function roleData(role: 'intake' | 'planner' | 'writer', material: ObjectiveMaterial): string {
  const { objective, context, now, refusal } = material;
  const { action } = objective;
  return [
    `Reason of this wake: ${context.why}`,
    `Now: ${isoTime(now)}`,
    `What the user wants: ${wishOf(material)}`,
    role === 'intake' ? '' : stateOf(material),
    ...happenings(objective.unread, material),
    enveloped('record', knowledgeOf(objective), material),
    ...(role === 'planner' ? toolsOf(material) : []),
    threadsOf(material),
    role === 'writer' && action !== undefined
      ? envelopeOf(`Write this mail: ${taskOf(action)}`, 'ASK', material.markOf('task'))
      : '',
    refusal === '' ? '' : `Your last decision was not carried out: ${refusal}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** The tools of the planner, and in envelopes what its calls have answered. */
function toolsOf({ tools, calls, markOf }: ObjectiveMaterial): string[] {
  const answers = calls.map(({ tool, arguments: args, answer }, n) =>
    envelopeOf(`${tool} ${args}\n${answer}`, 'RESULT', markOf(`call ${n}`)),
  );
  return [
    ...(tools.length === 0 ? [] : [`Tools that callTool can name:\n${tools.join('\n')}`]),
    ...(answers.length === 0 ? [] : [`What your calls have answered, the newest last:\n\n${answers.join('\n\n')}`]),
  ];
}

function threadsOf({ threads, threadsNote }: ObjectiveMaterial): string {
  if (threads === undefined) return threadsNote;
  if (threads === '') return threadsNote || 'There are no mails on the linked threads yet.';
  return `${threadsNote || 'The mails of the linked threads:'}\n\n${threads}`;
}

function wishOf({ objective, isUserQuerySafe, markOf }: ObjectiveMaterial): string {
  const { userQuery, proposal } = objective;
  if (userQuery !== '') return isUserQuerySafe ? userQuery : `\n${envelopeOf(userQuery, 'ASK', markOf('wish'))}`;
  const open = 'nobody has said it yet';
  return proposal === undefined ? open : `${open}; proposed:\n${envelopeOf(proposal, 'DATA', markOf('proposal'))}`;
}

function stateOf({ objective, context, director }: ObjectiveMaterial): string {
  const { draft } = objective;
  const { max } = director.objective.followUp;
  const left = Math.max(0, max - context.followUps);
  return [
    `Follow-ups that have left: ${context.followUps} of ${max}.${left === 0 ? ' No more may leave: ask the user, finish or give up.' : ''}`,
    draft === null
      ? 'No draft lies in Drafts.'
      : `A draft lies in Drafts since ${draft.at}; the user has not sent it yet.`,
  ].join('\n');
}

/** What woke the objective. Words of the user stand outside of envelopes, since they are instructions. */
function happenings(notes: readonly WakeNote[], material: ObjectiveMaterial): string[] {
  return notes.map((note, n) => {
    const { why, text = '', at } = note;
    if (why === 'words' || why === 'answer') return `The user said at ${at}: ${text}`;
    if (why === 'sent')
      return text === ''
        ? `The user sent the draft at ${at}.`
        : `The user changed the draft and sent it at ${at}:\n${envelopeOf(text, 'DATA', material.markOf(`note ${n}`))}`;
    if (why === 'draftDeleted')
      return `The user deleted the draft at ${at} without sending it. Do not make it again unless the user says so.`;
    if (why === 'reply') return `A reply arrived at ${at}.`;
    return `${why === 'label' ? 'The label was put on the thread again' : 'The time came'} at ${at}.`;
  });
}

/** What the record holds. Models wrote it, or it quotes mails. */
function knowledgeOf({ summary, constraints, history }: Objective): string {
  return [
    `Summary: ${summary ?? 'none yet'}`,
    `Constraints: ${JSON.stringify(constraints)}`,
    `The story so far:\n${history
      .slice(-MAX_LINES)
      .map(({ at, text }) => `- ${at} ${text}`)
      .join('\n')}`,
  ].join('\n');
}

function taskOf({ instructions = '', to = [], subject = '', isFollowUp = false }: NonNullable<Objective['action']>) {
  const kind = to.length > 0 ? `a new mail to ${to.join(', ')} about "${subject}"` : 'an answer on the thread';
  return `${isFollowUp ? 'a friendly follow-up, since nobody has answered' : kind}. ${instructions}`.trim();
}

function enveloped(key: string, text: string, { markOf }: ObjectiveMaterial): string {
  return envelopeOf(text, 'DATA', markOf(key));
}
