import { isoTime } from '../../base/clock.ts';
import type { Agent, Director, Snapshot } from '../../config/config.ts';
import { compareRank } from '../../config/order.ts';
import { PLACED_BY, renderPrompt, usesVariable, type VariableValues } from '../../config/prompt/render-prompt.ts';
import type { RenderedMessage } from '../../config/prompt/transcript.ts';
import { type EarlierMails, readEarlierMails, threadText } from '../../mail/earlier-mails.ts';
import { envelope, formatAddresses } from '../../mail/envelope.ts';
import type { Mail } from '../../mail/mail.ts';
import type { Store } from '../../store/store.ts';
import type { Tool } from '../../tool/tool.ts';
import type { MachineFacts } from './machine.ts';
import { recalledText } from './recalled-memories.ts';
import { scopeText } from './scope-text.ts';
import type { Step } from './step.ts';

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
export function directorPrompt(
  step: Step,
  facts: MachineFacts,
  { trigger, memories }: { readonly trigger: MailTrigger | undefined; readonly memories: string },
): RenderedMessage[] {
  const message = step.runState.record.run.trigger.message ?? '';
  return openDirector({ ...openingOf(step, facts, message), memories }, trigger, step.deps.store);
}

/** The messages that open an agent's thread in a run. It recalls memories offline, since a step never waits for the network. */
export async function agentPrompt(step: Step, facts: MachineFacts, input: string): Promise<RenderedMessage[]> {
  const { config } = step.runState;
  const opening = openingOf(step, facts, input);
  const agent = config.agents.get(facts.agentId);
  const request = { config, director: opening.director, agent, query: input, runId: facts.runId, isOffline: true };
  const memories = await recalledText(step.deps.memory, step.draft, request);
  return openAgent({ ...opening, memories }, agent);
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
  const letter =
    trigger === undefined
      ? undefined
      : () => envelope(trigger.mail, trigger.mail, store.lookupKey(`envelope\0${trigger.mail.id}`));
  return renderPrompt({
    prompt: director?.prompt,
    prompts: config.prompts,
    actor: described(director),
    imprint: director?.imprint,
    scopeText: scopeText({ ...opening, agent: undefined }),
    variables: {
      ...common(opening, undefined),
      ...(trigger !== undefined && letter !== undefined && { ...mailVariables(trigger, store), email: letter }),
    },
    trigger:
      letter === undefined
        ? { placedBy: PLACED_BY.message, text: () => message }
        : { placedBy: PLACED_BY.mail, text: letter },
  });
}

/** The first messages of an agent: its prompt and its input, never the mail. */
export function openAgent(opening: ThreadOpening, agent: Agent | undefined): RenderedMessage[] {
  const { config, message } = opening;
  return renderPrompt({
    prompt: agent?.prompt,
    prompts: config.prompts,
    actor: described(agent),
    imprint: agent?.imprint,
    scopeText: scopeText({ ...opening, agent }),
    variables: {
      ...common(opening, agent),
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

function mailVariables({ mail, earlier }: MailTrigger, store: Pick<Store, 'lookupKey'>): VariableValues {
  return {
    'thread': () => threadText(earlier, store.lookupKey(`thread of\0${mail.id}`)),
    'account': () => mail.accountId,
    'email.id': () => mail.id,
    'email.subject': () => mail.subject,
    'email.from': () => formatAddresses(mail.from),
    'email.to': () => formatAddresses(mail.to),
    'email.cc': () => formatAddresses(mail.cc),
    'email.date': () => mail.date,
    'email.text': () => mail.bodyText,
  };
}

function described(actor: Director | Agent | undefined): { name: string; description: string } {
  return { name: actor?.name ?? '', description: actor?.description ?? '' };
}

function line(agent: Agent): string {
  return `- ${agent.id}: ${agent.name}${agent.description === '' ? '' : `. ${agent.description}`}`;
}
