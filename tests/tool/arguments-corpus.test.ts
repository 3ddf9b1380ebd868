import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { builtInToolTable } from '../../engine/src/app/tool-catalog.ts';
import { FAMILIES } from '../../engine/src/tool/registry.ts';
import { corpora } from '../available.ts';
import { call, playModels, resultText, setStage, type Stage } from '../run/harness.ts';

interface Row {
  readonly id: string;
  readonly arguments: string;
  readonly verdict: 'valid' | 'invalid' | 'implementation-defined';
}

const rows: readonly Row[] =
  corpora === undefined
    ? []
    : readFileSync(join(corpora, 'tool-calling', 'arguments.jsonl'), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Row);
const invalid = rows.filter(({ verdict }) => verdict === 'invalid');

describe.skipIf(corpora === undefined)('invalid arguments of the corpus (left out without the corpora)', () => {
  let stage: Stage;
  let name = '';
  beforeAll(async () => {
    const families = FAMILIES.map((family) => family.name).join(', ');
    stage = await setStage({
      files: {
        'directors/boss.yaml': `id: boss\nname: Boss\napiConfigId: main\ntools: [${families}]\npermissions: { allow: ["*"] }\nscope: { notebooks: [lab], operations: [read, write, create, delete] }\n`,
        'settings.yaml': 'roots: { lab: ./lab }\n',
      },
      models: playModels(({ turn }) =>
        turn === 1 ? { tool_calls: invalid.map((row) => call(row.id, name, row.arguments)) } : { content: 'Done.' },
      ),
    });
  });
  afterAll(() => stage.close());

  test('there are some', () => {
    expect(invalid.length).toBeGreaterThan(20);
  });

  test.each([...builtInToolTable().keys()])('%s answers each with an error, and is never called', async (tool) => {
    name = tool;
    const known = stage.app.deps.tools.builtIn.get(tool);
    // A question has no code of its own: an invalid one would park the run, and the test would not end.
    const run = known !== undefined && 'run' in known ? vi.spyOn(known, 'run') : vi.fn();
    const ended = await stage.ended(await stage.begin());
    expect(ended.status).toBe('completed');
    expect(run).not.toHaveBeenCalled();
    run.mockRestore();
    const messages = await stage.messages(ended.dirThreadId);
    const results = messages.flatMap((message) =>
      message.role === 'tool' ? [[message.tool_call_id, JSON.parse(resultText(message.content)) as unknown]] : [],
    );
    const error = {
      error: { code: 'TOOL_ARGUMENTS', message: expect.any(String), hint: expect.any(String) } as object,
    };
    expect(results).toEqual(invalid.map(({ id }) => [id, error]));
  });
});
