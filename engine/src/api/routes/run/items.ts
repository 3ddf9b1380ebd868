import type { CalendarPreview } from '../../../agenda/ical/preview.ts';
import { EngineError } from '../../../base/error.ts';
import { machineZone } from '../../../base/time-zone.ts';
import { itemEdit } from '../../../run/item-edit.ts';
import { type ItemChange, newestRunIn, noteItemChange } from '../../../run/item-runs.ts';
import { Draft } from '../../../store/draft.ts';
import type { WorkspaceItem } from '../../../workspace/item.ts';
import { addItem, readItem, removeItem, restoreItem, updateItem } from '../../../workspace/items.ts';
import type { RouteContext, AddRoutes, Services } from '../../api.ts';
import { count, oneOf, optional, readBody, text, texts } from '../../http/body.ts';
import { queryCount, queryFlag } from '../../http/query.ts';
import { sendHtml } from '../../http/send-html.ts';
import { itemsPage, typeOf, workspaceOf } from '../item/item-list.ts';
import { CONTEXT_FIELDS, itemContext } from './item-context.ts';
import { reading } from '../../http/reading.ts';

const PATH = '/workspaces/:id/items';
/** Attempts of a change when a run changes the same item meanwhile. */
const MAX_CONFLICTS = 5;

const INPUT = {
  label: optional(text),
  description: optional(text),
  mimeType: optional(text),
  encoding: optional(oneOf('utf8', 'base64', 'binary')),
  data: optional(text),
  tags: optional(texts),
};

/**
 * `GET|POST /api/workspaces/:id/items` · `GET|PUT|DELETE /api/workspaces/:id/items/:itemId` · `POST …/restore` brings a
 * deleted item back · `…/body.html` · `…/events`
 */
export const itemRoutes: AddRoutes = (router, services) => {
  router.get(
    PATH,
    reading(services, async (readable, ctx) => {
      ctx.body = await itemsPage(readable.deps, ctx);
    }),
  );
  router.post(PATH, async (ctx) => {
    ctx.body = await createItem(services, ctx);
    ctx.status = 201;
  });
  router.get(`${PATH}/:itemId`, async (ctx) => {
    ctx.body = await itemOf(services, ctx);
  });
  router.put(`${PATH}/:itemId`, async (ctx) => {
    ctx.body = await changeItem(services, ctx);
  });
  router.delete(`${PATH}/:itemId`, async (ctx) => {
    await deleteItem(services, ctx);
    ctx.status = 204;
  });
  router.post(`${PATH}/:itemId/restore`, async (ctx) => {
    ctx.body = await restore(services, ctx);
  });
  router.get(`${PATH}/:itemId/body.html`, async (ctx) => {
    sendHtml(ctx, await preview(services, await itemOf(services, ctx)), false);
  });
  router.get(`${PATH}/:itemId/events`, async (ctx) => {
    ctx.body = await events(services, await itemOf(services, ctx));
  });
};

async function createItem(services: Services, ctx: RouteContext): Promise<WorkspaceItem> {
  const { workspaceId, origin } = await workspaceOf(services.deps.store, ctx);
  const { context: given, provenance, ...fields } = readBody(ctx, { ...INPUT, ...CONTEXT_FIELDS });
  const input = present(fields);
  const runId = await newestRunIn(services.deps.store, workspaceId, origin.email?.id ?? '');
  const context = { ...itemContext(origin, { context: given, provenance }), ...(runId !== undefined && { runId }) };
  return change(services, workspaceId, async (draft, now) => {
    const item = await addItem(draft, workspaceId, input, { id: services.deps.ids.next('item'), now, context });
    return { action: 'item_added', itemId: item.id, item, changed: Object.keys(input) };
  });
}

async function changeItem(services: Services, ctx: RouteContext): Promise<WorkspaceItem> {
  const { workspaceId } = await workspaceOf(services.deps.store, ctx);
  const { expectedRevision, ...patch } = readBody(ctx, { ...INPUT, expectedRevision: optional(count) });
  const input = present(patch);
  return change(services, workspaceId, async (draft, now) => {
    const before = await readItem(draft, workspaceId, itemId(ctx));
    const item = await updateItem(draft, workspaceId, itemId(ctx), input, { now, expectedRevision });
    draft.append(...(await itemEdit(draft, before, item, now)));
    return { action: 'item_changed', itemId: item.id, item, changed: Object.keys(input) };
  });
}

