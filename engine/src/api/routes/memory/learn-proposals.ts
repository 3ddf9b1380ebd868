import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isoTime } from '../../../base/clock.ts';
import { EngineError } from '../../../base/error.ts';
import { systemCode } from '../../../file/resolve-path.ts';
import type { AddRoutes } from '../../api.ts';
import { redacted } from '../../http/redacted.ts';

/** Proposals in one answer, the newest, and the longest patch that is shown, in bytes. */
const MAX_PROPOSALS = 20;
const MAX_PATCH = 500_000;
const NAME = /^([A-Za-z0-9_]+)\.patch$/;

/** A patch that `callsheet learn` has stored. */
export interface LearnProposal {
  readonly id: string;
  /** When it was stored or edited last, ISO 8601. */
  readonly at: string;
  /** The unified diff; absent where it is too long to be shown. */
  readonly patch?: string;
}

/**
 * `GET /api/learn/proposals`: the patches that `callsheet learn` has stored on this machine, newest first · `DELETE
 * /api/learn/proposals/:id` rejects one: its file is deleted. Only the command applies a patch, since it checks the whole config.
 */
export const learnProposalRoutes: AddRoutes = (router, { dataDir, deps: { redactor } }) => {
  const folder = join(dataDir, 'learn');
  router.get('/learn/proposals', async (ctx) => {
    const ids = (await namesIn(folder)).flatMap((name) => NAME.exec(name)?.[1] ?? []);
    // Ids of runs grow with time.
    const newest = ids.toSorted().toReversed().slice(0, MAX_PROPOSALS);
    const items = (await Promise.all(newest.map((id) => readProposal(folder, id)))).flatMap((one) => one ?? []);
    ctx.body = redacted(redactor, { items });
  });
  router.delete('/learn/proposals/:id', async (ctx) => {
    const file = `${String(ctx.params['id'])}.patch`;
    if (!NAME.test(file) || !(await namesIn(folder)).includes(file))
      throw new EngineError('NOT_FOUND', `there is no proposal "${String(ctx.params['id'])}"`);
    await rm(join(folder, file), { force: true });
    ctx.status = 204;
  });
};

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Undefined for a file that is gone meanwhile. */
async function readProposal(folder: string, id: string): Promise<LearnProposal | undefined> {
  const file = join(folder, `${id}.patch`);
  try {
    const { size, mtimeMs } = await stat(file);
    const at = isoTime(Math.floor(mtimeMs));
    return size > MAX_PATCH ? { id, at } : { id, at, patch: await readFile(file, 'utf8') };
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
