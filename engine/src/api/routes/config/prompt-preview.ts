import { EngineError } from '../../../base/error.ts';
import type { Agent, Director } from '../../../config/config.ts';
import { withOutputNote } from '../../../config/prompt/output-note.ts';
import type { OnVariable } from '../../../config/prompt/render-prompt.ts';
import type { RenderedMessage } from '../../../config/prompt/transcript.ts';
import type { Mail } from '../../../mail/mail.ts';
import { mailOf, readContent, readMailRow } from '../../../mail/mail-store.ts';
import { openAgent, openDirector, readMailTrigger } from '../../../run/step/thread-prompt.ts';
import { mailQuery, recalledText } from '../../../run/step/recalled-memories.ts';
import type { Store } from '../../../store/store.ts';
import { charsOf } from '../../../run/step/run-state.ts';
import { CHARS_PER_TOKEN } from '../../../run/turn/admission.ts';
import type { AddRoutes, Services } from '../../api.ts';
import { optional, readBody, text } from '../../http/body.ts';
import { type PromptDraft, promptSource, sourceOf, textsByName, withDraft } from './prompt-draft.ts';

/** Whose first messages to render, and for what. */
export interface PreviewRequest {
  readonly directorId: string | undefined;
  readonly agentId: string | undefined;
  readonly emailId: string | undefined;
  readonly message: string | undefined;
  /** A prompt that is not stored, in place of the actor's own. */
  readonly draft?: PromptDraft | undefined;
  /** Called for each variable of the prompt. */
  readonly onVariable?: OnVariable;
}

/** A preview of a prompt. */
export interface PromptPreview {
  readonly messages: readonly RenderedMessage[];
  /** Names in `{{ }}` that are no variable: they stay as they are written. */
  readonly unknown: readonly string[];
  /** Variables of the prompt that have no text here. */
  readonly empty: readonly string[];
  /** Tokens of the messages, at four characters per token; tools come on top. */
  readonly tokens: number;
}

/**
 * `POST /api/prompts/preview { directorId, emailId? | message? }`, or with `agentId` and its question as `message`: the first messages of
 * the thread. With `prompt` (messages, or `{ use, with }`) that is used in place of the stored one, with `variables` as those of a
 * template. Asks no model.
 */
export const promptPreviewRoutes: AddRoutes = (router, services) => {
  router.post('/prompts/preview', async (ctx) => {
    const { prompt, variables, ...request } = readBody(ctx, {
      directorId: optional(text),
      agentId: optional(text),
      emailId: optional(text),
      message: optional(text),
      prompt: optional(promptSource),
      variables: optional(textsByName),
    });
    const draft = prompt && { prompt, variables: variables ?? {} };
    const known = new Map<string, string | undefined>();
    const onVariable: OnVariable = (name, value) => known.set(name, value);
    const messages = await previewMessages(services, { ...request, draft, onVariable });
    const chars = messages.reduce((sum, message) => sum + charsOf(message), 0);
    const having = (value: string | undefined) => [...known].filter((one) => one[1] === value).map(([name]) => name);
    ctx.body = {
      messages,
      unknown: having(undefined),
      empty: having(''),
      tokens: Math.ceil(chars / CHARS_PER_TOKEN),
    } satisfies PromptPreview;
  });
};

/** The first messages of a thread. `NOT_FOUND`; `BAD_REQUEST` without a director or an agent. */
export async function previewMessages(
  { deps }: Pick<Services, 'deps'>,
  request: PreviewRequest,
): Promise<RenderedMessage[]> {
  const { agentId, directorId, emailId, message = '', draft, onVariable } = request;
  const config = withDraft(deps.config.current(), draft);
  if (agentId === undefined && directorId === undefined)
    throw new EngineError('BAD_REQUEST', 'expected "directorId" or "agentId"');
  const source = draft && sourceOf(draft);
  const drafted = <T extends Director | Agent>(actor: T): T =>
    source === undefined ? actor : { ...actor, prompt: source };
  const director = directorId === undefined ? undefined : drafted(named(config.directors, directorId, 'director'));
  const agent = agentId === undefined ? undefined : drafted(named(config.agents, agentId, 'agent'));
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
  const now = deps.clock.now();
  const opening = { config, tools, director, message, memories, now, ...(onVariable && { onVariable }) };
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
