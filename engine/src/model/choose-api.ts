import type { Abortable } from '../base/abort.ts';
import type { Api } from '../config/config.ts';
import { ModelError } from './model-error.ts';
import type { Models } from './model.ts';

interface Options extends Abortable {
  /** The api that the director or agent names. */
  api: Api;
  /** All apis of the revision, by id. */
  apis: ReadonlyMap<string, Api>;
  models: Pick<Models, 'open'>;
  /** `local`: apis that are not marked local are passed over without a question, fallbacks included. Default: any. */
  locality?: Api['locality'];
}

export interface ApiChoice {
  readonly api: Api;
  /** Those asked before it that were not available, in order. */
  readonly skipped: readonly { readonly apiId: string; readonly why: string }[];
}

/**
 * The api that a run starts with: the named one if it is available, else the first available of its `fallback`, in
 * order; the fallbacks of a fallback are not followed. It is asked once, at the start of a run: what fails later is an
 * error, never a reason to go on with another model, so a scripted api answers real mail only where it was chosen
 * here or named by a person. Throws `MODEL_NONE_AVAILABLE` with every api and its reason. Abort rejects with the
 * signal's reason.
 */
export async function chooseApi({ api, apis, models, locality = 'any', signal }: Options): Promise<ApiChoice> {
  const skipped: { apiId: string; why: string }[] = [];
  for (const apiId of new Set([api.id, ...api.fallback])) {
    signal?.throwIfAborted();
    const candidate = apiId === api.id ? api : apis.get(apiId);
    if (candidate === undefined) {
      skipped.push({ apiId, why: 'there is no such api, or it is switched off' });
      continue;
    }
    if (locality === 'local' && candidate.locality !== 'local') {
      skipped.push({ apiId, why: 'it is not marked "locality: local", and this run is' });
      continue;
    }
    const availability = await models.open(candidate).available({ signal });
    signal?.throwIfAborted();
    if (availability.ok) return { api: candidate, skipped };
    skipped.push({ apiId, why: availability.why });
  }
  const reasons = skipped.map(({ apiId, why }) => `"${apiId}": ${why}`).join('; ');
  throw new ModelError('MODEL_NONE_AVAILABLE', `no model is available: ${reasons}`, {
    hint:
      locality === 'local'
        ? 'Start the local server, or add an api with "locality: local" to "fallback".'
        : 'Set the key, start the server, or add an api to "fallback".',
  });
}
