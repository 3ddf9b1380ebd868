import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { Tool, WorldContext, WorldTool } from '../../engine/src/tool/tool.ts';
import { someTime } from './doomed.ts';

/** One thing that happened outside, which nothing can take back. */
export interface Happening {
  readonly tool: string;
  readonly key: string;
  readonly what: string;
}

/** All that happened, in order. */
export function readWorld(file: string): Happening[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Happening);
}

export interface WorldOptions {
  /** One line a happening. The process is killed, not the machine: what is appended stays. */
  readonly file: string;
  /** False: the far side takes the same key twice, and looking it up finds nothing. The negative control. */
  readonly dedupes: boolean;
  readonly latencyMs: number;
  /** Called right after something happened, before anybody is told. */
  readonly happened: (tool: string) => void;
}

const PARAMETERS = {
  type: 'object',
  required: ['what'],
  additionalProperties: false,
  properties: { what: { type: 'string' } },
};

/**
 * Tools of every kind: `stock` reads; `post` and `pay` hand a key to a far side that takes each once; `charge` can be
 * looked up; `fire` can do neither. Half of the calls notice an abort before it is too late, half never do.
 */
export function worldTools({ file, dedupes, latencyMs, happened }: WorldOptions): Tool[] {
  const known = new Set(readWorld(file).map(({ key }) => key));

  const act =
    (tool: string, isDeduped: boolean) => async (args: Readonly<Record<string, unknown>>, context: WorldContext) => {
      const { key, signal } = context;
      await someTime(latencyMs);
      if (Math.random() < 0.5) signal?.throwIfAborted();
      if (Math.random() < 0.05) throw new Error('the far side says no');
      if (!(isDeduped && known.has(key))) {
        appendFileSync(file, `${JSON.stringify({ tool, key, what: String(args['what']) })}\n`);
        known.add(key);
        happened(tool);
      }
      await someTime(latencyMs);
      return { did: key };
    };
  const write = (name: string, repeat: WorldTool['repeat']): WorldTool => ({
    name,
    family: 'outside',
    effects: 'write',
    repeat,
    description: `Does ${name}.`,
    parameters: PARAMETERS,
    run: act(name, dedupes && repeat === 'key'),
  });
  return [
    {
      ...write('stock', 'free'),
      effects: 'read',
      async run() {
        await someTime(latencyMs);
        return { left: 7 };
      },
    },
    write('post', 'key'),
    write('pay', 'key'),
    write('fire', 'once'),
    {
      ...write('charge', 'lookup'),
      async reconcile(_args, { key }) {
        await someTime(latencyMs);
        return dedupes && known.has(key) ? { did: key } : undefined;
      },
    },
  ];
}
