import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../engine/src/base/clock.ts';
import type { Graph } from '../../../engine/src/account/microsoft/graph.ts';
import { createGraph } from '../../../engine/src/account/microsoft/graph-client.ts';
import { corpora } from '../../available.ts';
import { type GraphPeer, startGraphPeer } from './graph-peer.ts';
import { requestOf, type Sample, samples } from './graph-samples.ts';

const READ = ['Mail.Read'];
const DOCUMENTED = 'https://graph.microsoft.com';

const named = (id: string): Sample => {
  const sample = samples.find((one) => one.id === id);
  if (sample === undefined) throw new Error(`no sample ${id}`);
  return sample;
};

describe.skipIf(corpora === undefined)('the samples of Microsoft Graph (left out without the corpora)', () => {
  let peer: GraphPeer;
  let graph: Graph;
  /** Three samples have the same request line. */
  let current: Sample | undefined;
  beforeEach(async () => {
    peer = await startGraphPeer();
    const { api, tokens } = peer;
    graph = createGraph({ accountId: 'team', tokens, endpoints: { api }, clock: systemClock });
    // Answers as they are written down, but with links to the peer.
    peer.intercept((asked) => {
      const sample = [...(current === undefined ? [] : [current]), ...samples].find(({ request }) => {
        if (request === null) return false;
        const { method, path } = requestOf(request.line);
        return method === asked.method && decodeURI(path) === decodeURI(asked.path);
      });
      if (sample === undefined) return undefined;
      const { status, body } = sample.response;
      return { status: status ?? 200, body: JSON.parse(JSON.stringify(body).replaceAll(DOCUMENTED, api)) };
    });
  });
  afterEach(async () => {
    current = undefined;
    await peer.close();
  });

  test('are 27', () => {
    expect(samples).toHaveLength(27);
  });

  test.each(samples.filter(({ request }) => request !== null))('takes $id', async (sample) => {
    current = sample;
    const { request, response } = sample;
    const { method, path } = requestOf(request?.line ?? '');
    const { body } = request ?? {};
    const answer = await graph.json({ method, path, scopes: READ, ...(method === 'POST' && { body: body ?? {} }) });
    const expected = JSON.parse(JSON.stringify(response.body).replaceAll(DOCUMENTED, peer.api)) as {
      value?: unknown[];
    };
    expect(answer).toEqual(expected);
    if (method !== 'GET' || !Array.isArray(expected.value)) return;
    const { items } = await graph.page({ path, scopes: READ });
    expect(items).toEqual(expected.value);
  });

  test('takes errors-1', async () => {
    const { body } = named('errors-1').response;
    peer.intercept(() => ({ status: 416, body }));
    const error = (await graph.json({ path: '/me/drive', scopes: READ }).catch((thrown: unknown) => thrown)) as Error;
    expect(error.message).toContain('invalidRange: Uploaded fragment overlaps with existing data.');
  });

  test('takes json-batching-2, each part with its own outcome', async () => {
    const { responses } = named('json-batching-2').response.body as { responses: { id: string }[] };
    // The ids there are those of a request that counts from one.
    const renamed = responses.map((part) => ({ ...part, id: String(Number(part.id) - 1) }));
    peer.intercept(({ path }) => (path === '/$batch' ? { status: 200, body: { responses: renamed } } : undefined));
    const asked = ['/me/drive', '/me/planner/tasks', '/groups', '/me'].map((path) => ({ path, scopes: READ }));
    const given = await graph.batch(asked);
    expect(given.map((one) => (one.ok ? one.status : one.error.code))).toEqual([
      'ACCOUNT_FAILED',
      200,
      'ACCOUNT_GRANT_LOST',
      204,
    ]);
  });

  test('replays the delta pages to what is there in the end', async () => {
    const there = new Map<unknown, unknown>([['AAMkADk0MGFkODE3LWE4MmYtNDRhOS04OGQLkRkXbBznTvAADb6ytyAAA=', 'before']]);
    let path: string | undefined = requestOf(named('delta-query-events-1').request?.line ?? '').path;
    for (let round = 0; round < 2; round++) {
      let last: string | undefined;
      while (path !== undefined) {
        const page = await graph.page({ path, scopes: ['Calendars.Read'], prefer: ['odata.maxpagesize=2'] });
        for (const item of page.items)
          if (item['@removed'] === undefined) there.set(item['id'], item['subject']);
          else there.delete(item['id']);
        path = page.nextLink;
        last = page.deltaLink;
      }
      path = last;
    }
    expect([...there.values()]).toEqual([
      'Plan shopping list',
      'Pick up car',
      'Get food',
      'Prepare food',
      'Rest!',
      'Attend service',
    ]);
    expect(peer.asked).toHaveLength(4);
  });
});
