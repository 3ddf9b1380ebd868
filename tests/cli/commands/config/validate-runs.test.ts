import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { root } from '../../../available.ts';
import { makePlace, type Place } from '../../harness.ts';

const FIXTURE = join(root, 'tests/fixtures/versions/schema-10-run-2-session-2');

let place: Place;
beforeEach(() => {
  // A data folder that an earlier version left, with runs in every open state.
  const { config } = JSON.parse(readFileSync(`${FIXTURE}.json`, 'utf8')) as { config: Record<string, string> };
  place = makePlace(config);
  mkdirSync(place.dataDir);
  writeFileSync(join(place.dataDir, 'callsheet.db'), brotliDecompressSync(readFileSync(`${FIXTURE}.db.br`)));
});
afterEach(() => place.remove());

const env = { FIXTURE_KEY: 'sk-test-key' };

test('validate --runs loads the open runs of an earlier version, and leaves its store as it is', async () => {
  const before = readFileSync(join(place.dataDir, 'callsheet.db'));
  const { code, stdout } = await place.run(['validate', '--runs'], env);
  expect(stdout).toMatch(
    /^run run_\w+ {2}changes {2}director boss, \w+\n {2}machine run of version 2 goes on as version 3$/m,
  );
  expect(stdout).toMatch(/^\d+ open: 0 refused, [1-9]\d* changed, \d+ as before$/m);
  expect(code).toBe(0);
  expect((await place.run(['validate', '--runs', '--strict'], env)).code).toBe(1);
  expect(readFileSync(join(place.dataDir, 'callsheet.db')).equals(before)).toBe(true);
  expect(readdirSync(place.dataDir).filter((name) => name.startsWith('check-'))).toEqual([]);
});

test('validate --runs exits with 2 where a session would be refused, also as JSON and for GitHub', async () => {
  place.write({ 'agents/helper.yaml': 'id: helper\nname: Helper\nenabled: false\n' });
  const { code, stdout } = await place.run(['validate', '--runs', '--json'], env);
  const { runs } = JSON.parse(stdout) as { runs: readonly { fate: string; kind: string; code?: string }[] };
  expect(runs.filter(({ fate }) => fate === 'refused')).toContainEqual(
    expect.objectContaining({ kind: 'session', code: 'NOT_FOUND', reasons: ['there is no agent "helper"'] }),
  );
  expect(code).toBe(2);
  const github = await place.run(['validate', '--runs', '--format', 'github'], env);
  expect(github.stdout).toMatch(/^::error title=session th_\w+ is refused::agent helper: there is no agent "helper"$/m);
});

test('validate --runs of a config without a store has nothing to say of runs', async () => {
  const fresh = makePlace();
  try {
    const { code, stdout } = await fresh.run(['validate', '--runs']);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^config is valid.*\nno run, session or objective is open\n$/),
    ]);
  } finally {
    fresh.remove();
  }
});
