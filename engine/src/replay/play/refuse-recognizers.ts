import { EngineError } from '../../base/error.ts';
import type { Snapshot } from '../../config/config.ts';

/**
 * `CONFLICT` for a config that has private data found by a service: a play asks no such service, so models that are really asked would
 * get what the service hides. `what`: who does not ask it, such as `a shadow`.
 */
export function refuseRecognizers(
  { settings, agents, directors }: Pick<Snapshot, 'settings' | 'agents' | 'directors'>,
  what: string,
): void {
  const documents = [settings, ...agents.values(), ...directors.values()];
  if (documents.some(({ privacy }) => privacy?.recognizer !== undefined))
    throw new EngineError('CONFLICT', `the config has private data found by a service, which ${what} does not ask`, {
      hint: 'models would get what the service hides; remove privacy.recognizer there, or let models answer from recordings alone',
    });
}
