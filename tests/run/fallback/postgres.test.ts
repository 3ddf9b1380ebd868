import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSharedStore } from '../../../engine/src/app/shared-store.ts';
import { silentLogger } from '../../../engine/src/base/log.ts';
import { createRedactor } from '../../../engine/src/base/redact.ts';
import { ModelError } from '../../../engine/src/model/model-error.ts';
import type { Models } from '../../../engine/src/model/model.ts';
import { type PgliteServer, startPglite } from '../../postgres.ts';
import { call, playModels, setStage, type Stage } from '../harness.ts';

let server: PgliteServer;
let stage: Stage;
beforeAll(async () => {
  server = await startPglite();
});
afterAll(async () => {
  await stage.close();
  await server.stop();
});

const openStore = () =>
  openSharedStore({
    ...{ url: '', env: () => undefined, log: silentLogger, version: '0' },
    redactor: createRedactor(),
    database: server.database,
  });

test('on PostgreSQL a question and the api that took over outlast a restart as well', async () => {
  const asked: string[] = [];
  const models: Models = {
    open: (api) => ({
      ask: (request) => {
        asked.push(`${api.id} ${request.turn}`);
        if (api.id === 'main') throw new ModelError('MODEL_UNAVAILABLE', 'down');
        const play = playModels(({ turn }) =>
          turn === 1 ? { tool_calls: [call('a', 'ask_user', { question: 'Go on?' })] } : { content: 'Done.' },
        );
        return play.open(api).ask(request);
      },
      available: async () => ({ ok: true }),
    }),
    close: async () => {},
  };
  const api = (id: string, more = '') => `id: ${id}\nprovider: openai\nmodel: m\napiKey: \${env:KEY}\n${more}`;
  stage = await setStage({
    role: 'start',
    storeHandle: await openStore(),
    models,
    files: {
      'apis/main.yaml': api('main', 'fallback: { to: [spare] }\n'),
      'apis/spare.yaml': api('spare'),
      'directors/boss.yaml': 'id: boss\nname: Boss\napiConfigId: main\nagents: [helper]\ntools: [ask_user]\n',
    },
  });
  const id = await stage.begin();
  const waiting = await stage.until(id, ({ status }) => status === 'waiting');
  expect(waiting).toMatchObject({ waitingFor: 'answer', apis: [{ id: 'main' }, { id: 'spare' }] });
  await stage.restart({ storeHandle: await openStore() });
  const answers = await Promise.allSettled(
    ['yes', 'no'].map((text) => stage.app.engine.message(id, { text, by: 'jane' })),
  );
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await stage.ended(id)).toMatchObject({ status: 'completed' });
  expect(asked).toEqual(['main 1', 'spare 1', 'spare 2']);
});
