import { isoTime } from '../../../base/clock.ts';
import { EngineError } from '../../../base/error.ts';
import { isRecord } from '../../../base/json.ts';
import { importMemory, type Imported } from '../../../memory/memory-import.ts';
import { type Memory, type MemoryProvenance, type MemorySpace, SCOPES } from '../../../memory/memory.ts';
import { readMemoryFile } from '../../../memory/memory-file.ts';
import { findMemories } from '../../../memory/memory-list.ts';
import { readMemory } from '../../../memory/memory-rows.ts';
import { RUN_LOGS, RUN_TAG } from '../../../memory/run-log.ts';
import { addMemory, forgetMemory, restoreMemory, updateMemory } from '../../../memory/memory-store.ts';
import { type MemoryView, toSpace, viewMemory } from '../../../memory/memory-view.ts';
import { Draft } from '../../../store/draft.ts';
import type { AddRoutes, RouteContext, Services } from '../../api.ts';
import { count, type Field, oneOf, optional, readBody, text, texts } from '../../http/body.ts';
import { type Page, pageByTime, readTimePage } from '../../http/paging.ts';
import { queryCount, queryFlag, queryIdPrefix, queryText, queryWord } from '../../http/query.ts';
import { reading } from '../../http/reading.ts';

const LIST = 'memory';
const TRUSTS = ['trusted', 'untrusted'] as const;
/** Attempts of a change when a run changes the same memory meanwhile. */
const MAX_CONFLICTS = 5;
/** Most files of one import. */
const MAX_FILES = 500;

const FIELDS = {
  content: optional(text),
  scope: optional(oneOf(...SCOPES)),
  directorId: optional(text),
  agentId: optional(text),
  tags: optional(texts),
  owner: optional(text),
};

/**
 * Memories: `GET /api/memory?query=&scope=&director=&agent=&owner=&tag=&trust=&idPrefix=&includeDeleted=` (newest first, or the best
 * matches of `query`) · `POST /api/memory` · `GET|PUT|DELETE /api/memory/:id` (`?hard`, `expectedRevision`) · `POST /api/memory/:id/restore` ·
 * `POST /api/memory/import { files: [{ name, content }] }`: Markdown with front matter.
 */
export const memoryRoutes: AddRoutes = (router, services) => {
  router.get('/memory', reading(services, list));
  router.post('/memory', async (ctx) => {
    const { memory, isNew } = await create(services, ctx);
    ctx.body = viewMemory(memory);
    ctx.status = isNew ? 201 : 200;
  });
  router.post('/memory/import', async (ctx) => {
    ctx.body = { items: await importFiles(services, readBody(ctx, { files: fileList }).files) };
  });
  router.get('/memory/:id', async (ctx) => {
    ctx.body = viewMemory(await find(services, ctx));
  });
  router.put('/memory/:id', async (ctx) => {
    ctx.body = viewMemory(await change(services, ctx));
  });
  router.delete('/memory/:id', async (ctx) => {
    const isHard = queryFlag(ctx, 'hard') ?? false;
    const expectedRevision = queryCount(ctx, 'expectedRevision');
    await commit(services, (draft, now) => forgetMemory(draft, idOf(ctx), { now, isHard, expectedRevision }));
    ctx.status = 204;
  });
  router.post('/memory/:id/restore', async (ctx) => {
    const lookupKey = services.deps.memory().lookupKey;
    ctx.body = viewMemory(await commit(services, (draft, now) => restoreMemory(draft, idOf(ctx), { now, lookupKey })));
  });
};

function idOf(ctx: RouteContext): string {
  return String(ctx.params['id']);
}

function find({ deps }: Services, ctx: RouteContext): Promise<Memory> {
  return readMemory(deps.store, idOf(ctx), {
    now: deps.clock.now(),
    includeDeleted: queryFlag(ctx, 'includeDeleted') ?? false,
  });
}

async function list({ deps }: Services, ctx: RouteContext): Promise<void> {
  await deps.memory().sync();
  const { limit } = readTimePage(ctx, LIST);
  const [tag, owner] = [queryText(ctx, 'tag'), queryText(ctx, 'owner')];
  const trust = queryWord(ctx, 'trust', TRUSTS);
  const filter = {
    scope: queryWord(ctx, 'scope', SCOPES),
    directorId: queryText(ctx, 'director'),
    agentId: queryText(ctx, 'agent'),
    // The logs of runs would hide what people and agents have written.
    where: [...queryIdPrefix(ctx), ...(tag === RUN_TAG ? [] : ([['agent', '!=', RUN_LOGS]] as const))],
    includeDeleted: queryFlag(ctx, 'includeDeleted'),
    accept: (memory: Memory) =>
      (tag === undefined || memory.tags.includes(tag)) &&
      (owner === undefined || memory.owner === owner) &&
      (trust === undefined || memory.trust === trust),
  };
  const query = queryText(ctx, 'query')?.trim() ?? '';
  if (query !== '') {
    const { memories, ...how } = await deps
      .memory()
      .find(query, { ...filter, owner, tags: tag === undefined ? [] : [tag], limit });
    ctx.body = { items: memories.filter(filter.accept).map(viewMemory), nextCursor: null, ...how };
    return;
  }
  const now = deps.clock.now();
  const { items, nextCursor } = await pageByTime(
    LIST,
    ctx,
    (rows) => findMemories(deps.store, filter, { now, ...rows }),
    ({ createdAt, id }) => [Date.parse(createdAt), id],
  );
  ctx.body = { items: items.map(viewMemory), nextCursor } satisfies Page<MemoryView>;
}

