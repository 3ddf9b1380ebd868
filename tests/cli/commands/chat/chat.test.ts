import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../../../../engine/src/cli/program.ts';
import { type Ended, FILES, makePlace, type Place } from '../../harness.ts';
import { fakeTerminal } from '../../terminal/fake-terminal.ts';

const MORE = {
  'apis/main.yaml': `id: main
provider: scripted
script:
  - when: { text: "(?i)note", turn: 1 }
    call: { tool: workspace_add_item, arguments: { label: Note, mimeType: text/plain, data: noted } }
  - when: { text: "(?i)ask", turn: 1 }
    call: { tool: ask_user, arguments: { question: "Which day?", choices: [Monday, Tuesday] } }
  - when: { tool: workspace_add_item }
    say: 'the tool said {{lastToolResult}}'
  - when: { tool: ask_user }
    say: 'you said {{lastToolResult}}'
  - when: { any: true }
    say: 'you wrote {{lastUserText}}'
`,
  'directors/asker.yaml': 'id: asker\nname: Asker\napiConfigId: main\ntools: [ask_user]\n',
  'agents/scribe.yaml': 'id: scribe\nname: Scribe\ndescription: Writes.\napiConfigId: main\n',
};

let place: Place;
beforeAll(() => {
  place = makePlace({ ...FILES, ...MORE });
});
afterAll(() => place.remove());

/** Pipes lines into `callsheet chat`. */
async function chat(args: readonly string[], lines: readonly string[]): Promise<Ended> {
  const terminal = fakeTerminal({ argv: ['chat', ...args], cwd: place.dir, env: { HOME: place.dir } });
  for (const line of lines) terminal.press(`${line}\n`);
  terminal.end();
  const code = await runCommand(terminal);
  return { code, stdout: terminal.stdout(), stderr: terminal.stderr() };
}

test('answers go to stdout, one after the other, in one conversation with a director', async () => {
  const { code, stdout } = await chat(['boss', '--json'], ['hello', '', 'again']);
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(code).toBe(0);
  expect(answers).toMatchObject([
    { status: 'completed', answer: 'you wrote hello', conversationId: expect.stringMatching(/^conv_/) },
    { status: 'completed', answer: 'you wrote again' },
  ]);
  expect(answers[1]?.['conversationId']).toBe(answers[0]?.['conversationId']);
});

test('an agent is talked with in a session, which a later chat goes on with', async () => {
  const first = await chat(['scribe', '--json'], ['hello']);
  const { sessionId, answer } = JSON.parse(first.stdout) as { sessionId: string; answer: string };
  expect(answer).toBe('you wrote hello');
  const second = await chat(['scribe', '--json', '--session', sessionId], ['more']);
  expect(JSON.parse(second.stdout)).toMatchObject({ sessionId, answer: 'you wrote more' });
});

test('a call that asks is shown whole, and y allows it', async () => {
  const { code, stdout, stderr } = await chat(['shy'], ['take a note', 'maybe', 'y']);
  expect(stderr).toContain('Add a result: Note');
  expect(stderr).toContain('"data": "noted"');
  expect(stderr).toContain('Type y to allow the call');
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^the tool said .*"item"/)]);
});

test('n denies a call with a reason, which the model reads', async () => {
  const { stdout } = await chat(['shy'], ['take a note', 'n not today']);
  expect(stdout).toMatch(/the tool said .*not today/);
});

test('e changes the arguments, shows the changed call, and asks again', async () => {
  const edited = '{"label":"Better","mimeType":"text/plain","data":"changed"}';
  const { stdout, stderr } = await chat(['shy'], ['take a note', 'e nonsense', `e ${edited}`, 'y']);
  expect(stderr).toContain('Nothing was changed');
  expect(stderr).toContain('Add a result: Better');
  expect(stdout).toContain('the tool said');
  const items = await place.run(['runs', 'show', 'last', '--json']);
  expect(JSON.parse(items.stdout)).toMatchObject({ items: [{ label: 'Better', data: 'changed' }] });
});

test('a question is answered by a choice or in own words', async () => {
  const { stdout, stderr } = await chat(['asker'], ['ask me', '2', '/new', 'ask me', 'on Friday']);
  expect(stderr).toMatch(/\? Which day\?\n {2}1\. Monday\n {2}2\. Tuesday/);
  expect(stdout).toMatch(/you said .*Tuesday[^]*you said .*on Friday/);
});

test('input that ends before an answer leaves the run waiting, with code 3', async () => {
  const { code, stderr } = await chat(['shy'], ['take a note']);
  expect([code, stderr]).toEqual([3, expect.stringMatching(/waits for you: callsheet approvals list/)]);
});

test('a name that is none is refused with the one that is near', async () => {
  const { code, stderr } = await chat(['bosss'], []);
  expect([code, stderr]).toEqual([2, expect.stringContaining('did you mean "boss"?')]);
});

test('--conversation does not go with an agent', async () => {
  const { code, stderr } = await chat(['scribe', '--conversation', 'conv_1'], []);
  expect([code, stderr]).toEqual([2, expect.stringContaining('use --session')]);
});
