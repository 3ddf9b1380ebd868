import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isoTime } from '../../../base/clock.ts';
import { EngineError } from '../../../base/error.ts';
import { systemCode } from '../../../file/resolve-path.ts';
import type { AddRoutes, RouteContext } from '../../api.ts';
import { readBody, text } from '../../http/body.ts';
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
 * /api/learn/proposals/:id` rejects one: its file is deleted · `POST /api/learn/proposals/:id/accept` applies one as
 * `callsheet learn --apply` does, with all its checks, and deletes its file. `at` of its body is that of the proposal that was shown:
 * `CONFLICT` if it was edited since.
 */
export const learnProposalRoutes: AddRoutes = (router, { dataDir, applyLearned, deps: { redactor } }) => {
  const folder = join(dataDir, 'learn');
  router.get('/learn/proposals', async (ctx) => {
    const ids = (await namesIn(folder)).flatMap((name) => NAME.exec(name)?.[1] ?? []);
    // Ids of runs grow with time.
    const newest = ids.toSorted().toReversed().slice(0, MAX_PROPOSALS);
    const items = (await Promise.all(newest.map((id) => readProposal(folder, id)))).flatMap((one) => one ?? []);
    ctx.body = redacted(redactor, { items });
  });
  const idOf = async (ctx: RouteContext): Promise<string> => {
    const id = String(ctx.params['id']);
    const file = `${id}.patch`;
    if (NAME.test(file) && (await namesIn(folder)).includes(file)) return id;
    throw new EngineError('NOT_FOUND', `there is no proposal "${id}"`);
  };
  const remove = (id: string) => rm(join(folder, `${id}.patch`), { force: true });
  router.delete('/learn/proposals/:id', async (ctx) => {
    await remove(await idOf(ctx));
    ctx.status = 204;
  });
  router.post('/learn/proposals/:id/accept', async (ctx) => {
    const { at } = readBody(ctx, { at: text });
    const id = await idOf(ctx);
    const proposal = await readProposal(folder, id);
    if (proposal?.patch === undefined)
      throw new EngineError('TOO_LARGE', `the patch of "${id}" is too long to be shown here`, {
        hint: `accept it with callsheet learn --apply ${id}`,
      });
    if (proposal.at !== at)
      throw new EngineError('CONFLICT', `the proposal "${id}" has changed since it was shown`, {
        hint: 'read it again, then accept it',
      });
    const applied = await applyLearned(proposal.patch);
    await remove(id);
    ctx.body = { applied };
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
