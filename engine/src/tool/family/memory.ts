import type { Abortable } from '../../base/abort.ts';
import { isoTime } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import type { Memory, MemoryProvenance, MemoryScope, MemorySpace } from '../../memory/memory.ts';
import { isWithin, type MemoryReader, reachOf } from '../../memory/memory-reach.ts';
import { expectPreference, PREFERENCE_TAG } from '../../memory/preference.ts';
import { readMemory } from '../../memory/memory-rows.ts';
import { addMemory, forgetMemory, MAX_TAG, MAX_TAGS, MAX_TEXT, updateMemory } from '../../memory/memory-store.ts';
import { type ShownMemories, shownMemories } from '../../memory/memory-text.ts';
import type { MemoryService } from '../../memory/open-memory.ts';
import type { LookupReader } from '../../memory/recall.ts';
import { similarity } from '../../memory/words.ts';
import { defineTool } from '../define-tool.ts';
import { parameters, type ValueOf } from '../parameters.ts';
import type { Caller, LocalContext, LocalTool } from '../tool.ts';
import type { ToolFamily } from '../tool-family.ts';

type Service = () => MemoryService;

/** Most memories that a search returns. */
const MOST = 10;
/** From this part of common words on, two memories may say the same. */
const SIMILAR = 0.6;

const SCOPE = { type: 'string', enum: ['global', 'shared', 'local'] } as const;
const TAGS = {
  type: 'array',
  items: { type: 'string', minLength: 1, maxLength: MAX_TAG },
  maxItems: MAX_TAGS,
  description: 'Words to find it by, such as the address of the person that it is about.',
} as const;
const CONTENT = { type: 'string', minLength: 1, maxLength: MAX_TEXT } as const;
const EXPIRES = { type: 'string', description: 'When it stops being true, such as 2026-12-24T00:00:00Z.' } as const;

/** Tools over memories (seed 000, 3.2.8b). */
export const memoryFamily: ToolFamily = {
  name: 'memory',
  tools: ({ memory }) => [searchTool(memory), addTool(memory), editTool(memory), forgetTool()],
  aliases: { memory_recall: 'memory_search', memory_store: 'memory_add' },
};

const SEARCH = {
  name: 'memory_search',
  family: 'memory',
  reach: 'private',
  trust: 'told',
  encloses: () => true,
  description:
    'Searches what you remember: your own memories first, then those shared with you, then global ones. Without a query it lists the newest.',
  parameters: parameters({
    query: { type: 'string', maxLength: 2000, description: 'What you want to know, in a few words.' },
    scope: { ...SCOPE, description: 'Only this scope. Default: all, the nearest first.' },
    owner: { type: 'string', description: 'Only memories of this director or agent, by id.' },
    tag: { type: 'string', description: 'Only memories with this tag.' },
    limit: { type: 'integer', minimum: 1, maximum: 50, default: MOST, description: `Default ${MOST}.` },
  }),
} as const;

/** Runs in the step, or after the commit where an api makes the vector of the query: a step never waits for the network. */
function searchTool(memory: Service): LocalTool {
  const search = async (
    { query, scope, owner, tag, limit = MOST }: ValueOf<typeof SEARCH.parameters>,
    { caller, from, ...options }: { caller: Caller; from: LookupReader; isOffline: boolean } & Abortable,
  ) => {
    const tags = tag === undefined ? undefined : [tag];
    const embedAs = query === undefined ? undefined : caller.hide?.(query);
    const lookup = { reader: readerOf(caller), query, scope, owner, tags, limit, embedAs, ...options };
    const { memories, ...how } = await memory().recall(from, lookup);
    return { found: memories.length, ...shownMemories(memories, markOf(memory(), caller)), ...how };
  };
  return defineTool({
    ...SEARCH,
    effects: 'none',
    run: (args, { caller, draft }) => search(args, { caller, from: draft, isOffline: true }),
    remote: {
      isUsed: ({ settings }) => settings.memory.embeddings.apiConfigId !== undefined,
      tool: defineTool({
        ...SEARCH,
        effects: 'read',
        repeat: 'free',
        async run(args, { caller, signal }) {
          signal?.throwIfAborted();
          return search(args, { caller, from: memory().reader, isOffline: caller.isLocal === true, signal });
        },
      }),
    },
  });
}

