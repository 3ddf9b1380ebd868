// Runs the commonest commands of a new bundle once, on a copy of the shipped config in a temporary folder, before its compiled code is
// stored: that has only the functions that have run.
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Longest time of all commands, which take a second or two. Without them the bundle works all the same. */
const MOST_MS = 20_000;

/** Runs the commands by the function of the bundle that runs one. */
export async function warmUp({ runCommand, home }) {
  const config = join(home, 'config');
  if (!existsSync(config)) return;
  const root = mkdtempSync(join(tmpdir(), 'callsheet-warm-up-'));
  const late = Promise.withResolvers();
  const timer = setTimeout(() => late.reject(new Error('the commands took too long')), MOST_MS);
  try {
    // Without its sample mails nothing is run, and no model is asked.
    cpSync(config, join(root, 'config'), { recursive: true });
    await Promise.race([runAll(runCommand, root), late.promise]);
  } catch {
    // What has run until then is compiled.
  } finally {
    clearTimeout(timer);
    rmSync(root, { recursive: true, force: true });
  }
}

async function runAll(runCommand, root) {
  const run = (argv, more = {}) => runCommand({ ...terminalIn(root), argv, ...more });
  await run(['--help']);
  await run(['validate']);
  await run(['runs', 'list']);
  await serveOnce(run);
}

/** Starts a server, asks for what the first page needs, lists the runs by it, and stops it. */
async function serveOnce(run) {
  const started = Promise.withResolvers();
  const stops = [];
  const out = (text) => void (text.startsWith('{') && started.resolve(JSON.parse(text)));
  const onSignal = (stop) => {
    stops.push(stop);
    return () => {};
  };
  const served = run(['start', '--port', '0', '--no-open', '--json'], { out, onSignal });
  served.then(started.reject, started.reject);
  const { url, token } = await started.promise;
  try {
    for (const path of ['/', '/api/status', '/api/emails', '/api/runs', '/api/settings']) {
      const answer = await fetch(new URL(path, url), { headers: { authorization: `Bearer ${token}` } });
      await answer.text();
    }
    await run(['runs', 'list']);
  } finally {
    for (const stop of stops) stop('SIGTERM');
    await served;
  }
}

/** A terminal that shows nothing. */
function terminalIn(cwd) {
  return {
    ...{ argv: [], env: {}, cwd, pid: process.pid, platform: process.platform },
    ...{ stdin: process.stdin, isStdoutTty: false, isStderrTty: false },
    openLines: () => Promise.reject(new Error('there is no input')),
    ...{ out() {}, err() {}, onSignal: () => () => {}, exit() {} },
  };
}
