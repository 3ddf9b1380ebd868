import { expect, test } from 'vitest';
import { axeViolations, cutOff } from '../fake/axe.ts';
import { soon } from '../soon.ts';
import { describeLongViewer } from '../viewer.ts';

const memory = (id: string, content: string, more = {}) => ({
  ...{ id, content, scope: 'global', directorId: '', agentId: '', owner: 'user', tags: ['habits'], trust: 'trusted' },
  ...{ provenance: [{ writtenBy: 'person', trust: 'trusted', at: '2026-11-20T09:00:00Z' }], revision: 1 },
  ...{ createdAt: '2026-11-20T09:00:00Z', updatedAt: '2026-11-20T09:00:00Z', timestamp: '2026-11-20T09:00:00Z' },
  ...more,
});

describeLongViewer('the page Memory', (viewer) => {
  /** Answers as the routes of memories do, and returns the lines of the requests. */
  const answer = async () => {
    let all = [
      memory('mem_1', 'No meetings before ten.'),
      memory('mem_2', 'Ada likes short mails.', { scope: 'local', directorId: 'client-manager', trust: 'untrusted' }),
    ];
    let gone: typeof all = [];
    const lines: string[] = [];
    await viewer.page.route('**/api/memory**', async (route) => {
      const { pathname, searchParams } = new URL(route.request().url());
      const method = route.request().method();
      const id = pathname.split('/')[3];
      lines.push(`${method} ${pathname}`);
      if (method === 'DELETE') [gone, all] = [all.filter((one) => one.id === id), all.filter((one) => one.id !== id)];
      if (method === 'POST') all = [...all, ...gone];
      if (method === 'PUT')
        all = all.map((one) => (one.id === id ? { ...one, ...route.request().postDataJSON() } : one));
      const [text, scope] = [searchParams.get('query') ?? '', searchParams.get('scope')];
      const items = all.filter((one) => one.content.includes(text) && (scope === null || one.scope === scope));
      await route.fulfill({ json: { items, nextCursor: null } });
    });
    return lines;
  };
  const texts = () => viewer.page.locator('.memory-text').allTextContents();

  test('search and scope are in the address, and Back works', async () => {
    await answer();
    await viewer.open('inbox');
    for (const key of ['g', 'm']) await viewer.page.keyboard.press(key);
    await soon(texts).toHaveLength(2);
    await viewer.page.getByRole('button', { name: 'Local' }).click();
    await soon(texts).toEqual(['Ada likes short mails.']);
    await viewer.page.goBack();
    await soon(texts).toHaveLength(2);
    await viewer.page.keyboard.press('/');
    await viewer.page.keyboard.type('ten');
    await soon(texts).toEqual(['No meetings before ten.']);
    await viewer.page.waitForURL('**/#/memory/all/-/ten');
  });

  test('by keyboard a memory is opened, edited, deleted and restored', async () => {
    const lines = await answer();
    await viewer.open('memory');
    await soon(texts).toHaveLength(2);
    for (const key of ['j', 'e', 'End']) await viewer.page.keyboard.press(key);
    await viewer.page.keyboard.type(' Ever.');
    await viewer.page.keyboard.press('Control+Enter');
    await soon(() => texts().then(([first]) => first)).toBe('No meetings before ten. Ever.');
    await viewer.page.keyboard.press('Escape');
    await viewer.page.keyboard.press('#');
    await viewer.page.getByText('Deleted: No meetings before ten. Ever.').waitFor();
    await viewer.page.keyboard.press('z');
    await soon(texts).toHaveLength(2);
    expect(lines.filter((line) => !line.startsWith('GET'))).toEqual([
      'PUT /api/memory/mem_1',
      'DELETE /api/memory/mem_1',
      'POST /api/memory/mem_1/restore',
    ]);
  });

  /** Answers with one memory, whose revision counts as on the server. `change` is that of a run. */
  const answerOne = async () => {
    let stored = memory('mem_1', 'No meetings before ten.');
    let beforePut = async () => {};
    await viewer.page.route('**/api/memory**', async (route) => {
      if (route.request().method() === 'PUT') {
        const sent: unknown = route.request().postDataJSON();
        const { content, expectedRevision } = sent as { content: string; expectedRevision: number };
        await beforePut();
        const message = `memory "mem_1" is at revision ${stored.revision}`;
        if (expectedRevision !== stored.revision)
          return route.fulfill({ status: 409, json: { error: { code: 'MEMORY_REVISION', message } } });
        stored = { ...stored, content, revision: stored.revision + 1 };
        return route.fulfill({ json: stored });
      }
      await route.fulfill({ json: { items: [stored], nextCursor: null } });
    });
    return {
      content: () => stored.content,
      change(content: string) {
        stored = { ...stored, content, revision: stored.revision + 1 };
        viewer.api.emit('memory', { id: 'mem_1' });
      },
      holdBack(wait: Promise<void>) {
        beforePut = () => wait;
      },
    };
  };
  const field = () => viewer.page.getByRole('textbox', { name: 'Text' });

  test('a memory that a run writes appears at once', async () => {
    const server = await answerOne();
    await viewer.open('memory');
    await soon(texts).toEqual(['No meetings before ten.']);
    server.change('No meetings before eleven.');
    await soon(texts).toEqual(['No meetings before eleven.']);
  });

  test('an edit does not replace what a run wrote meanwhile, unless somebody saves it again', async () => {
    const server = await answerOne();
    await viewer.open('memory/all/mem_1');
    await field().fill('No meetings on Monday.');
    server.change('No meetings before eleven.');
    await soon(texts).toEqual(['No meetings before eleven.']);
    expect(await field().inputValue()).toBe('No meetings on Monday.');
    await field().press('Control+Enter');
    await viewer.page.getByText('is at revision 2').waitFor();
    expect(server.content()).toBe('No meetings before eleven.');
    expect(await field().inputValue()).toBe('No meetings on Monday.');
    await field().press('Control+Enter');
    await soon(server.content).toBe('No meetings on Monday.');
  });

  test('what is typed while a memory is saved stays', async () => {
    const server = await answerOne();
    let answer = () => {};
    server.holdBack(new Promise((done) => (answer = done)));
    await viewer.open('memory/all/mem_1');
    await field().fill('No meetings.');
    await field().press('Control+Enter');
    await field().fill('No meetings. Never.');
    answer();
    await viewer.page.getByText('Memory saved.').waitFor();
    expect(await field().inputValue()).toBe('No meetings. Never.');
    await field().press('Control+Enter');
    await soon(server.content).toBe('No meetings. Never.');
  });

  test('it obeys axe in light and dark, and everything fits on a phone', async () => {
    await viewer.page.setViewportSize({ width: 390, height: 780 });
    await answer();
    await viewer.open('memory/all/mem_2');
    await viewer.page.getByRole('textbox', { name: 'Text' }).waitFor();
    expect(await cutOff(viewer.page, '.page *, .top button')).toEqual([]);
    for (const theme of ['light', 'dark']) expect(await axeViolations(viewer.page, theme)).toEqual([]);
  });
});
