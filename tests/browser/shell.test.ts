import { expect, test } from 'vitest';
import { settled } from './settled.ts';
import { soon } from './soon.ts';
import { mailPreview, makeApproval } from './fake/approval-fixtures.ts';
import { addRun, makeItem } from './fake/fixtures.ts';
import { describeLongViewer } from './viewer.ts';

describeLongViewer('approvals, config and the event stream', (viewer) => {
  const open = async (place: string) => {
    await viewer.open(place);
    await viewer.page.locator('.link.live').waitFor();
  };

  test('a key presses the button that shows it, but not while somebody types, and none that is hidden', async () => {
    await viewer.open('runs');
    const theme = () => viewer.page.evaluate(() => document.documentElement.dataset['theme'] ?? '');
    const before = await theme();
    await viewer.page.keyboard.press('D');
    await soon(async () => (await theme()) === before).toBe(false);
    const after = await theme();
    await viewer.page.getByRole('searchbox').first().focus();
    await viewer.page.keyboard.press('D');
    expect(await viewer.page.getByRole('searchbox').first().inputValue()).toBe('D');
    expect(await theme()).toBe(after);
    await viewer.page.getByRole('searchbox').first().blur();
    await viewer.page.evaluate(() => {
      document.querySelector<HTMLElement>('[aria-keyshortcuts=D]')?.style.setProperty('display', 'none');
    });
    await viewer.page.keyboard.press('D');
    expect(await theme()).toBe(after);
  });

  test('the tab and the title show the number of pending approvals', async () => {
    await open('inbox');
    await soon(() => viewer.page.locator('.badge.approvals').textContent()).toBe('1');
    await soon(() => viewer.page.title()).toBe('(1) Callsheet');
    const icon = () => viewer.page.locator('link[rel=icon]').getAttribute('href');
    await soon(icon).toBe('/ui/mark-waiting.svg');
    viewer.api.world.approvals = [];
    viewer.api.emit('approval', { id: 'approval-1', status: 'denied' });
    await soon(icon).toBe('/ui/mark.svg');
  });

  test('y allows a call with its arguments unchanged', async () => {
    await open('approvals');
    await viewer.page.getByText('mail_send').first().waitFor();
    await viewer.page.keyboard.press('y');
    await viewer.page.getByText('No pending approvals.').waitFor();
    await viewer.sendHeld();
    await soon(() => viewer.api.bodies.map((sent) => sent.body)).toEqual([{ decision: 'allow' }]);
  });

  test('edited arguments are sent as JSON, and broken JSON cannot be sent', async () => {
    await open('approvals');
    await viewer.page.getByRole('button', { name: 'Edit' }).click();
    await viewer.page.getByRole('button', { name: 'JSON' }).click();
    const area = viewer.page.getByRole('textbox', { name: 'Arguments' });
    await area.fill('{ "to": ');
    await viewer.page.getByText('Not valid JSON').waitFor();
    expect(await viewer.page.getByRole('button', { name: /^Allow with edits/ }).isDisabled()).toBe(true);
    await area.fill('{ "text": "other" }');
    await viewer.page.getByRole('button', { name: 'Allow with edits' }).click();
    await viewer.page.getByText('No pending approvals.').waitFor();
    // A preview of the edits may be asked for after the answer was sent.
    await viewer.sendHeld();
    const sent = () => viewer.api.bodies.map(({ body }) => body);
    await soon(sent).toContainEqual({ decision: 'allow', arguments: { text: 'other' } });
  });

  test('an approval shows the mail, the recipients, the whole text and its warnings', async () => {
    const text = 'A line.\n'.repeat(80) + 'See you at [time].';
    viewer.api.world.approvals = [
      makeApproval({
        arguments: { text, html: '<p>See <b>you</b></p>' },
        preview: mailPreview({ cc: ['carol@example.org'], text, html: '<p>See <b>you</b></p>' }),
        warnings: ['The text has a gap: [time].'],
      }),
    ];
    await open('approvals');
    const card = viewer.page.locator('.approval');
    await card.getByRole('link', { name: 'URGENT: production line has stopped' }).waitFor();
    await card.getByText('from Jonas Feld <feld@example.net>').waitFor();
    const letter = card.locator('.letter');
    await soon(() => letter.textContent()).toMatch(
      /To\s*Jonas Feld <feld@example\.net>\s*Cc\s*carol@example\.org\s*Subject\s*Re: URGENT/,
    );
    await letter.frameLocator('iframe').getByText('See you').waitFor();
    await letter.getByRole('button', { name: 'HTML source' }).click();
    await letter.getByText('<p>See <b>you</b></p>').waitFor();
    await letter.getByRole('button', { name: 'Text', exact: true }).click();
    await letter.getByText('See you at [time].').waitFor();
    await card.getByText('The text has a gap: [time].').waitFor();
    const isWhole = await letter.evaluate((part) => part.scrollHeight <= part.clientHeight + 1);
    expect(isWhole).toBe(true);
  });

  test('n denies a call with the typed reason', async () => {
    await open('approvals');
    await viewer.page.getByLabel('Reason').fill('Call him instead');
    await viewer.page.getByRole('heading', { name: 'Send an e-mail' }).click();
    await viewer.page.keyboard.press('n');
    await viewer.page.getByText('No pending approvals.').waitFor();
    await viewer.sendHeld();
    await soon(() => viewer.api.bodies.at(-1)?.body).toEqual({ decision: 'deny', reason: 'Call him instead' });
  });

  test('y and n do nothing while somebody types', async () => {
    await open('approvals');
    await viewer.page.getByLabel('Reason').pressSequentially('yes or no');
    expect(viewer.api.bodies).toEqual([]);
  });

  test('an approval that was decided elsewhere leaves the list with a message', async () => {
    await open('approvals');
    await viewer.page.getByText('mail_send').first().waitFor();
    viewer.api.world.approvals = [];
    await viewer.page.keyboard.press('y');
    await viewer.sendHeld();
    await viewer.page.getByText('This approval was answered already.').waitFor();
    await viewer.page.getByText('No pending approvals.').waitFor();
  });

  test('a new approval appears without a reload', async () => {
    const [first] = viewer.api.world.approvals;
    viewer.api.world.approvals = [];
    await open('approvals');
    await viewer.page.getByText('No pending approvals.').waitFor();
    if (first !== undefined) viewer.api.world.approvals = [first];
    viewer.api.emit('approval', { id: 'approval-1', status: 'pending' });
    await viewer.page.getByRole('heading', { name: 'Send an e-mail' }).waitFor();
  });

  test('after a rejected edit a banner names the running version, and each problem has its position', async () => {
    await open('config');
    await viewer.page.getByText('No problems.').waitFor();
    viewer.api.world.config = {
      ...viewer.api.world.config,
      documents: viewer.api.world.config.documents.map((entry) =>
        entry.id === 'responder' ? { ...entry, state: 'stale' } : entry,
      ),
      problems: [
        {
          severity: 'error',
          code: 'CONFIG_UNKNOWN_TOOL',
          file: 'config/agents/responder.yaml',
          line: 12,
          column: 7,
          path: '/tools/1',
          message: 'no tool "serch"',
          hint: 'Did you mean "search"?',
        },
      ],
    };
    viewer.api.emit('config', { revision: viewer.api.world.config.revision, problems: 1 });
    await viewer.page.getByText('An edit was rejected.').waitFor();
    expect(await viewer.page.locator('.banner').innerText()).toContain(
      'config/agents/responder.yaml still runs, in revision a1b2c3d4e5f6',
    );
    expect(await viewer.page.locator('.problem').textContent()).toMatch(
      /responder\.yaml:12:7.*CONFIG_UNKNOWN_TOOL.*serch.*Did you mean/s,
    );
    expect(await viewer.page.getByRole('link', { name: 'Open in VS Code' }).getAttribute('href')).toBe(
      'vscode://file/home/jane/desk/config/agents/responder.yaml:12:7',
    );
    expect(await viewer.page.locator('.badge.config').textContent()).toBe('1');
  });

  test('a host that waits for a person is allowed by a button beside the problem, after a question', async () => {
    const problem = {
      code: 'CONFIG_SECRET_NEW_HOST',
      file: 'config/apis/main.yaml',
      line: 4,
      column: 9,
      path: '/apiKey',
    };
    const secretHost = { name: 'OPENAI', host: 'two.example' };
    const message = 'the secret OPENAI would be sent to two.example';
    viewer.api.world.config = {
      ...viewer.api.world.config,
      problems: [{ severity: 'error', ...problem, message, secretHost }],
    };
    await open('config');
    const allow = viewer.page.getByRole('button', { name: 'Send OPENAI to two.example' });
    await allow.waitFor();
    const dialog = viewer.page.getByRole('dialog');
    await viewer.page.keyboard.press('H');
    await settled(viewer.page);
    expect(await dialog.count()).toBe(0);
    await allow.press('H');
    await dialog.getByText('Send OPENAI to two.example?').waitFor();
    expect(viewer.api.requests).not.toContain('POST /api/secrets/OPENAI/hosts');
    await dialog.getByRole('button', { name: 'Send it' }).click();
    await viewer.page.getByText('No problems.').waitFor();
    expect(viewer.api.requests).toContain('POST /api/secrets/OPENAI/hosts');
  });

  test('without a session the page says how to sign in', async () => {
    viewer.api.signOut();
    await viewer.page.goto(viewer.api.url);
    await viewer.page.getByText('callsheet start').waitFor();
    expect(await viewer.page.getByRole('navigation').count()).toBe(0);
  });

  test('a lost stream is reported and resumed, and missed data are fetched', async () => {
    await open('inbox');
    await viewer.page.getByRole('treeitem').first().waitFor();
    viewer.api.requests.length = 0;
    viewer.api.breakStreams();
    await viewer.page.locator('.link.reconnecting').waitFor();
    await viewer.page.locator('.link.live').waitFor();
    await soon(() => viewer.api.requests.some((line) => line.startsWith('GET /api/emails?'))).toBe(true);
  });

  test('a hidden tab has no stream, and updates when it becomes visible', async () => {
    await open('inbox');
    await viewer.page.getByRole('treeitem').first().waitFor();
    const hide = (isHidden: boolean) =>
      viewer.page.evaluate((value) => {
        Object.defineProperty(document, 'hidden', { configurable: true, get: () => value });
        document.dispatchEvent(new Event('visibilitychange'));
      }, isHidden);
    await hide(true);
    await viewer.page.locator('.link.paused').waitFor();
    viewer.api.world.mails = viewer.api.world.mails.slice(1);
    viewer.api.emit('mail', { id: 'mail-invoice', deleted: true });
    expect(await viewer.page.getByRole('treeitem', { name: 'Invoice 4411' }).count()).toBe(1);
    await hide(false);
    await viewer.page.locator('.link.live').waitFor();
    await soon(() => viewer.page.getByRole('treeitem', { name: 'Invoice 4411' }).count()).toBe(0);
  });

  test('the page reloads when the server has another version', async () => {
    await open('inbox');
    await viewer.page.getByRole('treeitem').first().waitFor();
    await viewer.page.evaluate(() => Object.assign(window, { old: true }));
    viewer.api.world.version = '2';
    viewer.api.breakStreams();
    await soon(() => viewer.page.evaluate(() => 'old' in window).catch(() => true)).toBe(false);
  });

  test('on a narrow screen each tab is one line, and the current one is visible', async () => {
    await viewer.page.setViewportSize({ width: 360, height: 720 });
    for (const screen of ['config', 'inbox', 'todos']) {
      await viewer.open(screen);
      const tab = viewer.page.locator('nav a[aria-current=page]');
      await soon(() => tab.getAttribute('href')).toBe(`#/${screen}`);
      await soon(async () => {
        const [place, bar] = [await tab.boundingBox(), await viewer.page.locator('.top nav').boundingBox()];
        return place !== null && bar !== null && place.x >= bar.x - 1 && place.x + place.width <= bar.x + bar.width + 1;
      }).toBe(true);
    }
    await viewer.open('diagnostics');
    const title = viewer.page.locator('nav a[aria-current=page]', { hasText: 'Diagnostics' }).locator('span').first();
    const lines = await title.evaluate((text) => text.getClientRects().length);
    expect(lines).toBe(1);
  });

  test('the fetcher button stops and starts the fetcher', async () => {
    await open('inbox');
    await viewer.page.getByRole('button', { name: 'fetcher running' }).click();
    await viewer.page.getByRole('button', { name: 'fetcher stopped' }).click();
    await viewer.page.getByRole('button', { name: 'fetcher running' }).waitFor();
    expect(viewer.api.requests.filter((line) => line.startsWith('POST'))).toEqual([
      'POST /api/fetcher/stop',
      'POST /api/fetcher/start',
    ]);
  });

  test('a long fetch shows its progress until it is done', async () => {
    const [account] = viewer.api.world.accounts;
    const tell = (progress: { done: number; total: number } | undefined) => {
      viewer.api.world.accounts = [{ ...account!, state: 'fetching', ...(progress && { progress }) }];
      viewer.api.emit('fetcher', { state: 'running' });
    };
    await open('inbox');
    tell({ done: 500, total: 10_000 });
    await viewer.page.getByText('Fetching mail: 500 of 10,000').waitFor();
    tell({ done: 1500, total: 10_000 });
    const bar = viewer.page.getByRole('progressbar', { name: 'Fetching mail: 1,500 of 10,000' });
    expect(await bar.getAttribute('value')).toBe('1500');
    tell(undefined);
    await bar.waitFor({ state: 'detached' });
  });

  test('a mail that was removed from its account is marked', async () => {
    const at = '2026-11-21T10:00:00.000Z';
    viewer.api.world.mails = viewer.api.world.mails.map((mail) =>
      mail.id === 'mail-invoice' ? { ...mail, removedAt: at } : mail,
    );
    await open('inbox/mail-invoice');
    await viewer.page.getByText('No longer in the account').waitFor();
  });

  test('a run without a mail shows its results', async () => {
    addRun(viewer.api.world, '', 'run-asked', [makeItem('item-answer', { label: 'Answer', data: 'Forty-two' })], {
      trigger: { kind: 'message', message: 'How much?' },
      summary: 'How much?',
    });
    await open('runs');
    await viewer.page.getByRole('link', { name: 'How much?' }).click();
    await viewer.page.getByRole('link', { name: 'Answer' }).click();
    await viewer.page.frameLocator('iframe.frame').getByText('Forty-two').waitFor();
  });

  test('a run leads with the subject of its mail', async () => {
    await open('runs/run-failed');
    const first = viewer.page.locator('.run-row', { hasText: 'Invoice 4411 lists the cable twice' }).locator('.line');
    expect(await first.first().locator('.from').textContent()).toBe('Invoice 4411 lists the cable twice');
    await viewer.page.locator('.run-row').getByText('the provider refused 5 times').waitFor();
    await viewer.page.getByRole('heading', { name: '返品の手続きについて' }).waitFor();
  });

  test('failed runs are repeated one by one or together, after a question', async () => {
    for (const id of ['run-x', 'run-y'])
      addRun(viewer.api.world, 'mail-news', id, [], { status: 'failed', error: { code: 'INTERNAL', message: id } });
    await open('runs');
    await viewer.page.getByRole('button', { name: 'Failed', exact: true }).click();
    await soon(() => viewer.page.locator('.run-row').count()).toBe(3);
    await viewer.page.getByText('3 failed').waitFor();
    await viewer.page.getByRole('button', { name: 'Retry 1 outage' }).waitFor();
    await viewer.page.locator('.run-entry', { hasText: 'run-x' }).getByRole('checkbox').check();
    await viewer.page.getByRole('button', { name: 'Retry 1' }).click();
    await viewer.page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click();
    await viewer.page.getByText('1 run was started again.').waitFor();
    await viewer.page.getByText('2 failed').waitFor();
    await viewer.page.getByRole('button', { name: 'Retry all' }).click();
    await viewer.page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click();
    await viewer.page.getByText('2 runs were started again.').waitFor();
    expect(viewer.api.requests.filter((line) => line.includes('retry'))).toEqual([
      'POST /api/runs/retry?ids=run-x',
      'POST /api/runs/retry?ids=run-y,run-failed',
    ]);
  });

  test('objectives that an outage stopped go on with the runs that failed on it', async () => {
    const down = { code: 'MODEL_UNAVAILABLE', message: 'no model answered' } as const;
    const stopped = {
      status: 'waiting',
      waitingFor: 'answer',
      outage: { ...down, at: '2026-11-21T10:00:00.000Z' },
    } as const;
    addRun(viewer.api.world, 'mail-news', 'run-stopped', [], stopped);
    addRun(viewer.api.world, 'mail-news', 'run-asks', [], { status: 'waiting', waitingFor: 'answer' });
    addRun(viewer.api.world, 'mail-news', 'run-x', [], { status: 'failed', error: { code: 'INTERNAL', message: 'x' } });
    await open('runs');
    await viewer.page.getByText('3 failed or stopped').waitFor();
    await viewer.page.getByRole('button', { name: 'Retry 2 outages' }).click();
    await viewer.page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click();
    await viewer.page.getByText('2 runs were started again.').waitFor();
    expect(viewer.api.requests.filter((line) => line.includes('retry'))).toEqual([
      'POST /api/runs/retry?ids=run-stopped,run-failed',
    ]);
  });

  test('an active run can be cancelled', async () => {
    await open('runs/run-meeting');
    await viewer.page.getByRole('button', { name: 'Cancel run' }).click();
    await viewer.page.getByRole('dialog').getByRole('button', { name: 'Cancel run' }).click();
    await viewer.page.locator('.head').getByText('cancelled').waitFor();
  });

  test('? opens the help and Escape closes it', async () => {
    await open('inbox');
    await viewer.page.keyboard.press('?');
    await viewer.page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await viewer.page.keyboard.press('Escape');
    await viewer.page.getByRole('dialog').waitFor({ state: 'detached' });
    await viewer.page.keyboard.press('g');
    await viewer.page.keyboard.press('c');
    await viewer.page.getByRole('heading', { name: 'Problems', exact: true }).waitFor();
  });

  test('the chosen theme stays after a reload', async () => {
    await open('inbox');
    await viewer.page.getByRole('button', { name: 'Switch theme' }).click();
    const chosen = await viewer.page.evaluate(() => document.documentElement.dataset['theme']);
    await viewer.page.reload();
    await soon(() => viewer.page.evaluate(() => document.documentElement.dataset['theme'])).toBe(chosen);
  });
});
