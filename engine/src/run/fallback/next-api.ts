import type { Abortable } from '../../base/abort.ts';
import { EngineError } from '../../base/error.ts';
import type { Api } from '../../config/config.ts';
import { type FallbackReason, fallbackOf } from '../../config/parse/fallback.ts';
import type { Models } from '../../model/model.ts';
import type { ModelEffect } from '../step/effect.ts';
import type { MachineFacts } from '../step/machine.ts';
import type { RunState } from '../step/run-state.ts';
import { homeApiOf } from './home-api.ts';

/**
 * The apis that may take over from the present one of a machine, in order: those after it in the `fallback` of the api that its actor
 * names. Never a scripted one, and only local ones where the director or the present api is local. Undefined where there are none.
 */
export function fallbackApis({ config }: Pick<RunState, 'config'>, facts: MachineFacts): ModelEffect['fallback'] {
  const { api: home, locality } = homeApiOf(config, facts);
  const present = config.apis.get(facts.apiId);
  if (home === undefined || present === undefined) return undefined;
  const { to, on } = fallbackOf(home);
  const order = [home.id, ...to];
  const isLocal = locality === 'local' || present.locality === 'local';
  const apis = order
    .slice(order.indexOf(present.id) + 1)
    .flatMap((id) => config.apis.get(id) ?? [])
    .filter((api) => api.provider !== 'scripted' && (!isLocal || api.locality === 'local'));
  return order.includes(present.id) && on.length > 0 && apis.length > 0 ? { on, apis } : undefined;
}

/** Error codes by the failure that they are. An account without credit counts as a limit. */
const REASONS: ReadonlyMap<string, FallbackReason> = new Map([
  ['MODEL_UNAVAILABLE', 'unavailable'],
  ['MODEL_TIMEOUT', 'unavailable'],
  ['MODEL_RATE_LIMIT', 'rateLimit'],
]);

/**
 * The api that takes over after a failed request; undefined where the failure is none of `on`, or no api is available. Asks servers on
 * this machine whether they answer, for at most a second. Abort: undefined.
 */
export async function nextApi(
  models: Pick<Models, 'open'>,
  fallback: ModelEffect['fallback'],
  error: unknown,
  { signal }: Abortable,
): Promise<Api | undefined> {
  const reason = error instanceof EngineError ? REASONS.get(error.code) : undefined;
  if (fallback === undefined || reason === undefined || !fallback.on.includes(reason)) return undefined;
  for (const api of fallback.apis) {
    if (signal?.aborted === true) return undefined;
    if ((await models.open(api).available({ signal })).ok) return api;
  }
  return undefined;
}
