import { isoTime } from '../../base/clock.ts';
import type { Agent, Director, Snapshot } from '../../config/config.ts';
import { compareRank } from '../../config/order.ts';
import {
  type OnTrigger,
  type OnVariable,
  PLACED_BY,
  renderPrompt,
  usesVariable,
  type VariableValues,
} from '../../config/prompt/render-prompt.ts';
import type { RenderedMessage } from '../../config/prompt/transcript.ts';
import { type EarlierMails, readEarlierMails, threadText } from '../../mail/earlier-mails.ts';
import { enclose, encloseInline, envelopeNote, envelopeOf, markName } from '../../config/prompt/envelope.ts';
import { envelope, formatAddresses } from '../../mail/envelope.ts';
import type { Mail } from '../../mail/mail.ts';
import { attachedNote } from '../../file/upload/upload.ts';
import type { Store } from '../../store/store.ts';
import type { Tool } from '../../tool/tool.ts';
import type { MachineFacts } from './machine.ts';
import { type Recalled, recalledText } from './recalled-memories.ts';
import { scopeText } from './scope-text.ts';
import type { Step } from './step.ts';
import { RECALLED, taintOf, taintThread } from './taint.ts';

/** The inputs of a thread's first messages. */
export interface ThreadOpening {
  readonly config: Pick<Snapshot, 'agents' | 'directors' | 'prompts' | 'settings'>;
  /** Every tool by name; `{{scope}}` says what those of the actor may do. */
  readonly tools: ReadonlyMap<string, Tool>;
  /** The director of the thread, or the director that asks the agent. */
  readonly director: Director | undefined;
  /** The message to the director, or the question to the agent. */
  readonly message: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Recalled memories as text (`recalledText`). Default: none. */
  readonly memories?: string;
  /** The value of `thread` in the prompt of an agent that does a role of a run on a mail. Default: none. */
  readonly thread?: string;
  /** See `PromptInput`. */
  readonly onVariable?: OnVariable;
  /** See `PromptInput`. */
  readonly onTrigger?: OnTrigger;
}

/** A mail that starts a run, with what the prompt says about it. */
export interface MailTrigger {
  readonly mail: Mail;
  /** The mails of its thread before it; empty where the prompt does not use `thread`. */
  readonly earlier: EarlierMails;
}

/** The mail of a trigger, and the earlier mails of its thread if the prompt of the director uses them. */
export async function readMailTrigger(
  store: Store,
  mail: Mail,
  config: Pick<Snapshot, 'prompts'>,
  director: Director,
): Promise<MailTrigger> {
  const isUsed = usesVariable(director.prompt, config.prompts, 'thread');
  return { mail, earlier: isUsed ? await readEarlierMails(store, mail) : { mails: [], leftOut: 0 } };
}

/** The messages that open a director's thread in a run. */
export async function directorPrompt(
  step: Step,
  facts: MachineFacts,
  { trigger, memories }: { readonly trigger: MailTrigger | undefined; readonly memories: Recalled },
): Promise<RenderedMessage[]> {
  const message = await messageText(step, facts);
  return openDirector({ ...openingOf(step, facts, message), memories: memories.text }, trigger, step.deps.store);
}

/** The message of a run with the names of its files; in an envelope where no person wrote it, or it was written after reading text from outside. */
async function messageText(step: Step, { threadId, runId }: MachineFacts): Promise<string> {
  const { trigger, attachments = [] } = step.runState.record.run;
  const { message = '' } = trigger;
  const { store } = step.deps;
  const isTainted = message !== '' && (await taintOf(step, threadId)) !== undefined;
  const text = isTainted ? envelopeOf(message, 'ASK', store.lookupKey(`message\0${runId}`)) : message;
  if (attachments.length === 0) return text;
  return `${text}\n\n${attachedNote(attachments, store.lookupKey(`uploads\0${runId}`))}`;
}

/**
 * The messages that open an agent's thread in a run. It recalls memories offline, since a
 * step never waits for the network.
 */
export async function agentPrompt(
  step: Step,
  facts: MachineFacts,
  input: string,
  more: Pick<ThreadOpening, 'thread' | 'onTrigger'> = {},
): Promise<RenderedMessage[]> {
  const { config } = step.runState;
  const opening = openingOf(step, facts, input);
  const agent = config.agents.get(facts.agentId);
  const request = { config, director: opening.director, agent, query: input, runId: facts.runId, isOffline: true };
  const memories = await recalledText(step.deps.memory, step.draft, request);
  (await step.runState.privacy())?.learn(step.draft, memories.memories);
  if (memories.isUntrusted) await taintThread(step, facts.threadId, RECALLED);
  return openAgent({ ...opening, memories: memories.text, ...more }, agent);
}

