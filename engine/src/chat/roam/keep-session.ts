import { dirname } from 'node:path';
import { EngineError } from '../../base/error.ts';
import type { CliRequest, CliSessionWork } from '../../run/cli-work.ts';
import type { Chat, Participant } from '../chat.ts';
import { apiHash, keepsSession, putSession, readSession, type StoredSession, reserveSession } from '../session-rows.ts';
import { removeTurn } from './working-copy.ts';
import type { RoamingDependencies } from './roaming-dependencies.ts';
import type { TurnFolders } from './turn-folders.ts';

/** A turn of a participant whose api keeps sessions. */
interface Turn extends Pick<CliRequest, 'api'> {
  readonly chat: Chat;
  readonly participant: Participant;
}

/**
 * Takes the session of a participant for a turn: the store says that it is used before the tool is started, so that a turn that is repeated
 * after a kill, or follows one that has failed, begins a fresh one. Undefined where the api keeps none. `FILE_DENIED`.
 */
export async function keepSession(
  { store, clock, log }: Pick<RoamingDependencies, 'store' | 'clock' | 'log'>,
  folders: TurnFolders,
  { api, chat, participant }: Turn,
): Promise<CliSessionWork | undefined> {
  if (!keepsSession(participant, api)) return undefined;
  const stored = await readSession(store, participant.id);
  const dir = await folders.session(participant.id);
  let whyFresh = whyNot(stored, { api: apiHash(api), dir });
  if (stored !== undefined)
    try {
      await store.apply([reserveSession(participant.id, stored)]);
    } catch (error) {
      if (!(error instanceof EngineError) || error.code !== 'STORE_CONFLICT') throw error;
      whyFresh = 'another turn works in the session';
    }
  return {
    dir,
    ...(whyFresh === undefined && stored !== undefined
      ? { kept: { id: stored.record.session, seen: stored.record.seen } }
      : { whyFresh }),
    finished: ({ id: session, seen, upTo }) => [
      putSession(chat.id, participant.id, { api: apiHash(api), dir, session, seen, upTo }, clock.now()),
    ],
    end: () =>
      removeTurn(dirname(dir)).catch((error: unknown) =>
        log.warn('the folder of a session could not be removed; the next turn tries again', { error: String(error) }),
      ),
  };
}

function whyNot(
  stored: StoredSession | undefined,
  now: { readonly api: string; readonly dir: string },
): string | undefined {
  if (stored === undefined) return 'there is no session yet';
  if (stored.isBusy) return 'the last turn in the session was stopped, or has failed';
  if (stored.record.api !== now.api) return 'the document of the api has changed';
  return stored.record.dir === now.dir ? undefined : 'the folder of the session is another one';
}
