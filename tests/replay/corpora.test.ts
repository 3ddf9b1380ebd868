import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listApprovals } from '../../engine/src/guard/approval.ts';
import { replayRuns } from '../app/scratch/replay-runs.ts';
import { corpora } from '../available.ts';
import {
  type Cassette,
  type Interaction,
  isResponses,
  messagesOf,
  providerOf,
  readCassettes,
  toolsOf,
} from '../model/cassettes.ts';
import { setStage, type Stage } from '../run/harness.ts';

/** How runs end. */
const OVER: readonly string[] = ['completed', 'failed', 'cancelled'];

const cassettes = corpora === undefined ? [] : readCassettes(join(corpora, 'llm-cassettes'));

/** A provider that gives the recorded answers in their order, and the tools that the recording used. */
let server: Server;
let origin: string;
let played: Cassette;
let asked = 0;
let told = 0;

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume().on('end', () => {
      if (request.url?.startsWith('/tools/') === true) {
        told++;
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ result: resultsOf(played)[told - 1] ?? 'nothing more' }));
        return;
      }
      if (request.url === '/api/tags') {
        response.end(JSON.stringify({ models: [{ name: played.interactions[0]?.request.json['model'] }] }));
        return;
      }
      const { response: recorded } = played.interactions[asked++] ?? USED_UP;
      response.writeHead(recorded.status, recorded.headers);
      response.end(recorded.sse ?? recorded.text ?? JSON.stringify(recorded.json));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

/** What the provider says once the recorded answers are used up. */
const USED_UP = {
  response: {
    status: 400,
    headers: { 'content-type': 'application/json' },
    json: { error: { message: 'The recording is over.' } },
    sse: undefined,
    text: undefined,
  },
};

/** Results of tools in the recorded conversation, in their order. */
function resultsOf({ interactions }: Cassette): string[] {
  const longest = interactions.map(({ request }) => messagesOf(request)).sort((a, b) => b.length - a.length)[0] ?? [];
  return longest.flatMap((message) => (message.role === 'tool' ? [message.content] : []));
}

/** The config of a director that asks the recorded model with the recorded tools. */
function filesOf({ interactions }: Cassette): Record<string, string> {
  const { request } = interactions[0]!;
  const provider = providerOf(request);
  const path = new URL(request.url).pathname.replace(/\/(v1\/messages|chat\/completions|responses|api\/chat)$/, '');
  const api = {
    ...{ id: 'main', provider, model: String(request.json['model']), baseUrl: `${origin}${path}` },
    retry: { attempts: 2, backoffSeconds: 0 },
    ...(provider !== 'ollama' && { apiKey: '${env:KEY}' }),
    ...(isResponses(request) && { protocol: 'responses' }),
  };
  const tools = toolsOf(request).map(({ function: { name, description, parameters } }) => ({
    ...{ id: name, kind: 'http', description: description || name, effects: 'read', allowHosts: ['127.0.0.1'] },
    parameters,
    request: { method: 'POST', url: `${origin}/tools/${name}` },
  }));
  const system = messagesOf(request).flatMap(({ role, content }) => (role === 'system' ? [content] : []));
  const director = {
    ...{ id: 'boss', name: 'Boss', apiConfigId: 'main', tools: tools.map(({ id }) => id) },
    permissions: { allow: ['*'] },
    prompt: [...system.map((content) => ({ role: 'system', content })), { role: 'user', content: '{{message}}' }],
  };
  return {
    'apis/main.yaml': JSON.stringify(api),
    'directors/boss.yaml': JSON.stringify(director),
    ...Object.fromEntries(tools.map((tool) => [`tools/${tool.id}.yaml`, JSON.stringify(tool)])),
  };
}

/** Starts a run on what a person said in an exchange, allows what it asks, and waits for its end. */
async function runOn(stage: Stage, exchange: Interaction): Promise<string> {
  const said = messagesOf(exchange.request).findLast(({ role }) => role === 'user')?.content ?? '';
  const id = await stage.begin('boss', said);
  for (;;) {
    const { status } = await stage.until(
      id,
      ({ status, waitingFor }) => OVER.includes(status) || waitingFor === 'approval',
    );
    if (OVER.includes(status)) return id;
    for (const { id: approval } of await listApprovals(stage.app.deps.store, id, 'pending'))
      await stage.app.engine.decide(approval, { decision: 'allow', by: 'jane' });
    await stage.until(id, ({ waitingFor }) => waitingFor !== 'approval');
  }
}

describe.skipIf(corpora === undefined)('recorded conversations with providers (left out without the corpora)', () => {
  test.each(cassettes)('$name: runs on it have no difference when they are replayed', async (cassette) => {
    played = cassette;
    asked = told = 0;
    const stage = await setStage({ files: filesOf(cassette) });
    try {
      expect(stage.app.config.problems()).toEqual([]);
      const runs: string[] = [];
      // Some recordings have several conversations, one after the other.
      for (let next; (next = cassette.interactions[asked]) !== undefined;) runs.push(await runOn(stage, next));
      const reached = [asked, told];
      expect(await replayRuns(stage, runs)).toEqual({ differences: [], leftOut: [], total: runs.length });
      expect([asked, told]).toEqual(reached);
    } finally {
      await stage.close();
    }
  });
});
