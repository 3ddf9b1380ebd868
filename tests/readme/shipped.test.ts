import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { validateConfig } from '../../engine/src/config/validate-folder.ts';
import { createDecider } from '../../engine/src/filter/decide.ts';
import { readMail } from '../../engine/src/mail/parse/parse-mail.ts';
import type { Message, ModelRequest } from '../../engine/src/model/model.ts';
import { createScripted } from '../../engine/src/model/scripted/scripted.ts';
import { envelope } from '../../engine/src/mail/envelope.ts';
import { root } from '../available.ts';
import { checksWith } from './documents.ts';
import { shippedFilters, shippedScript } from './shipped.ts';

const samples = readdirSync(join(root, 'samples')).filter((name) => name.endsWith('.eml'));

const read = (name: string) =>
  readMail(readFileSync(join(root, 'samples', name)), {
    id: name,
    accountId: 'archive',
    ownAddresses: ['me@example.org'],
    receivedAt: '2026-11-21T10:00:00.000Z',
    labels: [],
    readsLabelHeaders: false,
  });

describe('the shipped config', () => {
  const validate = (env: Readonly<Record<string, string>>) =>
    validateConfig({ dir: join(root, 'config'), ...checksWith(env) });

  test('has no problem where a key is set', async () => {
    expect((await validate({ OPENAI_API_KEY: 'set' })).problems).toEqual([]);
  });

  test('warns of nothing but the missing key where none is set', async () => {
    const { problems } = await validate({});
    expect(problems.map(({ code, file }) => ({ code, file }))).toEqual([
      { code: 'CONFIG_ENV_UNSET', file: 'config/apis/main.yaml' },
    ]);
  });
});

