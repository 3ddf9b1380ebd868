import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { EngineError } from '../../base/error.ts';
import type { TestCase, TestFile, TestTools } from '../../config/documents.gen.ts';
import type { ReadTestFile } from '../../config/test/read-tests.ts';
import { assertionsOf, nameOfTest, typeOf } from '../../config/test/test-file.ts';
import type { Cassette, RecordMode } from '../cassette.ts';
import type { Outcome, PlayedMail, PlayedRun, Recording, Route, Scratch, Stimulus } from '../replay.ts';
import { checkOutcome } from './assertion.ts';
import { cut, reasonOf } from './checker.ts';
import type { Judges } from './judges.ts';
import { includes } from './run-assertions.ts';
import { cassettePath, emptyTestCassette, readTestCassette, writeTestCassette } from './test-cassette.ts';
import { joinStatus, type TestResult, type TestStatus } from './test-result.ts';
import { Verdicts } from './verdicts.ts';

/** What a test runs in. */
export interface TestStage {
  /** The folder that holds the config folder. */
  readonly baseDir: string;
  readonly scratch: Scratch;
  /** Decides where a mail goes; asks no model. */
  readonly route: (mail: PlayedMail) => Promise<Route>;
  readonly judges: (verdicts: Verdicts, runs: Outcome['runs']) => Judges;
  /** Reads a recorded case from its folder. */
  readonly readCase: (dir: string) => Promise<Recording>;
  readonly record: RecordMode;
  /** How often each test runs. */
  readonly repeat: number;
  /** Milliseconds, for durations. */
  readonly nowMs: () => number;
  /** Abort ends the test that runs, and rejects. */
  readonly signal?: AbortSignal | undefined;
}

/** When a test plays that says nothing of its time. */
const DEFAULT_CLOCK = '2026-01-05T09:00:00.000Z';

interface Attempt {
  readonly status: TestStatus;
  readonly messages: readonly string[];
}

/**
 * Runs test `n` of a file, counted from 0. A test that could not run is a result. Abort rejects; with `new_episodes`, what was recorded
 * until then is kept.
 */
export async function runTest(
  stage: TestStage,
  file: ReadTestFile & { readonly tests: TestFile },
  n: number,
): Promise<TestResult> {
  const test = file.tests.tests[n];
  if (test === undefined) throw new EngineError('INTERNAL', `${file.file} has no test ${n}`);
  const began = stage.nowMs();
  const attempts: Attempt[] = [];
  for (let i = 0; i < stage.repeat; i++)
    attempts.push(
      await attemptTest(stage, file, test, n).catch((error: unknown) => {
        stage.signal?.throwIfAborted();
        return { status: 'unknown' as const, messages: [reasonOf(error)] };
      }),
    );
  return {
    file: file.file,
    line: file.locate(['tests', n]).line,
    name: nameOfTest(test, n + 1),
    status: joinStatus(attempts.map(({ status }) => status)),
    messages: [...new Set(attempts.flatMap(({ messages }) => messages))],
    ...(stage.repeat > 1 && {
      repeated: { passed: attempts.filter(({ status }) => status === 'passed').length, of: stage.repeat },
    }),
    durationMs: stage.nowMs() - began,
  };
}

async function attemptTest(
  stage: TestStage,
  { name, tests: file }: ReadTestFile & { readonly tests: TestFile },
  test: TestCase,
  n: number,
): Promise<Attempt> {
  const { record, scratch } = stage;
  const assertions = assertionsOf(file, test);
  const path = cassettePath(stage.baseDir, name, n + 1);
  const clock = clockOf(file, test);
  const at = clock ?? DEFAULT_CLOCK;
  // What is recorded anew needs no earlier recording, which may be unreadable.
  const stored = record === 'all' ? emptyTestCassette(at) : await readTestCassette(path, at);
  const recording = await recordingOf(stage, { file, test, name: `${name} ${n + 1}` });
  const verdicts = new Verdicts(stored.verdicts, record, !stored.exists);
  const isRouted = assertions.length > 0 && assertions.every((one) => typeOf(one).type === 'route');
  const { stimulus } = recording;
  let outcome: Outcome;
  if (isRouted && stimulus.kind === 'mail') outcome = { route: await stage.route(stimulus.mail), runs: [], misses: [] };
  else {
    // A case brings its own answers; what a test recorded besides counts first.
    const cassette = stored.exists || !('case' in test) ? stored.cassette : recording.cassette;
    const start = clock === undefined ? cassette : { ...cassette, at: clock };
    let part: Cassette | undefined;
    const options = {
      ...{ mode: record, answerTool: answersOf({ ...file.defaults.tools, ...test.tools }), signal: stage.signal },
      ...(file.defaults.api !== undefined && { api: file.defaults.api }),
      onAborted: (cassette: Cassette) => (part = cassette),
    };
    const play = await scratch.play({ ...recording, cassette: start }, options).catch(async (error: unknown) => {
      if (record === 'new_episodes' && part !== undefined && isMore(part, start))
        await writeTestCassette(path, { cassette: part, verdicts: stored.verdicts });
      throw error;
    });
    outcome = play.outcome;
    const hasMissed = outcome.misses.length > 0;
    const judged = { outcome, expected: recording.expected, judges: stage.judges(verdicts, outcome.runs) };
    const attempt = hasMissed
      ? { status: 'unknown' as const, messages: missesOf(outcome) }
      : await judge(assertions, judged);
    const said = hasMissed ? stored.verdicts : verdicts.used();
    const has = play.cassette.answers.length + play.cassette.calls.length + Object.keys(said).length > 0;
    // Answers that were paid for stay; other modes would take a part for a whole recording.
    const isKept = hasMissed ? record === 'new_episodes' : record !== 'none';
    if (isKept && has) await writeTestCassette(path, { cassette: play.cassette, verdicts: said });
    return attempt;
  }
  return judge(assertions, { outcome, expected: recording.expected, judges: stage.judges(verdicts, outcome.runs) });
}

