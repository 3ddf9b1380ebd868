import type { Abortable } from '../base/abort.ts';
import type { Api } from '../config/config.ts';
import { fallbackOf } from '../config/parse/fallback.ts';
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
 * The fallbacks of a fallback are ignored. A run chooses at its start; later only a fallback with `on` changes the model
 * (run/fallback), and never to a scripted one, so a scripted api answers real mail only if it was chosen here or named by a person. Rejects with
 * `MODEL_NONE_AVAILABLE`, which names every api and its reason. Abort rejects with the signal's reason.
 */
export async function chooseApi({ api, apis, models, locality = 'any', signal }: Options): Promise<ApiChoice> {
  const skipped: { apiId: string; why: string }[] = [];
  for (const apiId of new Set([api.id, ...fallbackOf(api).to])) {
    signal?.throwIfAborted();
    const candidate = apiId === api.id ? api : apis.get(apiId);
    if (candidate === undefined) {
      skipped.push({ apiId, why: 'this api does not exist or is disabled' });
      continue;
    }
    const whyRemote = candidate.locality === 'local' ? undefined : whyLocal(api, locality);
    if (whyRemote !== undefined) {
      skipped.push({ apiId, why: whyRemote });
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

/** Why a run may use only local apis; undefined where it may use any. */
function whyLocal(api: Api, locality: Api['locality']): string | undefined {
  if (locality === 'local') return 'this run may use only apis marked "locality: local"';
  const goesOn = fallbackOf(api).on.length > 0;
  return goesOn && api.locality === 'local'
    ? `api "${api.id}" is local, and during a run only local apis may replace it`
    : undefined;
}
