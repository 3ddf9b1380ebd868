import { isoTime } from '../base/clock.ts';
import type { Agent, Director } from '../config/config.ts';
import { type RenderedMessage, renderPrompt, type VariableValues } from '../config/prompt.ts';
import type { Mail } from '../mail/mail.ts';
import { envelope, formatAddresses } from './envelope.ts';
import type { Facts } from './machine.ts';
import type { Step } from './step.ts';

/** The messages that open a director's thread; the mail or message that started the run is its trigger. */
export function directorPrompt(step: Step, facts: Facts, mail: Mail | undefined): RenderedMessage[] {
  const director = step.tree.config.directors.get(facts.directorId);
  const message = step.tree.record.run.trigger.message ?? '';
  const letter =
    mail === undefined ? undefined : () => envelope(mail, mail, step.parts.store.lookupKey(`envelope\0${mail.id}`));
  return renderPrompt({
    prompt: director?.prompt,
    prompts: step.tree.config.prompts,
    actor: described(director),
    imprint: director?.imprint,
    variables: {
      ...common(step, director),
      ...(mail !== undefined && letter !== undefined && { ...mailVariables(mail), email: letter, thread: letter }),
      account: () => mail?.accountId ?? '',
      message: () => message,
    },
    trigger: letter ?? (() => message),
  });
}

/** The messages that open an agent's thread: its prompt and its input, never the mail. */
export function agentPrompt(step: Step, facts: Facts, input: string): RenderedMessage[] {
  const { config } = step.tree;
  const agent = config.agents.get(facts.agentId);
  const director = config.directors.get(facts.directorId);
  return renderPrompt({
    prompt: agent?.prompt,
    prompts: config.prompts,
    actor: described(agent),
    imprint: agent?.imprint,
    variables: {
      ...common(step, director),
      'agent': () => agent?.name ?? '',
      'agent.id': () => agent?.id ?? '',
      'agent.name': () => agent?.name ?? '',
      'agent.description': () => agent?.description ?? '',
      'message': () => input,
    },
    trigger: () => input,
  });
}

function common(step: Step, director: Director | undefined): VariableValues {
  const roster = () => director?.agents.map((id) => line(step.tree.config.agents.get(id))).join('\n') ?? '';
  return {
    'date': () => isoTime(step.now),
    'director': () => director?.name ?? '',
    'director.id': () => director?.id ?? '',
    'director.name': () => director?.name ?? '',
    'director.description': () => director?.description ?? '',
    'agents': roster,
  };
}

function mailVariables(mail: Mail): VariableValues {
  return {
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

function line(agent: Agent | undefined): string {
  return agent === undefined
    ? ''
    : `- ${agent.id}: ${agent.name}${agent.description === '' ? '' : `. ${agent.description}`}`;
}
