import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { root } from '../../../available.ts';
import { FILES, makePlace, type Place } from '../../harness.ts';

const ODD = join(root, 'tests/tool/mcp/odd-server.ts');
const odd = `id: odd\nkind: mcp\ncommand: ${process.execPath}\nargs: [${ODD}]\nallow: [echo, lost]\neffects: read\n`;

let place: Place;
beforeEach(() => {
  place = makePlace({ ...FILES, 'tools/odd.yaml': odd });
});
afterEach(() => place.remove());

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('the process of a server ends with the engine, even if that is killed; tools and diagnostics show its state', async () => {
  place.write({
    'tools/away.yaml': 'id: away\nkind: mcp\ncommand: /no/such/program\nallow: [x]\n',
    'tools/mute.yaml': `id: mute\nkind: mcp\ncommand: ${process.execPath}\nargs: [${ODD}, mute]\nallow: [x]\n`,
    'tools/odd.yaml': `${odd}env: { TOKEN: '\${env:ODD_TOKEN}' }\n`,
  });
  const started = await place.start([], { ODD_TOKEN: 'the-secret-token' });
  const statusOf = async () => {
    const answer = (await (await started.ask('GET', '/api/diagnostics/runtime')).json()) as {
      mcpServers: { id: string; state: string; pid?: number }[];
    };
    return answer.mcpServers;
  };
  await expect.poll(statusOf).toMatchObject([
    { id: 'away', error: expect.stringContaining('/no/such/program') },
    { id: 'mute', state: 'connecting' },
    { id: 'odd', state: 'ready', tools: 8 },
  ]);
  expect(started.stderr()).toMatch(/an MCP server says.*started {2}with \[redacted\]/);
  expect(started.stderr()).not.toContain('the-secret-token');
  const shown = await place.run(['tools']);
  expect(shown.stdout).toMatch(/odd__echo +odd +read/);
  expect(shown.stdout).toMatch(/MCP SERVER[\s\S]*away +(waiting|connecting)[\s\S]*odd +ready +8 +odd 1/);
  const said = /"tool":"odd","line":"pid (\d+)"/.exec(started.stderr());
  const pid = Number(said?.[1]);
  expect(isAlive(pid)).toBe(true);
  await started.stop('SIGKILL');
  await expect.poll(() => isAlive(pid)).toBe(false);
});

test('doctor starts each server once, and says which allowed tools it does not have', async () => {
  const { stdout } = await place.run(['doctor', '--json']);
  const { checks } = JSON.parse(stdout) as { checks: { check: string; status: string; message: string }[] };
  expect(checks.find(({ check }) => check === 'tool odd')).toMatchObject({
    status: 'warn',
    message: 'odd 1: 1 tools; it does not have lost',
  });
});

test('validate starts no server', async () => {
  place.write({ 'tools/odd.yaml': odd.replace(ODD, '/no/such/file') });
  const { code, stderr } = await place.run(['validate']);
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('no/such')]);
});
