import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type MockInstance, vi } from 'vitest';
import type { Caller, Tool, WorldTool } from '../../engine/src/tool/tool.ts';
import { letter } from '../api/harness.ts';
import { call, playModels, resultText, setStage, type Stage } from '../run/harness.ts';

/** A secret that the engine knows; no result and no error may show it. */
export const SECRET = 'sk-contract-0123456789abcdef';

type Results = readonly unknown[];
/** Arguments as a text, or made from the results of the calls before. */
type Given = string | ((results: Results) => object | Promise<object>);

/** An app whose director `boss` calls tools as the contract says. */
export interface ToolStage {
  readonly stage: Stage;
  /** A run about the mail of the stage makes the calls of `before`, each in a turn, then all of `given` in one. */
  call(tool: string, given: readonly Given[], before?: readonly (readonly [string, object])[]): Promise<Results>;
  /** Watches the calls of a tool, and may replace their results. Ends with the next call of `spy`. */
  spy(tool: string): MockInstance<(...args: never) => Promise<unknown>>;
  /** The tool for direct calls, with a caller about the mail of the stage. */
  world(tool: string): { readonly tool: WorldTool; readonly caller: Caller; readonly stage: Stage };
  /** Everything that the store has of runs, as text. */
  stored(): Promise<string>;
  close(): Promise<void>;
}

interface Options {
  readonly files?: Readonly<Record<string, string>>;
  readonly prepare?: (stage: Stage) => void | Promise<void>;
}

/** Opens a stage: a folder account `inbox` with one mail, and a director with these families or tools. */
export async function openToolStage(names: readonly string[], { files = {}, prepare }: Options): Promise<ToolStage> {
  let given: readonly Given[] = [];
  let before: readonly (readonly [string, object])[] = [];
  let name = '';
  const stage = await setStage({
    env: (name) => (name === 'PATH' ? process.env['PATH'] : 'sk-test-key'),
    files: {
      'directors/boss.yaml': `id: boss\nname: Boss\napiConfigId: main\ntools: [${names.join(', ')}]\npermissions: { allow: ["*", "mail_send(to=*)"] }\nuntrusted: { act: ["*"] }\n`,
      'accounts/inbox.yaml': 'id: inbox\nprovider: folder\nemail: me@example.org\npath: ./inbox\n',
      'filters/all.yaml': 'id: all\nnot: { field: Subject, regex: ^Wait }\ndirectorId: [boss]\n',
      ...files,
    },
    models: playModels(async ({ turn, messages }) => {
      const results = messages.flatMap(({ role, content }) => (role === 'tool' ? [parse(String(content))] : []));
      const first = before[turn - 1];
      if (first !== undefined) return { tool_calls: [call(`b${turn}`, ...first)] };
      if (turn > before.length + 1 || given.length === 0) return { content: 'Done.' };
      const args = await Promise.all(given.map((one) => (typeof one === 'string' ? one : one(results))));
      return { tool_calls: args.map((one, n) => call(`c${n}`, name, one)) };
    }),
  });
  stage.app.deps.redactor.add(SECRET);
  await prepare?.(stage);
  const mail = await takeMail(stage, 'proofs');
  let watched: MockInstance | undefined;
  const toolOf = (tool: string): Tool => {
    const { tools, config } = stage.app.deps;
    const found = tools.of(config.current()).get(tool);
    if (found === undefined) throw new Error(`no tool ${tool}`);
    return found;
  };
  return {
    stage,
    async call(tool, calls, first = []) {
      [name, given, before] = [tool, calls, first];
      const run = await stage.ended(await stage.begin());
      if (run.status !== 'completed') throw new Error(`the run is ${run.status}: ${JSON.stringify(run.error)}`);
      watched?.mockRestore();
      const messages = await stage.messages(run.dirThreadId);
      const results = messages.flatMap((message) => (message.role === 'tool' ? [parse(message.content)] : []));
      return results.slice(first.length);
    },
    spy(tool) {
      watched?.mockRestore();
      const found = toolOf(tool);
      if (!('run' in found)) throw new Error(`${tool} has no code of its own`);
      const spied: MockInstance<(...args: never) => Promise<unknown>> = vi.spyOn(found, 'run');
      watched = spied;
      return spied;
    },
    world(tool) {
      const found = toolOf(tool);
      if (found.effects === 'none') throw new Error(`${tool} runs in the store alone`);
      const origin = { director: { id: 'boss', name: 'Boss' }, email: mail };
      const scope = stage.app.config.current().directors.get('boss')?.scope;
      const files = scope && { who: 'director boss', scopes: [scope] };
      const caller = { runId: 'run_1', workspaceId: 'run_1', threadId: 'th_1', origin, ...(files && { files }) };
      return { tool: found, caller, stage };
    },
    async stored() {
      const { store } = stage.app.deps;
      const rows = await Promise.all(
        (['entry', 'message', 'ledger', 'event'] as const).map((table) => store.list(table)),
      );
      return JSON.stringify(rows);
    },
    close: () => stage.close(),
  };
}

/** Puts a mail into the account and fetches it; no run starts on it. */
export async function takeMail(
  stage: Stage,
  subject: string,
  more = '',
): Promise<NonNullable<Caller['origin']['email']>> {
  const inbox = join(stage.root, 'inbox');
  mkdirSync(inbox, { recursive: true });
  const file = join(inbox, `${subject}.eml`);
  writeFileSync(file, letter(`Wait for ${subject}`, 'Hello.', more).replace(/\n/g, '\r\n'));
  // A file that was written just now is not fetched yet.
  utimesSync(file, new Date(0), new Date(0));
  await stage.app.fetcher.fetch();
  const [row] = await stage.app.deps.store.list('mail', { order: [['id', 'desc']], limit: 1 });
  if (row === undefined) throw new Error('the mail was not fetched');
  return { id: row.id, subject, from: 'ada@example.org', date: '2026-11-21T10:00:00.000Z' };
}

function parse(content: string): unknown {
  try {
    return JSON.parse(resultText(content)) as unknown;
  } catch {
    return content;
  }
}
