import { EngineError } from '../../../base/error.ts';
import type { ApprovalRecord } from '../../../guard/approval.ts';
import {
  type AgentSession,
  endSession,
  isSession,
  openSession,
  pendingActions,
  readSession,
  type SessionRecord,
  viewSession,
} from '../../../run/session/session.ts';
import { acceptMessage } from '../../../run/session/take-message.ts';
import { waitUntilSettled } from '../../../run/wait-until-settled.ts';
import { threadOf } from '../../../run/thread.ts';
import { bodyOf } from '../../../store/damaged-row.ts';
import type { Row, Store } from '../../../store/store.ts';
import type { RouteContext, AddRoutes, Services } from '../../api.ts';
import { personOf } from '../../auth/person.ts';
import { count, flag, optional, readBody, text } from '../../http/body.ts';
import { ANSWER, answerApproval } from './answer-approval.ts';
import { type Page, pageOfRows, readPage } from '../../http/paging.ts';
import { reading } from '../../http/reading.ts';
import { withStarter } from '../../auth/starter.ts';

const LIST = 'sessions';
/** Time to wait for the agent before the response is 202, in seconds. */
const WAIT_SECONDS = { usual: 30, most: 60 } as const;
/** Attempts to end a session while messages arrive. */
const MAX_TRIES = 5;

/**
 * Sessions of a person with an agent (seed 002): `GET /api/sessions` · `GET|POST /api/agents/:id/sessions` · `GET /api/sessions/:id` ·
 * `POST /api/sessions/:id/message|confirm|cancel`. The response to a message comes when the agent is done (200), or when it waits for a person or a limit, or after `waitSeconds` (202).
 */
export const agentSessionRoutes: AddRoutes = (router, services) => {
  const { deps } = services;
  const { store } = deps;
  const show = async (ctx: RouteContext) => {
    ctx.body = await withStarter(services, await viewSession(deps, await sessionOf(store, ctx), { messages: true }));
  };

  router.get(
    '/agents/:id/sessions',
    reading(services, async (readable, ctx) => {
      ctx.body = await listSessions(readable, ctx);
    }),
  );
  router.get(
    '/sessions',
    reading(services, async (readable, ctx) => {
      ctx.body = await listSessions(readable, ctx);
    }),
  );
  router.post('/agents/:id/sessions', async (ctx) => {
    readBody(ctx, {});
    const record = await openSession(deps, String(ctx.params['id']), personOf(ctx).id);
    ctx.body = await withStarter(services, await viewSession(deps, record, { messages: true }));
    ctx.status = 201;
  });
  router.get(
    '/sessions/:id',
    reading(services, async (readable, ctx) => {
      const record = await sessionOf(readable.deps.store, ctx);
      ctx.body = await withStarter(services, await viewSession(readable.deps, record, { messages: true }));
    }),
  );
  router.post('/sessions/:id/message', async (ctx) => {
    await postMessage(services, ctx);
    await show(ctx);
  });
  router.post('/sessions/:id/confirm', async (ctx) => {
    await confirmAction(services, ctx);
    await show(ctx);
  });
  router.post('/sessions/:id/cancel', async (ctx) => {
    await cancelSession(services, ctx);
    await show(ctx);
  });
};

function sessionOf(store: Store, ctx: RouteContext): Promise<SessionRecord> {
  return readSession(store, String(ctx.params['id']));
}

async function postMessage(services: Services, ctx: RouteContext): Promise<void> {
  const { deps, engine } = services;
  const { content, waitSeconds } = readBody(ctx, { content: text, waitSeconds: optional(count) });
  if (content.trim() === '') throw new EngineError('BAD_REQUEST', '"content" is empty');
  const waitMs = waitOf(waitSeconds);
  const { id } = await acceptMessage(deps, String(ctx.params['id']), { content, by: personOf(ctx).id });
  engine.queued();
  await waitFor(services, ctx, id, waitMs);
}

async function confirmAction(services: Services, ctx: RouteContext): Promise<void> {
  const { store } = services.deps;
  const body = readBody(ctx, {
    actionId: optional(text),
    confirmed: flag,
    ...ANSWER,
    waitSeconds: optional(count),
  });
  const { actionId: wanted, confirmed, waitSeconds, ...answer } = body;
  const waitMs = waitOf(waitSeconds);
  const record = await sessionOf(store, ctx);
  const decision = confirmed ? 'allow' : 'deny';
  await answerApproval(services, ctx, await actionId(store, record, wanted), { ...answer, decision });
  await waitFor(services, ctx, record.runId, waitMs);
}