function addTool(memory: Service): LocalTool {
  const fields = {
    content: { ...CONTENT, description: 'One fact, in words that make sense alone.' },
    tags: TAGS,
    expiresAt: EXPIRES,
  };
  return defineTool({
    name: 'memory_add',
    encloses: () => true,
    family: 'memory',
    effects: 'none',
    description:
      'Remembers one fact for later runs. The same fact in the same scope is stored once. Pass content, or an entry.',
    parameters: parameters({
      scope: {
        ...SCOPE,
        description: 'local: only you. shared: one director and one agent. global: everyone. Default local.',
      },
      ...fields,
      agentId: { type: 'string', description: 'For a director and scope shared: the agent to share it with.' },
      entry: { ...parameters(fields), description: 'The same fields in one object.' },
    }),
    async run({ scope = 'local', agentId, entry, ...rest }, context) {
      const { caller, draft, now, newId } = context;
      const { content, tags, expiresAt } = { ...rest, ...entry };
      if (content === undefined || content.trim() === '')
        throw new EngineError('TOOL_ARGUMENTS', 'content is missing', { hint: 'say in content what to remember' });
      if (tags?.includes(PREFERENCE_TAG)) expectPreference(content, caller.personMessage);
      const space = spaceOf(caller, scope, agentId);
      const provenance = await provenanceOf(context);
      const isLocal = caller.isLocal === true ? (true as const) : undefined;
      const mentions = context.mentionsIn?.(content);
      const input = { text: content, tags, expiresAt, owner: actorOf(caller).id, isLocal, mentions };
      const lookupKey = (text: string) => memory().lookupKey(text);
      const change = { id: newId('mem'), now, lookupKey, provenance };
      const { memory: added, isNew } = await addMemory(draft, space, input, change);
      const shown = shownMemories([added], markOf(memory(), caller));
      const similar = isNew ? await similarTo(memory(), context, added) : [];
      return {
        memory: shown.memories[0],
        isNew,
        ...(!isNew && { hint: 'this memory existed already; tags and sources were added to it' }),
        ...(similar.length > 0 && {
          similar: shownMemories(similar, markOf(memory(), caller)).memories,
          hint: 'similar memories exist: edit or forget one of them if they say the same',
        }),
        ...sourceOf(shown),
      };
    },
  });
}

function editTool(memory: Service): LocalTool {
  return defineTool({
    name: 'memory_edit',
    encloses: () => true,
    family: 'memory',
    effects: 'none',
    description:
      'Changes a memory of yours. With expectedRevision it fails if the memory has changed since you read it.',
    parameters: parameters(
      {
        entry: {
          ...parameters(
            {
              id: { type: 'string', description: 'Id of the memory.' },
              content: { ...CONTENT, description: 'The new text. Left out, the text stays.' },
              tags: { ...TAGS, description: 'All tags from now on. Left out, they stay.' },
              expiresAt: EXPIRES,
              expectedRevision: { type: 'integer', description: 'Revision you have read.' },
            },
            ['id'],
          ),
          description: 'The id, and what changes.',
        },
      },
      ['entry'],
    ),
    async run({ entry: { id, content, tags, expiresAt, expectedRevision } }, context) {
      const { caller, draft, now } = context;
      const before = await expectOwn(context, id);
      if (
        (tags ?? before.tags).includes(PREFERENCE_TAG) &&
        (content !== undefined || !before.tags.includes(PREFERENCE_TAG))
      )
        expectPreference(content ?? before.text, caller.personMessage);
      const provenance = await provenanceOf(context);
      const isLocal = caller.isLocal === true ? (true as const) : undefined;
      const lookupKey = (text: string) => memory().lookupKey(text);
      const mentions = content === undefined ? undefined : context.mentionsIn?.(content);
      const change = { now, lookupKey, provenance, expectedRevision };
      const changed = await updateMemory(draft, id, { text: content, tags, expiresAt, isLocal, mentions }, change);
      const shown = shownMemories([changed], markOf(memory(), caller));
      return { memory: shown.memories[0], ...sourceOf(shown) };
    },
  });
}

function forgetTool(): LocalTool {
  return defineTool({
    name: 'memory_forget',
    family: 'memory',
    effects: 'none',
    description: 'Forgets a memory of yours. A person can bring it back for a while.',
    parameters: parameters(
      {
        id: { type: 'string', description: 'Id of the memory.' },
        expectedRevision: { type: 'integer', description: 'Revision you have read.' },
      },
      ['id'],
    ),
    async run({ id, expectedRevision }, context) {
      await expectOwn(context, id);
      await forgetMemory(context.draft, id, { now: context.now, expectedRevision });
      return { forgotten: true };
    },
  });
}

