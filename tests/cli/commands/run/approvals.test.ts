import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cellsOf } from '../../../../engine/src/cli/terminal/table.ts';
import { FILES, LETTER, makePlace, type Place } from '../../harness.ts';

const LINE = 'This line is much longer than the eighty columns of a terminal, and is broken at one of its spaces. ';
const SCRIPT = `id: main
provider: scripted
script:
  - when: { turn: 1 }
    call: { tool: mail_send, arguments: { text: "I call you at [time].\\n${LINE}\\ninvoice\\u202Efdp.exe", cc: ['Bob <bob@example.org>'] } }
  - when: { any: true }
    say: done
`;
const BOSS = 'id: boss\nname: Boss\napiConfigId: main\ntools: [mail]\npermissions: { ask: [mail_send] }\n';
let place: Place;
beforeAll(async () => {
  place = makePlace({
    ...FILES,
    'apis/main.yaml': SCRIPT,
    'directors/boss.yaml': BOSS,
  });
  place.drop('a.eml', LETTER);
  await place.run(['run', 'boss', '--email', 'inbox/a.eml']);
});
afterAll(() => place.remove());

/** The id of the call that waits, with the title that the list shows. */
async function waiting(): Promise<{ id: string; line: string }> {
  const { stdout } = await place.run(['approvals', 'list']);
  const [line = ''] = stdout.split('\n').slice(1);
  return { id: line.slice(0, 8), line };
}

describe('approvals in a terminal', () => {
  test('are listed with action and target, and a warning for a mail with gaps', async () => {
    const { line } = await waiting();
    expect(line).toMatch(/^[0-9a-z]{8} {2}pending {2}[0-9a-z]{8} {2}boss +Send an e-mail: /);
    const listed = await place.run(['approvals', 'list']);
    expect(listed.code).toBe(3);
    expect(listed.stderr).toMatch(/^appr_\S+: The text has gaps that nobody filled in: \[time\]\.$/m);
    expect(listed.stderr).toContain('callsheet approvals show ID');
  });

  test('are shown whole in 80 columns, with hidden characters as marks', async () => {
    const { id } = await waiting();
    const { stdout, code } = await place.run(['approvals', 'show', id]);
    expect(code).toBe(3);
    expect(stdout).toMatch(/^Asked by {2}director boss, with mail_send, \d{4}-\d\d-\d\d \d\d:\d\d UTC$/m);
    expect(stdout).toMatch(/^Why {7}director boss: permissions\.ask has "mail_send"/m);
    expect(stdout).toMatch(/^ {2}From +me@example\.org$/m);
    expect(stdout).toMatch(/^ {2}Cc +Bob <bob@example\.org>$/m);
    expect(stdout).toMatch(/^ {2}Subject +Re: /m);
    expect(stdout).toMatch(/^ {2}I call you at \[time\]\.$/m);
    expect(stdout).toMatch(/^! The text has gaps/m);
    expect(stdout).toContain('invoice\\u202efdp.exe');
    expect(stdout).not.toMatch(/[\u202a-\u202e]/);
    expect(stdout.replace(/\s+/g, ' ')).toContain(LINE.trim());
    expect(Math.max(...stdout.split('\n').map(cellsOf))).toBeLessThanOrEqual(80);
    expect(stdout).toMatch(/^callsheet approvals allow appr_/m);
  });

  test('with warnings are allowed only with --yes', async () => {
    const { id } = await waiting();
    const refused = await place.run(['approvals', 'allow', id]);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(/was not allowed.*\[time\][^]*--yes/) });
    expect(await place.run(['approvals', 'list'])).toMatchObject({ code: 3 });
    expect(await place.run(['approvals', 'allow', id, '--for-run', '--always'])).toMatchObject({ code: 2 });
    expect(await place.run(['approvals', 'allow', id, '--yes', '--reason', 'urgent'])).toMatchObject({ code: 0 });
    expect(await place.run(['approvals', 'list'])).toMatchObject({ code: 0, stderr: 'no pending approvals\n' });
    const { stdout, code } = await place.run(['approvals', 'show', id]);
    expect(stdout).toMatch(/^Status +allowed, by .*, \d{4}-/m);
    expect(stdout).toMatch(/^Reason +urgent$/m);
    expect(code).toBe(0);
  });
});

describe('allowing more than one call', () => {
  let shy: Place;
  beforeAll(() => {
    shy = makePlace({
      'apis/main.yaml':
        'id: main\nprovider: scripted\nscript:\n  - when: { turn: 1 }\n    call: { tool: todo_add, arguments: { task: { title: Note } } }\n  - when: { any: true }\n    say: done\n',
      'directors/shy.yaml': 'id: shy\nname: Shy\napiConfigId: main\ntools: [todo]\n',
    });
  });
  afterAll(() => shy.remove());

  /** The id of the call that a new run of the director `shy` asks about. */
  async function ask(): Promise<string> {
    await shy.run(['run', 'shy', '--message', 'note it']);
    const { stdout } = await shy.run(['approvals', 'list', '--json']);
    const { items } = JSON.parse(stdout) as { items: readonly { id: string }[] };
    return items[0]?.id ?? '';
  }
  const file = () => readFileSync(join(shy.dir, 'config/directors/shy.yaml'), 'utf8');

  test('for the run says so in what is shown afterwards', async () => {
    const id = await ask();
    expect((await shy.run(['approvals', 'show', id])).stdout).toMatch(/allow appr_\w+ \[--for-run \| --always\]$/m);
    expect(await shy.run(['approvals', 'allow', id, '--for-run'])).toMatchObject({ code: 0 });
    expect((await shy.run(['approvals', 'show', id])).stdout).toMatch(/^Status +allowed, .*, the same for the run$/m);
  });

  test('always prints the change of each file, and changes nothing that nobody confirmed', async () => {
    const before = file();
    const id = await ask();
    const refused = await shy.run(['approvals', 'allow', id, '--always', 'todo_add']);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('was not confirmed') });
    expect(refused.stdout).toMatch(/^\+\+\+ .*directors\/shy\.yaml$/m);
    expect(refused.stdout).toMatch(/^\+.*todo_add/m);
    expect(file()).toBe(before);
    expect((await shy.run(['approvals', 'show', id])).stdout).toMatch(/^Status +pending$/m);
    expect(await shy.run(['approvals', 'allow', id, '--always', 'todo_add', '--yes'])).toMatchObject({
      code: 0,
    });
    expect(file()).toMatch(/allow:[^]*todo_add/);
    expect((await shy.run(['approvals', 'show', id])).stdout).toMatch(/^Status +allowed, .*, the same always$/m);
  });
});
