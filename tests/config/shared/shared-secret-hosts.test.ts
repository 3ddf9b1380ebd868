import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../engine/src/base/clock.ts';
import { createRedactor } from '../../../engine/src/base/redact.ts';
import type { ConfigService } from '../../../engine/src/config/config.ts';
import { openSecrets, type Secrets } from '../../../engine/src/config/secrets.ts';
import { hostsNamedBy } from '../../../engine/src/config/secret-uses.ts';
import { openPostgres } from '../../../engine/src/store/postgres/postgres-store.ts';
import type { Store } from '../../../engine/src/store/store.ts';
import { startPglite } from '../../postgres.ts';
import { save, statesOf } from '../folder.ts';
import { type Machine, makeMachines, openStore, until } from './processes.ts';

const api = (host: string) =>
  `id: main\nprovider: openai\nmodel: m\napiKey: \${secret:A}\nbaseUrl: https://${host}/v1\n`;

interface Process {
  readonly machine: Machine;
  readonly config: ConfigService;
  readonly secrets: Secrets;
}

/** One process with the secrets of the store, which it reads again when another process says so. */
async function openProcess(machine: Machine, store: Store, isFollower: boolean, isDeaf = false): Promise<Process> {
  const { signals } = machine;
  let config: ConfigService | undefined;
  const secrets = await openSecrets({
    ...{ store, clock: systemClock, redactor: createRedactor(), allowsPlaintext: true },
    named: () => (config === undefined ? new Map() : hostsNamedBy(config.current())),
    onChange: () => signals.send('secrets'),
  });
  if (!isDeaf) onTestFinished(signals.on('secrets', () => void secrets.reload()));
  config = await machine.open({ isFollower, secretHosts: secrets });
  return { machine, config, secrets };
}

async function openPglite(): Promise<Store> {
  const lite = await startPglite();
  const store = await openPostgres({ database: lite.database });
  onTestFinished(async () => {
    await store.close();
    await lite.stop();
  });
  return store;
}

describe.each([
  ['SQLite', openStore],
  ['PostgreSQL', openPglite],
])('several processes on %s', (_name, openOne) => {
  test('share the hosts of a secret: what one stores binds all, and what one allows runs in all', async () => {
    const store = await openOne();
    const machines = await makeMachines([{ 'apis/main.yaml': api('one.example') }, {}], store);
    const leader = await openProcess(machines[0]!, store, false);
    const worker = await openProcess(machines[1]!, store, true);
    const baseUrl = ({ config }: Process) => Reflect.get(config.current().apis.get('main') ?? {}, 'baseUrl') as unknown;

    await worker.secrets.set('A', 'value-of-A');
    await until(() => leader.secrets.hosts('A').length === 1);
    expect([leader.secrets.hosts('A'), worker.secrets.hosts('A')]).toEqual([['one.example'], ['one.example']]);

    await save(leader.machine.dir, 'apis/main.yaml', api('two.example'));
    await leader.config.refresh();
    await until(() => worker.config.problems().length === 1);
    expect(worker.config.problems()[0]).toMatchObject({ secretHost: { name: 'A', host: 'two.example' } });
    expect(statesOf(worker.config)['apis/main']).toBe('stale');
    expect([baseUrl(leader), baseUrl(worker)]).toEqual(['https://one.example/v1', 'https://one.example/v1']);

    await worker.secrets.allow('A', 'two.example');
    await until(() => baseUrl(leader) === 'https://two.example/v1' && baseUrl(worker) === 'https://two.example/v1');
    expect([leader.config.problems(), worker.config.problems()]).toEqual([[], []]);
    expect(leader.secrets.allowsHost('A', 'two.example')).toBe(true);
  });
});

test('a process that hears of no change of secrets knows the hosts of a revision before it runs it', async () => {
  const store = await openStore();
  const machines = await makeMachines([{ 'apis/main.yaml': api('one.example') }, {}], store);
  const leader = await openProcess(machines[0]!, store, false);
  const worker = await openProcess(machines[1]!, store, true, true);
  await leader.secrets.set('A', 'value-of-A');
  await worker.secrets.reload();
  await leader.secrets.allow('A', 'two.example');
  await save(leader.machine.dir, 'apis/main.yaml', api('two.example'));
  await leader.config.refresh();
  const { revision } = leader.config.current();
  const snapshot = await worker.config.revision(revision);
  expect(snapshot.apis.get('main')).toMatchObject({ baseUrl: 'https://two.example/v1' });
  expect(worker.secrets.allowsHost('A', 'two.example')).toBe(true);
});
