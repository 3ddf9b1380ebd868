import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeMessage } from '../fake/chat-fixtures.ts';
import { hostileHtml } from '../hostile.ts';
import { longestTask } from '../longest-task.ts';
import { soon } from '../soon.ts';
import { settled } from '../settled.ts';
import { describeLongViewer } from '../viewer.ts';

describeLongViewer('a message of a hostile author', (viewer) => {
  const hits: string[] = [];
  const tracker = createServer((request, response) => {
    hits.push(request.url ?? '');
    response.end();
  });
  beforeAll(async () => {
    tracker.listen(0, '127.0.0.1');
    await once(tracker, 'listening');
  });
  afterAll(() => void tracker.close());
  const open = async (text: string) => {
    viewer.api.world.chat.messages.set('c_review', [
      makeMessage(1, { authorKind: 'agent', authorId: 'a_max', authorDisplayName: 'Max\u202e', text }),
    ]);
    await viewer.open('chats/c_review');
    await viewer.page.locator('.bubble .markdown').waitFor();
  };

  test('loads nothing, runs nothing, and is shown as the text that it is', async () => {
    const url = `http://127.0.0.1:${(tracker.address() as AddressInfo).port}`;
    await open(`${hostileHtml(url)}\n\n![cat](${url}/cat.png) <img src=x onerror="pwned=1"> [x](javascript:pwned=1)`);
    await settled(viewer.page);
    expect(hits).toEqual([]);
    expect(await viewer.page.evaluate(() => 'pwned' in window)).toBe(false);
    const tags = await viewer.page
      .locator('.bubble .markdown *')
      .evaluateAll((all) => [...new Set(all.map(({ localName }) => localName))].sort());
    expect(tags.filter((tag) => !['a', 'br', 'p', 'code', 'pre', 'em', 'strong', 'span'].includes(tag))).toEqual([]);
    expect(await viewer.page.locator('.bubble').innerText()).toContain('onerror="pwned=1"');
  });

  test('has links that open in a tab of their own, without the address of this page', async () => {
    await open('[here](https://x.example/a)');
    const link = viewer.page.locator('.markdown a');
    const of = (name: string) => link.getAttribute(name);
    expect([await of('target'), await of('rel'), await of('title')]).toEqual([
      ...['_blank', 'noopener noreferrer', 'https://x.example/a'],
    ]);
  });

  test('shows characters that nobody would see as marks', async () => {
    await open('pay **invoice\u202efdp.exe** and `a\u200bb`');
    await soon(() => viewer.page.locator('.bubble .mark').allTextContents()).toEqual(['U+202E', 'U+202E', 'U+200B']);
  });

  test.each(['[', '*a **b ', '*a* ', 'a|\n-|\n', '`'.repeat(3) + '\n', '> - ', 'a.'])(
    'of 60 KB of %j opens at once',
    async (text) => {
      viewer.api.world.chat.messages.set('c_review', [makeMessage(1, { text: text.repeat(60_000 / text.length) })]);
      await viewer.open('chats');
      const held = await longestTask(viewer.page, async () => {
        await viewer.page.locator('.chat-row').first().click();
        await viewer.page.locator('.bubble').waitFor();
      });
      // About two seconds; what is quadratic needs a minute.
      expect(held).toBeLessThan(100);
    },
  );
});
