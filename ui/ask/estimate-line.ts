import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import type { Estimate } from '../http/api-types.ts';
import { errorOfThrown, request } from '../http/request.ts';
import { short } from '../widget/number.ts';
import { Shown } from '../widget/visible.ts';
import type { Asked } from './talk.ts';

/** Pause in typing after which the estimate is made anew. */
const PAUSE_MS = 300;

interface Props {
  readonly asked: Asked;
  readonly message: string;
  readonly threadId: string | undefined;
}

/** Tokens and cost of the first model request of a question that is not sent yet. */
export function EstimateLine({ asked: { kind, id }, message, threadId }: Props) {
  const [estimate, setEstimate] = useState<Estimate | undefined>(undefined);
  const [failure, setFailure] = useState('');
  useEffect(() => {
    const gone = new AbortController();
    const body = { [`${kind}Id`]: id, message, ...(threadId !== undefined && { threadId }) };
    const timer = setTimeout(async () => {
      try {
        setEstimate(await request<Estimate>('POST', '/api/estimate', { body, signal: gone.signal }));
        setFailure('');
      } catch (thrown) {
        if (!gone.signal.aborted) setFailure(errorOfThrown(thrown).message);
      }
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      gone.abort();
    };
  }, [kind, id, message, threadId]);
  if (failure !== '') return html`<p class="estimate muted">No estimate: <${Shown} text=${failure} /></p>`;
  return html`<p
    class="estimate muted"
    title="The first request to the model. Tool calls and agents need more requests."
  >
    ${estimate === undefined ? 'Estimating…' : wordsOf(estimate)}
  </p>`;
}

function wordsOf({ inputTokens, outputTokens, cost }: Estimate): string {
  const money = cost === null ? 'price unknown' : cost === 0 ? 'no cost' : `up to $${cost.toFixed(4)}`;
  return `First request: about ${short(inputTokens)} tokens, answer up to ${short(outputTokens)} · ${money}`;
}