/** Whether something was recorded beside what was there. */
function isMore(now: Cassette, before: Cassette): boolean {
  return now.answers.length + now.calls.length > before.answers.length + before.calls.length;
}

async function judge(
  assertions: ReturnType<typeof assertionsOf>,
  judged: Parameters<typeof checkOutcome>[1],
): Promise<Attempt> {
  const failures = judged.outcome.runs.flatMap(failureOf);
  const results = [];
  for (const assertion of assertions) results.push(await checkOutcome(assertion, judged));
  const statuses = [...results.map(({ status }) => status), ...failures.map(() => 'failed' as const)];
  const messages = results.flatMap(({ message }) => (message === '' ? [] : [message]));
  return { status: joinStatus(statuses), messages: [...failures, ...messages] };
}

/** A run that failed, so that no test passes since nothing was said. */
function failureOf({ directorId, agentId, status, error }: PlayedRun): string[] {
  if (status !== 'failed') return [];
  const who = agentId === undefined ? `director ${directorId}` : `agent ${agentId}`;
  return [`${who} failed: ${error?.code ?? ''} ${cut(error?.message ?? '')}`];
}

function missesOf({ misses }: Outcome): string[] {
  return misses.map(({ kind, agentId, name, why }) => {
    const who = agentId === '' ? 'the director' : `agent ${agentId}`;
    if (kind === 'model')
      return `no recorded answer: ${who} asks ${name}: ${cut(why)}; record it with --record new_episodes`;
    return `no result: ${who} calls ${name}: ${cut(why)}; say what it returns under tools:`;
  });
}

function clockOf({ defaults }: TestFile, { vars }: TestCase): string | undefined {
  const clock = vars?.clock ?? defaults.vars?.clock;
  return clock === undefined ? undefined : new Date(clock).toISOString();
}

async function recordingOf(
  { baseDir, readCase }: TestStage,
  { file, test, name }: { readonly file: TestFile; readonly test: TestCase; readonly name: string },
): Promise<Recording> {
  const { director, agent, defaults } = file;
  const own = { name, world: { mails: [], memories: [], toolLists: [] }, person: { decisions: [], answers: [] } };
  const cassette = { at: DEFAULT_CLOCK, unavailable: [], answers: [], calls: [] };
  if ('case' in test) {
    const recorded = await readCase(resolve(baseDir, test.case));
    const { stimulus } = recorded;
    return {
      ...recorded,
      name,
      stimulus: stimulus.kind === 'mail' && director !== undefined ? { ...stimulus, directorId: director } : stimulus,
    };
  }
  if ('mail' in test) {
    const accountId = test.vars?.account ?? defaults.vars?.account;
    const receivedAt = clockOf(file, test);
    const mail: PlayedMail = {
      raw: await readFile(resolve(baseDir, test.mail)),
      ...(accountId !== undefined && { accountId }),
      ...(receivedAt !== undefined && { receivedAt }),
    };
    return {
      ...own,
      cassette,
      stimulus: { kind: 'mail', mail, ...(director !== undefined && { directorId: director }) },
    };
  }
  const { message } = test;
  const stimulus: Stimulus =
    agent === undefined
      ? { kind: 'message', directorId: director ?? '', message }
      : { kind: 'agent', agentId: agent, message };
  return { ...own, cassette, stimulus };
}

/** What the tools of a test return. */
function answersOf(tools: TestTools) {
  return (name: string, args: Readonly<Record<string, unknown>>): { readonly value: unknown } | undefined => {
    const rules = [tools[name] ?? []].flat();
    const found = rules.find((rule) => !('when' in rule) || rule.when === undefined || includes(args, rule.when));
    return found === undefined ? undefined : { value: found.returns };
  };
}
