import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { SimulatedClock } from '../../engine/src/base/clock.ts';
import { silentLogger } from '../../engine/src/base/log.ts';
import { runCommand } from '../../engine/src/cli/program.ts';
import { MetricsGauges } from '../../engine/src/api/metrics-gauges.ts';
import type { ClusterDependencies } from '../../engine/src/run/dependencies.ts';
import type { Store } from '../../engine/src/store/store.ts';
import { createMetrics } from '../../engine/src/trace/metrics.ts';
import { root } from '../available.ts';
import { fakeTerminal } from '../cli/terminal/fake-terminal.ts';
import { parseExposition } from '../trace/exposition.ts';

const read = (name: string) => readFileSync(join(root, 'docs', name), 'utf8');

/** The names of all metrics of a `start` on a shared store. */
async function allMetrics(): Promise<string[]> {
  const metrics = createMetrics({ version: '1', hasProcess: false });
  const store = { count: async () => 0, list: async () => [], get: async () => undefined } as unknown as Store;
  const stats = async () => ({ ready: 0, oldestMs: 0, deferred: 0, active: 0 });
  const shared = { worker: 'w', queue: { stats } } as unknown as ClusterDependencies;
  const fetcher = { status: () => ({ state: 'running' as const, isFetching: false, everySeconds: 60, accounts: [] }) };
  const engine = { load: () => ({ working: 0, effects: 0, inMemory: 0 }) };
  const deps = { store, clock: new SimulatedClock(), log: silentLogger, shared };
  const figures = new MetricsGauges({ deps, engine, whole: { fetcher } });
  const { types } = parseExposition(await metrics.text(await figures.read()));
  return [...types.keys()].sort();
}

test('docs/scaling.md tells of every metric, and of none that there is not', async () => {
  const told = Array.from(read('scaling.md').matchAll(/^\| `(callsheet_\w+)`/gm), ([, name = '']) => name);
  expect(told.sort()).toEqual(await allMetrics());
  const named = Array.from(read('scaling.md').matchAll(/\bcallsheet_(?!queue\b`)\w+/g), ([name]) => name);
  expect(named.filter((name) => !told.includes(name))).toEqual([]);
});

interface Service {
  readonly image?: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly command: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly secrets: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}
const compose = parse(read('deploy/compose.yaml'), { merge: true }) as Compose;

/** The command line of a service of compose.yaml, or of a unit file, as Callsheet gets it. */
const lines: readonly (readonly [string, readonly string[]])[] = [
  ['start of compose.yaml', compose.services['start']!.command],
  ['worker of compose.yaml', compose.services['worker']!.command],
  ...['callsheet.service', 'callsheet-worker@.service'].map((name) => {
    const [, line = ''] =
      /^ExecStart=\/usr\/bin\/node -- \S+\/engine\/callsheet\.cjs (.+)$/m.exec(read(`deploy/${name}`)) ?? [];
    return [name, line.split(' ')] as const;
  }),
];

describe('the command line of', () => {
  const helpOf = async (...argv: string[]) => {
    const terminal = fakeTerminal({ argv: [...argv, '--help'] });
    expect(await runCommand(terminal)).toBe(0);
    return terminal.stdout();
  };

  test.each(lines)('%s is one that Callsheet takes', async (_name, [command = '', ...args]) => {
    const help = `${await helpOf(command)}${await helpOf()}`;
    expect(help).toContain(`Usage: callsheet ${command}`);
    const options = args.filter((arg) => arg.startsWith('--')).map((arg) => arg.split('=')[0] ?? '');
    expect(options.length).toBeGreaterThan(1);
    for (const option of options) expect(help).toMatch(new RegExp(`^ +${option}[ \\n]`, 'm'));
  });
});

describe('compose.yaml', () => {
  test('checks the health of every service at the port that it serves', () => {
    for (const [name, { command, healthcheck }] of Object.entries(compose.services)) {
      const check = healthcheck?.test.join(' ') ?? '';
      const port = /--(?:metrics-)?port=(\d+)/.exec(command.join(' '))?.[1];
      expect(check, name).toContain(port === undefined ? 'pg_isready' : `127.0.0.1:${port}/api/health`);
    }
  });

  test('has no secret in an environment, and names a file for each', () => {
    for (const { environment = {}, secrets } of Object.values(compose.services)) {
      const plain = Object.keys(environment).filter((name) => /PASSWORD|KEY|TOKEN|URL/.test(name));
      expect(plain.filter((name) => !name.endsWith('_FILE'))).toEqual([]);
      for (const secret of secrets) expect(compose.secrets[secret]?.file).toMatch(/^\.\//);
    }
  });

  test('builds from a Dockerfile whose sources are there, and reach it', () => {
    const { context = '', dockerfile = '' } = compose.services['start']?.build ?? {};
    const base = join(root, 'docs/deploy', context);
    const copied = readFileSync(join(base, dockerfile), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('COPY '))
      .flatMap((line) => line.split(' ').slice(1, -1));
    expect(copied.length).toBeGreaterThan(3);
    const passed = readFileSync(join(base, `${dockerfile}.dockerignore`), 'utf8').split('\n');
    for (const name of copied) {
      expect(existsSync(join(base, name)), name).toBe(true);
      expect(passed).toContain(`!${name}`);
    }
  });
});

test('the example of an env file names what a start reads from it', () => {
  const example = read('deploy/callsheet.env.example');
  for (const name of ['DATABASE_URL', 'VX_MAILAGENT_KEY', 'CALLSHEET_TOKEN']) expect(example).toMatch(`\n${name}=`);
});
