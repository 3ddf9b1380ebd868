import type { AddRoutes } from '../../api.ts';

/**
 * `GET /api/encryption`: an `EncryptionState`, never a key · `POST` of the same makes a key on this machine and encrypts the stored
 * data: 202, then the server is away for some seconds and comes back at the same address. `CONFLICT` where a click cannot do it.
 */
export const encryptionRoutes: AddRoutes = (router, { encryption, deps }) => {
  router.get('/encryption', (ctx) => {
    ctx.body = encryption.state();
  });
  router.post('/encryption', (ctx) => {
    encryption.begin();
    deps.log.warn('encrypting the data folder was asked for in the viewer', { envFile: encryption.state().envFile });
    ctx.status = 202;
    ctx.body = encryption.state();
  });
};
