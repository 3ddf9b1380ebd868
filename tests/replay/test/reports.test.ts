import { mkdtempSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { emptyCassette } from '../../../engine/src/replay/cassette.ts';
import { toJunit } from '../../../engine/src/replay/test/junit.ts';
import { cassettePath, readTestCassette, writeTestCassette } from '../../../engine/src/replay/test/test-cassette.ts';
import { countResults, joinStatus, type TestResult } from '../../../engine/src/replay/test/test-result.ts';
import { Verdicts } from '../../../engine/src/replay/test/verdicts.ts';

const RESULTS: readonly TestResult[] = [
  {
    file: 'config/tests/a.yaml',
    line: 3,
    name: 'Says "<hi>" & goes',
    status: 'passed',
    messages: [],
    durationMs: 1500,
  },
  {
    file: 'config/tests/a.yaml',
    line: 5,
    name: 'two',
    status: 'failed',
    messages: ['contains "x"', 'b\u0007'],
    durationMs: 20,
  },
  { file: 'config/tests/b.yaml', line: 2, name: 'three', status: 'unknown', messages: ['no answer'], durationMs: 0 },
];

test('JUnit keeps failures and tests that could not run apart, and is valid XML whatever the texts', () => {
  expect(toJunit(RESULTS)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="3" failures="1" errors="1" time="1.520">
  <testsuite name="config/tests/a.yaml" tests="2" failures="1" errors="0" time="1.520">
    <testcase name="Says &quot;&lt;hi&gt;&quot; &amp; goes" classname="config/tests/a.yaml" file="config/tests/a.yaml" line="3" time="1.500"/>
    <testcase name="two" classname="config/tests/a.yaml" file="config/tests/a.yaml" line="5" time="0.020">
      <failure message="contains &quot;x&quot;">contains &quot;x&quot;&#10;b\ufffd</failure>
    </testcase>
  </testsuite>
  <testsuite name="config/tests/b.yaml" tests="1" failures="0" errors="1" time="0.000">
    <testcase name="three" classname="config/tests/b.yaml" file="config/tests/b.yaml" line="2" time="0.000">
      <error message="no answer">no answer</error>
    </testcase>
  </testsuite>
</testsuites>
`);
});

test('one test that failed decides, then one that could not run', () => {
  expect(joinStatus(['passed', 'unknown', 'failed'])).toBe('failed');
  expect(joinStatus(['passed', 'unknown'])).toBe('unknown');
  expect(joinStatus([])).toBe('passed');
  expect(countResults(RESULTS)).toBe('3 tests: 1 passed, 1 failed, 1 could not run');
});

test('a cassette is read as it was written, and a missing one is empty', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'callsheet-cassette-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const path = cassettePath(dir, 'desk', 2);
  expect(path).toBe(join(dir, 'cassettes', 'desk', '2.json'));
  const at = '2026-11-02T10:00:00.000Z';
  expect(await readTestCassette(path, at)).toEqual({ cassette: emptyCassette(at), verdicts: {}, exists: false });
  const cassette = { ...emptyCassette(at), calls: [{ tool: 'look', arguments: { at: 1 }, result: 'x', latencyMs: 2 }] };
  await writeTestCassette(path, { cassette, verdicts: { ab: 1 } });
  expect(await readTestCassette(path, at)).toEqual({ cassette, verdicts: { ab: 1 }, exists: true });
});

test('a cassette with the same text is not written again', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'callsheet-cassette-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const path = cassettePath(dir, 'desk', 1);
  const cassette = emptyCassette('2026-11-02T10:00:00.000Z');
  await writeTestCassette(path, { cassette, verdicts: {} });
  utimesSync(path, 1, 1);
  await writeTestCassette(path, { cassette, verdicts: {} });
  expect(statSync(path).mtimeMs).toBe(1000);
  await writeTestCassette(path, { cassette, verdicts: { ab: 1 } });
  expect(statSync(path).mtimeMs).toBeGreaterThan(1000);
});

test('a verdict is asked for once, recorded, and never asked for in the mode none', async () => {
  let asked = 0;
  const ask = async () => ++asked;
  const first = new Verdicts({}, 'new_episodes', true);
  expect([await first.get(['q'], ask), await first.get(['q'], ask)]).toEqual([1, 1]);
  const second = new Verdicts(first.used(), 'none', false);
  expect(await second.get(['q'], ask)).toBe(1);
  await expect(second.get(['other'], ask)).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(await second.get(['free'], ask, true)).toBe(2);
  const anew = new Verdicts(first.used(), 'all', false);
  expect(await anew.get(['q'], ask)).toBe(3);
  await expect(new Verdicts({}, 'once', false).get(['q'], ask)).rejects.toMatchObject({ code: 'CONFLICT' });
});
