import { afterEach, beforeEach, expect, test } from 'vitest';
import { openAgenda } from '../../../engine/src/agenda/open-agenda.ts';
import { builtInTools } from '../../../engine/src/tool/registry.ts';
import type { WorldTool } from '../../../engine/src/tool/tool.ts';
import { type GooglePeer, startGooglePeer } from '../../agenda/google/google-peer.ts';
import { type GraphPeer, startGraphPeer } from '../../agenda/microsoft/graph-peer.ts';
import { hastyClock, playTokens } from '../../agenda/peer.ts';
import { call, playModels, setStage, type Stage } from '../../run/harness.ts';
import { toolServices } from '../tool-services.ts';

const CALLS = {
  calendar_add: { event: { title: 'Call', start: '2026-11-25T14:00', end: '2026-11-25T14:30' } },
  todo_add: { task: { title: 'Send the proofs', due: '2026-11-25' } },
};

let stage: Stage;
let google: GooglePeer;
let graph: GraphPeer;

beforeEach(async () => {
  [google, graph] = [await startGooglePeer(), await startGraphPeer()];
});
afterEach(async () => {
  await stage?.close();
  await Promise.all([google.close(), graph.close()]);
});

/** A desk with an account each at Google and Microsoft, whose director makes one call and is done. */
async function openStage(name: keyof typeof CALLS, accountId: string): Promise<void> {
  const oauth = (secret: string) => `oauth: { clientId: c, clientSecret: '${secret}' }`;
  stage = await setStage({
    models: playModels(({ turn }) =>
      turn === 1 ? { tool_calls: [call('a', name, { accountId, ...CALLS[name] })] } : { content: 'done' },
    ),
    files: {
      'settings.yaml': 'calendar: { timeZone: Europe/Berlin }\n',
      'accounts/jane.yaml': `id: jane\nprovider: gmail\nemail: jane@example.org\n${oauth('${secret:G}')}\nendpoints: { api: '${google.url}' }\n`,
      'accounts/office.yaml': `id: office\nprovider: outlook\nemail: jane@example.com\n${oauth('${secret:M}')}\nendpoints: { api: '${graph.url}' }\n`,
      'directors/boss.yaml': `id: boss\nname: Boss\napiConfigId: main\ntools: [calendar, todo]\npermissions: { allow: [${name}] }\n`,
    },
  });
}

/** The tool as the running app has it, but with tokens without a sign-in. */
function toolOf(name: string): WorldTool {
  const { app, root } = stage;
  const tokens = playTokens();
  const agenda = openAgenda({
    config: () => app.config.current(),
    ...{ baseDir: root, store: app.deps.store, clock: hastyClock(), workers: app.calendarWorkers },
    tokensOf: () => tokens,
  });
  return builtInTools(toolServices({ agenda: () => agenda })).find((one) => one.name === name) as WorldTool;
}

const KEPT = {
  'calendar_add jane': () => google.events,
  'todo_add jane': () => google.tasks,
  'calendar_add office': () => graph.events,
  'todo_add office': () => graph.tasks,
};

const answerOf = async (id: string) => {
  const run = await stage.ended(id);
  const answer = (await stage.messages(run.dirThreadId)).find(({ role }) => role === 'tool')?.content;
  return { status: run.status, answer: JSON.parse(String(answer)) as unknown };
};

const cases = (['calendar_add', 'todo_add'] as const).flatMap((name) =>
  (['jane', 'office'] as const).map((accountId) => ({ name, accountId })),
);

test.each(cases)(
  '$name for $accountId adds nothing twice when the process dies after the effect',
  async ({ name, accountId }) => {
    await openStage(name, accountId);
    let die = () => {};
    const died = new Promise<void>((resolve) => (die = resolve));
    // It happens, and what came of it is never known.
    const lossy: WorldTool = {
      ...toolOf(name),
      async run(args, context) {
        await toolOf(name).run(args, context);
        die();
        return new Promise(() => {});
      },
    };
    await stage.restart({ tools: [lossy] });
    const id = await stage.begin();
    await died;
    const again: WorldTool = { ...lossy, run: (args, context) => toolOf(name).run(args, context) };
    await stage.restart({ tools: [again] });
    expect(await answerOf(id)).toMatchObject({ status: 'completed', answer: { accountId } });
    expect(KEPT[`${name} ${accountId}`]()).toHaveLength(1);
  },
);

test.each(cases)('$name for $accountId asks a person where nobody can tell whether it was added', async (one) => {
  const { name, accountId } = one;
  await openStage(name, accountId);
  const down = { status: 503 };
  const peer = accountId === 'jane' ? google : graph;
  const cut: WorldTool = {
    ...toolOf(name),
    run(args, context) {
      peer.meet('POST', 'lose answer', down, down, down);
      return toolOf(name).run(args, context);
    },
  };
  await stage.restart({ tools: [cut] });
  // What is looked for first is there to be seen; afterwards nobody answers any more.
  if (name === 'todo_add')
    peer.meet('GET', ...(accountId === 'jane' ? [] : ['pass' as const]), 'pass', ...Array<typeof down>(20).fill(down));
  const id = await stage.begin();
  const run = await stage.until(id, ({ status }) => status === 'waiting' || status === 'completed');
  expect([run.status, run.waitingFor]).toEqual(['waiting', 'approval']);
  expect(KEPT[`${name} ${accountId}`]()).toHaveLength(1);
});