function readerOf({ origin, memoryAccess = [], isLocal = false }: Caller): MemoryReader {
  return { directorId: origin.director.id, agentId: origin.agent?.id ?? '', memoryAccess, isLocal };
}

function actorOf({ origin }: Caller): { id: string; role: 'director' | 'agent' } {
  return origin.agent === undefined
    ? { id: origin.director.id, role: 'director' }
    : { id: origin.agent.id, role: 'agent' };
}

/** Where a caller may write. `TOOL_ARGUMENTS` where a shared memory has no director or no agent of the director. */
function spaceOf({ origin, agents = [] }: Caller, scope: MemoryScope, agentId: string | undefined): MemorySpace {
  if (scope === 'global') return { scope, directorId: '', agentId: '' };
  const agent = origin.agent?.id;
  if (scope === 'local')
    return agent === undefined
      ? { scope, directorId: origin.director.id, agentId: '' }
      : { scope, directorId: '', agentId: agent };
  if (origin.director.id === '')
    throw new EngineError('TOOL_ARGUMENTS', 'scope shared needs a director, and you work for a person', {
      hint: 'use scope local or global',
    });
  if (agent === undefined && (agentId === undefined || !agents.includes(agentId)))
    throw new EngineError('TOOL_ARGUMENTS', 'scope shared needs the agentId of one of your agents', {
      hint:
        agents.length > 0 ? `your agents are: ${agents.join(', ')}` : 'you have no agents: use scope local or global',
    });
  return { scope, directorId: origin.director.id, agentId: agent ?? agentId ?? '' };
}

async function provenanceOf({ caller, now, hasReadUntrusted }: LocalContext): Promise<MemoryProvenance> {
  const { id, role } = actorOf(caller);
  const emailId = caller.origin.email?.id;
  return {
    writtenBy: role,
    actorId: id,
    runId: caller.runId,
    ...(emailId !== undefined && { emailId }),
    trust: (await hasReadUntrusted()) ? 'untrusted' : 'trusted',
    at: isoTime(now),
  };
}

/**
 * Reads a memory of the caller's own. Refuses others: `MEMORY_NOT_FOUND` for a memory that it cannot read, `TOOL_DENIED` for one
 * of another agent, or for a global one that somebody else wrote.
 */
async function expectOwn({ caller, draft, now }: LocalContext, id: string): Promise<Memory> {
  const memory = await readMemory(draft, id, { now });
  const reader = readerOf(caller);
  const isHidden = memory.isLocal === true && reader.isLocal !== true;
  if (isHidden || !isWithin(memory, reachOf(reader)))
    throw new EngineError('MEMORY_NOT_FOUND', `there is no memory "${id}"`, {
      hint: 'search memories to see their ids',
    });
  if (isOwn(memory, caller)) return memory;
  throw new EngineError('TOOL_DENIED', `memory "${id}" belongs to ${memory.owner}`, {
    hint: 'change only your own memories, and those that you share',
  });
}

function isOwn(memory: Memory, caller: Caller): boolean {
  const { id, role } = actorOf(caller);
  if (memory.scope === 'global') return memory.owner === id && memory.provenance[0]?.writtenBy === role;
  return isWithin(memory, reachOf({ ...readerOf(caller), memoryAccess: [] }));
}

/** Memories in the same space that say nearly the same. */
async function similarTo(service: MemoryService, { caller, draft }: LocalContext, added: Memory): Promise<Memory[]> {
  const reader = { ...readerOf(caller), memoryAccess: [] };
  const lookup = { reader, query: added.text, scope: added.scope, limit: MOST, isOffline: true };
  const { memories } = await service.recall(draft, lookup);
  return memories.filter(
    (other) =>
      other.id !== added.id &&
      other.directorId === added.directorId &&
      other.agentId === added.agentId &&
      similarity(other.text, added.text) >= SIMILAR,
  );
}

/** The part of a result that says whose words it has. */
function sourceOf({ note, trust }: ShownMemories): Omit<ShownMemories, 'memories'> {
  return { ...(note !== undefined && { note }), ...(trust !== undefined && { trust }) };
}

/** The marks around untrusted texts of this run. Nobody outside can guess them. */
function markOf(service: MemoryService, { runId }: Caller): string {
  return service.lookupKey(`memories of\0${runId}`);
}
