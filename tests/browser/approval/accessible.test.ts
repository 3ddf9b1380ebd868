import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { makeApproval, mailPreview, previewOf } from '../fake/approval-fixtures.ts';
import { describeLongViewer } from '../viewer.ts';

interface AxeResults {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
}

describeLongViewer('the rules of axe-core on approvals', (viewer) => {
  const violations = async (theme: string) => {
    const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    await viewer.page.evaluate((name) => (document.documentElement.dataset['theme'] = String(name)), theme);
    await viewer.page.evaluate(() =>
      Promise.all(
        document
          .getAnimations()
          .filter((one) => one instanceof CSSTransition)
          .map((one) => one.finished),
      ),
    );
    const found = await viewer.page.evaluate<AxeResults>(`${axe}; axe.run(document, { iframes: false })`);
    return found.violations.map((rule) => `${rule.id}: ${rule.nodes.map((node) => node.html).join(' ')}`);
  };
  const day = '2099-11-25T09:00:00.000Z';

  test.each(['light', 'dark'])('hold in %s for all previews, the editor, its errors and the dialog', async (theme) => {
    viewer.api.world.approvals = [
      makeApproval({
        expiresAt: day,
        escalatedAt: day,
        warnings: ['A gap.'],
        preview: mailPreview({ html: '<b>x</b>' }),
      }),
      makeApproval({
        id: 'event',
        preview: previewOf({
          ...{ kind: 'event', title: 'Call', isAllDay: false, calendar: 'Work', attendees: [] },
          times: [{ of: ['user'], timeZone: 'Europe/Berlin', start: 'Wed 25 Nov 2026, 15:00', end: '15:30' }],
        }),
      }),
      makeApproval({
        id: 'request',
        preview: previewOf({
          ...{ kind: 'request', method: 'GET', url: 'https://x.example' },
          headers: [{ name: 'accept', value: '*/*' }],
        }),
      }),
      makeApproval({
        id: 'command',
        preview: previewOf({ kind: 'command', argv: ['wc'], cwd: '.', isSandboxed: true }),
      }),
      makeApproval({ id: 'diff', preview: { mimeType: 'text/x-diff', data: '--- a\n+++ a\n@@ -1 +1 @@\n-x\n+y\n' } }),
    ];
    await viewer.open('approvals');
    await viewer.page.locator('.approval.current').waitFor();
    await viewer.page.keyboard.press('e');
    await viewer.page.locator('.argument-form').first().waitFor();
    expect(await violations(theme)).toEqual([]);
    await viewer.page.getByRole('button', { name: 'JSON' }).click();
    await viewer.page.getByRole('textbox', { name: 'Arguments' }).fill('{"text": 7}');
    await viewer.page.getByRole('alert').waitFor();
    expect(await violations(theme)).toEqual([]);
    await viewer.page.getByRole('button', { name: 'Undo edits' }).click();
    await viewer.page.getByRole('button', { name: 'Always allow…' }).first().click();
    await viewer.page.locator('dialog .diff').first().waitFor();
    expect(await violations(theme)).toEqual([]);
  });

  test.each(['light', 'dark'])('hold in %s for each end of an approval', async (theme) => {
    const ends = ['allowed', 'denied', 'lapsed', 'expired'] as const;
    viewer.api.world.approvals = ends.map((status) => makeApproval({ id: status, status, decidedAt: day }));
    await viewer.open('approvals/history');
    for (const [i] of ends.entries()) await viewer.page.locator('.ended > summary').nth(i).click();
    expect(await violations(theme)).toEqual([]);
  });
});
