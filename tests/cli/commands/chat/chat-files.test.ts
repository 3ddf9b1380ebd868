import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../../../../engine/src/cli/program.ts';
import { type Ended, makePlace, type Place } from '../../harness.ts';
import { fakeTerminal } from '../../terminal/fake-terminal.ts';

const FILES = {
  'apis/main.yaml': `id: main
provider: scripted
script:
  - when: { tool: document_read }
    say: 'read: {{lastToolResult}}'
  - when: { text: 'upload:2', turn: 1 }
    call: { tool: document_read, arguments: { document: upload:2 } }
  - when: { text: 'upload:1', turn: 1 }
    call: { tool: document_read, arguments: { document: upload:1 } }
  - when: { any: true }
    say: 'you said {{lastUserText}}'
`,
  'directors/boss.yaml':
    'id: boss\nname: Boss\napiConfigId: main\ntools: [document]\npermissions: { allow: [document_read] }\n',
  'agents/scribe.yaml': 'id: scribe\nname: Scribe\ndescription: Writes.\napiConfigId: main\n',
};

let place: Place;
beforeAll(() => {
  place = makePlace(FILES);
  mkdirSync(join(place.dir, 'my files'));
  writeFileSync(join(place.dir, 'offer.txt'), 'Offer of 400 euros');
  writeFileSync(join(place.dir, 'my files', 'terms.txt'), 'Terms: 30 days');
  writeFileSync(join(place.dir, 'broken.pdf'), '%PDF-1.7 broken');
});
afterAll(() => place.remove());

/** Pipes lines into `callsheet chat`. */
async function chat(args: readonly string[], lines: readonly string[]): Promise<Ended & { answers: string[] }> {
  const terminal = fakeTerminal({ argv: ['chat', ...args, '--json'], cwd: place.dir, env: { HOME: place.dir } });
  for (const line of lines) terminal.press(`${line}\n`);
  terminal.end();
  const code = await runCommand(terminal);
  const stdout = terminal.stdout();
  const answers = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { answer: string }).answer);
  return { code, stdout, stderr: terminal.stderr(), answers };
}

test('--attach goes with the first message, and with no later one', async () => {
  const { code, answers } = await chat(['boss', '--attach', 'offer.txt'], ['what does it cost?', 'thanks']);
  expect(code).toBe(0);
  expect(answers).toEqual([expect.stringContaining('Offer of 400 euros'), 'you said thanks']);
});

test('/attach goes with the next message, quoted or not, together with others', async () => {
  const { answers } = await chat(
    ['boss'],
    ['hello', '/attach offer.txt', "/attach 'my files/terms.txt'", 'and now?', '/attach my files/terms.txt', 'again?'],
  );
  expect(answers).toEqual([
    'you said hello',
    expect.stringContaining('Terms: 30 days'),
    expect.stringContaining('upload:3/terms.txt'),
  ]);
});

test('a file that is not there is refused, and the others stay with the next message', async () => {
  const { stderr, answers } = await chat(['boss'], ['/attach offer.txt', '/attach none.txt', 'what does it cost?']);
  expect(stderr).toContain('cannot be read: ENOENT');
  expect(answers).toEqual([expect.stringContaining('Offer of 400 euros')]);
});

test('a file whose text cannot be read is refused with its message, and the chat goes on', async () => {
  const { stderr, answers } = await chat(['boss', '--attach', 'broken.pdf'], ['what does it cost?', 'hello']);
  expect(stderr).toContain('"broken.pdf" cannot be attached: the PDF is damaged');
  expect(stderr).toContain('The message was not sent with its file: attach again.');
  expect(answers).toEqual(['you said hello']);
});

test('no file goes to an agent', async () => {
  const given = await chat(['scribe', '--attach', 'offer.txt'], ['hello']);
  expect([given.code, given.stderr]).toEqual([2, expect.stringContaining('files go with a question to a director')]);
  const typed = await chat(['scribe'], ['/attach offer.txt', 'hello']);
  expect(typed.stderr).toContain('files go with a question to a director');
  expect(typed.answers).toEqual(['you said hello']);
});
