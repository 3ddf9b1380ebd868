import { isoTime } from '../base/clock.ts';
import { EngineError } from '../base/error.ts';
import type { Agent, Director, Snapshot } from '../config/config.ts';
import { type RenderedMessage, renderPrompt, type VariableValues } from '../config/prompt.ts';
import type { Mail } from '../mail/mail.ts';
import { mailOf, readContent, readMailRow } from '../mail/mails.ts';
import { envelope, formatAddresses } from '../run/envelope.ts';
import type { Routes, Services } from './api.ts';
import { optional, readBody, text } from './body.ts';

interface Request {
  readonly directorId: string | undefined;
  readonly agentId: string | undefined;
  readonly emailId: string | undefined;
  readonly message: string | undefined;
}

/**
 * `POST /api/prompts/preview { directorId, emailId? | message? }`, or with `agentId` and what it is asked as `message`:
 * the messages that would open its thread. Nothing is asked of a model.
 */
export const previewRoutes: Routes = (router, services) => {
  router.post('/prompts/preview', async (ctx) => {
    const fields = {
      directorId: optional(text),
      agentId: optional(text),
      emailId: optional(text),
      message: optional(text),
    };
    ctx.body = { messages: await preview(services, readBody(ctx, fields)) };
  });
};

async function preview(services: Services, request: Request): Promise<RenderedMessage[]> {
  const config = services.parts.config.current();
  const { agentId, directorId, message = '' } = request;
  if (agentId === undefined && directorId === undefined)
    throw new EngineError('BAD_REQUEST', 'give a "directorId" or an "agentId"');
  const director = directorId === undefined ? undefined : named(config.directors, directorId, 'director');
  const now = isoTime(services.parts.clock.now());
  const variables: VariableValues = {
    'date': () => now,
    'message': () => message,
    'director': () => director?.name ?? '',
    'director.id': () => director?.id ?? '',
    'director.name': () => director?.name ?? '',
    'director.description': () => director?.description ?? '',
    'agents': () => rosterOf(config, director),
  };
  if (agentId !== undefined) return agentMessages(config, named(config.agents, agentId, 'agent'), variables, message);
  const mail = await mailVariables(services, request.emailId);
  return renderPrompt({
    prompt: director?.prompt,
    prompts: config.prompts,
    actor: { name: director?.name ?? '', description: director?.description ?? '' },
    imprint: director?.imprint,
    variables: { ...variables, ...mail },
    trigger: mail?.email ?? (() => message),
  });
}

function agentMessages(config: Snapshot, agent: Agent, variables: VariableValues, message: string): RenderedMessage[] {
  return renderPrompt({
    prompt: agent.prompt,
    prompts: config.prompts,
    actor: { name: agent.name, description: agent.description },
    imprint: agent.imprint,
    variables: {
      ...variables,
      'agent': () => agent.name,
      'agent.id': () => agent.id,
      'agent.name': () => agent.name,
      'agent.description': () => agent.description,
    },
    trigger: () => message,
  });
}

function named<T>(all: ReadonlyMap<string, T>, id: string, kind: string): T {
  const found = all.get(id);
  if (found !== undefined) return found;
  throw new EngineError('NOT_FOUND', `there is no ${kind} "${id}"`, {
    hint: `known: ${[...all.keys()].join(', ') || 'none'}`,
  });
}

function rosterOf(config: Snapshot, director: Director | undefined): string {
  const agents = director?.agents.flatMap((id) => config.agents.get(id) ?? []) ?? [];
  return agents
    .map(({ id, name, description }) => `- ${id}: ${name}${description === '' ? '' : `. ${description}`}`)
    .join('\n');
}

async function mailVariables(
  { parts: { store } }: Services,
  id: string | undefined,
): Promise<VariableValues | undefined> {
  if (id === undefined) return undefined;
  const row = await readMailRow(store, id);
  if (row === undefined) throw new EngineError('NOT_FOUND', `there is no e-mail "${id}"`);
  const mail: Mail = { ...mailOf(row).summary, ...(await readContent(store, id)) };
  const letter = () => envelope(mail, mail, store.lookupKey(`envelope\0${mail.id}`));
  return {
    'email': letter,
    'thread': letter,
    'account': () => mail.accountId,
    'message': () => '',
    'email.id': () => mail.id,
    'email.subject': () => mail.subject,
    'email.from': () => formatAddresses(mail.from),
    'email.to': () => formatAddresses(mail.to),
    'email.cc': () => formatAddresses(mail.cc),
    'email.date': () => mail.date,
    'email.text': () => mail.bodyText,
  };
}
