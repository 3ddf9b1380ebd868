import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium, type Page } from 'playwright-core';
import { chromium as chromiumPath } from '../tests/available.ts';

/**
 * `npm run pictures`: starts the shipped config on the sample mails with the scripted model, in a temporary folder, opens
 * the viewer in Chromium, and writes docs/results.webp and the pictures of the other pages in docs/pictures. It needs no key and no
 * network. Names after it take only those pictures: `npm run pictures -- spend map`.
 */

const root = fileURLToPath(new URL('..', import.meta.url));
const target = join(root, 'docs/results.webp');

/** The mail that the picture shows: two directors work on it, and its text fits on the screen. */
const SHOWN = '02-urgent-booking-page.eml';
const SENDER = 'Tom Okafor';

/** Size of the window in CSS pixels. */
const VIEWPORT = { width: 1120, height: 840 };
/** Pixels of the picture for each CSS pixel: the picture is 1440 pixels wide. */
const SCALE = 9 / 7;
/** Pixels of the pictures of the other pages for each CSS pixel, which keeps them small. */
const SMALL_SCALE = 1;
/** Largest picture of another page, in bytes. */
const MAX_BYTES = 120_000;
/** Of WebP, in which a screen takes a third of the bytes of PNG. */
const QUALITY = 80;
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
  // A draft that waits for a person is the picture of Approvals.
  const desk = join(site, 'config/directors/desk.yaml');
  await writeFile(desk, (await readFile(desk, 'utf8')).replace('ask: [mail_send]', 'ask: [mail_send, mail_draft]'));
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
}

/** Calls the API of the server. */
type Call = (method: 'GET' | 'POST', path: string, body?: unknown) => Promise<unknown>;

/** A picture of another page. */
interface Picture {
  /** Name of the file in docs/pictures. */
  readonly name: string;
  /** What the page needs first; resolves with its address, without `#/`. */
  readonly place: (call: Call) => Promise<string> | string;
  /** A CSS selector that only the loaded page has. */
  readonly shows: string;
  /** Width of the window in CSS pixels, where it is another one. */
  readonly width?: number;
  /** What is done on the page before the picture is taken. */
  readonly prepare?: (page: Page) => Promise<void>;
}

/** An answer that has an id. */
const idOf = (answer: unknown) => (answer as { readonly id: string }).id;

/** In this order: what one page does, such as the run of Ask, is on the later ones. */
const PICTURES: readonly Picture[] = [
  { name: 'spend', place: () => 'spend/30/who/runs', shows: '.spend-table tbody tr' },
  {
    name: 'ask',
    place: () => 'ask/director/desk',
    shows: 'textarea',
    async prepare(page) {
      await page.getByRole('textbox').first().fill('What has come in since yesterday, and what is urgent?');
      await page.keyboard.press('Control+Enter');
      await page.locator('.approval').first().waitFor();
    },
  },
  {
    name: 'approvals',
    place: () => 'approvals',
    shows: '.approval',
  },
  {
    name: 'chats',
    async place(call) {
      const id = idOf(await call('POST', '/api/chats', { preset: 'round-table' }));
      await call('POST', `/api/chats/${id}/messages`, {
        text: '@ada how should the desk handle mail that comes in at night?',
      });
      return `chats/${id}`;
    },
    shows: '.log',
    prepare: (page) => page.getByText('The next step is yours.').waitFor(),
  },
  { name: 'runs', place: () => 'runs', shows: '.run-row', prepare: (page) => openRun(page) },
  {
    name: 'diagnostics',
    place: () => 'diagnostics',
    shows: '.trace-row',
    async prepare(page) {
      await page.getByRole('treeitem', { name: 'Client Manager' }).first().click();
      await page.keyboard.press('ArrowRight');
      // The branch stays open, and without a selected row the waterfall has the whole width.
      await page.evaluate(() => (location.hash = '#/diagnostics'));
      await page.locator('[role=treeitem][aria-selected=true]').waitFor({ state: 'detached' });
    },
  },
  { name: 'map', place: () => 'config/map', shows: '.config-map .node', width: 1680 },
  {
    name: 'changes',
    place: (call) => compareEdit(call),
    shows: '.differences',
  },
];

