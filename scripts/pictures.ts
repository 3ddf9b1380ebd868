import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium, type Page } from 'playwright-core';
import { chromium as chromiumPath } from '../tests/available.ts';

/**
 * `npm run pictures`: starts the shipped config on the sample mails with the scripted model, in a temporary folder, opens
 * the viewer in Chromium, and writes docs/results.png. It needs no key and no network.
 */

const root = fileURLToPath(new URL('..', import.meta.url));
const target = join(root, 'docs/results.png');

/** The mail that the picture shows: two directors work on it, and its text fits on the screen. */
const SHOWN = '02-urgent-booking-page.eml';
const SENDER = 'Tom Okafor';

/** Size of the window in CSS pixels. */
const VIEWPORT = { width: 1120, height: 840 };
/** Pixels of the picture for each CSS pixel: the picture is 1440 pixels wide. */
const SCALE = 9 / 7;
const PATIENCE_MS = 60_000;

const preferInter = (family: string) =>
  `<match><test name="family"><string>${family}</string></test><edit name="family" mode="prepend" binding="strong"><string>Inter</string></edit></match>`;

/** Fonts of the picture where the machine has them (on Debian: fonts-inter, fonts-noto-color-emoji); else those of the machine. */
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  ${['system-ui', 'sans', 'sans-serif'].map(preferInter).join('\n  ')}
</fontconfig>
`;

interface Server {
  readonly url: string;
  readonly token: string;
  readonly process: ChildProcess;
}

/** Starts the shipped config in `site`, with no key and no Ollama, so that the scripted model answers. */
async function startServer(site: string): Promise<Server> {
  await cp(join(root, 'config'), join(site, 'config'), { recursive: true });
  await mkdir(join(site, 'inbox'));
  await copySamples(join(site, 'inbox'));
  const local = join(site, 'config/apis/local.yaml');
  // Nothing listens at port 9, so an Ollama on this machine is not used.
  await writeFile(local, (await readFile(local, 'utf8')).replace(':11434', ':9'));
  const args = ['start', '--config', join(site, 'config'), '--data', join(site, 'data')];
  const child = spawn(
    process.execPath,
    ['--', join(root, 'engine/src/main.ts'), ...args, '--port', '0', '--no-open', '--json'],
    // A key keeps the notice about plain text out of the picture.
    { env: { PATH: process.env['PATH'], VX_MAILAGENT_KEY: '0'.repeat(64) }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const ended = once(child, 'exit').then(() => {
    throw new Error(`the server did not start:\n${log}`);
  });
  const [line] = (await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended])) as [string];
  return { ...(JSON.parse(line) as { url: string; token: string }), process: child };
}

/** Copies the sample mails. Their times make the shown mail the newest one, and the order of the others always the same. */
async function copySamples(inbox: string): Promise<void> {
  const names = (await readdir(join(root, 'samples'))).filter((name) => name !== SHOWN).sort();
  for (const [index, name] of [SHOWN, ...names].entries()) {
    await copyFile(join(root, 'samples', name), join(inbox, name));
    const time = new Date(Date.UTC(2026, 10, 20) - index * 60_000);
    await utimes(join(inbox, name), time, time);
  }
}

/** Waits until every sample mail is in the list and no run is under way. */
async function waitForRuns(page: Page, { url, token }: Server): Promise<void> {
  const samples = (await readdir(join(root, 'samples'))).length;
  const headers = { Authorization: `Bearer ${token}` };
  const read = async (path: string) => {
    const answer = await page.request.get(`${url}${path}?limit=100`, { headers });
    return ((await answer.json()) as { items: { status?: string }[] }).items;
  };
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const [mails, runs] = [await read('/api/emails'), await read('/api/runs')];
    if (mails.length === samples && runs.every(({ status }) => status === 'completed')) return;
    if (Date.now() > deadline) throw new Error(`the runs did not end within ${PATIENCE_MS / 1000} s`);
    await page.waitForTimeout(200);
  }
}

/** Opens the reply draft of the mail, with the mail below it. */
async function showReply(page: Page): Promise<void> {
  const mail = page.getByRole('treeitem', { name: SENDER });
  await mail.click();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('treeitem', { name: 'Reply draft' }).first().click();
  await page.getByText('Original e-mail').click();
  await page.locator('.mail-text').waitFor();
  // The focus ring of the last click says nothing to a reader of the picture.
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
  await page.mouse.move(0, 0);
}

/** Takes the picture in a Chromium of its own. */
async function takePicture(executablePath: string, server: Server, fonts: string): Promise<void> {
  const browser = await chromium.launch({
    executablePath,
    env: { ...process.env, FONTCONFIG_FILE: fonts },
    // Chromium does not start its sandbox as root.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  try {
    const page = await browser.newPage({
      viewport: VIEWPORT,
      deviceScaleFactor: SCALE,
      colorScheme: 'light',
      locale: 'en-GB',
      timezoneId: 'UTC',
    });
    await page.goto(`${server.url}/?token=${server.token}`);
    await waitForRuns(page, server);
    await showReply(page);
    await page.screenshot({ path: target });
  } finally {
    await browser.close();
  }
}

if (chromiumPath === undefined) throw new Error('no Chromium or Chrome was found; set CHROMIUM to its path');
const site = await mkdtemp(join(tmpdir(), 'callsheet-pictures-'));
const fonts = join(site, 'fonts.conf');
await writeFile(fonts, FONTS);
const server = await startServer(site);
try {
  await takePicture(chromiumPath, server, fonts);
} finally {
  server.process.kill('SIGTERM');
  await once(server.process, 'exit');
  await rm(site, { recursive: true, force: true });
}
process.stdout.write(`docs/results.png: ${Math.round((await stat(target)).size / 1000)} kB\n`);
