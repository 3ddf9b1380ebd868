import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isRecord } from '../../engine/src/base/json.ts';
import { ArgumentChecker } from '../../engine/src/tool/arguments.ts';
import { MAX_RESULT_CHARACTERS } from '../../engine/src/tool/result-limit.ts';
import type { Tool, WorldTool } from '../../engine/src/tool/tool.ts';
import type { ToolFamily } from '../../engine/src/tool/tool-family.ts';
import { toolServices } from '../tool/tool-services.ts';
import type { Stage } from '../run/harness.ts';
import { openToolStage, SECRET, type ToolStage } from './tool-stage.ts';
import { type Fault, faultsOf } from './tool-faults.ts';

/** Arguments, or a function that makes them on the stage from the results of `before`. */
type SampleArguments = object | ((stage: Stage, results: readonly unknown[]) => object | Promise<object>);

/** What the contract needs to know of one tool: how it declares itself, and a call that succeeds. */
export interface ToolRow {
  readonly effects: Tool['effects'];
  readonly reach?: Tool['reach'];
  /** Of a read or a write. */
  readonly repeat?: WorldTool['repeat'];
  /** Arguments of a call that succeeds on the stage of the family, any number of times. */
  readonly args: SampleArguments;
  /** Calls that the same run makes before the sample. */
  readonly before?: readonly (readonly [tool: string, args: object])[];
  /** For a write: how often it has happened, as its place in the world shows. */
  readonly count?: (stage: Stage) => number | Promise<number>;
}

/** The rows of a family, one a tool, and the stage that their calls need: an app with a folder account `inbox`. */
export interface FamilyRows {
  /** Config files of the stage, by path. The director is `boss`, with the tools of the family, all allowed. */
  readonly files?: Readonly<Record<string, string>>;
  /** Called once on the open stage, such as to put files in place. */
  readonly prepare?: (stage: Stage) => void | Promise<void>;
  readonly tools: Readonly<Record<string, ToolRow>>;
}

/** The contract of every tool of a family, on a real app. */
export function describeToolFamily({ name, tools }: ToolFamily, rows: FamilyRows): void {
  describeTools(`the tools of the family ${name}`, [name], tools(toolServices()), rows);
}

/** The contract of tools that the director of the stage names so in `tools`. */
export function describeTools(
  title: string,
  names: readonly string[],
  tools: readonly Tool[],
  { tools: rows, ...options }: FamilyRows,
): void {
  describe(title, () => {
    let stage: ToolStage;
    beforeAll(async () => {
      stage = await openToolStage(names, options);
    });
    afterAll(() => stage.close());

    test('each have a row, and each row has its tool', () => {
      expect(Object.keys(rows).sort()).toEqual(tools.map(({ name }) => name).sort());
    });
    for (const tool of tools) {
      const row = rows[tool.name];
      if (row !== undefined) describeTool(tool, row, () => stage);
    }
  });
}

function describeTool(tool: Tool, row: ToolRow, stageOf: () => ToolStage): void {
  const { name } = tool;
  const argsOf = async (results: readonly unknown[] = []) =>
    typeof row.args === 'function' ? row.args(stageOf().stage, results) : row.args;
  const beforeOf = () => row.before ?? [];

  describe(name, () => {
    test('declares its effects, its reach, and how a write is repeated', () => {
      const { effects, reach } = tool;
      const repeat = 'repeat' in tool ? tool.repeat : undefined;
      expect({ effects, reach, repeat }).toEqual({ effects: row.effects, reach: row.reach, repeat: row.repeat });
      expect(repeat === 'free').toBe(effects === 'read');
      expect('reconcile' in tool && tool.reconcile !== undefined).toBe(repeat === 'lookup');
    });

    test('describes itself and each of its parameters', () => {
      expect(name).toMatch(/^[a-z][A-Za-z0-9_-]{0,63}$/);
      expect(tool.description).toMatch(/^[A-Z].*\.$/s);
      expect(undescribed(tool.parameters)).toEqual([]);
    });

    test('succeeds with the sample arguments', async () => {
      const [result] = await stageOf().call(name, [(results) => argsOf(results)], beforeOf());
      expect(result).not.toMatchObject({ error: expect.anything() as unknown });
    });

    test('checks arguments before it runs, and says what is wrong', async () => {
      const sample = await argsOf(beforeOf().map(() => ({ item: { id: 'x' } })));
      const faults = faultsOf(tool.parameters, sample);
      const run = stageOf().spy(name);
      const results = await stageOf().call(
        name,
        faults.map(({ text }) => text),
      );
      expect(run).not.toHaveBeenCalled();
      expect(faults.map((fault, n) => complaint(fault, results[n])).filter((text) => text !== '')).toEqual([]);
    });

    test('shows no secret in results and errors', async () => {
      const run = stageOf().spy(name);
      run.mockResolvedValueOnce({ found: SECRET, list: [`x${SECRET}y`] });
      run.mockRejectedValueOnce(new Error(`the server says ${SECRET}`));
      const args = (results: readonly unknown[]) => argsOf(results);
      const shown = await stageOf().call(name, [args, args, `{"${SECRET}": "${SECRET}"}`], beforeOf());
      expect(JSON.stringify(shown)).toContain('[redacted]');
      expect(JSON.stringify(shown) + (await stageOf().stored())).not.toContain(SECRET);
    });

    test('marks a result that was truncated', async () => {
      stageOf()
        .spy(name)
        .mockResolvedValueOnce({ text: 'x'.repeat(2 * MAX_RESULT_CHARACTERS) });
      const [result] = await stageOf().call(name, [(results) => argsOf(results)], beforeOf());
      expect(JSON.stringify(result).length).toBeLessThanOrEqual(MAX_RESULT_CHARACTERS);
      expect(result).toMatchObject({ truncated: true, text: expect.stringContaining('[truncated: ') as string });
    });

    if ('repeat' in tool) describeWorld(name, row, stageOf, () => argsOf());
  });
}