/** Opens the newest run of the client manager. */
async function openRun(page: Page): Promise<void> {
  await page.locator('.run-row', { hasText: 'Client Manager' }).first().click();
  await page.locator('.transcript').waitFor();
}

/** Compares the config with an edit that drops an agent of the client manager. */
async function compareEdit(call: Call): Promise<string> {
  const { document } = (await call('GET', '/api/directors/client-manager')) as {
    readonly document: { readonly written: Readonly<Record<string, unknown>> };
  };
  const value = { ...document.written, agents: ['responder'] };
  await call('POST', '/api/changes', { edits: [{ kind: 'director', id: 'client-manager', value }], limit: 20 });
  for (;;) {
    const { job } = (await call('GET', '/api/changes')) as { readonly job: { readonly status: string } | null };
    if (job?.status !== 'running') return 'changes';
  }
}

/** Takes the pictures in a Chromium of its own. */
async function takePictures(executablePath: string, server: Server, fonts: string): Promise<void> {
  const browser = await chromium.launch({
    executablePath,
    env: { ...process.env, FONTCONFIG_FILE: fonts },
    // Chromium does not start its sandbox as root.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  const wanted = process.argv.slice(2);
  const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name);
  const open = async () => {
    const look = { colorScheme: 'light', locale: 'en-GB', timezoneId: 'UTC' } as const;
    const page = await browser.newPage({ ...look, viewport: VIEWPORT });
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(`${server.url}/?token=${server.token}`);
    return page;
  };
  try {
    const page = await open();
    await waitForRuns(page, server);
    if (isWanted('results')) {
      await showReply(page);
      await takePicture(page, target, SCALE);
    }
    const small = await open();
    const call: Call = async (method, path, body) => {
      const headers = { 'Authorization': `Bearer ${server.token}`, 'Content-Type': 'application/json' };
      const answer = await fetch(new URL(path, server.url), {
        ...{ method, headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${method} ${path}: ${text}`);
      return text === '' ? undefined : JSON.parse(text);
    };
    await mkdir(join(root, 'docs/pictures'), { recursive: true });
    for (const { name, place, shows, prepare, width = VIEWPORT.width } of PICTURES.filter((one) =>
      isWanted(one.name),
    )) {
      await small.setViewportSize({ ...VIEWPORT, width });
      await small.goto(`${server.url}/#/${await place(call)}`);
      await small.locator(shows).first().waitFor();
      await prepare?.(small);
      const bytes = await takePicture(small, join(root, 'docs/pictures', `${name}.webp`), SMALL_SCALE);
      if (bytes > MAX_BYTES) throw new Error(`the picture ${name} has ${bytes} bytes, more than ${MAX_BYTES}`);
    }
  } finally {
    await browser.close();
  }
}

/** Takes a picture without focus ring and pointer, which say nothing to its reader; resolves with its size in bytes. */
async function takePicture(page: Page, path: string, scale: number): Promise<number> {
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
  await page.mouse.move(0, 0);
  // Toasts of what was done go by themselves.
  await page.locator('.toast').first().waitFor({ state: 'detached' });
  // What is there is drawn with the next frame.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', {
    ...{ format: 'webp', quality: QUALITY },
    clip: { x: 0, y: 0, ...(page.viewportSize() ?? VIEWPORT), scale },
  });
  const picture = Buffer.from(data, 'base64');
  await writeFile(path, picture);
  process.stdout.write(`${path.slice(root.length)}: ${Math.round(picture.length / 1000)} kB\n`);
  return picture.length;
}

if (chromiumPath === undefined) throw new Error('no Chromium or Chrome was found; set CHROMIUM to its path');
const site = await mkdtemp(join(tmpdir(), 'callsheet-pictures-'));
const fonts = join(site, 'fonts.conf');
await writeFile(fonts, FONTS);
const server = await startServer(site);
try {
  await takePictures(chromiumPath, server, fonts);
} finally {
  server.process.kill('SIGTERM');
  await once(server.process, 'exit');
  await rm(site, { recursive: true, force: true });
}
