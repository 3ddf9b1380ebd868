import type { ErrorBody } from '../../base/error.ts';
import type { Api } from '../../config/config.ts';
import type { Usage } from '../../model/model.ts';
import { modelName, priceOf } from '../../model/models.ts';
import { costOf } from '../../model/prices.ts';
import { EFFECT_OUTCOMES, FINISHED_STATUSES, type Measurement } from '../../trace/measurement.ts';
import type { LedgerBody } from '../ledger.ts';
import type { Step } from './step.ts';

/** The measurement of a finished model request. `usage` is the known use, also of a failed request. */
export function measuredRequest(
  api: Api,
  latencyMs: number,
  usage: Usage | undefined,
  error: ErrorBody | undefined,
): Extract<Measurement, { kind: 'request' }> {
  const model = modelName(api);
  const errorCode = error === undefined ? {} : { errorCode: error.code };
  const cost = costOf(usage, priceOf(api, model));
  return { kind: 'request', provider: api.provider, model, latencyMs, ...errorCode, ...(usage && { usage }), cost };
}

/** The measurements of a committed step: requests, effects by outcome, the end of its run. */
export function measuredIn({ measured, draft, notices }: Pick<Step, 'measured' | 'draft' | 'notices'>): Measurement[] {
  const all = [...measured];
  for (const change of draft.changes) {
    if (change.op !== 'update' || change.table !== 'ledger') continue;
    const { state, body } = change.set;
    const outcome = EFFECT_OUTCOMES.find((one) => one === state);
    if (outcome === undefined || body === undefined || change.expect?.state === state) continue;
    all.push({ kind: 'effect', tool: (JSON.parse(body) as LedgerBody).tool, outcome });
  }
  for (const { name, data } of notices) {
    const status = name === 'run' ? FINISHED_STATUSES.find((one) => one === data['status']) : undefined;
    if (status !== undefined) all.push({ kind: 'run', status });
  }
  return all;
}
