import { expect, test } from 'vitest';
import { soon } from '../soon.ts';
import { describeLongViewer } from '../viewer.ts';

describeLongViewer('the forms of a chat', (viewer) => {
  const card = (name: string) => viewer.page.locator('.participant-card', { hasText: name });
  const sent = (line: string) => viewer.api.bodies.filter((one) => one.line === line).map(({ body }) => body);
  const create = () => viewer.page.getByRole('button', { name: 'Create chat' }).click();

  test('a chat without anything is created, and opens', async () => {
    await viewer.open('chats');
    await viewer.page.getByRole('button', { name: 'New chat' }).first().click();
    await create();
    await viewer.page.getByRole('heading', { name: 'New chat 2026-11-23' }).waitFor();
    const message = viewer.page.getByRole('textbox', { name: 'Message' });
    await soon(() => message.evaluate((field) => field === document.activeElement)).toBe(true);
    expect(sent('POST /api/chats')).toEqual([
      {
        context: '',
        participants: [],
        maxRounds: 3,
        files: [],
        mentions: { caseSensitive: false },
        summaryApiConfigId: '',
      },
    ]);
    await viewer.page.goBack();
    expect(new URL(viewer.page.url()).hash).toBe('#/chats');
  });

  test('a preset fills the form, everything can be changed, and its tick for roaming is sent with it', async () => {
    await viewer.open('chats/new');
    await viewer.page.getByLabel('Preset').selectOption('design-review');
    await soon(() => viewer.page.getByLabel('Title').inputValue()).toBe('Design review');
    await viewer.page.getByLabel('Title').fill('Payments');
    await card('Researcher').locator('summary').click();
    await card('Researcher').getByRole('button', { name: 'Remove' }).click();
    await create();
    const understood = card('Max').getByLabel(/^I understand that .* can run arbitrary commands/);
    await card('Max').getByText('Tick the box, or switch roaming off.').waitFor();
    expect(sent('POST /api/chats')).toEqual([]);
    await soon(() => understood.evaluate((box) => box === document.activeElement)).toBe(true);
    await understood.check();
    await create();
    await viewer.page.getByRole('heading', { name: 'Payments' }).waitFor();
    expect(sent('POST /api/chats')).toEqual([
      {
        ...{ preset: 'design-review', title: 'Payments', context: 'We review the payment service.' },
        ...{ maxRounds: 3, files: [], mentions: { caseSensitive: false }, summaryApiConfigId: '' },
        participants: [
          { displayName: 'Jane Doe', persona: 'A careful architect.', colorHex: '#7c3aed', apiConfigId: 'codex' },
          {
            ...{ displayName: 'Max', persona: 'Breaks things on purpose.', colorHex: '#0891b2', apiConfigId: 'claude' },
            roaming: { enabled: true, workspaceDir: '/home/jane/payments', mode: 'safe', confirmed: true },
          },
        ],
      },
    ]);
    expect(viewer.api.bodies.at(-1)?.line).toBe('POST /api/chats');
  });

  test('a box that appears only after the form was sent gets the focus', async () => {
    const release = Promise.withResolvers<void>();
    await viewer.page.route('**/api/roaming-warning?*', async (route) => {
      await release.promise;
      await route.continue();
    });
    await viewer.open('chats/new');
    await viewer.page.getByLabel('Preset').selectOption('design-review');
    await card('Max').waitFor();
    await create();
    await card('Max').getByRole('textbox', { name: 'Folder' }).waitFor();
    release.resolve();
    const understood = card('Max').getByLabel(/^I understand that .* can run arbitrary commands/);
    await soon(() => understood.evaluate((box) => box === document.activeElement)).toBe(true);
    expect(sent('POST /api/chats')).toEqual([]);
  });

  test('Enter in the title creates the chat, and changes no participant', async () => {
    await viewer.open('chats/new');
    const preset = viewer.page.getByLabel('Preset');
    await soon(() => preset.evaluate((field) => field === document.activeElement)).toBe(true);
    await preset.selectOption('design-review');
    await card('Max').locator('summary').click();
    await card('Max').getByRole('switch').uncheck();
    await viewer.page.getByLabel('Title').press('Enter');
    await viewer.page.getByRole('heading', { name: 'Design review' }).waitFor();
    const [{ participants }] = sent('POST /api/chats') as [{ participants: { apiConfigId?: string }[] }];
    expect(participants.map(({ apiConfigId }) => apiConfigId)).toEqual(['codex', 'claude', undefined]);
  });

  test('another folder or mode has to be confirmed again, and a model of an API has no roaming', async () => {
    await viewer.open('chats/new');
    await viewer.page.getByLabel('Preset').selectOption('design-review');
    await card('Max').locator('summary').click();
    const understood = card('Max').getByLabel(/^I understand that .* can run arbitrary commands/);
    await understood.check();
    await card('Max').getByLabel('Yolo').check();
    expect(await understood.isChecked()).toBe(false);
    await understood.check();
    await card('Max').getByLabel('Folder', { exact: true }).fill('/home/jane/other');
    expect(await understood.isChecked()).toBe(false);
    await card('Max').getByLabel('Model API or command-line agent').selectOption('main');
    await soon(() => card('Max').getByLabel('Folder', { exact: true }).count()).toBe(0);
  });

  test('a gap, and an error of the server, stand at their field', async () => {
    await viewer.open('chats/new');
    await viewer.page.getByRole('button', { name: 'Add participant' }).click();
    const name = viewer.page.getByLabel('Display name');
    await create();
    await viewer.page.getByText('Give the participant a name.').waitFor();
    expect(await name.getAttribute('aria-invalid')).toBe('true');
    await name.fill('x'.repeat(81));
    await create();
    await viewer.page.getByText('the name has more than 80 characters').waitFor();
    await soon(() => name.evaluate((field) => field === document.activeElement)).toBe(true);
    const about = await name.getAttribute('aria-describedby');
    expect(await viewer.page.locator(`[id="${about}"]`).textContent()).toBe('the name has more than 80 characters');
    await name.fill('Ada');
    await create();
    await viewer.page.getByRole('button', { name: 'Ada speaks next' }).waitFor();
    expect(sent('POST /api/chats').at(-1)).toMatchObject({
      participants: [{ displayName: 'Ada', apiConfigId: 'main' }],
    });
  });

  test('a folder is chosen by walking through the workspaces, and one that is not allowed says so', async () => {
    await viewer.open('chats/new');
    await viewer.page.getByLabel('Preset').selectOption('design-review');
    await card('Max').locator('summary').click();
    const folder = card('Max').getByLabel('Folder', { exact: true });
    await folder.fill('/nowhere');
    await card('Max').getByText('the folder is not there').waitFor();
    await soon(() =>
      card('Max')
        .getByLabel(/^I understand/)
        .count(),
    ).toBe(0);
    await card('Max').getByRole('button', { name: 'Browse' }).click();
    await card('Max').getByRole('button', { name: 'payments' }).click();
    await card('Max').getByRole('button', { name: 'src' }).click();
    await soon(() => folder.inputValue()).toBe('/home/jane/payments/src');
    await card('Max').getByText('works in a copy of /home/jane/payments/src in mode safe').waitFor();
  });

  test('rounds, files and the case of mentions are sent', async () => {
    await viewer.open('chats/c_review/edit');
    await viewer.page.getByText('Rounds, files, mentions and summary').click();
    await viewer.page.getByLabel('Rounds').fill('5');
    await viewer.page.getByLabel('Files', { exact: true }).fill('./lab/plan.md\n\n ./lab/b.md ');
    await viewer.page.getByLabel('Names in mentions must').check();
    await viewer.page.getByRole('button', { name: 'Save' }).first().click();
    await soon(() => sent('PUT /api/chats/c_review')).toMatchObject([
      { maxRounds: 5, files: ['./lab/plan.md', './lab/b.md'], mentions: { caseSensitive: true } },
    ]);
  });

  test('the API that writes the summary is chosen, shown again, and cleared by the empty choice', async () => {
    const last = () => sent('PUT /api/chats/c_review').at(-1) as { summaryApiConfigId?: string } | undefined;
    const save = () => viewer.page.getByRole('button', { name: 'Save' }).first().click();
    const writer = viewer.page.getByLabel('Summary by');
    await viewer.open('chats/c_review/edit');
    await viewer.page.getByText('Rounds, files, mentions and summary').click();
    await soon(() => writer.inputValue()).toBe('');
    await writer.selectOption('main');
    await save();
    await soon(() => last()?.summaryApiConfigId).toBe('main');
    await viewer.page.getByText('Saved.').waitFor();
    await viewer.page.getByRole('button', { name: 'Back to the chat' }).click();
    await viewer.page.getByRole('button', { name: 'Edit chat' }).click();
    await viewer.page.getByText('Rounds, files, mentions and summary').click();
    await soon(() => writer.inputValue()).toBe('main');
    await writer.selectOption('');
    await save();
    await soon(() => last()?.summaryApiConfigId).toBe('');
  });

  test('a number of rounds that the server refuses is said at its field, which opens and has the focus', async () => {
    await viewer.open('chats/new');
    await viewer.page.getByText('Rounds, files, mentions and summary').click();
    await viewer.page.getByLabel('Rounds').fill('many');
    await viewer.page.getByText('Rounds, files, mentions and summary').click();
    await create();
    const rounds = viewer.page.getByLabel('Rounds');
    await soon(() => rounds.evaluate((field) => field === document.activeElement)).toBe(true);
    await viewer.page.getByText('"maxRounds" must be a non-negative integer').waitFor();
    expect(await rounds.getAttribute('aria-invalid')).toBe('true');
  });

  test('a form that was begun is there again after a look at another page', async () => {
    await viewer.open('chats/new');
    await viewer.page.getByLabel('Title').fill('Begun');
    await viewer.page.locator('.chat-row').first().click();
    await viewer.page.goBack();
    await soon(() => viewer.page.getByLabel('Title').inputValue()).toBe('Begun');
  });

  test('title and context of a chat change', async () => {
    await viewer.open('chats/c_review');
    await viewer.page.getByRole('button', { name: 'Edit chat' }).click();
    await viewer.page.getByLabel('Title').fill('t'.repeat(201));
    await viewer.page.getByRole('button', { name: 'Save' }).first().click();
    await viewer.page.getByText('the title has more than 200 characters').waitFor();
    await viewer.page.getByLabel('Title').fill('Payments');
    await viewer.page.getByLabel('Context').fill('Only the retry.');
    await viewer.page.getByRole('button', { name: 'Save' }).first().click();
    await viewer.page.getByText('Saved.').waitFor();
    expect(sent('PUT /api/chats/c_review').at(-1)).toMatchObject({ title: 'Payments', context: 'Only the retry.' });
    await viewer.page.goBack();
    await viewer.page.getByRole('heading', { name: 'Payments' }).waitFor();
    await viewer.page.getByText('Only the retry.').waitFor();
  });

  test('participants are changed, added and removed; what was confirmed is not sent again', async () => {
    await viewer.open('chats/c_review/edit');
    await card('Max').locator('summary').click();
    await card('Max').getByLabel('Display name').fill('Maxine');
    await card('Maxine').getByRole('button', { name: 'Save' }).click();
    await viewer.page.getByText('Saved.').waitFor();
    const [changed] = sent('PUT /api/chats/c_review/participants/a_max');
    expect(changed).toEqual({
      ...{ displayName: 'Maxine', persona: 'Breaks things on purpose.', colorHex: '#0891b2', apiConfigId: 'claude' },
    });
    await viewer.page.getByRole('button', { name: 'Add participant' }).click();
    const added = viewer.page.locator('.participant-card').last();
    await added.getByRole('button', { name: 'Agent of the config' }).click();
    await added.getByLabel('Display name').fill('Reader');
    await added.getByRole('button', { name: 'Add' }).click();
    await soon(() => sent('POST /api/chats/c_review/participants')).toMatchObject([
      { displayName: 'Reader', agentId: 'research-assistant' },
    ]);
    await card('Jane Doe').locator('summary').click();
    await card('Jane Doe').getByRole('button', { name: 'Remove' }).click();
    await viewer.page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await soon(() => viewer.page.locator('.participant-card summary b').allTextContents()).toEqual([
      'Maxine',
      'Researcher',
      'Reader',
    ]);
  });

  test('a folder that the server refuses is said at its field', async () => {
    await viewer.open('chats/c_review/edit');
    await card('Max').locator('summary').click();
    await card('Max').getByLabel('Folder', { exact: true }).fill('/gone');
    await card('Max')
      .getByLabel(/^I understand that .* can run arbitrary commands/)
      .check();
    await card('Max').getByRole('button', { name: 'Save' }).click();
    await card('Max').getByText('there is no folder /gone').waitFor();
    expect(await card('Max').getByLabel('Folder', { exact: true }).getAttribute('aria-invalid')).toBe('true');
  });
});