async function create(services: Services, ctx: RouteContext): Promise<{ memory: Memory; isNew: boolean }> {
  const { deps } = services;
  const {
    content = '',
    scope = 'global',
    directorId,
    agentId,
    tags,
    owner = 'user',
    expiresAt,
  } = readBody(ctx, {
    ...FIELDS,
    expiresAt: optional(text),
  });
  const space = known(services, toSpace(scope, directorId, agentId));
  const { lookupKey } = deps.memory();
  return commit(services, (draft, now) => {
    const made = { id: deps.ids.next('mem'), now, lookupKey, provenance: byPerson(now) };
    return addMemory(draft, space, { text: content, tags, owner, expiresAt }, made);
  });
}

async function change(services: Services, ctx: RouteContext): Promise<Memory> {
  const { deps } = services;
  const { scope, directorId, agentId, content, expectedRevision, ...patch } = readBody(ctx, {
    ...FIELDS,
    trust: optional(oneOf(...TRUSTS)),
    expiresAt: optional<string | null>((value, key) => (value === null ? null : text(value, key))),
    expectedRevision: optional(count),
  });
  const isMoved = scope !== undefined || directorId !== undefined || agentId !== undefined;
  const { lookupKey } = deps.memory();
  return commit(services, async (draft, now) => {
    const before = isMoved ? await readMemory(draft, idOf(ctx), { now }) : undefined;
    // Another scope names its own director and agent.
    const kept = scope === undefined || scope === before?.scope ? before : undefined;
    const space =
      before &&
      known(services, toSpace(scope ?? before.scope, directorId ?? kept?.directorId, agentId ?? kept?.agentId));
    const provenance = byPerson(now);
    return updateMemory(
      draft,
      idOf(ctx),
      { ...patch, text: content, space },
      { now, lookupKey, provenance, expectedRevision },
    );
  });
}

/** The space, if its director and agent exist: a memory of a misspelled one would never be found. `BAD_REQUEST`. */
function known({ config }: Services, space: MemorySpace): MemorySpace {
  const { directors, agents } = config.current();
  const { directorId, agentId } = space;
  if (directorId !== '' && !directors.has(directorId))
    throw new EngineError('BAD_REQUEST', `there is no director "${directorId}"`, {
      hint: `directors: ${[...directors.keys()].join(', ')}`,
    });
  if (agentId !== '' && !agents.has(agentId))
    throw new EngineError('BAD_REQUEST', `there is no agent "${agentId}"`, {
      hint: `agents: ${[...agents.keys()].join(', ')}`,
    });
  return space;
}

function byPerson(now: number): MemoryProvenance {
  return { writtenBy: 'person', trust: 'trusted', at: isoTime(now) };
}

interface NamedFile {
  readonly name: string;
  readonly content: string;
}

const fileList: Field<readonly NamedFile[]> = (value) => {
  const isFile = (one: unknown): one is NamedFile =>
    isRecord(one) && typeof one['name'] === 'string' && typeof one['content'] === 'string';
  if (Array.isArray(value) && value.length <= MAX_FILES && value.every(isFile)) return value;
  throw new EngineError('BAD_REQUEST', `"files" must be a list of { name, content }, at most ${MAX_FILES}`);
};

/** Imports Markdown files. One that cannot be read is reported, and hinders no other. */
async function importFiles(services: Services, files: readonly NamedFile[]): Promise<object[]> {
  const { deps } = services;
  const results: object[] = [];
  for (const { name, content } of files) {
    try {
      const at = isoTime(deps.clock.now());
      const file = await readMemoryFile(content, { id: deps.ids.next('mem'), at });
      const { lookupKey } = deps.memory();
      const imported: Imported = await commit(services, (draft, now) => importMemory(draft, file, { now, lookupKey }));
      results.push({ name, ...imported });
    } catch (error) {
      if (!(error instanceof EngineError) || error.code === 'STORE_FAILED') throw error;
      const { code, message, hint } = error;
      results.push({ name, error: { code, message, ...(hint !== undefined && { hint }) } });
    }
  }
  return results;
}

/** Commits a change. On a conflict with a run, it is computed again. */
async function commit<T>({ deps }: Services, work: (draft: Draft, now: number) => Promise<T>): Promise<T> {
  for (let conflicts = 0; ; conflicts++) {
    const draft = new Draft(deps.store);
    const result = await work(draft, deps.clock.now());
    try {
      if (draft.changes.length > 0) await deps.store.apply(draft.changes);
      return result;
    } catch (error) {
      const isConflict = error instanceof EngineError && error.code === 'STORE_CONFLICT';
      if (!isConflict || conflicts >= MAX_CONFLICTS) throw error;
    }
  }
}
