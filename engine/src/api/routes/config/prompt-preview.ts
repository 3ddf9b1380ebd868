import { EngineError } from '../../../base/error.ts';
import { withOutputNote } from '../../../config/prompt/output-note.ts';
import type { RenderedMessage } from '../../../config/prompt/transcript.ts';
import type { Mail } from '../../../mail/mail.ts';
import { mailOf, readContent, readMailRow } from '../../../mail/mail-store.ts';
import { openAgent, openDirector, readMailTrigger } from '../../../run/step/thread-prompt.ts';
import { mailQuery, recalledText } from '../../../run/step/recalled-memories.ts';
import type { Store } from '../../../store/store.ts';
import type { AddRoutes, Services } from '../../api.ts';
import { optional, readBody, text } from '../../http/body.ts';

/** Whose first messages to render, and for what. */
export interface PreviewRequest {
  readonly directorId: string | undefined;
  readonly agentId: string | undefined;
  readonly emailId: string | undefined;
  readonly message: string | undefined;
}

/**
 * `POST /api/prompts/preview { directorId, emailId? | message? }`, or with `agentId` and its question as `message`:
 * the first messages of the thread. Asks no model.
 */
export const promptPreviewRoutes: AddRoutes = (router, services) => {
  router.post('/prompts/preview', async (ctx) => {
    const fields = {
      directorId: optional(text),
      agentId: optional(text),
      emailId: optional(text),
      message: optional(text),
    };
    ctx.body = { messages: await previewMessages(services, readBody(ctx, fields)) };
  });
};

/** The first messages of a thread. `NOT_FOUND`; `BAD_REQUEST` without a director or an agent. */
export async function previewMessages(
  { deps }: Pick<Services, 'deps'>,
  request: PreviewRequest,
): Promise<RenderedMessage[]> {
  const config = deps.config.current();
  const { agentId, directorId, emailId, message = '' } = request;
  if (agentId === undefined && directorId === undefined)
    throw new EngineError('BAD_REQUEST', 'expected "directorId" or "agentId"');
  const director = directorId === undefined ? undefined : named(config.directors, directorId, 'director');
  const agent = agentId === undefined ? undefined : named(config.agents, agentId, 'agent');
  const mail = agent === undefined && emailId !== undefined ? await mailNamed(deps.store, emailId) : undefined;
  const query = mail === undefined ? message : mailQuery(mail);
  const { text: memories } = await recalledText(deps.memory, deps.store, {
    config,
    director,
    agent,
    query,
    runId: 'preview',
  });
  const tools = deps.tools.of(config);
  const opening = { config, tools, director, message, memories, now: deps.clock.now() };
  const noted = (messages: RenderedMessage[]) => withOutputNote(messages, (agent ?? director)?.output?.schema);
  if (agent !== undefined) return noted(openAgent(opening, agent));
  if (mail === undefined) return noted(openDirector(opening, undefined, deps.store));
  const trigger = director && (await readMailTrigger(deps.store, mail, config, director));
  return noted(openDirector({ ...opening, message: '' }, trigger, deps.store));
}

function named<T>(all: ReadonlyMap<string, T>, id: string, kind: string): T {
  const found = all.get(id);
  if (found !== undefined) return found;
  throw new EngineError('NOT_FOUND', `no ${kind} "${id}"`, {
    hint: `known: ${[...all.keys()].join(', ') || 'none'}`,
  });
}

async function mailNamed(store: Store, id: string): Promise<Mail> {
  const row = await readMailRow(store, id);
  if (row === undefined) throw new EngineError('NOT_FOUND', `no e-mail "${id}"`);
  return { ...mailOf(row).summary, ...(await readContent(store, id)) };
}