/** Cancels the current run; with `{ end: true }` also ends the session. `RUN_NOT_ACTIVE` if there is nothing to cancel. */
async function cancelSession(services: Services, ctx: RouteContext): Promise<void> {
  const { end = false } = readBody(ctx, { end: optional(flag) });
  const record = await sessionOf(services.deps.store, ctx);
  if (end) return endAll(services, record.id);
  if (record.runId !== '') return services.engine.cancel(record.runId);
  throw new EngineError('RUN_NOT_ACTIVE', 'the agent is not processing a message of this session', {
    hint: 'send { "end": true } to end the session',
  });
}

/** Sessions that persons opened with the agent of the path, or with any, newest first. */
async function listSessions({ deps }: Services, ctx: RouteContext): Promise<Page<AgentSession>> {
  const agent = ctx.params['id'];
  const load = (before: string | undefined, limit: number) =>
    deps.store.list('thread', {
      where: [['kind', '=', 'agent'], ...(before === undefined ? [] : [['id', '<', before] as const])],
      order: [['id', 'desc']],
      limit,
    });
  const accept = (row: Row<'thread'>) => (agent === undefined || row.agent === agent) && row.director === '';
  const { items, nextCursor } = await pageOfRows(LIST, { ...readPage(ctx, LIST), load, accept });
  const sessions = items.map(threadOf).filter(isSession);
  const views = await Promise.all(sessions.map((record) => viewSession(deps, record, { messages: false })));
  return { items: views, nextCursor };
}

function waitOf(seconds: number = WAIT_SECONDS.usual): number {
  if (seconds <= WAIT_SECONDS.most) return seconds * 1000;
  throw new EngineError('BAD_REQUEST', `"waitSeconds" must be at most ${WAIT_SECONDS.most}, not ${seconds}`);
}

/** Waits until the run is settled, `ms` have passed, or the client disconnects. */
async function waitFor({ deps }: Services, ctx: RouteContext, runId: string, ms: number): Promise<void> {
  const gone = new AbortController();
  ctx.res.once('close', () => gone.abort());
  await waitUntilSettled(deps, runId, { ms, signal: gone.signal });
  const row = await deps.store.get('run', { id: runId });
  ctx.status = row !== undefined && ['queued', 'running', 'waiting'].includes(row.status) ? 202 : 200;
}

/** The id of the wanted approval, or of the only pending one. One of this session that is answered keeps its own error. */
async function actionId(store: Store, { id, runId }: SessionRecord, wanted: string | undefined): Promise<string> {
  const pending = runId === '' ? [] : await pendingActions(store, runId);
  const found = wanted === undefined ? pending : pending.filter((action) => action.id === wanted);
  const row = found.length === 0 && wanted !== undefined ? await store.get('approval', { id: wanted }) : undefined;
  if (row !== undefined && bodyOf<ApprovalRecord>('approval', row).threadId === id) return row.id;
  const [first, ...others] = found;
  if (first === undefined)
    throw new EngineError('NOT_FOUND', `no pending action in this session${wanted && ` with id "${wanted}"`}`);
  if (others.length === 0) return first.id;
  throw new EngineError('BAD_REQUEST', `${found.length} actions are pending`, {
    hint: `set "actionId" to one of: ${found.map(({ id }) => id).join(', ')}`,
  });
}

/** Cancels the current run of a session and ends the session. */
async function endAll({ deps, engine }: Services, id: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    const record = await readSession(deps.store, id);
    if (record.status !== 'ongoing') return;
    try {
      if (record.runId !== '') await engine.cancel(record.runId);
      else return await endSession(deps, record, 'completed');
    } catch (error) {
      // The run ended or a message arrived meanwhile: read the session again.
      const isPassing = error instanceof EngineError && ['RUN_NOT_ACTIVE', 'STORE_CONFLICT'].includes(error.code);
      if (!isPassing || tries >= MAX_TRIES) throw error;
    }
  }
}
