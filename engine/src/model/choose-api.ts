import type { Abortable } from '../base/abort.ts';
import type { Api } from '../config/config.ts';
import { ModelError } from './model-error.ts';
import type { Models } from './model.ts';

interface Options extends Abortable {
  /** The api that the director or agent names in `apiConfigId`. */
  api: Api;
  /** All apis of the revision, by id. */
  apis: ReadonlyMap<string, Api>;
  models: Pick<Models, 'open'>;
  /** `local`: skips apis that are not marked `locality: local`, without asking them. Default: `any`. */
  locality?: Api['locality'];
}

/** The api that a run uses. */
export interface ApiChoice {
  readonly api: Api;
  /** The apis before it that could not be used, in order. */
  readonly skipped: readonly { readonly apiId: string; readonly why: string }[];
}

/**
 * Chooses the api of a run: the named api if it is available, else the first available api of its `fallback`, in order.
 * The fallbacks of a fallback are ignored. A run chooses once, at its start. A later failure is an error and never changes
 * the model, so a scripted api answers real mail only if it was chosen here or named by a person. Rejects with
 * `MODEL_NONE_AVAILABLE`, which names every api and its reason. Abort rejects with the signal's reason.
 */
export async function chooseApi({ api, apis, models, locality = 'any', signal }: Options): Promise<ApiChoice> {
  const skipped: { apiId: string; why: string }[] = [];
  for (const apiId of new Set([api.id, ...api.fallback])) {
    signal?.throwIfAborted();
    const candidate = apiId === api.id ? api : apis.get(apiId);
    if (candidate === undefined) {
      skipped.push({ apiId, why: 'this api does not exist or is disabled' });
      continue;
    }
    if (locality === 'local' && candidate.locality !== 'local') {
      skipped.push({ apiId, why: 'this run may use only apis marked "locality: local"' });
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
