import type Router from '@koa/router';
import type { LearnProposal, MemoryView, SpendState } from '../../../ui/http/api-types.ts';
import { fail, page } from './answers.ts';
import { ENTRIES, COMPARISON, SHADOW } from '../change/change-fixtures.ts';
import { minutesAgo, type World } from './fixtures.ts';
import { HISTORY } from './item-history.ts';

const TODAY = '2026-11-24';

const SPEND: SpendState = {
  items: [
    ...[TODAY, '2026-11-23', '2026-11-19'].map((day) => ({
      ...{ day, directorId: 'client-manager', apiId: 'main', cost: 0.5 },
      ...{ runs: 2, turns: 5, inputTokens: 12_000, outputTokens: 800 },
    })),
  ],
  today: TODAY,
  budget: { maxCostPerDay: 2 },
};

const MEMORY: MemoryView = {
  ...{ id: 'mem_1', content: 'Ada Ray likes short mails and an answer on the same day.', scope: 'local' },
  ...{ directorId: 'client-manager', agentId: '', owner: 'system', tags: ['habits', 'preference'], trust: 'untrusted' },
  provenance: [{ writtenBy: 'director', trust: 'untrusted', at: minutesAgo(90) }],
  ...{ revision: 1, createdAt: minutesAgo(90), updatedAt: minutesAgo(90), timestamp: minutesAgo(90) },
} as MemoryView;

const PATCH =
  '# callsheet learn run_learn\n--- a/config/agents/writer.yaml\n+++ b/config/agents/writer.yaml\n@@ -1 +1 @@\n-Write long mails.\n+Write short mails.\n';

/** What `callsheet learn` proposes at first. */
export function makeProposals(): LearnProposal[] {
  return [{ id: 'run_learn', at: minutesAgo(30), patch: PATCH }];
}

/** What pages ask for that no test of theirs changes: the person, spend, memories, talks, and whom a person can ask. */
export function addPageRoutes(router: Router, world: World): void {
  const documents = (kind: string) =>
    world.config.documents.flatMap(({ kind: of, id }) => (of === kind ? [{ id, name: id, description: '' }] : []));
  router.get('/api/auth/whoami', (ctx) => (ctx.body = { user: { id: 'local', name: 'local', role: 'admin' } }));
  router.get('/api/workspaces/:id/items/:item/revisions', (ctx) => (ctx.body = HISTORY));
  router.get('/api/spend', (ctx) => (ctx.body = SPEND));
  router.get('/api/spend/runs', (ctx) => (ctx.body = { items: [], nextCursor: null }));
  router.get('/api/changes', (ctx) => (ctx.body = COMPARISON));
  router.get('/api/changes/refs', (ctx) => (ctx.body = { refs: ['main', 'warmer-replies', 'v1.2'] }));
  router.get('/api/changes/entries/:name', (ctx) => {
    const entry = ENTRIES.find(({ name }) => name === ctx.params['name']);
    if (entry === undefined) fail(ctx, 404, 'NOT_FOUND', 'the comparison has no such change');
    else ctx.body = entry;
  });
  router.post('/api/changes', (ctx) => {
    ctx.status = 201;
    ctx.body = COMPARISON;
  });
  router.post('/api/changes/cancel', (ctx) => (ctx.status = 204));
  router.get('/api/shadow', (ctx) => (ctx.body = SHADOW));
  router.get('/api/memory', (ctx) => (ctx.body = page(ctx, [MEMORY])));
  router.get('/api/learn/proposals', (ctx) => (ctx.body = { items: world.proposals }));
  router.post('/api/learn/proposals/:id/accept', (ctx) => {
    const { at } = ctx.request.body as { at: string };
    if (world.proposals[0]?.at !== at) return fail(ctx, 409, 'CONFLICT', 'it has changed');
    world.proposals = [];
    ctx.body = { applied: ['config/agents/writer.yaml'] };
  });
  router.delete('/api/learn/proposals/:id', (ctx) => {
    world.proposals = [];
    ctx.status = 204;
  });
  router.get('/api/audit', (ctx) => {
    const lines = [
      {
        id: 'aud_2',
        actionType: 'mail_send',
        target: 'ray@example.org',
        wasAllowed: false,
        why: 'a person denied this call',
      },
      {
        id: 'aud_1',
        actionType: 'workspace_add_item',
        target: null,
        wasAllowed: true,
        why: 'it writes nothing outside',
      },
    ].map((line) => ({
      ...{
        ...line,
        runId: 'run-invoice',
        agentId: ctx.query['agentId'],
        executionTimeMs: 12,
        createdAt: minutesAgo(4),
      },
      ...{ inputSummary: '{"label":"Reply draft"}', outputSummary: '{"id":"item-draft"}' },
    }));
    ctx.body = page(ctx, ctx.query['agentId'] === 'research-assistant' ? lines : []);
  });
  router.get('/api/directors', (ctx) => (ctx.body = page(ctx, documents('director'))));
  router.get('/api/conversations', (ctx) => (ctx.body = page(ctx, [])));
  router.get('/api/sessions', (ctx) => (ctx.body = page(ctx, [])));
  router.post('/api/estimate', (ctx) => {
    ctx.body = { apiId: 'main', model: 'gpt-5.2-mini', inputTokens: 812, outputTokens: 4096, cost: 0.0071 };
  });
}
