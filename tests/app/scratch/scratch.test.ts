import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openScratch } from '../../../engine/src/app/scratch/open-scratch.ts';
import type { Models } from '../../../engine/src/model/model.ts';
import { emptyCassette } from '../../../engine/src/replay/cassette.ts';
import { makePlace } from '../../cli/harness.ts';
import { sharedRecogniser, sharedThreads } from '../../run/shared-threads.ts';

const place = makePlace({
  'apis/main.yaml': 'id: main\nprovider: openai\nmodel: m\napiKey: ${env:KEY}\nbaseUrl: http://127.0.0.1:9/v1\n',
  'directors/boss.yaml': 'id: boss\nname: Boss\napiConfigId: main\n',
});
afterAll(() => place.remove());

const recording = {
  ...{ name: 'r', stimulus: { kind: 'message', directorId: 'boss', message: 'hi' } as const },
  ...{ cassette: emptyCassette('2026-11-21T10:00:00.000Z'), world: { mails: [], memories: [], toolLists: [] } },
  person: { decisions: [], answers: [] },
};

test('abort ends a play and the request that is under way', async () => {
  const stop = new AbortController();
  let asked: AbortSignal | undefined;
  const models: Models = {
    open: () => ({
      ask: ({ signal }) => {
        asked = signal;
        stop.abort(new Error('Ctrl-C'));
        return new Promise((_resolve, reject) =>
          signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
        );
      },
      available: async () => ({ ok: true }),
    }),
    close: async () => {},
  };
  const options = { env: () => 'value', models, threads: sharedThreads, recogniser: sharedRecogniser };
  const scratch = await openScratch({ configDir: join(place.dir, 'config'), ...options });
  await expect(scratch.play(recording, { mode: 'all', signal: stop.signal })).rejects.toThrow('Ctrl-C');
  expect(asked?.aborted).toBe(true);
  await expect(scratch.play(recording, { signal: stop.signal })).rejects.toThrow('Ctrl-C');
  await scratch.close();
});

test('plays have the config as it was when the scratch engine was opened', async () => {
  place.write({ 'apis/main.yaml': 'id: main\nprovider: scripted\nscript: [{ when: { any: true }, say: first }]\n' });
  const options = { env: () => 'value', threads: sharedThreads, recogniser: sharedRecogniser };
  const scratch = await openScratch({ configDir: join(place.dir, 'config'), ...options });
  place.write({ 'apis/main.yaml': 'id: main\nprovider: scripted\nscript: [{ when: { any: true }, say: second }]\n' });
  const answers = [await scratch.play(recording), await scratch.play(recording)].map(
    ({ outcome }) => outcome.runs[0]?.answer,
  );
  expect(answers).toEqual(['first', 'first']);
  await scratch.close();
});
