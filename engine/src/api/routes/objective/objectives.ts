import { EngineError } from '../../../base/error.ts';
import {
  type Objective,
  type ObjectiveOrder,
  OPEN_OBJECTIVES,
  type ServedObjective,
  serveObjective,
} from '../../../run/objective/objective.ts';
import { objectiveOf, readObjective } from '../../../run/objective/objective-rows.ts';
import { recordOf, type ServedRun, viewOf } from '../../../run/run.ts';
import type { Condition, Row } from '../../../store/store.ts';
import type { AddRoutes, RouteContext, Services } from '../../api.ts';
import { personOf } from '../../auth/person.ts';
import { readBody } from '../../http/body.ts';
import { type Page, pageOfRows, readPage } from '../../http/paging.ts';
import { queryIdPrefix, queryText, queryWord, type WithQuery } from '../../http/query.ts';
import { reading } from '../../http/reading.ts';
import type { Rows } from '../../http/rows.ts';

const LIST = 'objectives';
const STATUSES = [...OPEN_OBJECTIVES, 'done', 'error'] as const;
const ORDERS = { pause: 'PAUSE', resume: 'RESUME', finish: 'FINISH' } as const satisfies Record<
  string,
  ObjectiveOrder['type']
>;

/** An objective as the API serves it, with parts of its run: `subject` of its mail, else the beginning of its message. */
export interface ObjectiveView extends ServedObjective, Pick<ServedRun, 'subject'> {
  /** US dollars over its whole life; null where a price is unknown. */
  readonly cost: ServedRun['usage']['cost'];
}

/**
 * `GET /api/objectives?status=&directorId=&idPrefix=` (newest first) · `GET /api/objectives/:id` ·
 * `POST /api/objectives/:id/pause|resume|finish`. Words to an objective go to `POST /api/runs/:id/message`.
 */
export const objectiveRoutes: AddRoutes = (router, services) => {
  router.get(
    '/objectives',
    reading(services, async ({ deps }, ctx) => {
      ctx.body = await objectivesPage(deps, ctx);
    }),
  );
  router.get(
    '/objectives/:id',
    reading(services, async ({ deps }, ctx) => {
      ctx.body = await served({ deps }, ctx);
    }),
  );
  for (const [name, type] of Object.entries(ORDERS))
    router.post(`/objectives/:id/${name}`, async (ctx) => {
      readBody(ctx, {});
      const { id } = await served(services, ctx);
      await services.engine.orderObjective(id, { type, by: personOf(ctx).id });
      ctx.body = await served(services, ctx);
    });
};

/** The answer of `GET /api/objectives`. */
export async function objectivesPage({ store }: Pick<Rows, 'store'>, ctx: WithQuery): Promise<Page<ObjectiveView>> {
  const page = readPage(ctx, LIST);
  const status = queryWord(ctx, 'status', STATUSES);
  const director = queryText(ctx, 'directorId');
  const where: Condition<'objective'>[] = [...queryIdPrefix(ctx)];
  if (status !== undefined) where.push(['status', '=', status]);
  const load = (before: string | undefined, limit: number) =>
    store.list('objective', {
      where: before === undefined ? where : [...where, ['id', '<', before]],
      order: [['id', 'desc']],
      limit,
    });
  const accept = (row: Row<'objective'>) => director === undefined || row.director === director;
  const { items, nextCursor } = await pageOfRows(LIST, { ...page, load, accept });
  return { items: await Promise.all(items.map((row) => view({ store }, objectiveOf(row)))), nextCursor };
}

/** The objective of the path. `NOT_FOUND`. */
async function served({ deps }: Pick<Services, 'deps'>, ctx: RouteContext) {
  const id = String(ctx.params['id']);
  const objective = await readObjective(deps.store, id);
  if (objective === undefined) throw new EngineError('NOT_FOUND', `there is no objective "${id}"`);
  return view(deps, objective);
}

async function view({ store }: Pick<Rows, 'store'>, objective: Objective): Promise<ObjectiveView> {
  const row = await store.get('run', { id: objective.id });
  const run = row === undefined ? undefined : viewOf(recordOf(row));
  return { ...serveObjective(objective), subject: run?.subject ?? '', cost: run?.usage.cost ?? null };
}
