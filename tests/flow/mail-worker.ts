/**
 * The process that the mail loop kills: a folder account, two directors with two agents each, and a model that answers
 * from the transcript alone, so that a request that is made again gets the same answer.
 */
import { join } from 'node:path';
import { silentLogger } from '../../engine/src/base/log.ts';
import { openApp } from '../../engine/src/app/app.ts';
import type { ModelRequest } from '../../engine/src/model/model.ts';
import { call, type Play, playModels } from '../run/harness.ts';
import { doomedProbe, given, someTime } from './doomed.ts';

const item = (id: string, label: string) => call(id, 'workspace_add_item', { label, data: `${label} says so` });

/** A director: an item, a discovery, and calls that must be refused; then both agents at once; an item; the last word. */
function direct({ turn }: ModelRequest): ReturnType<Play> {
  switch (turn) {
    case 1:
      return {
        tool_calls: [
          call('c1', 'list_agents', {}),
          item('c2', 'director 1'),
          call('c3', 'workspace_add_item', '{"label": "never", '),
          call('c4', 'no_such_tool', {}),
          call('c5', 'workspace_add_item', { label: 'never', data: 7 }),
        ],
      };
    case 2:
      return {
        tool_calls: [
          call('c1', 'agent__alpha', { input: 'look at it' }),
          call('c2', 'agent__beta', { input: 'look at it too' }),
        ],
      };
    case 3:
      return { tool_calls: [item('c1', 'director 2')] };
    default:
      return { content: 'All done.' };
  }
}

function assist({ turn, actorId }: ModelRequest): ReturnType<Play> {
  if (turn === 1) return { tool_calls: [item('c1', `${actorId} 1`), call('c2', 'workspace_get_item', { id: 'none' })] };
  if (turn === 2) return { tool_calls: [item('c1', `${actorId} 2`)] };
  return { content: `${actorId} is done.` };
}

const latencyMs = Number(given('LATENCY_MS'));
const play: Play = async (request) => {
  await someTime(latencyMs);
  return request.role === 'director' ? direct(request) : assist(request);
};

const root = given('ROOT');
const app = await openApp({
  configDir: join(root, 'config'),
  dataDir: join(root, 'data'),
  env: () => 'sk-test-key',
  log: silentLogger,
  watch: false,
  models: playModels(play),
  probe: doomedProbe(process.env),
});
await app.engine.start();
app.fetcher.start();
process.stdout.write('ready\n');

if (process.env['DRAIN'] === '1') {
  const { store } = app.deps;
  // Flags are seen by a look that begins after they were changed.
  await app.fetcher.fetch();
  const isOver = async () =>
    (await store.count('mail')) >= Number(given('MAILS')) &&
    (await store.count('source')) >= Number(given('FILES')) &&
    (await store.count('run', [['status', 'in', ['queued', 'running', 'waiting']]])) === 0;
  while (!(await isOver())) await someTime(20);
  await app.close();
  process.exit(0);
}
