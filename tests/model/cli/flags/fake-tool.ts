/**
 * A command-line agent for tests. `FAKE_DO` says how it behaves; `FAKE_DIR` is a folder in which it notes its process ids. It reads its
 * prompt from standard input and answers in JSON lines.
 */
import { spawn } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const behaviour = process.env['FAKE_DO'];
const folder = process.env['FAKE_DIR'];

function note(name: string, text: string | number): void {
  if (folder !== undefined) writeFileSync(join(folder, name), String(text));
}

function say(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

function stay(): void {
  setInterval(() => {}, 1000);
}

let prompt = '';
for await (const chunk of process.stdin) prompt += String(chunk);
const session = process.argv[2] ?? 's-1';
say({ session });
note('pid', process.pid);

switch (behaviour) {
  case 'where':
    say({ text: JSON.stringify({ cwd: process.cwd(), files: readdirSync('.'), env: process.env }) });
    break;
  case 'colourful':
    say({ text: '\u001b[31mred\u001b[0m words \n' });
    break;
  case 'silent':
    stay();
    break;
  case 'stubborn':
    process.on('SIGTERM', () => {});
    stay();
    break;
  case 'outlived': {
    const forever = `require('fs').writeFileSync(${JSON.stringify(join(folder ?? '', 'child'))}, String(process.pid)); setInterval(() => {}, 1000)`;
    spawn(process.execPath, ['-e', forever], { detached: true, stdio: 'inherit' }).unref();
    stay();
    break;
  }
  case 'crashes':
    console.error(`first line\nthe model "x" is gone, key ${process.env['FAKE_API_KEY'] ?? ''}`);
    process.exitCode = 3;
    break;
  case 'signed-out':
    console.error('Not logged in. Please run /login');
    process.exitCode = 1;
    break;
  case 'forgets':
    if (session === 's-old') {
      console.error(`No conversation found with session ID: ${session}`);
      process.exitCode = 1;
    } else say({ text: `Answer to: ${prompt}` });
    break;
  case 'chatty':
    for (let i = 0; i < 50_000; i++) console.error('progress', i);
    say({ text: 'done' });
    break;
  case 'floods':
    for (let i = 0; i < 50; i++) {
      const isFull = !process.stdout.write(`${JSON.stringify({ text: 'x'.repeat(1024 * 1024) })}\n`);
      if (isFull) await new Promise((resolve) => process.stdout.once('drain', resolve));
    }
    break;
  case 'broken':
    process.stdout.write('{"text": "half of a li\n');
    break;
  default:
    say({ text: 'Answer to: ' });
    say({ text: `${prompt}\n` });
}
