import { expect, test } from 'vitest';
import { makeMail } from '../fake/fixtures.ts';
import { soon } from '../soon.ts';
import { describeLongViewer } from '../viewer.ts';

describeLongViewer('the state of mails in the Inbox', (viewer) => {
  const open = async (place = '') => {
    await viewer.open(`inbox${place}`);
    await viewer.page.getByRole('treeitem').first().waitFor();
  };
  const mail = (id: string) => viewer.api.world.mails.find((entry) => entry.id === id);
  const subjects = () => viewer.page.locator('.tree-row.mail .subject').allTextContents();
  const view = (name: string) => viewer.page.getByRole('button', { name, exact: true }).first().click();

  test('keys set a state, archive and snooze; the selection goes on, and z takes it back', async () => {
    await open('/mail-urgent');
    await viewer.page.getByRole('heading', { name: 'URGENT: production line has stopped' }).waitFor();
    await viewer.page.keyboard.press('4');
    await soon(() => mail('mail-urgent')?.state.value).toBe('done');
    await viewer.page.getByRole('heading', { name: 'Besprechung' }).waitFor();
    await soon(async () => (await subjects()).length).toBe(4);
    await viewer.page.keyboard.press('e');
    await soon(() => mail('mail-meeting')?.state.archived).toBe(true);
    await viewer.page.getByRole('heading', { name: 'Our November newsletter' }).waitFor();
    await viewer.page.keyboard.press('b');
    await viewer.page.getByRole('dialog').getByText('Tomorrow morning').waitFor();
    await viewer.page.keyboard.press('1');
    await soon(() => mail('mail-news')?.state.snoozedUntil).toMatch(/Z$/);
    expect(mail('mail-failed')?.state.value).toBe(null);
    await soon(async () => (await subjects()).length).toBe(2);
    await viewer.page.getByText(/^Snoozed until/).waitFor();
    await viewer.page.keyboard.press('z');
    await soon(() => mail('mail-news')?.state.snoozedUntil).toBe(undefined);
    await viewer.page.getByRole('heading', { name: 'Our November newsletter' }).waitFor();
  });

  test('a view lists its mails, is in the address, and can be saved with a search', async () => {
    viewer.api.world.mails = [
      makeMail('m-1', { subject: 'Paid', state: { value: 'done', setBy: 'user', unread: false, archived: true } }),
      makeMail('m-2', { subject: 'Open' }),
    ];
    await open();
    await soon(subjects).toEqual(['Open']);
    await view('Done');
    await soon(subjects).toEqual(['Paid']);
    await soon(() => viewer.page.url()).toContain('view=done');
    await viewer.page.getByRole('searchbox').fill('pa');
    await viewer.page.getByRole('button', { name: 'Save this search' }).click();
    await soon(() => viewer.page.url()).toContain('q=pa');
    await viewer.page.reload();
    await soon(subjects).toEqual(['Paid']);
    await viewer.page.getByRole('searchbox').fill('');
    await view('Inbox');
    await soon(subjects).toEqual(['Open']);
    await viewer.page.getByLabel('More views').selectOption({ label: 'pa · Done' });
    await soon(subjects).toEqual(['Paid']);
    await viewer.page.getByRole('button', { name: 'Forget this saved search' }).click();
    await soon(() => viewer.page.getByLabel('More views').locator('optgroup').count()).toBe(0);
  });

  test('an unread mail is read once it is opened, and U makes it unread again', async () => {
    const state = { value: null, unread: true, archived: false };
    viewer.api.world.mails = [makeMail('m-1'), makeMail('m-2', { subject: 'News', state })];
    await open('/m-1');
    await viewer.page.getByRole('treeitem', { name: 'News' }).getByLabel('unread').waitFor();
    await viewer.page.keyboard.press('j');
    await soon(() => mail('m-2')?.state.unread).toBe(false);
    await viewer.page.getByLabel('unread', { exact: true }).waitFor({ state: 'detached' });
    await viewer.page.keyboard.press('U');
    await soon(() => mail('m-2')?.state.unread).toBe(true);
  });

  test('the own word of the user can be given back', async () => {
    await open('/mail-urgent');
    await viewer.page.keyboard.press('2');
    const state = viewer.page.getByRole('group', { name: 'State of this e-mail' });
    await state.getByRole('button', { name: 'Waiting', pressed: true }).waitFor();
    await viewer.page.keyboard.press('0');
    await state.getByRole('button', { name: 'Needs me', pressed: true }).waitFor();
    expect(mail('mail-urgent')?.state).toMatchObject({ value: 'needsMe', setBy: 'callsheet' });
  });

  test('a search in the address is made also where it begins before the first page has come', async () => {
    let answer = () => {};
    const isAnswered = new Promise<void>((done) => (answer = done));
    await viewer.page.route(/\/api\/emails\?(?!.*\bq=)/, async (route) => {
      await isAnswered;
      await route.continue();
    });
    const searched = viewer.page.waitForRequest(/\/api\/emails\?.*\bq=urgent/);
    await viewer.open('inbox?q=urgent');
    await searched;
    answer();
    await soon(subjects).toEqual(['URGENT: production line has stopped']);
  });

  test('z takes a snooze back, and the mail is in the archive again', async () => {
    const state = { value: null, unread: false, archived: true };
    viewer.api.world.mails = [makeMail('m-1', { state })];
    await open('/m-1?view=archived');
    await viewer.page.keyboard.press('b');
    await viewer.page.getByRole('dialog').getByText('Tomorrow morning').waitFor();
    await viewer.page.keyboard.press('1');
    await viewer.page.getByText(/^Snoozed until/).waitFor();
    expect(mail('m-1')?.state.archived).toBe(false);
    await viewer.page.keyboard.press('z');
    await soon(() => mail('m-1')?.state).toEqual(state);
  });

  test('z before the server has answered waits for the answer, and takes the newest change back', async () => {
    let answer = () => {};
    const isAnswered = new Promise<void>((done) => (answer = done));
    await viewer.page.route('**/api/emails/mail-meeting/state', async (route) => {
      await isAnswered;
      await route.continue();
    });
    await open('/mail-urgent');
    await viewer.page.getByRole('heading', { name: 'URGENT: production line has stopped' }).waitFor();
    await viewer.page.keyboard.press('4');
    await viewer.page.getByRole('heading', { name: 'Besprechung' }).waitFor();
    await viewer.page.keyboard.press('4');
    await viewer.page.getByRole('heading', { name: 'Our November newsletter' }).waitFor();
    // The older change is answered, and its toast is there; the newer one is not.
    await viewer.page.locator('.toast').getByRole('button', { name: 'Undo' }).waitFor();
    await viewer.page.keyboard.press('z');
    answer();
    await soon(() =>
      viewer.api.requests.filter((line) => line.startsWith('PUT /api/emails/mail-meeting/state')),
    ).toHaveLength(2);
    await viewer.page.getByRole('heading', { name: 'Besprechung' }).waitFor();
    expect(mail('mail-meeting')?.state.value).toBe(null);
    expect(mail('mail-urgent')?.state.value).toBe('done');
  });

  test('marked mails change together', async () => {
    await open('/mail-urgent');
    await viewer.page.keyboard.press('x');
    await viewer.page.keyboard.press('j');
    await viewer.page.keyboard.press('x');
    await viewer.page.getByText('2 marked').waitFor();
    await viewer.page.locator('.marks').getByRole('button', { name: 'Archive' }).click();
    await soon(() => viewer.api.world.mails.filter(({ state }) => state.archived).map(({ id }) => id)).toEqual([
      'mail-urgent',
      'mail-meeting',
    ]);
    await viewer.page.getByText('2 e-mails: Archived.').waitFor();
    await viewer.page.keyboard.press('z');
    await soon(() => viewer.api.world.mails.some(({ state }) => state.archived)).toBe(false);
    // One request for both, there and back.
    const changes = viewer.api.requests.filter((line) => line.startsWith('PUT /api/emails'));
    expect(changes).toHaveLength(2);
    expect(new Set(changes).size).toBe(1);
  });

  test('the mail is readable beside its results without a click, and the filters say why it went there', async () => {
    await open('/mail-invoice');
    await viewer.page.getByText('the invoice 4411 lists a cable twice').waitFor();
    await viewer.page.locator('.card', { hasText: 'Reply draft' }).waitFor();
    await viewer.page.keyboard.press('w');
    await viewer.page.locator('.filter-trace').getByText('clients').first().waitFor();
    await viewer.page.keyboard.press('v');
    await viewer.page.getByText('the invoice 4411 lists a cable twice').waitFor({ state: 'hidden' });
  });
});
