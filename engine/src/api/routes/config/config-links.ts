import type { AddRoutes } from '../../api.ts';
import type { DocumentLink } from '../../../config/config.ts';

/** How the documents that run belong together. */
export interface ConfigLinks {
  readonly items: readonly DocumentLink[];
  /** Tools and families as directors and agents name them: `{ from: 'agents/responder', name: 'mail' }`. */
  readonly tools: readonly { readonly from: string; readonly name: string }[];
  /** Names of the filters that check the mail of every account. */
  readonly openFilters: readonly string[];
}

/** `GET /api/config/links`: which document names which, in the config that runs. */
export const configLinkRoutes: AddRoutes = (router, { config }) => {
  router.get('/config/links', (ctx) => {
    const { agents, directors, filters } = config.current();
    const tools = [
      ...[...directors.values()].map(({ id, tools: names }) => ({ from: `directors/${id}`, names })),
      ...[...agents.values()].map(({ id, tools: names }) => ({ from: `agents/${id}`, names })),
    ].flatMap(({ from, names }) => names.map((name) => ({ from, name })));
    const openFilters = filters.filter(({ accountIds }) => accountIds === undefined).map(({ id }) => `filters/${id}`);
    ctx.body = { items: config.links(), tools, openFilters } satisfies ConfigLinks;
  });
};
