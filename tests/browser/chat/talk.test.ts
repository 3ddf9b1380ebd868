import { expect, test } from 'vitest';
import { JANE, makeChat, makeMessage, MAX } from '../fake/chat-fixtures.ts';
import { soon } from '../soon.ts';
import { describeLongViewer } from '../viewer.ts';

describeLongViewer('talking in a chat', (viewer) => {
  const open = async () => {
    await viewer.open('chats/c_review');
    await viewer.page.locator('.bubble').nth(4).waitFor();
  };
  const field = () => viewer.page.getByRole('textbox', { name: 'Message' });
  const sent = (part: string) => viewer.api.bodies.filter(({ line }) => line.includes(part)).map(({ body }) => body);
  const isLastInView = () =>
    viewer.page
      .locator('.timeline .body')
      .evaluate((pane) => pane.scrollHeight - pane.scrollTop - pane.clientHeight < 4);
  const round = (participants: readonly object[]) => {
    viewer.api.world.chat.chats = viewer.api.world.chat.chats.map((chat) =>
      chat.id === 'c_review'
        ? { ...chat, round: { id: 'round-1', number: 1, participants: participants as never } }
        : chat,
    );
    viewer.api.emit('chat', { id: 'c_review', change: 'round' });
  };

  test('it opens at the newest message, Ctrl+Enter sends, and the list goes along', async () => {
    await open();
    await soon(isLastInView).toBe(true);
    await field().fill('One line');
    await field().press('Enter');
    await field().pressSequentially('and one more');
    await field().press('Control+Enter');
    await viewer.page.locator('.bubble', { hasText: 'and one more' }).waitFor();
    expect(sent('/messages')).toEqual([{ text: 'One line\nand one more' }]);
    expect(await field().inputValue()).toBe('');
    await soon(isLastInView).toBe(true);
  });

  test('what is typed while a message is on its way stays, without the message', async () => {
    await open();
    const released = Promise.withResolvers<void>();
    await viewer.page.route('**/messages', async (route) => {
      if (route.request().method() === 'POST') await released.promise;
      await route.continue();
    });
    await field().fill('The first');
    await field().press('Control+Enter');
    await field().press('Enter');
    await field().pressSequentially('and more');
    released.resolve();
    await soon(() => field().inputValue()).toBe('and more');
    expect(sent('/messages')).toEqual([{ text: 'The first' }]);
  });

  test('a message that is refused stays in the field, with the reason above it', async () => {
    await open();
    await field().fill('impossible');
    await viewer.page.getByRole('button', { name: 'Send' }).click();
    await viewer.page.getByText('the message is not accepted').waitFor();
    expect(await field().inputValue()).toBe('impossible');
  });

  test('a chat that somebody deletes meanwhile is shown no more', async () => {
    await open();
    const { chat } = viewer.api.world;
    chat.chats = chat.chats.filter(({ id }) => id !== 'c_review');
    viewer.api.emit('chat', { id: 'c_review', change: 'deleted' });
    await soon(() => field().count()).toBe(0);
    await soon(() => viewer.page.locator('.notice').innerText()).toMatch(/there is no /);
  });

  test('a draft stays with its chat', async () => {
    await open();
    await field().fill('Half a sent');
    await viewer.page.locator('.chat-row', { hasText: 'Names for the release' }).click();
    await viewer.page.getByRole('heading', { name: 'Names for the release' }).waitFor();
    expect(await field().inputValue()).toBe('');
    await viewer.page.goBack();
    await viewer.page.getByRole('heading', { name: 'Design review' }).waitFor();
    await soon(() => field().inputValue()).toBe('Half a sent');
  });

  test('@ offers the participants: arrows move, Enter takes one, Escape closes', async () => {
    await open();
    await field().focus();
    await viewer.page.keyboard.type('Hi @');
    const options = viewer.page.getByRole('option');
    await soon(() => options.count()).toBe(3);
    await viewer.page.keyboard.press('ArrowDown');
    await soon(() => viewer.page.getByRole('option', { selected: true }).textContent()).toContain('Max');
    expect(await field().getAttribute('aria-activedescendant')).toBe('mention-1');
    await viewer.page.keyboard.press('Enter');
    await soon(() => field().inputValue()).toBe('Hi @Max ');
    await viewer.page.keyboard.type('and @ja');
    await soon(() => options.count()).toBe(1);
    await viewer.page.keyboard.press('Escape');
    await soon(() => options.count()).toBe(0);
    await viewer.page.keyboard.press('Enter');
    expect(await field().inputValue()).toBe('Hi @Max and @ja\n');
    expect(viewer.api.bodies).toEqual([]);
  });

  test('a chip of a mention opens the participant, who can be put into the message', async () => {
    await open();
    await field().fill('Ask');
    await viewer.page.locator('.bubble .mention', { hasText: 'Max' }).click();
    const dialog = viewer.page.getByRole('dialog');
    await dialog.getByText('Breaks things on purpose.').waitFor();
    await dialog.getByText('@max · Claude Code').waitFor();
    await dialog.getByRole('button', { name: 'Mention' }).click();
    await soon(() => field().inputValue()).toBe('Ask @Max ');
    await soon(() => field().evaluate((area) => area === document.activeElement)).toBe(true);
  });

  test('a button has a participant speak next; its text grows, and a button cancels it', async () => {
    await open();
    await viewer.page.getByRole('button', { name: 'Jane Doe speaks next' }).click();
    await viewer.page.locator('.speaking', { hasText: 'Jane Doe' }).getByText('is writing').waitFor();
    const piece = (at: number, text: string) =>
      viewer.api.emit('answer', { runId: 'run-of-a_jane', threadId: 'thread-1', turn: 1, at, text });
    piece(0, 'The **test');
    await viewer.page.locator('.speaking', { hasText: 'The **test' }).waitFor();
    piece(10, '** <i>is</i> mine');
    await soon(() => viewer.page.locator('.speaking .markdown').innerHTML()).toBe(
      '<p><strong>test</strong></p>'.replace('<p>', '<p>The ').replace('</p>', ' &lt;i&gt;is&lt;/i&gt; mine</p>'),
    );
    await viewer.page.getByRole('button', { name: 'Cancel the turn of Jane Doe' }).click();
    await viewer.page.locator('.speaking').waitFor({ state: 'detached' });
    expect(sent('/cancel')).toEqual([{ participantId: 'a_jane' }]);
  });

  test('all turns are cancelled at once, and one that waits has its approval beside it', async () => {
    await open();
    round([
      { participantId: 'a_jane', runId: 'run-1', status: 'done' },
      { participantId: 'a_max', runId: 'run-urgent', status: 'waiting' },
    ]);
    const waiting = viewer.page.locator('.speaking', { hasText: 'waits for your decision' });
    await viewer.page.getByText('has answered, and waits for the others').waitFor();
    await waiting
      .getByRole('button', { name: /^Allow/ })
      .first()
      .click();
    await viewer.sendHeld();
    await soon(() => sent('/approvals/')).toEqual([{ decision: 'allow' }]);
    await viewer.page.getByRole('button', { name: 'Cancel all' }).click();
    await soon(() => viewer.page.locator('.speaking').count()).toBe(0);
    expect(sent('/cancel')).toEqual([{}]);
  });

  test('a reply appears without a reload and takes the place of its growing text', async () => {
    await open();
    round([{ participantId: 'a_max', runId: 'run-live', status: 'running' }]);
    await viewer.page.locator('.speaking').waitFor();
    viewer.api.emit('answer', { runId: 'run-live', threadId: 'thread-1', turn: 1, at: 0, text: 'I write it.' });
    await viewer.page.locator('.speaking', { hasText: 'I write it.' }).waitFor();
    const { chat } = viewer.api.world;
    const reply = makeMessage(6, {
      ...{ authorKind: 'agent', authorId: MAX.id, authorDisplayName: 'Max', text: 'I write it.' },
      meta: { runId: 'run-live', trigger: 'manual' },
    });
    chat.messages.set('c_review', [...(chat.messages.get('c_review') ?? []), reply]);
    chat.chats = chat.chats.map(({ round: _round, ...one }) => one);
    viewer.api.emit('chat', { id: 'c_review', change: 'message', messageId: 'm_6' });
    await viewer.page.locator('#message-m_6').waitFor();
    await viewer.page.locator('.speaking').waitFor({ state: 'detached' });
    expect(await viewer.page.getByText('I write it.').count()).toBe(1);
  });

  test('a turn that failed says why, and can be asked again', async () => {
    await open();
    const failed = viewer.page.locator('.message.failed');
    await failed.getByText('the provider refused 5 times').waitFor();
    await failed.getByText('MODEL_RATE_LIMIT').waitFor();
    await failed.getByRole('button', { name: 'Ask again' }).click();
    await soon(() => viewer.api.requests.includes('POST /api/chats/c_review/participants/a_res/run')).toBe(true);
  });

  test('a turn that a person has cancelled is no failure', async () => {
    const { chat } = viewer.api.world;
    const error = { code: 'RUN_CANCELLED', message: 'the run was cancelled' };
    chat.messages.set('c_review', [
      makeMessage(1, {
        ...{ authorKind: 'agent', authorId: MAX.id, authorDisplayName: 'Max', text: 'Max was cancelled.' },
        meta: { error },
      }),
    ]);
    await viewer.open('chats/c_review');
    await viewer.page.locator('.message.cancelled').getByText('Max was cancelled.').waitFor();
    expect(await viewer.page.locator('.message.failed').count()).toBe(0);
  });

  test('earlier messages come while somebody scrolls up, and their place stays', async () => {
    const { chat } = viewer.api.world;
    chat.chats = [makeChat('c_long', { participants: [JANE] })];
    chat.messages.set(
      'c_long',
      Array.from({ length: 130 }, (_, i) => makeMessage(i + 1, { ts: '2026-11-23T09:00:00.000Z' })),
    );
    await viewer.open('chats/c_long');
    await viewer.page.locator('#message-m_130').waitFor();
    expect(await viewer.page.locator('#message-m_80').count()).toBe(0);
    const pane = viewer.page.locator('.timeline .body');
    await pane.evaluate((area) => area.scrollTo({ top: 300 }));
    await viewer.page.locator('#message-m_31').waitFor({ state: 'attached' });
    // What was in sight is in sight.
    await soon(async () => (await viewer.page.locator('#message-m_84').boundingBox())?.y ?? -1).toBeGreaterThan(0);
    expect(await pane.evaluate((area) => area.scrollTop)).toBeGreaterThan(1000);
    await viewer.page.getByRole('button', { name: 'Newest' }).click();
    await soon(isLastInView).toBe(true);
  });
});
