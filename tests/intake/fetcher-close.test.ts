import { afterEach, expect, test } from 'vitest';
import type { MailSource } from '../../engine/src/mail/source.ts';
import { setStage, type Stage } from '../run/harness.ts';
import { BOX, fetcherOf } from './fetching.ts';

let stage: Stage;
afterEach(() => stage.close());

/** A source without mail; counts how often an account was opened, and how many are watched. */
function countedSource() {
  const counts = { opened: 0, watched: 0 };
  const openSource = (): MailSource => {
    counts.opened++;
    return {
      async *list() {},
      async watch() {
        counts.watched++;
        return async () => void counts.watched--;
      },
    };
  };
  return { counts, openSource };
}

const more = (n: number) => ({
  [`accounts/more${n}.yaml`]: `id: more${n}\nprovider: folder\nemail: team@example.org\npath: ./more${n}\n`,
});

test('after the close of a fetcher neither a change of the config nor a call opens an account', async () => {
  stage = await setStage({ files: BOX });
  const { counts, openSource } = countedSource();
  const fetcher = fetcherOf(stage, openSource);
  fetcher.start();
  await fetcher.fetch();
  expect(counts).toEqual({ opened: 1, watched: 1 });
  await fetcher.close();
  stage.write(more(1));
  await stage.app.config.refresh();
  fetcher.configChanged();
  fetcher.start();
  await expect(fetcher.fetch()).rejects.toMatchObject({ code: 'BUSY' });
  expect(fetcher.status()).toMatchObject({ state: 'stopped', accounts: [] });
  expect(counts).toEqual({ opened: 1, watched: 0 });
});

test('a close waits for the accounts that a change of the config has closed', async () => {
  stage = await setStage({ files: BOX });
  const { promise, resolve } = Promise.withResolvers<void>();
  const fetcher = fetcherOf(stage, () => ({ async *list() {}, watch: async () => () => promise }));
  await fetcher.fetch();
  stage.write({ 'accounts/box.yaml': BOX['accounts/box.yaml'].replace('./none', './other') });
  await stage.app.config.refresh();
  fetcher.configChanged();
  let isClosed = false;
  const closed = fetcher.close().then(() => (isClosed = true));
  for (let n = 0; n < 20; n++) await new Promise((turn) => setImmediate(turn));
  expect(isClosed).toBe(false);
  resolve();
  await closed;
});

test('a close does not wait for a watch that never gets ready', async () => {
  stage = await setStage({ files: BOX });
  let unwatched = 0;
  const fetcher = fetcherOf(stage, () => ({
    async *list() {},
    watch: (_onChange, { signal } = {}) =>
      new Promise((resolve) => signal?.addEventListener('abort', () => resolve(async () => void unwatched++))),
  }));
  await fetcher.fetch();
  await fetcher.close();
  expect(unwatched).toBe(1);
});
