import { expect, test } from 'vitest';
import { makeApproval, mailPreview, previewOf } from '../fake/approval-fixtures.ts';
import { soon } from '../soon.ts';
import { describeLongViewer } from '../viewer.ts';

describeLongViewer('the card of an approval', (viewer) => {
  const card = () => viewer.page.locator('.approval').first();
  const text = async () => (await card().innerText()).replace(/\s+/g, ' ');

  test('names action and target, who asks, why, the mail of the run, when it expires and that it was escalated', async () => {
    const inThreeDays = new Date(Date.now() + 3 * 86_400_000).toISOString();
    viewer.api.world.approvals = [makeApproval({ expiresAt: inThreeDays, escalatedAt: new Date().toISOString() })];
    await viewer.open('approvals');
    await viewer.page.getByRole('heading', { name: 'Send an e-mail Jonas Feld <feld@example.net>' }).waitFor();
    expect(await text()).toMatch(/Asked by agent responder for director client-manager with mail_send/);
    expect(await text()).toMatch(/About URGENT: production line has stopped from Jonas Feld <feld@example\.net>/);
    expect(await text()).toMatch(/Why director client-manager: permissions\.ask has "mail_send"/);
    expect(await text()).toMatch(/escalated .* Expires .* if nobody answers/);
    expect(await card().getByRole('link', { name: 'URGENT: production line has stopped' }).getAttribute('href')).toBe(
      '#/inbox/mail-urgent',
    );
  });

  test('names the participant of a chat, and links to the chat', async () => {
    viewer.api.world.approvals = [
      makeApproval({ requestedBy: { directorId: '', agentId: 'a_max' }, agentName: 'Max', chatId: 'c_review' }),
    ];
    await viewer.open('approvals');
    await card().getByText('Max in a chat').waitFor();
    expect(await card().getByRole('link', { name: 'chat', exact: true }).getAttribute('href')).toBe('#/chats/c_review');
  });

  test('of a command-line agent is allowed or denied as it is, once', async () => {
    viewer.api.world.approvals = [
      makeApproval({ kind: 'permission', tool: 'cli_execute', arguments: { command: 'npm test' }, canRemember: [] }),
    ];
    await viewer.open('approvals');
    await card().getByRole('button', { name: 'Deny' }).waitFor();
    await card().focus();
    await viewer.page.keyboard.press('e');
    expect(await card().getByRole('button').allInnerTexts()).toEqual([
      expect.stringContaining('Allow'),
      expect.stringContaining('Deny'),
    ]);
    expect(await card().locator('.arguments').count()).toBe(0);
  });

  test('its link opens the transcript of the run at the tool call', async () => {
    const call = { id: 'c9', type: 'function', function: { name: 'mail_send', arguments: '{"text":"Dear Mr Feld"}' } };
    const thread = viewer.api.world.threads.get('thread-run-invoice');
    viewer.api.world.threads.set('thread-run-urgent', {
      ...thread!,
      id: 'thread-run-urgent',
      status: 'ongoing',
      messages: [
        { role: 'system', content: 'x\n'.repeat(20) },
        { role: 'user', content: 'The mail' },
        { role: 'assistant', content: 'I answer.\n'.repeat(80), tool_calls: [call as never] },
      ],
    });
    await viewer.open('approvals');
    await viewer.page.getByRole('link', { name: 'See the call in the transcript' }).click();
    const wanted = viewer.page.locator('.call.wanted');
    await wanted.getByText('"Dear Mr Feld"').first().waitFor();
    await soon(() => wanted.evaluate((part) => part.querySelector('summary') === document.activeElement)).toBe(true);
    const box = await wanted.boundingBox();
    expect(box?.y).toBeGreaterThan(0);
    expect(box?.y).toBeLessThan(viewer.page.viewportSize()?.height ?? 0);
    expect(new URL(viewer.page.url()).hash).toBe('#/runs/run-urgent/transcript/thread-run-urgent/3/c9');
  });

  test('shows the mail with its headers, both bodies and files', async () => {
    const attachments = [{ name: 'prices.pdf', mimeType: 'application/pdf', bytes: 48_213, sha256: 'a' }];
    viewer.api.world.approvals = [
      makeApproval({ preview: mailPreview({ cc: ['carol@example.org'], html: '<b>Hi</b>', attachments }) }),
    ];
    await viewer.open('approvals');
    const mail = viewer.page.getByRole('group', { name: 'The e-mail' });
    await soon(async () => (await mail.locator('dl').innerText()).replace(/\s+/g, ' ')).toMatch(
      /From support@example\.com To Jonas Feld <feld@example\.net> Cc carol@example\.org Subject Re: URGENT.* In-Reply-To <mail-urgent@example\.org> Account support Files prices\.pdf 48\.2 KB/,
    );
    await mail.frameLocator('iframe').getByText('See you').waitFor();
    await mail.getByRole('button', { name: 'Text' }).click();
    await mail.getByText('a technician is on the way.').waitFor();
  });

  test.each([
    [
      'event',
      'The event',
      previewOf({
        ...{ kind: 'event', title: 'Call', isAllDay: false, calendar: 'Work', attendees: ['ann@example.org'] },
        times: [
          { of: ['user'], timeZone: 'Europe/Berlin', start: 'Wed 25 Nov 2026, 15:00', end: '15:30' },
          { of: ['event', 'calendar'], timeZone: 'Asia/Tokyo', start: 'Wed 25 Nov 2026, 23:00', end: '23:30' },
        ],
      }),
      /Call When Wed 25 Nov 2026, 15:00 – 15:30 Europe\/Berlin · your zone When Wed 25 Nov 2026, 23:00 – 23:30 Asia\/Tokyo · of the event, of the calendar Calendar Work Invited ann@example\.org/,
    ],
    [
      'request',
      'The request',
      previewOf({
        ...{ kind: 'request', method: 'POST', url: 'https://x.example/v1?token=***', body: '{"a":1}' },
        headers: [{ name: 'authorization', value: 'Bearer ***' }],
      }),
      /POST https:\/\/x\.example\/v1\?token=\*\*\* authorization: Bearer \*\*\* ?\{"a":1\}/,
    ],
    [
      'command',
      'The command',
      previewOf({ kind: 'command', argv: ['wc', '-w', 'a b'], cwd: 'work', isSandboxed: true }),
      /wc ?-w ?a b Started in work, without a shell, in a sandbox\./,
    ],
  ])('shows the %s that a call makes', async (_name, region, preview, expected) => {
    viewer.api.world.approvals = [makeApproval({ tool: 'x', preview })];
    await viewer.open('approvals');
    const part = viewer.page.getByRole('group', { name: region });
    await soon(async () => (await part.innerText()).replace(/\s+/g, ' ').trim()).toMatch(expected);
    await viewer.page.getByRole('group', { name: 'Exact arguments' }).getByText('Dear Mr Feld').waitFor();
    for (const width of [1440, 1024, 390]) {
      await viewer.page.setViewportSize({ width, height: 700 });
      expect(await viewer.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
  });

  test('allows the same for the run, where that can be allowed', async () => {
    await viewer.open('approvals');
    await viewer.page.getByRole('button', { name: 'Allow the same for this run' }).click();
    await viewer.page.getByText('No pending approvals.').waitFor();
    await viewer.sendHeld();
    await soon(() => viewer.api.bodies.at(-1)?.body).toEqual({ decision: 'allow', remember: 'run' });
    viewer.api.world.approvals = [makeApproval({ canRemember: [] })];
    viewer.api.emit('approval', { id: 'approval-1' });
    await card().waitFor();
    expect(await viewer.page.getByRole('button', { name: /Allow the same|Always/ }).count()).toBe(0);
  });

  test('after an answer the next card has the focus, and after the last one the title of the page', async () => {
    viewer.api.world.approvals = [makeApproval(), makeApproval({ id: 'approval-2' })];
    await viewer.open('approvals');
    await viewer.page
      .getByRole('button', { name: /^Allow/ })
      .first()
      .focus();
    await viewer.page.keyboard.press('Enter');
    await soon(() => viewer.page.evaluate(() => document.activeElement?.id)).toBe('approval-approval-2');
    await viewer.page.keyboard.press('n');
    await soon(() => viewer.page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
  });

  test('j and k move the focus from card to card', async () => {
    viewer.api.world.approvals = [makeApproval(), makeApproval({ id: 'approval-2' })];
    await viewer.open('approvals');
    await card().waitFor();
    await viewer.page.keyboard.press('j');
    await soon(() => viewer.page.evaluate(() => document.activeElement?.id)).toBe('approval-approval-2');
    await viewer.page.keyboard.press('k');
    await soon(() => viewer.page.evaluate(() => document.activeElement?.id)).toBe('approval-approval-1');
  });
});

describeLongViewer('an approval for a person with the role viewer', (viewer) => {
  test('has neither buttons nor keys that answer it', async () => {
    await viewer.page.route('**/api/auth/whoami', (route) =>
      route.fulfill({ json: { user: { id: 'user_1', name: 'Jane', email: 'jane@example.org', role: 'viewer' } } }),
    );
    await viewer.open('approvals');
    await viewer.page.getByText('Your role is viewer').waitFor();
    expect(await viewer.page.getByRole('button', { name: /Allow|Deny|Edit/ }).count()).toBe(0);
    await viewer.page.keyboard.press('y');
    await viewer.page.keyboard.press('e');
    expect(await viewer.page.locator('.arguments').count()).toBe(0);
    expect(viewer.api.bodies).toEqual([]);
  });
});
