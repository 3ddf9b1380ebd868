import { expect, test } from 'vitest';
import { mailPreview, makeApproval } from './fake/approval-fixtures.ts';
import { addRun, makeItem, makeMail } from './fake/fixtures.ts';
import { soon } from './soon.ts';
import { describeLongViewer } from './viewer.ts';

const NAME = 'invoice\u202efdp.exe';
const EMOJI = '👩🏽\u200d💻 ❤\ufe0f\u200d🔥 🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}';

describeLongViewer('characters that nobody would see', (viewer) => {
  const open = async (place: string, mail: Parameters<typeof makeMail>[1] = {}) => {
    const [attachment] = viewer.api.world.mails.flatMap(({ attachments }) => attachments);
    viewer.api.world.mails = [
      makeMail('mail-odd', {
        subject: `Pay ${NAME}`,
        from: [{ name: `Bank\u200b ${NAME}`, address: 'a@b.example' }],
        attachments: [{ ...attachment!, name: NAME }],
        ...mail,
      }),
    ];
    addRun(
      viewer.api.world,
      'mail-odd',
      'run-odd',
      [makeItem('item-odd', { label: `Reply ${NAME}`, data: `Plain ${NAME}`, mimeType: 'text/plain', tags: [NAME] })],
      { summary: `Summary ${NAME}`, trigger: { kind: 'message', message: NAME } },
    );
    await viewer.open(place);
  };
  /** Everything that the page shows, with attributes that people read or hear. */
  const shown = () =>
    viewer.page.evaluate(() => {
      const spoken = [...document.querySelectorAll('main *')].flatMap((element) =>
        ['title', 'aria-label', 'alt', 'download'].map((name) => element.getAttribute(name) ?? ''),
      );
      const fields = [...document.querySelectorAll('textarea')].map(({ value }) => value);
      return [document.body.textContent ?? '', ...spoken, ...fields].join('\n');
    });
  const hidden = /[\u202a-\u202e\u2066-\u2069\u200b]/;

  test.each([
    ['a mail', 'inbox/mail-odd', '.head h1'],
    ['a row of the list', 'inbox/mail-odd', '.tree-row .subject'],
    ['a sender', 'inbox/mail-odd', '.tree-row .from'],
    ['a label of a result', 'inbox/mail-odd', '.card-head b'],
    ['the beginning of a result', 'inbox/mail-odd', '.card-body'],
    ['a result', 'inbox/mail-odd/run-odd/item-odd', '.head h1'],
    ['a tag', 'inbox/mail-odd/run-odd/item-odd', '.sub .chip'],
    ['a run in the list', 'runs/run-odd', '.run-row'],
  ])('are marks in %s', async (_name, place, part) => {
    await open(place);
    await viewer.page.locator(`${part} .mark`, { hasText: 'U+202E' }).first().waitFor();
    // The order on the screen is that of the text.
    const text = await viewer.page.locator(part).first().textContent();
    expect(text).toMatch(/invoiceU\+202Efdp\.exe/);
    expect((await shown()).replace(/Plain .*/, '')).not.toMatch(hidden);
  });

  test('are marks in the original mail: file names, addresses and headers', async () => {
    await open('inbox/mail-odd', { headers: [{ name: 'X-Odd', value: NAME }] });
    await viewer.page.locator('.file .mark').waitFor();
    await viewer.page.locator('.mail-head .mark').first().waitFor();
    await viewer.page.getByText('All 1 headers').click();
    await viewer.page.getByText('X-Odd: invoice\\u202efdp.exe').waitFor();
    const download = viewer.page.waitForEvent('download');
    await viewer.page.locator('.file').click();
    expect((await download).suggestedFilename()).toBe('invoice_u202efdp.exe');
    expect(await shown()).not.toMatch(hidden);
  });

  test('are escaped in the arguments of an approval, which stay the same value', async () => {
    viewer.api.world.approvals = [
      makeApproval({
        title: { action: 'Send an e-mail', target: NAME },
        arguments: { text: `Open ${NAME}` },
        preview: mailPreview({ to: [`Ann ${NAME} <a@b.example>`], subject: NAME, text: `Open ${NAME}` }),
      }),
    ];
    await viewer.open('approvals');
    await viewer.page.locator('.letter dd .mark').nth(1).waitFor();
    for (const part of ['.letter .words', '.approval h2', '.exact pre'])
      await viewer.page.locator(`${part} .mark`).waitFor();
    expect(await shown()).not.toMatch(hidden);
    await viewer.page.keyboard.press('e');
    // A field of the form would swallow the character.
    await viewer.page.getByText('(edit it as JSON)').first().waitFor();
    await viewer.page.getByRole('button', { name: 'JSON' }).click();
    const field = viewer.page.getByRole('textbox', { name: 'Arguments' });
    expect(await field.inputValue()).toContain('"Open invoice\\u202efdp.exe"');
    await field.fill((await field.inputValue()).replace('Open', 'Read'));
    await viewer.page.getByRole('button', { name: 'Allow with edits' }).click();
    await viewer.sendHeld();
    await soon(() => viewer.api.bodies.at(-1)?.body).toMatchObject({ arguments: { text: `Read ${NAME}` } });
  });

  test('are marks in a question before an action and in a message', async () => {
    await open('inbox/mail-odd');
    await viewer.page.locator('.head h1').waitFor();
    await viewer.page.keyboard.press('#');
    await viewer.page.locator('dialog .mark').waitFor();
    expect(await shown()).not.toMatch(hidden);
  });

  test('stay where Hebrew, Arabic, Persian and emoji need them', async () => {
    const words = `שלום עולם مرحبا می\u200cخواهم ${EMOJI}`;
    await open('inbox/mail-odd', { subject: words, from: [{ name: 'דוד', address: 'd@b.example' }] });
    const title = viewer.page.locator('.head h1');
    await soon(() => title.textContent()).toBe(words);
    expect(await viewer.page.locator('.head .mark').count()).toBe(0);
  });

  test('do not turn right-to-left text around, nor the text beside it', async () => {
    await open('inbox/mail-odd', { subject: 'שלום\u202dעולם', from: [{ name: 'דוד', address: 'd@b.example' }] });
    await viewer.page.locator('.head h1 .mark').waitFor();
    const places = await viewer.page.locator('.head h1 bdi').evaluate((line) => {
      const at = (node: Node, offset: number) => {
        const range = document.createRange();
        range.setStart(node, offset);
        range.setEnd(node, offset + 1);
        return range.getBoundingClientRect().x;
      };
      const [first, , last] = line.childNodes;
      if (first === undefined || last === undefined) return [];
      return [at(first, 0), at(first, 3), at(last, 0), at(last, 3)];
    });
    // Right to left: each next letter is further left.
    expect(places).toEqual(places.toSorted((a, b) => b - a));
    expect(new Set(places).size).toBe(4);
  });

  test('in thousands do not cost thousands of elements', async () => {
    await open('inbox/mail-odd', { subject: 'a\u202eb'.repeat(5000) });
    await viewer.page.locator('.head h1 .mark').first().waitFor();
    expect(await viewer.page.locator('.head h1 .mark').count()).toBeLessThanOrEqual(20);
    expect(await shown()).not.toMatch(hidden);
  });
});
