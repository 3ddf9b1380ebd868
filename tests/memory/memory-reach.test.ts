import { afterEach, beforeEach, expect, test } from 'vitest';
import { SimulatedClock } from '../../engine/src/base/clock.ts';
import type { MemorySpace } from '../../engine/src/memory/memory.ts';
import { EVERYTHING, isWithin, type MemoryReader, reachOf } from '../../engine/src/memory/memory-reach.ts';
import { createPlainSearch } from '../../engine/src/memory/plain-search.ts';
import { add, GLOBAL, NOW, openStage } from './stage.ts';

let stage: ReturnType<typeof openStage>;
beforeEach(() => void (stage = openStage()));
afterEach(() => stage.close());

const DIRECTORS = ['boss', 'desk', 'support'];
const AGENTS = ['psychologist', 'responder', 'clerk'];

const local = (directorId: string, agentId: string): MemorySpace => ({ scope: 'local', directorId, agentId });
const shared = (directorId: string, agentId: string): MemorySpace => ({ scope: 'shared', directorId, agentId });
const SPACES = [
  GLOBAL,
  ...DIRECTORS.map((id) => local(id, '')),
  ...AGENTS.map((id) => local('', id)),
  ...DIRECTORS.flatMap((director) => AGENTS.map((agent) => shared(director, agent))),
];
const nameOf = ({ scope, directorId, agentId }: MemorySpace) => `${scope} ${directorId}/${agentId}`;

const readers: { reader: MemoryReader; reads: (space: MemorySpace) => boolean }[] = [
  ...DIRECTORS.flatMap((directorId) =>
    [[], ['clerk']].map((memoryAccess) => ({
      reader: { directorId, agentId: '', memoryAccess },
      reads: (space: MemorySpace) =>
        space.scope === 'global' ||
        space.directorId === directorId ||
        (space.scope === 'local' && memoryAccess.includes(space.agentId)),
    })),
  ),
  ...['', ...DIRECTORS].flatMap((directorId) =>
    AGENTS.map((agentId) => ({
      reader: { directorId, agentId, memoryAccess: [] },
      reads: ({ scope, ...space }: MemorySpace) =>
        scope === 'global' || (space.agentId === agentId && space.directorId === (scope === 'local' ? '' : directorId)),
    })),
  ),
];

test.each(readers)(
  '$reader.directorId/$reader.agentId with access to $reader.memoryAccess reads nothing of others',
  ({ reader, reads }) => {
    const reach = reachOf(reader);
    for (const space of SPACES) expect([nameOf(space), isWithin(space, reach)]).toEqual([nameOf(space), reads(space)]);
  },
);

test('a search finds what is in reach and nothing else', async () => {
  for (const [n, space] of SPACES.entries())
    await add(stage.store, `mem_${n}`, space, { text: `tea at ${nameOf(space)}` });
  const search = createPlainSearch({ store: stage.store, clock: new SimulatedClock(NOW) });
  const found = async (scopes: Parameters<typeof isWithin>[1]) =>
    (await search.search('tea', { scopes, limit: 100 })).hits.map(({ id }) => SPACES[Number(id.slice(4))]);
  expect(await found(EVERYTHING)).toHaveLength(SPACES.length);
  for (const { reader, reads } of readers)
    expect((await found(reachOf(reader))).map((space) => space && nameOf(space)).toSorted()).toEqual(
      SPACES.filter(reads).map(nameOf).toSorted(),
    );
});

test('a search puts the memory with the most and rarest words first, and leaves out those with none', async () => {
  await add(stage.store, 'mem_1', GLOBAL, { text: 'Anna drinks coffee' });
  await add(stage.store, 'mem_2', GLOBAL, { text: 'Anna drinks green tea', tags: ['drinks'] });
  await add(stage.store, 'mem_3', GLOBAL, { text: 'The office is closed', tags: ['drinks'] });
  const search = createPlainSearch({ store: stage.store, clock: new SimulatedClock(NOW) });
  const ids = async (query: string, more: object = {}) =>
    (await search.search(query, { scopes: EVERYTHING, limit: 10, ...more })).hits.map(({ id }) => id);
  expect(await ids('green TEA for Ánna')).toEqual(['mem_2', 'mem_1']);
  expect(await ids('anna', { tags: ['drinks'] })).toEqual(['mem_2']);
  expect(await ids('anna', { owner: 'boss' })).toEqual([]);
});