describe('the sample mails', () => {
  test('are a dozen or so', () => {
    expect(samples.length).toBeGreaterThanOrEqual(12);
  });

  test.each(samples)('%s names nobody outside the domains that are kept for examples', (name) => {
    const addresses = readFileSync(join(root, 'samples', name), 'utf8').match(/[\w.+-]+@[\w.-]*\w/g) ?? [];
    expect(addresses.filter((address) => !/@example\.(com|org|net)$/.test(address))).toEqual([]);
    expect(addresses.length).toBeGreaterThan(0);
  });

  test.each(samples)('%s has a sender, a subject, a date, an id and a text', async (name) => {
    const { summary, content, notes } = await read(name);
    expect(summary.from[0]?.address).toMatch(/@example\./);
    for (const value of [summary.subject, summary.date, summary.messageId, content.text]) expect(value).not.toBe('');
    expect(notes).toEqual([]);
  });

  test('hold attachments of several kinds, an inline image, HTML with a remote image, a thread, a list and a machine', async () => {
    const mails = await Promise.all(samples.map(read));
    const attachments = mails.flatMap(({ summary }) => summary.attachments);
    expect([...new Set(attachments.map(({ mimeType }) => mimeType))].sort()).toEqual([
      'application/pdf',
      'image/png',
      'text/csv',
      'text/plain',
    ]);
    expect(attachments.some(({ inline, contentId }) => inline && contentId !== '')).toBe(true);
    expect(mails.some(({ content }) => /<img[^>]+src="https:/.test(content.html))).toBe(true);
    const ids = mails.map(({ summary }) => summary.messageId);
    expect(mails.some(({ summary }) => ids.includes(summary.inReplyTo))).toBe(true);
    expect(mails.filter(({ summary }) => summary.list)).toHaveLength(1);
    expect(mails.filter(({ summary }) => summary.autoSubmitted)).toHaveLength(1);
  });
});

describe('the filters', () => {
  const manager = ['client-manager'];

  test.each([
    { name: '01-invoice-question.eml', directors: manager, by: ['vip-clients'] },
    { name: '02-urgent-booking-page.eml', directors: ['client-manager', 'on-call'], by: ['urgent', 'urgent'] },
    { name: '03-angebot-broschuere.eml', directors: manager, by: ['everyone-else'] },
    { name: '04-merci-pour-hier.eml', directors: manager, by: ['everyone-else'] },
    { name: '05-mover-la-reunion.eml', directors: manager, by: ['everyone-else'] },
    { name: '06-proofs-are-ready.eml', directors: manager, by: ['everyone-else'] },
    { name: '07-the-right-green.eml', directors: manager, by: ['vip-clients'] },
    { name: '08-meeting-on-tuesday.eml', directors: manager, by: ['everyone-else'] },
    { name: '09-re-meeting-on-tuesday.eml', directors: manager, by: ['everyone-else'] },
    { name: '10-troisieme-relance.eml', directors: manager, by: ['everyone-else'] },
    { name: '11-worried-about-the-deadline.eml', directors: manager, by: ['everyone-else'] },
    { name: '12-you-made-our-day.eml', directors: manager, by: ['vip-clients'] },
    { name: '13-newsletter.eml', directors: ['reading-list'], by: ['newsletters'] },
    { name: '14-automatic-reply.eml', directors: [], by: [] },
  ])('send $name to $directors', async ({ name, directors, by }) => {
    const { summary: mail, content } = await read(name);
    const subject = { mail, headers: content.headers, bodyText: content.bodyText };
    const scopes = { 'client-manager': {}, 'on-call': {}, 'reading-list': {} };
    const decision = createDecider().decide(subject, await shippedFilters(root, checksWith({})), scopes);
    expect(decision.directors.map(({ directorId }) => directorId)).toEqual(directors);
    expect(decision.directors.map(({ filterId }) => filterId)).toEqual(by);
  });
});

describe('the scripted model', () => {
  /** What an actor calls or says when it is asked `text`. */
  async function ask(role: ModelRequest['role'], actorId: string, text: string) {
    const model = createScripted(await shippedScript(root, checksWith({})));
    const { message } = await model.ask({
      role,
      actorId,
      turn: 1,
      tools: [],
      messages: [{ role: 'user', content: text }],
    });
    const calls = (message.tool_calls ?? []).map(({ function: { name, arguments: args } }) => ({
      name,
      args: JSON.parse(args) as Record<string, string>,
    }));
    return { calls, said: message.content };
  }

  test.each([
    { name: '02-urgent-booking-page.eml', mood: 'Under pressure', reply: 'looking into it right now' },
    { name: '03-angebot-broschuere.eml', mood: 'Calm', reply: 'vielen Dank für Ihre Nachricht „Rückfrage zum Angebot' },
    {
      name: '04-merci-pour-hier.eml',
      mood: 'Delighted',
      reply: '« Merci pour hier soir ! » m’a fait très plaisir',
    },
    { name: '05-mover-la-reunion.eml', mood: 'Apologetic', reply: 'Gracias por tu propuesta' },
    { name: '06-proofs-are-ready.eml', mood: 'Calm', reply: 'thank you for your message' },
    { name: '07-the-right-green.eml', mood: 'Calm', reply: 'thank you for your message' },
    { name: '08-meeting-on-tuesday.eml', mood: 'Calm', reply: 'thank you for your suggestion' },
    { name: '09-re-meeting-on-tuesday.eml', mood: 'Calm', reply: 'thank you for your suggestion' },
    { name: '10-troisieme-relance.eml', mood: 'Angry', reply: 'je m’en occupe tout de suite' },
    { name: '11-worried-about-the-deadline.eml', mood: 'Worried', reply: 'looking into it right now' },
    { name: '12-you-made-our-day.eml', mood: 'Delighted', reply: '"You made our day 🎉" made my day, too' },
  ])('answers $name with the mood "$mood" and a fitting draft', async ({ name, mood, reply }) => {
    const { summary, content } = await read(name);
    const { calls } = await ask('director', 'client-manager', envelope(summary, content, '0123456789ab'));
    expect(calls.map((call) => call.name)).toEqual(['agent__psychologist', 'agent__responder']);
    const [note, draft] = await Promise.all([
      ask('agent', 'psychologist', calls[0]?.args['input'] ?? ''),
      ask('agent', 'responder', calls[1]?.args['input'] ?? ''),
    ]);
    expect(note.calls).toMatchObject([{ name: 'workspace_add_item', args: { label: 'Mood' } }]);
    expect(note.calls[0]?.args['data']).toMatch(new RegExp(`^\\*\\*${mood}`));
    expect(draft.calls).toMatchObject([
      { name: 'workspace_add_item', args: { label: 'Reply draft', mimeType: 'text/plain' } },
    ]);
    expect(draft.calls[0]?.args['data']).toContain(reply);
    for (const item of [note, draft]) expect(item.calls[0]?.args['description']).toBe('Scripted, no AI');
  });

  test('looks up the prices for a question about an invoice, and quotes them in the draft', async () => {
    const { summary, content } = await read('01-invoice-question.eml');
    const { calls } = await ask('director', 'client-manager', envelope(summary, content, '0123456789ab'));
    const task = calls[1]?.args['input'] ?? '';
    expect((await ask('agent', 'psychologist', task)).calls[0]?.args['data']).toMatch(/^\*\*Calm/);
    const messages: Message[] = [{ role: 'user', content: task }];
    const model = createScripted(await shippedScript(root, checksWith({})));
    const askTurn = (turn: number) => model.ask({ role: 'agent', actorId: 'responder', turn, tools: [], messages });
    const { message } = await askTurn(1);
    const [call] = message.tool_calls ?? [];
    expect(call?.function.name).toBe('filesystem_retrieve');
    const { virtualRoot, filePath } = JSON.parse(call?.function.arguments ?? '') as Record<string, string>;
    const text = readFileSync(join(root, virtualRoot ?? '', filePath ?? ''), 'utf8');
    messages.push(message, { role: 'tool', tool_call_id: call?.id ?? '', content: JSON.stringify({ text }) });
    const draft = (await askTurn(2)).message.tool_calls?.[0]?.function;
    expect(draft?.name).toBe('workspace_add_item');
    expect(draft?.arguments).toContain('thank you for your message \\"Invoice 4411');
    expect(draft?.arguments).toContain('each further round is 30.00');
  });

  test('notes a to-do once the draft lies in the workspace, and then says that it did', async () => {
    const model = createScripted(await shippedScript(root, checksWith({})));
    const messages: Message[] = [{ role: 'user', content: 'Subject: Proofs\n\nAre they ready?' }];
    const said: unknown[] = [];
    for (let turn = 1; turn <= 3; turn++) {
      const { message } = await model.ask({ role: 'agent', actorId: 'responder', turn, tools: [], messages });
      said.push(message.tool_calls?.map(({ function: { name } }) => name) ?? message.content);
      messages.push(message);
      for (const { id } of message.tool_calls ?? []) messages.push({ role: 'tool', tool_call_id: id, content: '{}' });
    }
    expect(said).toEqual([
      ['workspace_add_item'],
      ['todo_add'],
      expect.stringMatching(/to-do list.*\(scripted, no AI\)/s) as string,
    ]);
  });

  test('says so where no rule of a director of one’s own fits', async () => {
    expect((await ask('director', 'somebody', 'Hello')).said).toContain('scripted, no AI');
  });
});
