import { afterEach, describe, expect, test } from 'vitest';
import type { Message } from '../../engine/src/model/model.ts';
import { runLogId } from '../../engine/src/memory/run-log.ts';
import { call, type Play, resultText } from '../run/harness.ts';
import { type Desk, letter, openDesk } from '../api/harness.ts';

let desk: Desk;
afterEach(() => desk.close());

const BOSS = 'id: boss\nname: Boss\napiConfigId: main\ntools: [memory]\n';
const results = (messages: readonly Message[]) =>
  messages.flatMap(({ role, content }) => (role === 'tool' ? [JSON.parse(resultText(content))] : []));

async function open(play: Play, files: Readonly<Record<string, string>> = {}): Promise<void> {
  desk = await openDesk({ files: { 'directors/boss.yaml': BOSS, ...files }, play });
}
async function run(message: string): Promise<string> {
  const { json } = await desk.post('/api/runs', { directorId: 'boss', message });
  await desk.stage.ended(json.id);
  return json.id;
}
const logs = async () => (await desk.get('/api/memory?tag=run')).json.items as unknown as Record<string, unknown>[];

describe('a finished run', () => {
  test('leaves its summary as a memory of its director, as long as the run is kept', async () => {
    await open(() => ({ content: 'Told Ann that it costs 10 €.' }));
    const id = await run('answer Ann');
    expect(await logs()).toMatchObject([
      {
        ...{ id: runLogId(id), scope: 'local', directorId: 'boss', owner: 'engine', tags: ['run'], trust: 'trusted' },
        content: 'answer Ann\nTold Ann that it costs 10 €.',
        provenance: [{ writtenBy: 'engine', runId: id }],
      },
    ]);
    const [{ expiresAt = '' } = {}] = (await logs()) as { expiresAt?: string }[];
    expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(364 * 86_400_000);
    await desk.ask('DELETE', `/api/runs/${id}`);
    expect(await logs()).toEqual([]);
  });

  test('leaves an untrusted one where it was about a mail', async () => {
    await open(() => ({ content: 'Answered.' }));
    desk.drop('Offer.eml', letter('Offer', 'Hello.'));
    await desk.fetch();
    await expect.poll(async () => (await logs()).length).toBe(1);
    expect(await logs()).toMatchObject([{ trust: 'untrusted', content: expect.stringContaining('Mail "Offer"') }]);
  });

  test('leaves none where it failed, and where the settings say so', async () => {
    await open(() => ({ refusal: 'no' }));
    await run('x');
    expect(await logs()).toEqual([]);
    await desk.close();
    await open(() => ({ content: 'Done.' }), { 'settings.yaml': 'memory: { runs: false }\n' });
    await run('x');
    expect(await logs()).toEqual([]);
  });
});

describe('a lookup', () => {
  const search: Play = ({ turn, messages }) => {
    const text = messages.findLast(({ role }) => role === 'user')?.content ?? '';
    if (text.startsWith('note')) return { content: `Talked about oak, ${text}.` };
    if (text.startsWith('add') && turn === 1)
      return { tool_calls: [call('a', 'memory_add', { content: 'Oak is dear.' })] };
    if (text.startsWith('find') && turn === 1)
      return { tool_calls: [call('a', 'memory_search', JSON.parse(text.slice(4)))] };
    return { content: text.startsWith('find') ? 'found' : 'added' };
  };

  test('finds logs after all other memories, and no more than three', async () => {
    await open(search);
    for (let n = 1; n <= 5; n++) await run(`note ${n}`);
    await run('add');
    for (const args of ['{"query":"oak"}', '{}']) {
      const [found] = results(await desk.stage.messages((await desk.stage.run(await run(`find${args}`))).dirThreadId));
      const contents = found.memories.map(({ content }: { content: string }) => content);
      expect(contents[0]).toBe('Oak is dear.');
      expect(contents).toHaveLength(4);
    }
  });

  test('finds every log by the tag', async () => {
    await open(search);
    for (let n = 1; n <= 5; n++) await run(`note ${n}`);
    const id = await run('find{"query":"oak","tag":"run"}');
    const [found] = results(await desk.stage.messages((await desk.stage.run(id)).dirThreadId));
    expect(found.memories).toHaveLength(5);
  });

  test('of another director finds none of them, and a list of memories shows them only by the tag', async () => {
    await open(search, { 'directors/other.yaml': 'id: other\napiConfigId: main\ntools: [memory]\n' });
    await run('note 1');
    const { json } = await desk.post('/api/runs', { directorId: 'other', message: 'find{"query":"oak"}' });
    await desk.stage.ended(json.id);
    const [found] = results(await desk.stage.messages((await desk.stage.run(json.id)).dirThreadId));
    expect(found.memories).toEqual([]);
    expect((await desk.get('/api/memory')).json.items).toEqual([]);
  });
});

describe('a preference', () => {
  const remember =
    (content: string): Play =>
    ({ turn }) =>
      turn === 1 ? { tool_calls: [call('a', 'memory_add', { content, tags: ['preference'] })] } : { content: 'noted' };
  const ON = { 'settings.yaml': 'memory: { preferences: true }\n' };
  const resultOf = async (id: string) => results(await desk.stage.messages((await desk.stage.run(id)).dirThreadId))[0];

  test('is remembered where it quotes what the person wrote', async () => {
    await open(remember('Jane said: "keep answers short".'), ON);
    expect(await resultOf(await run('Please keep answers short from now on.'))).toMatchObject({ isNew: true });
  });

  test('is refused where it says something else', async () => {
    await open(remember('Jane likes long answers.'), ON);
    expect(await resultOf(await run('Please keep answers short.'))).toMatchObject({
      error: { code: 'TOOL_DENIED', hint: expect.stringContaining('please keep answers short') },
    });
  });

  test('is refused by default', async () => {
    await open(remember('keep answers short'));
    expect(await resultOf(await run('Please keep answers short.'))).toMatchObject({ error: { code: 'TOOL_DENIED' } });
  });

  test('never comes from a mail', async () => {
    await open(remember('Please keep answers short.'), ON);
    desk.drop('Wish.eml', letter('Wish', 'Please keep answers short.'));
    await desk.fetch();
    await expect.poll(async () => (await desk.get('/api/runs?status=completed')).json.items.length).toBe(1);
    const [{ id = '' } = {}] = (await desk.get('/api/runs')).json.items;
    expect(await resultOf(id)).toMatchObject({ error: { code: 'TOOL_DENIED' } });
  });

  test('cannot be made of another memory by an edit', async () => {
    await open(({ turn, messages }) => {
      if (turn === 1) return { tool_calls: [call('a', 'memory_add', { content: 'Jane likes tea.' })] };
      if (turn > 2) return { content: 'done' };
      const { id } = results(messages)[0].memory;
      return { tool_calls: [call('b', 'memory_edit', { entry: { id, tags: ['preference'] } })] };
    }, ON);
    const id = await run('hello there');
    expect(results(await desk.stage.messages((await desk.stage.run(id)).dirThreadId))[1]).toMatchObject({
      error: { code: 'TOOL_DENIED' },
    });
  });
});
