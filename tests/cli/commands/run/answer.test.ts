import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FILES, makePlace, type Place } from '../../harness.ts';

const SCRIPT = `id: main
provider: scripted
script:
  - when: { turn: 1 }
    call: { tool: ask_user, arguments: { question: "Which day?\\u202E", choices: [Monday, Tuesday] } }
  - when: { any: true }
    say: "noted: {{lastToolResult}}"
`;
let place: Place;
beforeAll(() => {
  place = makePlace({
    ...FILES,
    'apis/main.yaml': SCRIPT,
    'directors/boss.yaml': 'id: boss\nname: Boss\napiConfigId: main\ntools: [ask_user]\n',
  });
});
afterAll(() => place.remove());

describe('a run that asks, in a terminal', () => {
  test('ends the command with 3 and the question, which is answered and shown by commands', async () => {
    const asked = await place.run(['run', 'boss', '--message', 'plan my week']);
    expect(asked.code).toBe(3);
    expect(asked.stderr).toMatch(/: waiting \(answer\)/);
    expect(asked.stderr).toContain('  asks: Which day?');
    const [, id = ''] = /callsheet runs answer (run_\S+)/.exec(asked.stderr) ?? [];
    const shown = await place.run(['runs', 'answer', id]);
    expect(shown).toMatchObject({ code: 3, stdout: 'Which day?\\u202e\n  - Monday\n  - Tuesday\n' });
    const listed = await place.run(['approvals', 'list']);
    expect(listed.stdout).toContain('Answer a question: Which day?');
    const answered = await place.run(['runs', 'answer', id, 'Monday', 'at', 'ten']);
    expect(answered).toMatchObject({ code: 0 });
    expect(answered.stderr).toContain(`run ${id} has your answer`);
    const again = await place.run(['runs', 'answer', id, 'Tuesday']);
    expect(again.code).not.toBe(0);
    expect(again.stderr).toMatch(/RUN_NOT_ACTIVE|RUN_NOT_ASKING/);
    const { stdout } = await place.run(['approvals', 'list', '--all', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ items: [{ status: 'answered', answer: 'Monday at ten' }] });
  });
});
