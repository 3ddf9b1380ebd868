import type Router from '@koa/router';
import type { StateChange } from '../../../ui/mail/state/mail-state.ts';
import type { World } from './fixtures.ts';

/** `PUT /api/emails/:id/state` and `/api/emails/state?ids=`. A mail whose run waits needs the user, as on the real server. */
export function addStateRoutes(router: Router, world: World): void {
  const change = (ids: readonly string[], { value, ...rest }: StateChange) => {
    world.mails = world.mails.map((mail) => {
      if (!ids.includes(mail.id)) return mail;
      const { snoozedUntil: _ended, ...kept } = mail.state;
      const { snoozedUntil = mail.state.snoozedUntil, ...flags } = rest;
      const isWaiting = mail.runs.some(({ status }) => status === 'waiting');
      const known = isWaiting ? ({ value: 'needsMe', setBy: 'callsheet' } as const) : { value: null };
      const said = value === undefined ? {} : value === null ? known : ({ value, setBy: 'user' } as const);
      const until = flags.archived === true ? null : snoozedUntil;
      return {
        ...mail,
        state: {
          ...kept,
          ...(typeof rest.snoozedUntil === 'string' && { archived: false }),
          ...flags,
          ...said,
          ...(typeof until === 'string' && { snoozedUntil: until }),
        },
      };
    });
  };
  router.put('/api/emails/state', (ctx) => {
    const ids = String(ctx.query['ids']).split(',');
    change(ids, ctx.request.body as StateChange);
    ctx.body = { changed: ids };
  });
  router.put('/api/emails/:id/state', (ctx) => {
    const id = String(ctx.params['id']);
    change([id], ctx.request.body as StateChange);
    ctx.body = world.mails.find((mail) => mail.id === id)?.state;
  });
}
