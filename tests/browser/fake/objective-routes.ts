import type Router from '@koa/router';
import type { ObjectiveView } from '../../../ui/http/api-types.ts';
import { fail, page } from './answers.ts';
import type { World } from './fixtures.ts';

const ORDERS: Readonly<Record<string, Partial<ObjectiveView>>> = {
  pause: { paused: true },
  resume: { paused: false },
  finish: { status: 'done', waitingFor: null, outcome: 'reached' },
};

/** Objectives: list, one, pause, resume, finish; and the directors that start them. */
export function addObjectiveRoutes(router: Router, world: World): void {
  const find = (id: unknown) => world.objectives.find((one) => one.id === id);
  router.get('/api/objectives', (ctx) => {
    ctx.body = page(
      ctx,
      world.objectives.filter(({ status }) => ctx.query['status'] === undefined || status === ctx.query['status']),
    );
  });
  router.get('/api/objectives/:id', (ctx) => {
    const found = find(ctx.params['id']);
    if (found === undefined) fail(ctx, 404, 'NOT_FOUND', 'there is no such objective');
    else ctx.body = found;
  });
  router.post('/api/objectives/:id/:order', (ctx) => {
    const { id, order = '' } = ctx.params;
    world.objectives = world.objectives.map((one) => (one.id === id ? { ...one, ...ORDERS[order] } : one));
    ctx.body = find(id);
  });
  router.get('/api/directors', (ctx) => {
    ctx.body = {
      items: [
        {
          id: 'autopilot',
          name: 'Autopilot',
          description: 'Pursues one wish on a thread of mails.',
          mode: 'objective',
        },
        { id: 'client-manager', name: 'Client manager', mode: 'orchestrate' },
      ],
      nextCursor: null,
    };
  });
}
