import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Browser, chromiumPath, leftOut, openBrowser } from '../chromium.ts';
import { layoutFaults } from './layout.ts';

describe.skipIf(chromiumPath === undefined)(`the check of a page's layout${leftOut}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  const faultsOf = async (body: string) => {
    const page = await browser.context.newPage();
    await page.setContent(`<!doctype html><body style="margin:0;font:16px/1.4 sans-serif">${body}`);
    const faults = await layoutFaults(page);
    await page.close();
    return faults;
  };

  test('finds text that a box cuts, to the side and below', async () => {
    expect(
      await faultsOf('<div style="width:60px;overflow:hidden;white-space:nowrap">A subject that is long</div>'),
    ).toEqual(['cut off: div "A subject that is long"']);
    expect(await faultsOf('<p style="height:12px;overflow:hidden">One line of text</p>')).toEqual([
      'cut off: p "One line of text"',
    ]);
  });

  test('finds what reaches out of the window', async () => {
    expect(await faultsOf('<p style="position:absolute;left:-40px">A heading</p>')).toEqual([
      'outside the window: p "A heading"',
    ]);
    expect(await faultsOf('<div style="width:5000px">Wide</div>')).toEqual(['the page is wider than the window']);
  });

  test('finds texts and controls on top of each other', async () => {
    const [fault = ''] = await faultsOf(
      '<p style="margin:0">The first text</p><button style="position:absolute;top:4px;left:30px">Delete</button>',
    );
    expect(fault).toContain('overlap: ');
    expect(fault).toContain('p "The first text"');
    expect(fault).toContain('button "Delete"');
  });

  test('finds text in a column of a few letters', async () => {
    const text = 'the variable OPENAI_API_KEY is not set';
    expect(await faultsOf(`<p style="width:28px;overflow-wrap:anywhere">${text}</p>`)).toEqual([
      `squeezed: p "${text}"`,
    ]);
    expect(await faultsOf(`<p style="width:90px;overflow-wrap:anywhere">${text}</p>`)).toEqual([]);
  });

  test('lets text end with dots, parts scroll, lines wrap, and what floats cover', async () => {
    const fine = [
      '<div style="width:60px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap">A long subject</div>',
      '<pre style="width:60px;overflow:auto">A long line of code</pre>',
      '<p style="width:90px;line-height:1.2">Several words that take <b>three lines</b> or more <a href="#">here</a></p>',
      '<button>Save <kbd>s</kbd></button>',
      '<p style="position:fixed;top:0;left:0">A toast</p>',
    ];
    expect(await faultsOf(fine.join(''))).toEqual([]);
  });
});