function openingOf(step: Step, { directorId }: MachineFacts, message: string): ThreadOpening {
  const { config } = step.runState;
  const director = config.directors.get(directorId);
  return { config, tools: step.deps.tools.of(config), director, message, now: step.now };
}

/** The first messages of a director. The trigger is the mail, or the message that started the run. */
export function openDirector(
  opening: ThreadOpening,
  trigger: MailTrigger | undefined,
  store: Pick<Store, 'lookupKey'>,
): RenderedMessage[] {
  const { config, director, message } = opening;
  const marks = trigger === undefined ? undefined : marksOf(trigger.mail, store);
  const letter =
    trigger === undefined || marks === undefined ? undefined : () => envelope(trigger.mail, trigger.mail, marks.mail);
  const messages = renderPrompt({
    prompt: director?.prompt,
    prompts: config.prompts,
    actor: described(director),
    imprint: director?.imprint,
    onVariable: opening.onVariable,
    scopeText: scopeText({ ...opening, agent: undefined }),
    variables: {
      ...common(opening, undefined),
      ...(trigger !== undefined &&
        marks !== undefined && { ...mailVariables(trigger, marks), email: letter ?? (() => '') }),
    },
    trigger:
      letter === undefined
        ? { placedBy: PLACED_BY.message, text: () => message }
        : { placedBy: PLACED_BY.mail, text: letter },
  });
  return marks === undefined ? messages : messages.map((one) => explained(one, marks.mail));
}

/** The marks around the mail of a run, and around the earlier mails of its thread. */
interface Marks {
  readonly mail: string;
  readonly thread: string;
}

function marksOf({ id }: Mail, store: Pick<Store, 'lookupKey'>): Marks {
  return { mail: store.lookupKey(`envelope\0${id}`), thread: store.lookupKey(`thread of\0${id}`) };
}

/** A message with the sentence about its marks, where it has parts of the mail and not the whole envelope. */
function explained(message: RenderedMessage, mark: string): RenderedMessage {
  const note = envelopeNote('MAIL', mark);
  const { content } = message;
  if (message.role !== 'user' || !content?.includes(`<<${markName('MAIL', mark)}`) || content.includes(note))
    return message;
  return { ...message, content: `${content}\n\n${note}` };
}

/** The first messages of an agent: its prompt and its input, never the mail. */
export function openAgent(opening: ThreadOpening, agent: Agent | undefined): RenderedMessage[] {
  const { config, message } = opening;
  return renderPrompt({
    prompt: agent?.prompt,
    prompts: config.prompts,
    actor: described(agent),
    imprint: agent?.imprint,
    onVariable: opening.onVariable,
    onTrigger: opening.onTrigger,
    scopeText: scopeText({ ...opening, agent }),
    variables: {
      ...common(opening, agent),
      'thread': () => opening.thread ?? '',
      'agent': () => agent?.name ?? '',
      'agent.id': () => agent?.id ?? '',
      'agent.name': () => agent?.name ?? '',
      'agent.description': () => agent?.description ?? '',
    },
    trigger: { placedBy: PLACED_BY.message, text: () => message },
  });
}

function common(opening: ThreadOpening, agent: Agent | undefined): VariableValues {
  const { config, director, message, now, memories = '' } = opening;
  const agents = (director?.agents ?? []).flatMap((id) => config.agents.get(id) ?? []);
  const roster = () => agents.sort(compareRank).map(line).join('\n');
  return {
    'date': () => isoTime(now),
    'message': () => message,
    'memories': () => memories,
    'director': () => director?.name ?? '',
    'director.id': () => director?.id ?? '',
    'director.name': () => director?.name ?? '',
    'director.description': () => director?.description ?? '',
    'agents': roster,
    'scope': () => scopeText({ ...opening, agent }),
  };
}

function mailVariables({ mail, earlier }: MailTrigger, marks: Marks): VariableValues {
  const inline = (text: string) => (text === '' ? '' : encloseInline(text, 'MAIL', marks.mail));
  return {
    'thread': () => threadText(earlier, marks.thread),
    'account': () => mail.accountId,
    'email.id': () => mail.id,
    'email.subject': () => inline(mail.subject),
    'email.from': () => inline(formatAddresses(mail.from)),
    'email.to': () => inline(formatAddresses(mail.to)),
    'email.cc': () => inline(formatAddresses(mail.cc)),
    'email.date': () => mail.date,
    'email.text': () => (mail.bodyText === '' ? '' : enclose(mail.bodyText, 'MAIL', marks.mail)),
  };
}

function described(actor: Director | Agent | undefined): { name: string; description: string } {
  return { name: actor?.name ?? '', description: actor?.description ?? '' };
}

function line(agent: Agent): string {
  return `- ${agent.id}: ${agent.name}${agent.description === '' ? '' : `. ${agent.description}`}`;
}
