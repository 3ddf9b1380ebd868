import { EngineError } from '../../base/error.ts';
import type { Snapshot } from '../../config/config.ts';
import { mailOf, readContent } from '../../mail/mail-store.ts';
import type { ReplayedMail, ReplayedRun } from '../../replay/compare/replay-all.ts';
import { type RecordingSource, recordRun, routeOf } from '../../replay/read/recording.ts';
import { aboutOf, recordOf, type Run } from '../../run/run.ts';
import type { Row } from '../../store/store.ts';

/** Rows that are read at a time. */
const PAGE = 200;

/** Which stored mails and runs to replay. */
export interface StoredQuery {
  /** ISO 8601. */
  readonly since: string;
  readonly directorId?: string | undefined;
  /** Most mails, and most runs. The newest are taken. */
  readonly limit: number;
}

/** The stored mails and runs of a store, to be replayed. */
export interface StoredRecordings {
  /** The full ids of runs from their beginnings; `last` is the newest. `NOT_FOUND`, `USAGE`. */
  findRun(text: string): Promise<string>;
  run(id: string): Promise<ReplayedRun>;
  /** Mails and runs since a time, newest first. */
  list(query: StoredQuery): Promise<{ readonly mails: readonly ReplayedMail[]; readonly runs: readonly ReplayedRun[] }>;
}

/** Reads the mails and runs of a source. */
export function storedRecordings(source: RecordingSource): StoredRecordings {
  const { store } = source;
  const known = new Map<string, Promise<Snapshot | undefined>>();
  const revision = (id: string) => {
    const found = known.get(id) ?? source.revision(id).catch(() => undefined);
    known.set(id, found);
    return found;
  };

  async function replayed(run: Run, subject: string): Promise<ReplayedRun> {
    const before = await revision(run.revision);
    return {
      ...{ name: run.id, subject },
      load: () => recordRun(source, run.id),
      before: before && { config: before, tools: source.toolsOf(before, run.toolLists) },
    };
  }

  async function listRuns({ since, directorId, limit }: StoredQuery): Promise<Row<'run'>[]> {
    const rows: Row<'run'>[] = [];
    for (let after: string | undefined; rows.length < limit;) {
      const page = await store.list('run', {
        where: [
          ...(after === undefined ? [] : [['id', '<', after] as const]),
          ...(directorId === undefined ? [] : [['director', '=', directorId] as const]),
        ],
        order: [['id', 'desc']],
        limit: PAGE,
      });
      const wanted = page.filter((row) => recordOf(row).run.createdAt >= since);
      rows.push(...wanted);
      after = page.at(-1)?.id;
      if (wanted.length < page.length || page.length < PAGE) break;
    }
    return rows.slice(0, limit);
  }

  async function listMails({ since, limit }: StoredQuery): Promise<ReplayedMail[]> {
    const mails: ReplayedMail[] = [];
    for (let after: string | undefined; mails.length < limit;) {
      const rows = await store.list('mail', {
        where: [['state', '=', 'kept'], ...(after === undefined ? [] : [['id', '<', after] as const])],
        order: [['id', 'desc']],
        limit: PAGE,
      });
      const wanted = rows.filter((row) => mailOf(row).summary.receivedAt >= since);
      for (const row of wanted) {
        const mail = mailOf(row);
        const [first] = await store.list('run', { where: [['mail', '=', row.id]], order: [['id', 'asc']], limit: 1 });
        // The filters of that time decide again: a mail that a person handed in, or a label started later, went another way.
        const then = first === undefined ? undefined : await revision(recordOf(first).run.revision);
        mails.push({
          ...{ name: row.id, subject: mail.summary.subject, before: then ?? routeOf(mail) },
          load: async () => ({ summary: mail.summary, content: await readContent(store, row.id) }),
        });
      }
      after = rows.at(-1)?.id;
      if (wanted.length < rows.length || rows.length < PAGE) break;
    }
    return mails.slice(0, limit);
  }

  return {
    async findRun(text) {
      const begin = text.startsWith('run_') ? text : `run_${text}`;
      const where =
        text === 'last'
          ? []
          : ([
              ['id', '>=', begin],
              ['id', '<', `${begin}~`],
            ] as const);
      const rows = await store.list('run', { where: [...where], order: [['id', 'desc']], limit: 2, bodies: false });
      const [first, second] = rows;
      if (first === undefined)
        throw new EngineError('NOT_FOUND', `there is no run "${text}"`, { hint: 'callsheet runs list' });
      if (second !== undefined && text !== 'last')
        throw new EngineError('USAGE', `"${text}" is the beginning of several ids of runs`);
      return first.id;
    },
    async run(id) {
      const row = await store.get('run', { id });
      if (row === undefined)
        throw new EngineError('NOT_FOUND', `there is no run "${id}"`, { hint: 'callsheet runs list' });
      const { run, origin } = recordOf(row);
      return replayed(run, origin.email?.subject ?? aboutOf(run));
    },
    async list(query) {
      const rows = await listRuns(query);
      const runs = rows.map(recordOf).filter(({ run }) => run.status !== 'queued' && run.status !== 'running');
      return {
        mails: await listMails(query),
        runs: await Promise.all(runs.map(({ run, origin }) => replayed(run, origin.email?.subject ?? aboutOf(run)))),
      };
    },
  };
}
