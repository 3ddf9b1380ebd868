import { createHash } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chance } from './doomed.ts';
import type { Tool, WorldContext, WorldTool } from '../../engine/src/tool/tool.ts';

/** One thing that happened outside, which nothing can take back. */
export interface Happening {
  readonly tool: string;
  readonly key: string;
  readonly what: string;
}

/**
 * What happened outside: a folder with a file for each happening, for any number of processes. A file is there with all it
 * says or not at all, and its name can be taken only once. Processes are killed, not the machine: what is there stays.
 */
export class World {
  readonly #folder: string;
  #written = 0;

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  /** Lets it happen; false where the key was taken before and `isDeduped`. Whoever is killed has done all of it or nothing. */
  add(happening: Happening, isDeduped: boolean): boolean {
    const draft = join(this.#folder, `.${process.pid}-${this.#written++}`);
    // The process is for people who have to find out what happened.
    writeFileSync(draft, JSON.stringify({ ...happening, pid: process.pid }));
    for (let time = 1; ; time++) {
      const isTaken = this.#isTaken(draft, this.#file(happening.key, time));
      if (isTaken && !isDeduped) continue;
      rmSync(draft);
      return !isTaken;
    }
  }

  #isTaken(draft: string, file: string): boolean {
    try {
      linkSync(draft, file);
      return false;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      return true;
    }
  }

  has(key: string): boolean {
    return existsSync(this.#file(key, 1));
  }

  /** All that happened. */
  read(): Happening[] {
    const files = readdirSync(this.#folder).filter((name) => !name.startsWith('.'));
    return files.map((name) => JSON.parse(readFileSync(join(this.#folder, name), 'utf8')) as Happening);
  }

  #file(key: string, time: number): string {
    return join(this.#folder, `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.${time}`);
  }
}

export interface WorldOptions {
  readonly world: World;
  /** False: the far side takes the same key twice, and looking it up finds nothing. The negative control. */
  readonly dedupes: boolean;
  /** Lets time pass. */
  readonly pause: () => Promise<void>;
  /**
   * True for a process that is to be frozen: a tool then acts in the turn of the event loop in which it is called. What it
   * has begun is out of the engine's hands, so a tool that waits first acts when the process goes on, whoever has the run by
   * then.
   */
  readonly isPrompt?: boolean;
  /** How often the far side refuses, from 0 to 1. */
  readonly refusals?: number;
  /** Called right after something happened, before anybody is told. */
  readonly happened: (tool: string) => void;
}

const PARAMETERS = {
  type: 'object',
  required: ['what'],
  additionalProperties: false,
  properties: { what: { type: 'string' } },
};

/** Names of the tools that change the world. */
export const WRITES: ReadonlySet<string> = new Set(['post', 'pay', 'charge', 'fire']);

/**
 * Tools of every kind: `stock` reads; `post` and `pay` hand a key to a far side that takes each once; `charge` can be
 * looked up; `fire` can do neither. Half of the calls notice an abort before it is too late, half never do.
 */
export function worldTools({
  world,
  dedupes,
  pause,
  isPrompt = false,
  refusals = 0.05,
  happened,
}: WorldOptions): Tool[] {
  const act =
    (tool: string, isDeduped: boolean) => async (args: Readonly<Record<string, unknown>>, context: WorldContext) => {
      const { key, signal } = context;
      if (!isPrompt) {
        await pause();
        if (chance(0.5)) signal?.throwIfAborted();
      }
      if (chance(refusals)) throw new Error('the far side says no');
      if (world.add({ tool, key, what: String(args['what']) }, isDeduped)) happened(tool);
      await pause();
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
        await pause();
        return { left: 7 };
      },
    },
    write('post', 'key'),
    write('pay', 'key'),
    write('fire', 'once'),
    {
      ...write('charge', 'lookup'),
      async reconcile(_args, { key }) {
        await pause();
        return dedupes && world.has(key) ? { did: key } : undefined;
      },
    },
  ];
}