/** The part of the contract for tools that leave our store. */
function describeWorld(name: string, row: ToolRow, stageOf: () => ToolStage, argsOf: () => Promise<object>): void {
  const setUp = async () => {
    const { tool, caller, stage } = stageOf().world(name);
    const args = await checkedArguments(tool, await argsOf());
    const count = async () => (await row.count?.(stage)) ?? 0;
    const run = (key: string, signal = new AbortController().signal) => tool.run(args, { caller, key, signal });
    return { tool, caller, args, count, run };
  };

  test('rejects with the reason of an aborted signal, and does nothing', async () => {
    const { run, count } = await setUp();
    const before = await count();
    const reason = new Error('cancelled by the test');
    await expect(run('aborted', AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(await count()).toBe(before);
  });

  if (row.effects === 'read') return;
  test('counts what it does', async () => {
    const { run, count } = await setUp();
    expect(row.count).toBeTypeOf('function');
    const before = await count();
    await run('counted');
    expect(await count()).toBeGreaterThan(before);
  });

  if (row.repeat === 'key')
    test('happens once for one key, with the same result', async () => {
      const { run, count } = await setUp();
      const result = await run('twice');
      const after = await count();
      expect(await run('twice')).toEqual(result);
      expect(await count()).toBe(after);
    });

  if (row.repeat === 'lookup')
    test('finds an earlier attempt by its key', async () => {
      const { tool, caller, args, run, count } = await setUp();
      const signal = new AbortController().signal;
      const find = () => tool.reconcile?.(args, { caller, key: 'looked-up', signal });
      expect(await find()).toBeUndefined();
      await run('looked-up');
      const after = await count();
      expect(await find()).toBeDefined();
      expect(await count()).toBe(after);
    });
}

async function checkedArguments(tool: WorldTool, args: object): Promise<Parameters<WorldTool['run']>[0]> {
  return new ArgumentChecker().check(args, tool.parameters);
}

/** Why the result of a faulty call is not what a model needs; `''` where it is. */
function complaint({ name, names }: Fault, result: unknown): string {
  const error = isRecord(result) ? result['error'] : undefined;
  if (!isRecord(error)) return `${name}: no error`;
  const { code, message, hint } = error;
  if (code !== 'TOOL_ARGUMENTS') return `${name}: ${String(code)}`;
  if (typeof hint !== 'string') return `${name}: no hint`;
  return String(message).includes(names) ? '' : `${name}: ${String(message)} does not name ${names}`;
}

/** Parameters of a schema without a description, by path. */
function undescribed(schema: object, path = ''): string[] {
  const properties = 'properties' in schema && isRecord(schema.properties) ? schema.properties : {};
  return Object.entries(properties).flatMap(([key, value]) => {
    if (!isRecord(value)) return [];
    const isContainer = isRecord(value['properties']);
    const own = typeof value['description'] === 'string' || isContainer ? [] : [path + key];
    return [...own, ...undescribed(value, `${path}${key}.`)];
  });
}
