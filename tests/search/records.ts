import { hasWords } from '../../engine/src/api/http/query.ts';
import type { Address } from '../../engine/src/mail/mail.ts';
import { deleteMailChange, insertMailChange } from '../../engine/src/mail/mail-store.ts';
import { SEARCHED_MAILS } from '../../engine/src/mail/searched-mails.ts';
import { deleteRun } from '../../engine/src/run/lifecycle/delete.ts';
import { insertRun, recordOf, type RunRecord, updateRun } from '../../engine/src/run/run.ts';
import { SEARCHED_RUNS } from '../../engine/src/run/searched-runs.ts';
import type { BlockShape } from '../../engine/src/search/block.ts';
import { searchCandidates } from '../../engine/src/search/candidates.ts';
import type { Searched, SearchedRow } from '../../engine/src/search/search.ts';
import type { Store } from '../../engine/src/store/store.ts';

/** Small blocks, so that few records make many of them, and those are merged soon. */
export const TINY: BlockShape = { small: 8, factor: 4 };

/** What a search looks at. */
export interface Letter {
  readonly id: string;
  readonly subject: string;
  /** Of a run: the summary. */
  readonly snippet?: string;
  readonly from?: string;
  /** Of a run they stand in the message of its error. */
  readonly to?: readonly Address[];
}

/** Recipients, as many as a sender likes; all have `person`. */
export const people = (count: number): Address[] =>
  Array.from({ length: count }, (_, n) => ({ name: `person ${n}`, address: `person${n}.name@example${n % 97}.com` }));

/** Mails, or runs that are over, as the engine stores, finds and deletes them. */
export class Records {
  readonly searched: Searched;
  readonly #insert: (store: Store, letter: Letter) => Promise<void>;
  /** Deletes a record. */
  readonly remove: (store: Store, id: string) => Promise<void>;

  constructor(
    searched: Searched,
    insert: (store: Store, letter: Letter) => Promise<void>,
    remove: (store: Store, id: string) => Promise<void>,
  ) {
    this.searched = searched;
    this.#insert = insert;
    this.remove = remove;
  }

  /** The id of the record with this number. */
  idOf = (n: number): string => `${this.searched.kind}_${String(n).padStart(6, '0')}`;

  /** Records that all have `order`; each has its number as a word. */
  letters = (from: number, count: number): Letter[] =>
    Array.from({ length: count }, (_, n) => ({ id: this.idOf(from + n), subject: `order number${from + n}x` }));

  add = async (store: Store, ...letters: readonly Letter[]): Promise<void> => {
    for (const letter of letters) await this.#insert(store, letter);
  };

  /** Leaves half of the body of a record. */
  damage = (store: Store, id: string): Promise<void> =>
    store.apply([{ op: 'update', table: this.searched.kind, key: { id }, set: { body: '{"summary":' } }]);

  /** The records with all of these words by a look at every record, the newest first. */
  scan = async (store: Store, words: readonly string[]): Promise<string[]> => {
    const rows = await this.#rows(store);
    return rows.filter((row) => hasWords(this.searched.textsOf(row), words)).map(({ id }) => id);
  };

  /** The same by the index, and which records it had to look at. Undefined if the index knows none of the words. */
  find = async (
    store: Store,
    words: readonly string[],
    { before, shape = TINY }: { before?: string; shape?: BlockShape } = {},
  ): Promise<{ ids: string[]; looked: string[] } | undefined> => {
    const found = searchCandidates(store, this.searched, words, { before, shape });
    if (found === undefined) return undefined;
    const looked = await Array.fromAsync(found);
    const byId = new Map((await this.#rows(store)).map((row) => [row.id, row]));
    const ids = looked.filter((id) => {
      const row = byId.get(id);
      return row !== undefined && hasWords(this.searched.textsOf(row), words);
    });
    return { ids, looked };
  };

  #rows(store: Store): Promise<SearchedRow[]> {
    const order = [['id', 'desc']] as const;
    return this.searched.kind === 'mail'
      ? store.list('mail', { where: [['state', '=', 'kept']], order })
      : store.list('run', { order });
  }
}

/** Mails. */
export const MAILS = new Records(
  SEARCHED_MAILS,
  async (store, { id, subject, snippet = '', from = 'ann@example.com', to = [] }) => {
    const lists = { to, cc: [], bcc: [], replyTo: [], references: [], labels: [], attachments: [] };
    const texts = { ...{ id, subject, snippet, accountId: 'inbox' }, messageId: `<${id}@x>`, threadId: id };
    const facts = { receivedAt: '2026-01-01T00:00:00Z', autoSubmitted: false, list: false, own: false };
    const summary = { ...lists, ...texts, ...facts, inReplyTo: '', date: '', from: [{ name: '', address: from }] };
    const changes = insertMailChange(store, {
      ...{ id, accountId: 'inbox', messageId: `<${id}@x>`, threadId: id, identity: id, providerId: id },
      ...{ size: 1, notes: [], summary: JSON.stringify(summary), content: '{}', routing: { directors: [], note: '' } },
    });
    await store.apply(changes);
  },
  async (store, id) => {
    const row = await store.get('mail', { id });
    if (row?.state === 'kept') await store.apply(deleteMailChange(row));
  },
);

/** A run that is open, with the title `order`. */
export function openRun(id: string, subject = 'order'): RunRecord {
  const director = { id: 'boss', name: 'The boss' };
  return {
    run: {
      ...{ id, mode: 'orchestrate', status: 'queued', startedBy: 'system', trigger: { kind: 'mail' } },
      ...{ directorId: director.id, directorName: director.name, workspaceId: `ws_${id}`, dirThreadId: `thr_${id}` },
      ...{ fetchCycleId: '', revision: '', documents: {}, machine: { id: 'run', version: '1' }, apis: [] },
      ...{ scripted: false, usage: { turns: 0, inputTokens: 0, outputTokens: 0, cost: null }, summary: '' },
      ...{ createdAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-01T00:00:00Z' },
    },
    origin: { director, email: { id: '', subject, from: '', date: '' } },
  };
}

/** Ends a run as the engine does. */
export async function endRun(store: Store, id: string, summary: string, message?: string): Promise<void> {
  const row = await store.get('run', { id });
  if (row === undefined) throw new Error(`no run ${id}`);
  const error = message === undefined ? {} : { error: { code: 'MODEL_FAILED' as const, message } };
  await store.apply(updateRun(recordOf(row), { status: 'completed', summary, ...error }, 0).changes);
}

/** Runs that are over. */
export const RUNS = new Records(
  SEARCHED_RUNS,
  async (store, { id, subject, snippet = '', from, to = [] }) => {
    await store.apply(insertRun(openRun(id, subject)));
    const texts = [...(from === undefined ? [] : [from]), ...to.map(({ name, address }) => `${name} ${address}`)];
    await endRun(store, id, snippet, texts.length === 0 ? undefined : texts.join(', '));
  },
  async (store, id) => store.apply(await deleteRun(store, id)),
);
