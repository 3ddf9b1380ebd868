import { inspectRecognizer } from '../../app/inspect.ts';
import { errorBody } from '../../base/error.ts';
import type { Snapshot } from '../../config/config.ts';
import type { RecognizerSettings } from '../../guard/privacy/recognizer-service.ts';
import { type Check, fail, fine } from './check.ts';

const TIMEOUT_MS = 10_000;

/** Asks each recogniser service that the config names, since runs with privacy fail without it. */
export async function checkRecognizers({ directors, agents, settings }: Snapshot): Promise<Check[]> {
  const named = [...directors.values(), ...agents.values()].flatMap(({ privacy }) =>
    privacy === undefined ? [] : [privacy.recognizer ?? settings.privacy.recognizer],
  );
  const services = new Map(named.flatMap((one) => (one === undefined ? [] : [[JSON.stringify(one), one] as const])));
  return await Promise.all([...services.values()].map(checkRecognizer));
}

async function checkRecognizer(service: RecognizerSettings): Promise<Check> {
  try {
    await inspectRecognizer(service, TIMEOUT_MS);
    return fine('privacy', `the recogniser at ${service.url} answers`);
  } catch (error) {
    const { message, hint = '' } = errorBody(error);
    return fail('privacy', message, hint);
  }
}