async function deleteItem(services: Services, ctx: RouteContext): Promise<void> {
  const { workspaceId } = await workspaceOf(services.deps.store, ctx);
  const body = readBody(ctx, { expectedRevision: optional(count) });
  const expectedRevision = body.expectedRevision ?? queryCount(ctx, 'expectedRevision');
  const hard = queryFlag(ctx, 'hard');
  await change(services, workspaceId, async (draft, now) => {
    const item = await removeItem(draft, workspaceId, itemId(ctx), { now, hard, expectedRevision });
    return { action: hard === true ? 'item_deleted' : 'item_removed', itemId: itemId(ctx), item };
  });
}

/** Restoring an item that is not deleted changes nothing. */
async function restore(services: Services, ctx: RouteContext): Promise<WorkspaceItem> {
  const { workspaceId } = await workspaceOf(services.deps.store, ctx);
  const { expectedRevision } = readBody(ctx, { expectedRevision: optional(count) });
  return change(services, workspaceId, async (draft, now) => {
    const item = await restoreItem(draft, workspaceId, itemId(ctx), { now, expectedRevision });
    return { action: 'item_restored', itemId: item.id, item };
  });
}

function itemId(ctx: RouteContext): string {
  return String(ctx.params['itemId']);
}

async function itemOf(services: Services, ctx: RouteContext): Promise<WorkspaceItem> {
  const includeDeleted = queryFlag(ctx, 'includeDeleted') ?? false;
  return readItem(services.deps.store, String(ctx.params['id']), itemId(ctx), { includeDeleted });
}

/** Commits a change of one item with its entry, and publishes it. On a conflict with a run, it is computed again. */
async function change<T extends ItemChange['item']>(
  { deps }: Services,
  workspaceId: string,
  work: (draft: Draft, now: number) => Promise<ItemChange & { readonly item: T }>,
): Promise<T> {
  for (let conflicts = 0; ; conflicts++) {
    const draft = new Draft(deps.store);
    const result = await work(draft, deps.clock.now());
    const { action, itemId: id, item } = result;
    if (draft.changes.length === 0) return item;
    try {
      await deps.store.apply([...draft.changes, ...(await noteItemChange(deps, workspaceId, result))]);
    } catch (error) {
      const isConflict = error instanceof EngineError && error.code === 'STORE_CONFLICT';
      if (!isConflict || conflicts >= MAX_CONFLICTS) throw error;
      continue;
    }
    const isGone = action === 'item_removed' || action === 'item_deleted' || item === undefined;
    deps.live.publish('item', { workspaceId, id, ...(!isGone && { revision: item.revision }) });
    return item;
  }
}

/** Events of a calendar file in the user's time zone. `BAD_REQUEST` for other types. */
async function events({ config, calendars }: Services, item: WorkspaceItem): Promise<CalendarPreview> {
  if (typeOf(item) !== 'text/calendar')
    throw new EngineError('BAD_REQUEST', `an item of type ${item.mimeType} contains no events`);
  return calendars.preview(textOf(item), config.current().settings.calendar.timeZone ?? machineZone());
}

function textOf({ encoding, data = '' }: WorkspaceItem): string {
  return encoding === 'base64' ? Buffer.from(data, 'base64').toString('utf8') : data;
}

/** Sanitised HTML of an HTML or Markdown item, which is as untrusted as a mail. `BAD_REQUEST` for other types. */
async function preview({ mail }: Services, item: WorkspaceItem): Promise<string> {
  if (typeOf(item) === 'text/html') return mail.html(textOf(item));
  if (typeOf(item) === 'text/markdown') return mail.markdown(textOf(item));
  throw new EngineError('BAD_REQUEST', `an item of type ${item.mimeType} cannot be shown as HTML`, {
    hint: 'read its data',
  });
}

/** Removes undefined members. */
function present<T extends object>(input: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [K in keyof T]: Exclude<T[K], undefined> };
}
