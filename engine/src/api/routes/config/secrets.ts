import { EngineError } from '../../../base/error.ts';
import type { RouteContext, AddRoutes } from '../../api.ts';
import { type Field, flag, optional, readBody, text } from '../../http/body.ts';
import { pageOf, readPage } from '../../http/paging.ts';

const LIST = 'secrets';

/** As `text` of body.ts, but the error does not contain the value. */
export const secret: Field<string> = (value) => {
  if (typeof value === 'string') return value;
  throw new EngineError('BAD_REQUEST', '"value" must be a string');
};

/**
 * `GET /api/secrets` (names and hosts, never values) · `PUT /api/secrets/:name` `{ value, plaintext? }` · `DELETE` of the
 * same · `POST /api/secrets/:name/hosts` `{ host }` allows a host, and applies the documents that waited for it
 */
export const secretRoutes: AddRoutes = (router, { secrets, config, deps }) => {
  router.get('/secrets', (ctx) => {
    const page = readPage(ctx, LIST, ['string']);
    const [after] = page.after ?? [];
    const names = secrets.names().filter((name) => after === undefined || name > String(after));
    ctx.body = pageOf(
      LIST,
      page,
      names,
      (name) => [name],
      (shown) => shown.map((name) => ({ name, hosts: secrets.hosts(name) })),
    );
  });
  router.put('/secrets/:name', async (ctx) => {
    const { value, plaintext } = readBody(ctx, { value: secret, plaintext: optional(flag) });
    await secrets.set(nameOf(ctx), value, { allowsPlaintext: plaintext === true ? true : undefined });
    deps.log.info('secret stored', { name: nameOf(ctx), storage: deps.store.storage });
    ctx.status = 204;
  });
  router.post('/secrets/:name/hosts', async (ctx) => {
    const { host } = readBody(ctx, { host: text });
    await secrets.allow(nameOf(ctx), host);
    deps.log.info('host allowed for a secret', { name: nameOf(ctx), host });
    await config.refresh();
    ctx.body = { name: nameOf(ctx), hosts: secrets.hosts(nameOf(ctx)) };
  });
  router.delete('/secrets/:name', async (ctx) => {
    await secrets.delete(nameOf(ctx));
    deps.log.info('secret removed', { name: nameOf(ctx) });
    ctx.status = 204;
  });
};

function nameOf(ctx: RouteContext): string {
  const name: unknown = ctx.params['name'];
  if (typeof name !== 'string') throw new EngineError('BAD_REQUEST', 'the path has no name of a secret');
  return name;
}
