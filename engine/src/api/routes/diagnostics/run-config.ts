import { EngineError } from '../../../base/error.ts';
import { recordOf, type Run } from '../../../run/run.ts';
import { readThread, viewThread } from '../../../run/thread.ts';
import { bodyOf } from '../../../store/damaged-row.ts';
import type { Reader } from '../../../store/store.ts';
import type { AddRoutes, Services } from '../../api.ts';
import { createDiffer, type Differ } from '../../http/differ.ts';
import { queryText } from '../../http/query.ts';
import { reading } from '../../http/reading.ts';
import { redacted } from '../../http/redacted.ts';

/** Documents read per query. */
const DOCUMENTS_PER_QUERY = 100;

/** A document that a run uses, beside the one of another time. */
export interface RunDocument {
  /** Folder and id: `directors/boss`. */
  readonly name: string;
  readonly file: string;
  /** `added`: only the later one has it; `gone`: only the earlier one had it; `lost`: its text is stored no more. */
  readonly state: 'same' | 'changed' | 'added' | 'gone' | 'lost';
  /** What has changed since, as a unified diff. */
  readonly diff?: string;
}

/** `GET /api/runs/:id/config`. */
export interface RunConfig {
  readonly revision: string;
  /** The revision that runs now. */
  readonly current: string;
  /** Those that have changed since first. */
  readonly documents: readonly RunDocument[];
}

/** `GET /api/runs/:id/compare/:other`. */
export interface RunComparison {
  /** The documents that differ. */
  readonly documents: readonly RunDocument[];
  /** How what the models were told differs, as a unified diff; `''` where it is the same. */
  readonly prompt: string;
}

type Hashes = ReadonlyMap<string, string>;

/**
 * `GET /api/runs/:id/config`: the config that a run started with, and what has changed since; with `?name=directors/boss` the `text` of
 * one document · `GET /api/runs/:id/compare/:other`: how config and prompts of two runs differ.
 */
export const runConfigRoutes: AddRoutes = (router, services) => {
  router.get(
    '/runs/:id/config',
    reading(services, async ({ deps }, ctx) => {
      const { store } = deps;
      const run = await readRun(store, String(ctx.params['id']));
      const then = hashesOf(run);
      const name = queryText(ctx, 'name');
      const { documents, revision } = deps.config.current();
      // A run knows only what it uses.
      const now = new Map([...documents].filter(([known]) => then.has(known)));
      const answer =
        name === undefined
          ? {
              revision: run.revision,
              current: revision,
              documents: await differences(store, then, now, createDiffer()),
            }
          : await oneDocument(store, then, name);
      ctx.body = redacted<object>(deps.redactor, answer);
    }),
  );
  router.get(
    '/runs/:id/compare/:other',
    reading(services, async ({ deps }, ctx) => {
      const { store } = deps;
      const a = await readRun(store, String(ctx.params['id']));
      const b = await readRun(store, String(ctx.params['other']));
      const diff = createDiffer();
      const documents = await differences(store, hashesOf(a), hashesOf(b), diff);
      const [before, after] = [await promptOf(deps, a), await promptOf(deps, b)];
      const comparison: RunComparison = {
        documents: documents.filter(({ state }) => state !== 'same'),
        prompt: before === after ? '' : await diff('prompt', before, after),
      };
      ctx.body = redacted(deps.redactor, comparison);
    }),
  );
};

async function readRun(store: Reader, id: string): Promise<Run> {
  const row = await store.get('run', { id });
  if (row === undefined) throw new EngineError('NOT_FOUND', `no run "${id}"`);
  return recordOf(row).run;
}

const hashesOf = ({ documents }: Run): Hashes => new Map(Object.entries(documents));

async function oneDocument(store: Reader, hashes: Hashes, name: string): Promise<{ file: string; text: string }> {
  const hash = hashes.get(name);
  const found = hash === undefined ? undefined : (await readTexts(store, [hash])).get(hash);
  if (found === undefined)
    throw new EngineError('NOT_FOUND', `the run has no document "${name}", or its text is stored no more`);
  return found;
}

/** How the documents of two times differ: what differs first, each part by name. */
async function differences(store: Reader, before: Hashes, after: Hashes, diff: Differ): Promise<RunDocument[]> {
  const texts = await readTexts(store, [...before.values(), ...after.values()]);
  const names = [...new Set([...before.keys(), ...after.keys()])].toSorted();
  const describe = async (name: string): Promise<RunDocument> => {
    const [old, now] = [before.get(name), after.get(name)];
    const [a, b] = [texts.get(old ?? ''), texts.get(now ?? '')];
    const file = (b ?? a)?.file ?? name;
    if (old === now) return { name, file, state: 'same' };
    if ((old !== undefined && a === undefined) || (now !== undefined && b === undefined))
      return { name, file, state: 'lost' };
    const state = old === undefined ? 'added' : now === undefined ? 'gone' : 'changed';
    return { name, file, state, diff: await diff(file, a?.text ?? '', b?.text ?? '') };
  };
  const all: RunDocument[] = [];
  for (const name of names) all.push(await describe(name));
  return [...all.filter(({ state }) => state !== 'same'), ...all.filter(({ state }) => state === 'same')];
}

async function readTexts(
  store: Reader,
  hashes: readonly string[],
): Promise<Map<string, { file: string; text: string }>> {
  const wanted = [...new Set(hashes)];
  const texts = new Map<string, { file: string; text: string }>();
  for (let from = 0; from < wanted.length; from += DOCUMENTS_PER_QUERY) {
    const some = wanted.slice(from, from + DOCUMENTS_PER_QUERY);
    for (const row of await store.list('document', { where: [['hash', 'in', some]] }))
      texts.set(row.hash, bodyOf<{ file: string; text: string }>('document', row));
  }
  return texts;
}

/** What a run told its models: the system and user messages of its thread, each under its role. */
async function promptOf({ store, clock }: Services['deps'], run: Run): Promise<string> {
  const thread = await readThread(store, run.sessionId ?? run.dirThreadId);
  if (thread === undefined) return '';
  const { messages = [] } = await viewThread(store, thread, { messages: true, now: clock.now() });
  return messages
    .flatMap(({ role, content }) => (role === 'system' || role === 'user' ? [`# ${role}\n\n${content}\n`] : []))
    .join('\n');
}
