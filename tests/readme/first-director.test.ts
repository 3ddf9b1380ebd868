import { appendFileSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { root } from '../available.ts';
import { makePlace, type Started } from '../cli/harness.ts';
import { type Action, comparable, idsIn, readSteps } from './page-script.ts';

const steps = readSteps(readFileSync(join(root, 'docs/first-director.md'), 'utf8'));

describe('docs/first-director.md', () => {
  const place = makePlace({});
  const at = (file: string) => join(place.dir, file);
  /** Ids that the page shows, and the ones that this run has in their place. */
  const ids = new Map<string, string>();
  let server: Started | undefined;
  afterAll(async () => {
    await server?.stop();
    place.remove();
  });

  const configOf = async (running: Started) => (await running.ask('GET', '/api/config')).text();

  /** Changes a file; where Callsheet runs, until it has read the change. */
  async function edit(file: string, change: (path: string) => void): Promise<void> {
    const isWatched = server !== undefined && file.startsWith('desk/config/');
    const before = isWatched && server !== undefined ? await configOf(server) : '';
    mkdirSync(dirname(at(file)), { recursive: true });
    change(at(file));
    if (!isWatched || server === undefined) return;
    const running = server;
    await expect.poll(() => configOf(running)).not.toBe(before);
  }

  async function callsheet(args: readonly string[], prints: string | undefined): Promise<void> {
    if (args[0] === 'start') {
      server = await place.start(args.slice(1));
      return;
    }
    const real = args.map((arg) => ids.get(arg) ?? arg);
    const run = async () => {
      const { stdout, stderr } = await place.run(real);
      return `${stderr}\n${stdout}`;
    };
    if (prints === undefined) return void (await run());
    let output = await run();
    // Mail is taken and runs end a moment after the command before.
    const isRepeatable = ['list', 'show'].includes(args[1] ?? '');
    if (isRepeatable) {
      const again = async () => comparable((output = await run()));
      await expect.poll(again).toEqual(comparable(prints));
    }
    expect(comparable(output)).toEqual(comparable(prints));
    const found = idsIn(output);
    for (const [index, shown] of idsIn(prints).entries()) {
      // A list shortens its ids as far as they still differ, so another list may show more of the same id.
      const [short = '', long = ''] = [ids.get(shown) ?? '', found[index] ?? ''].sort((a, b) => a.length - b.length);
      expect(long).toMatch(new RegExp(`^${short}`));
      ids.set(shown, long);
    }
  }

  async function perform(action: Action): Promise<void> {
    switch (action.kind) {
      case 'write':
        return edit(action.file, (path) => writeFileSync(path, action.text));
      case 'append':
        return edit(action.file, (path) => appendFileSync(path, action.text));
      case 'replace':
        return edit(action.file, (path) => {
          const text = readFileSync(path, 'utf8');
          expect(text).toContain(action.from);
          writeFileSync(path, text.replace(action.from, action.to));
        });
      case 'command':
        return execute(action.command.split(' '), action.prints);
    }
  }

  async function execute([program, ...args]: readonly string[], prints: string | undefined): Promise<void> {
    const [first = '', ...rest] = args;
    // `npm ci` was done before: this test runs on the packages.
    if (program === 'npm') return expect(args).toEqual(['ci']);
    if (program === 'mkdir') return rest.forEach((folder) => mkdirSync(at(folder), { recursive: true }));
    if (program === 'cp') return copyFileSync(at(first), join(at(rest[0] ?? ''), basename(first)));
    expect([program, first]).toEqual(['npx', 'callsheet']);
    return callsheet(rest, prints);
  }

  test('has ten steps', () => {
    expect(steps.map(({ title }) => title.split('.')[0])).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']);
  });

  test.each(steps)('step "$title" does what the page says', async ({ actions }) => {
    expect(actions.length).toBeGreaterThan(0);
    for (const action of actions) await perform(action);
  });
});
