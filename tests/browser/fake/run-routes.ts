import type Router from '@koa/router';
import type { RunDocument } from '../../../ui/http/api-types.ts';
import { fail, page } from './answers.ts';
import { addRun, type World } from './fixtures.ts';

/** Runs: list, one, start, cancel, retry. */
export function addRunRoutes(router: Router, world: World): void {
  const retry = (id: string) => {
    const run = world.runs.find((entry) => entry.id === id);
    if (run?.status === 'waiting' && run.outage !== undefined) {
      world.runs = world.runs.map((entry) => (entry.id === id ? { ...entry, status: 'running' } : entry));
      return id;
    }
    if (run === undefined || run.status !== 'failed') return undefined;
    const next = `${id}-again`;
    const mailId = run.emailId ?? '';
    world.runs = world.runs.map((entry) => (entry.id === id ? { ...entry, retriedBy: next } : entry));
    world.mails = world.mails.map((mail) => ({
      ...mail,
      runs: mail.runs.map((entry) => (entry.id === id ? { ...entry, retriedBy: next, latest: false } : entry)),
    }));
    addRun(world, mailId, next, [], { status: 'running', retryOf: id, subject: run.subject });
    return next;
  };
  const nextId = () =>
    world.runs.some(({ id }) => id === 'run-started') ? `run-started-${world.runs.length}` : 'run-started';
  router.get('/api/runs', (ctx) => {
    const { status, idPrefix = '', q = '', directorId } = ctx.query;
    ctx.body = page(
      ctx,
      world.runs.filter(
        (run) =>
          run.id.startsWith(String(idPrefix)) &&
          run.subject.toLowerCase().includes(String(q).toLowerCase()) &&
          (status === undefined || run.status === status) &&
          (directorId === undefined || run.directorId === directorId),
      ),
    );
  });
  router.post('/api/runs', (ctx) => {
    const { directorId, emailId } = ctx.request.body as { directorId: string; emailId: string };
    addRun(world, emailId, nextId(), [], {
      status: 'running',
      directorId,
      directorName: directorId,
    });
    ctx.status = 201;
    ctx.body = world.runs[0];
  });
  router.post('/api/runs/retry', (ctx) => {
    const ids = String(ctx.query['ids']).split(',');
    const retried = ids.flatMap((id) => {
      const next = retry(id);
      return next === undefined ? [] : [{ id: next, retryOf: id, started: true }];
    });
    ctx.body = { retried, refused: [] };
  });
  router.get('/api/runs/:id', (ctx) => {
    const run = world.runs.find((entry) => entry.id === ctx.params['id']);
    if (run === undefined) fail(ctx, 404, 'NOT_FOUND', 'no such run');
    else ctx.body = run;
  });
  const changed: RunDocument = {
    ...{ name: 'directors/client-manager', file: 'config/directors/client-manager.yaml', state: 'changed' },
    diff: '--- a\n+++ a\n@@ -4,1 +4,1 @@\n-  content: Be short.\n+  content: Be short and warm.\n',
  };
  router.get('/api/runs/:id/config', (ctx) => {
    const same: RunDocument = { name: 'apis/main', file: 'config/apis/main.yaml', state: 'same' };
    ctx.body =
      ctx.query['name'] === undefined
        ? { revision: 'a1b2c3d4e5f60718', current: world.config.revision, documents: [changed, same] }
        : { file: same.file, text: 'id: main\nprovider: openai\n' };
  });
  router.get('/api/runs/:id/compare/:other', (ctx) => {
    ctx.body = {
      documents: [changed],
      prompt: '--- prompt\n+++ prompt\n@@ -1,1 +1,1 @@\n-Be short.\n+Be short and warm.\n',
    };
  });
  router.post('/api/runs/:id/test', (ctx) => {
    const { id } = ctx.params;
    ctx.status = 201;
    ctx.body = { name: id, file: `/home/ada/desk/config/tests/${id}.yaml`, folder: `/home/ada/desk/cases/${id}` };
  });
  router.post('/api/runs/:id/retry', (ctx) => {
    if (retry(String(ctx.params['id'])) === undefined) return fail(ctx, 409, 'RUN_NOT_FAILED', 'the run did not fail');
    ctx.status = 201;
    ctx.body = world.runs[0];
  });
  router.post('/api/runs/:id/message', (ctx) => {
    const { message, questionId } = ctx.request.body as { message: string; questionId: string };
    const open = world.approvals.find(({ id, status }) => id === questionId && status === 'pending');
    if (open === undefined) return fail(ctx, 409, 'QUESTION_ANSWERED', 'the question is not open any more');
    const answered = {
      status: 'answered',
      answer: message,
      decidedBy: 'local',
      decidedAt: new Date().toISOString(),
    } as const;
    world.approvals = world.approvals.map((entry) => (entry === open ? { ...entry, ...answered } : entry));
    const { waitingFor: _done, ...run } = world.runs.find(({ id }) => id === ctx.params['id'])!;
    world.runs = world.runs.map((entry) => (entry.id === run.id ? { ...run, status: 'running' } : entry));
    ctx.body = run;
  });
  router.post('/api/runs/:id/cancel', (ctx) => {
    world.runs = world.runs.map((run) => (run.id === ctx.params['id'] ? { ...run, status: 'cancelled' } : run));
    ctx.body = {};
  });
}
