import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { forChromium, longChromium } from '../../available.ts';
import { axeViolations } from '../fake/axe.ts';
import { soon } from '../soon.ts';
import { useDeskViewer } from './desk-viewer.ts';

const HELPER = `# The one who helps.
id: helper
name: Helper # short
description: Helps. # for the director
tools: [workspace]
`;
const BOSS = `# Ours.
id: boss
name: Boss
apiConfigId: main # the big one
agents: # in this order
  - helper
  - other
`;

describe.skipIf(longChromium === undefined)(`forms of the config on real files${forChromium}`, () => {
  const viewer = useDeskViewer({
    'agents/helper.yaml': HELPER,
    'agents/other.yaml': 'id: other\nname: Other\n',
    'directors/boss.yaml': BOSS,
    'filters/all.yaml': '# first\nid: all\nfield: Subject\nregex: invoice\ndirectorId: boss\n',
    'settings.yaml': '# settings of ours\nsessionTimeoutMinutes: 20 # minutes\nroots: { clients: ./clients }\n',
  });
  const path = (name: string) => join(viewer.desk.stage.root, 'config', name);
  const text = (name: string) => readFileSync(path(name), 'utf8');
  const openFile = async (name: string, tab = '') => {
    await viewer.open(`config/${encodeURIComponent(`config/${name}`)}${tab}`);
    const id = name.replace(/^.*\/|\.yaml$/g, '');
    await viewer.page.getByRole('heading', { name: id, exact: true, level: 1 }).waitFor();
  };
  const field = (pointer: string) => viewer.page.locator(`[data-path="${pointer}"]`);
  const save = () => viewer.page.getByRole('button', { name: 'Save', exact: true }).click();
  const changed = (name: string) => soon(() => text(name));

  test('a saved form changes one value of the file, and keeps comments and order', async () => {
    await openFile('agents/helper.yaml');
    await viewer.page.getByLabel('Description').fill('Helps a lot.');
    await viewer.page.keyboard.press('Control+Enter');
    await changed('agents/helper.yaml').toBe(HELPER.replace('Helps.', 'Helps a lot.'));
    await soon(() => viewer.desk.stage.app.config.current().agents.get('helper')?.description).toBe('Helps a lot.');
  });

  test('a refused edit says what still runs and what is wrong at its field, and writes nothing', async () => {
    const before = text('agents/helper.yaml');
    await openFile('agents/helper.yaml');
    await field('/tools').getByRole('combobox', { name: 'Add to tools' }).fill('serch');
    await viewer.page.keyboard.press('Enter');
    await field('/tools').getByText('There is no “serch”.').waitFor();
    await save();
    await viewer.page.getByRole('alert').getByText('The config that ran before still runs').waitFor();
    await field('/tools')
      .getByText(/serch.*/)
      .first()
      .waitFor();
    expect(text('agents/helper.yaml')).toBe(before);
    await viewer.page.getByRole('button', { name: 'Discard changes' }).click();
    await soon(() => viewer.page.getByRole('alert').count()).toBe(0);
  });

  test('an edit stays while other pages are open, and is marked in the list', async () => {
    await openFile('agents/other.yaml');
    await viewer.page.getByLabel('Description').fill('half a sent');
    await openFile('agents/helper.yaml');
    await viewer.page
      .getByRole('link', { name: /^other/ })
      .getByText('edited')
      .waitFor();
    await openFile('agents/other.yaml');
    await soon(() => viewer.page.getByLabel('Description').inputValue()).toBe('half a sent');
    await viewer.page.getByRole('button', { name: 'Discard changes' }).click();
  });

  test('a file that changed meanwhile is not written over', async () => {
    await openFile('agents/other.yaml');
    await viewer.page.getByLabel('Description').fill('mine');
    writeFileSync(path('agents/other.yaml'), 'id: other\nname: Other one\n');
    await viewer.desk.services.config.refresh();
    await viewer.page.getByRole('button', { name: 'Drop the edit and load the file' }).click();
    await soon(() => field('/name').getByRole('combobox').inputValue()).toBe('Other one');
    expect(text('agents/other.yaml')).toBe('id: other\nname: Other one\n');
  });

  test('agents are ordered by keys and by drag', async () => {
    await openFile('directors/boss.yaml');
    await field('/agents').getByRole('button', { name: 'Move other', exact: true }).focus();
    await viewer.page.keyboard.press('Alt+ArrowUp');
    await field('/agents').getByText('other is now 1 of 2').waitFor({ state: 'attached' });
    await save();
    const swapped = BOSS.replace('  - helper\n  - other', '  - other\n  - helper');
    await changed('directors/boss.yaml').toBe(swapped);
    await soon(() => viewer.page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
    await field('/agents')
      .getByRole('button', { name: 'Move helper', exact: true })
      .dragTo(field('/agents').locator('li').first());
    await save();
    await changed('directors/boss.yaml').toBe(BOSS);
  });

  test('a prompt is written with completed variables, ordered, previewed and saved', async () => {
    await openFile('directors/boss.yaml');
    const prompt = field('/prompt');
    await prompt.getByRole('button', { name: 'Add message' }).click();
    await prompt.getByLabel('Text of message 1', { exact: true }).fill('Be brief, {{director.nmae}}.');
    await prompt.getByRole('button', { name: 'Add message' }).click();
    await soon(() => prompt.getByLabel('Role of message 2').inputValue()).toBe('user');
    await prompt.getByLabel('Text of message 2', { exact: true }).pressSequentially('About {{email.su');
    await prompt.getByRole('listbox', { name: 'Variables' }).getByText('{{email.subject}}').waitFor();
    await viewer.page.keyboard.press('Enter');
    await soon(() => prompt.getByLabel('Text of message 2', { exact: true }).inputValue()).toBe(
      'About {{email.subject}}',
    );
    await prompt.getByText('Preview', { exact: true }).click();
    await prompt.locator('.unknown-variable').getByText('{{director.nmae}}').waitFor();
    await prompt.getByText(/About \d+ tokens/).waitFor();
    await prompt.getByLabel('Text of message 1', { exact: true }).fill('Be brief.');
    await soon(() => prompt.locator('.unknown-variable').count()).toBe(0);
    await prompt.getByRole('button', { name: 'Move message 2 up' }).click();
    await save();
    await changed('directors/boss.yaml').toBe(
      `${BOSS}prompt:\n  - role: user\n    content: About {{email.subject}}\n  - role: system\n    content: Be brief.\n`,
    );
  });

  test('a prompt becomes a template, and a template is used', async () => {
    await openFile('directors/boss.yaml');
    const prompt = field('/prompt');
    await prompt.getByRole('button', { name: 'Save as template…' }).click();
    await prompt.getByLabel('Id of the new template').fill('brief');
    await prompt.getByRole('button', { name: 'Save template' }).click();
    await soon(() => existsSync(path('prompts/brief.yaml'))).toBe(true);
    expect(text('prompts/brief.yaml')).toContain('content: Be brief.');
    await viewer.page.getByRole('link', { name: /^brief/ }).waitFor();
    await prompt.getByRole('combobox', { name: 'Load the messages of a template' }).selectOption('brief');
    await viewer.page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await prompt.getByLabel('Text of message 2', { exact: true }).fill('Be briefer.');
    await prompt.getByRole('button', { name: 'A template' }).click();
    await prompt.getByRole('button', { name: 'Own messages' }).click();
    await soon(() => prompt.getByLabel('Text of message 2', { exact: true }).inputValue()).toBe('Be briefer.');
    await prompt.getByRole('button', { name: 'A template' }).click();
    await save();
    await changed('directors/boss.yaml').toMatch(/^prompt:\s+\{? ?use: brief/m);
  });

  test('a filter is edited with its pattern tried on a text, and refused constructs explained', async () => {
    await openFile('filters/all.yaml');
    await viewer.page.getByLabel('Try the pattern on a text').fill('Your INVOICE');
    await viewer.page.getByText('It does not match.').waitFor();
    await field('/regex').getByRole('textbox').fill('(?i)invoice');
    await viewer.page.getByText('It matches.').waitFor();
    await field('/regex').getByRole('textbox').fill('(?=invoice)');
    await viewer.page.getByText('look-ahead (?=…) cannot be matched').waitFor();
    await field('/regex').getByRole('textbox').fill('(?i)invoice');
    await save();
    await changed('filters/all.yaml').toBe('# first\nid: all\nfield: Subject\nregex: (?i)invoice\ndirectorId: boss\n');
  });

  test('the key that removes an entry of a map removes the one that has the focus', async () => {
    await openFile('settings.yaml');
    const roots = field('/roots');
    await roots.getByRole('button', { name: 'Add to' }).click();
    const second = roots.getByRole('button', { name: 'Remove name1' });
    await second.press('X');
    await second.waitFor({ state: 'detached' });
    await roots.getByRole('button', { name: 'Remove clients' }).waitFor();
  });

  test('a scope gets a folder that is chosen inside the notebooks', async () => {
    mkdirSync(join(viewer.desk.stage.root, 'clients/ray'), { recursive: true });
    await openFile('agents/helper.yaml');
    await field('/scope').getByText('Scope', { exact: true }).click();
    const picker = viewer.page.getByRole('group', { name: 'Choose a folder' });
    await picker.getByRole('button', { name: 'clients' }).click();
    await picker.getByRole('button', { name: 'ray' }).click();
    await picker.getByText('clients: /ray').waitFor();
    await picker.getByRole('button', { name: 'Add this folder' }).click();
    await save();
    await changed('agents/helper.yaml').toMatch(/scope:\n {2}notebooks:\n {4}- clients\n {2}folders:\n {4}- \/ray\/\n/);
  });

  test('a shape without fields is edited as YAML', async () => {
    await openFile('agents/helper.yaml');
    await field('/output').getByText('Output', { exact: true }).click();
    await field('/output/schema').getByRole('textbox').fill('type: object\nproperties: { mood: { type: string } }');
    await save();
    await changed('agents/helper.yaml').toContain('output:\n  schema:\n    type: object\n');
    expect(text('agents/helper.yaml')).toContain('# The one who helps.');
  });

  test('what is written while YAML is read stays', async () => {
    let answer = () => {};
    const isAnswered = new Promise<void>((done) => (answer = done));
    await openFile('agents/other.yaml');
    await field('/output').getByText('Output', { exact: true }).click();
    const box = field('/output/schema').getByRole('textbox');
    await viewer.page.route('**/api/config/yaml', async (route) => {
      await isAnswered;
      await route.continue();
    });
    const asked = viewer.page.waitForRequest('**/api/config/yaml');
    await box.fill('type: object');
    await asked;
    await viewer.page.getByLabel('Description').fill('Written meanwhile.');
    answer();
    await soon(() => viewer.page.getByRole('button', { name: 'Save', exact: true }).isEnabled()).toBe(true);
    expect(await viewer.page.getByLabel('Description').inputValue()).toBe('Written meanwhile.');
    await viewer.page.unroute('**/api/config/yaml');
    await viewer.page.getByRole('button', { name: 'Discard changes' }).click();
  });

  test('settings are edited as numbers with their unit', async () => {
    await openFile('settings.yaml');
    await field('/sessionTimeoutMinutes').getByText('minutes', { exact: true }).waitFor();
    await field('/sessionTimeoutMinutes').getByRole('textbox').fill('30');
    await save();
    await changed('settings.yaml').toContain('sessionTimeoutMinutes: 30 # minutes');
  });

  test('a document is created with what its kind requires, and deleted', async () => {
    await viewer.open('config/new/api');
    await viewer.page.getByRole('heading', { name: 'New: Model APIs', exact: true }).waitFor();
    await viewer.page.getByRole('textbox', { name: 'Id (required)' }).fill('spare');
    await viewer.open('config');
    await viewer.page.getByRole('heading', { name: 'New: Model APIs', exact: true }).waitFor({ state: 'detached' });
    await viewer.open('config/new/api');
    await soon(() => viewer.page.getByRole('textbox', { name: 'Id (required)' }).inputValue()).toBe('spare');
    await field('/provider').getByRole('combobox').selectOption('ollama');
    await field('/model').locator('input').fill('llama3.2');
    const created: string[] = [];
    viewer.page.on('request', (request) => request.method() === 'POST' && created.push(request.url()));
    await viewer.page.getByRole('button', { name: 'Create' }).dblclick();
    await viewer.page.getByRole('heading', { name: 'spare', level: 1 }).waitFor();
    expect(created).toHaveLength(1);
    expect(text('apis/spare.yaml')).toContain('provider: ollama\nmodel: llama3.2\n');
    await viewer.page.getByRole('button', { name: 'Delete spare' }).click();
    await viewer.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await soon(() => existsSync(path('apis/spare.yaml'))).toBe(false);
  });

  test('source shows a problem in place, and the banner what still runs', async () => {
    const good = text('agents/other.yaml');
    writeFileSync(path('agents/other.yaml'), 'id: other\nname: Other one\ntools: [serch]\n');
    await viewer.desk.services.config.refresh();
    await openFile('agents/other.yaml', '/source');
    await viewer.page.locator('.source-lines .has-problem').getByText('serch').first().waitFor();
    expect(await viewer.page.locator('.caret').textContent()).toBe(`${' '.repeat(8)}^`);
    await viewer.page.locator('.banner').getByText('An edit was rejected.').waitFor();
    writeFileSync(path('agents/other.yaml'), good);
    await viewer.desk.services.config.refresh();
    await soon(() => viewer.page.locator('.banner').count()).toBe(0);
  });

  test('effective values and uses are those that run', async () => {
    await openFile('directors/boss.yaml', '/effective');
    await viewer.page.locator('.effective').getByText('mode: orchestrate').waitFor();
    await openFile('directors/boss.yaml', '/uses');
    await viewer.page.getByRole('link', { name: 'filters/all' }).waitFor();
    await viewer.page.getByRole('link', { name: 'agents/helper' }).click();
    await viewer.page.getByRole('heading', { name: 'helper', level: 1 }).waitFor();
  });

  test('a pasted mail is tried: which filters match, which director and agents get it', async () => {
    await viewer.open('config/try');
    await viewer.page.getByText('Paste the source of an e-mail').click();
    await viewer.page.getByLabel('Source of an e-mail').fill('From: ada@example.org\nSubject: Invoice 4411\n\nHello.');
    await viewer.page.getByRole('button', { name: 'Try it' }).click();
    await viewer.page.getByText('would take this e-mail now. Its agents: helper, other.').waitFor();
  });

  test('the map is walked by keys and leads to the files', async () => {
    await viewer.open('config/map');
    const first = viewer.page.getByRole('link', { name: /^Account inbox: to all/ });
    await first.focus();
    await viewer.page.keyboard.press('ArrowRight');
    await viewer.page
      .getByRole('link', { name: /^Filter all: from inbox; to boss/ })
      .and(viewer.page.locator(':focus'))
      .waitFor();
    await viewer.page.keyboard.press('ArrowRight');
    await viewer.page
      .getByRole('link', { name: /^Director boss/ })
      .and(viewer.page.locator(':focus'))
      .waitFor();
    expect(await axeViolations(viewer.page, 'light')).toEqual([]);
    await viewer.page.keyboard.press('Enter');
    await viewer.page.getByRole('heading', { name: 'boss', level: 1 }).waitFor();
  });

  test('the signature of an account is written into its file', async () => {
    await viewer.open('accounts');
    await viewer.page.getByRole('button', { name: 'Edit signature of inbox' }).click();
    await viewer.page.getByLabel('Text of the signature of inbox').fill('Kind regards\nAnn');
    await viewer.page.getByRole('button', { name: 'Save signature' }).click();
    await changed('accounts/inbox.yaml').toContain('signature: |-\n  Kind regards\n  Ann');
    await viewer.page.locator('.account-signature pre').getByText('Kind regards').waitFor();
  });

  test('without a key the page Accounts has the command that makes one', async () => {
    await viewer.open('accounts');
    await viewer.page.getByText('are not encrypted').waitFor();
    await viewer.page.getByText('key=$(npx callsheet key make) && printf').waitFor();
  });
});
