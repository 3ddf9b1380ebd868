import { EngineError } from '../../../base/error.ts';
import { isRecord } from '../../../base/json.ts';
import { type DocumentEdit, type Kind, KINDS } from '../../../config/config.ts';
import type { AddRoutes } from '../../api.ts';
import { count, type Field, optional, readBody, text } from '../../http/body.ts';
import { redacted } from '../../http/redacted.ts';

/** Mails and runs that are compared where the request does not say. */
const LIMIT = 50;
const kinds = Object.keys(KINDS) as Kind[];

/**
 * `POST /api/changes { ref | edits, limit? }` starts a comparison of the running config with a git ref, or with edits `{ kind, id, value, isNew? }`
 * that are not saved; errors as of `Changes.start`. `GET /api/changes`: how far it is, and its report without texts. `GET
 * /api/changes/entries/:name`: both sides of a mail or run. `GET /api/changes/refs`: branches and tags. `POST /api/changes/cancel` stops it.
 */
export const changesRoutes: AddRoutes = (router, { changes, deps }) => {
  router.get('/changes', (ctx) => {
    ctx.body = redacted(deps.redactor, changes.view());
  });
  router.get('/changes/refs', async (ctx) => {
    ctx.body = { refs: await changes.refs() };
  });
  router.get('/changes/entries/:name', (ctx) => {
    ctx.body = redacted(deps.redactor, changes.sides(String(ctx.params['name'])));
  });
  router.post('/changes', async (ctx) => {
    const {
      ref,
      edits,
      limit = LIMIT,
    } = readBody(ctx, {
      ...{ ref: optional(text), edits: optional(configEdits), limit: optional(count) },
    });
    if ((ref === undefined) === (edits === undefined))
      throw new EngineError('BAD_REQUEST', 'the body must have either "ref" or "edits"');
    await changes.start({ against: edits === undefined ? { ref: ref ?? '' } : { edits }, limit });
    ctx.status = 201;
    ctx.body = redacted(deps.redactor, changes.view());
  });
  router.post('/changes/cancel', (ctx) => {
    readBody(ctx, {});
    changes.cancel();
    ctx.status = 204;
  });
};

const configEdits: Field<readonly DocumentEdit[]> = (value, key) => {
  if (!Array.isArray(value) || value.length === 0)
    throw new EngineError('BAD_REQUEST', `"${key}" must be a list with at least one edit`);
  return value.map((edit: unknown, n) => {
    const kind = isRecord(edit) ? kinds.find((one) => one === edit['kind']) : undefined;
    if (!isRecord(edit) || kind === undefined || typeof edit['id'] !== 'string' || !isRecord(edit['value']))
      throw new EngineError('BAD_REQUEST', `"${key}[${n}]" must be { kind, id, value }`, {
        hint: `kinds: ${kinds.join(', ')}`,
      });
    const { id, value: given, isNew = false } = edit;
    if (typeof isNew !== 'boolean') throw new EngineError('BAD_REQUEST', `"${key}[${n}].isNew" must be true or false`);
    return { kind, id, value: given, ...(isNew && { isNew }) };
  });
};
