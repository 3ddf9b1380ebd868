import { html } from 'htm/preact';
import { useEffect } from 'preact/hooks';
import type { Page, Run, UnifiedNode } from '../http/api-types.ts';
import { request } from '../http/request.ts';
import { createResource } from '../http/resource.ts';
import { short } from '../widget/number.ts';
import { Shown } from '../widget/visible.ts';
import { costOf } from './run-entry.ts';

/** What one director or agent has used in a run. */
export interface ActorSpend {
  readonly name: string;
  /** Answers of models. */
  readonly answers: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** US dollars; null where a price is not known. */
  readonly cost: number | null;
}

const tree = createResource((key, signal) => {
  const [runId = ''] = key.split('/');
  return request<Page<UnifiedNode>>('GET', `/api/diagnostics/unified?${new URLSearchParams({ runId })}`, { signal });
});

/** What the director and each agent of a run have used themselves, the most expensive first. `name` is that of the director. */
export function spendByActor(nodes: readonly UnifiedNode[], name: string): readonly ActorSpend[] {
  const found = new Map<string, ActorSpend>();
  const walk = (node: UnifiedNode, actor: string) => {
    const own = node.kind === 'agent' && node.parentId !== null ? node.title : actor;
    if (node.kind === 'event' && node.usage !== undefined) {
      const { inputTokens, outputTokens, cost = null } = node.usage;
      const known = found.get(own) ?? { name: own, answers: 0, inputTokens: 0, outputTokens: 0, cost: 0 };
      found.set(own, {
        name: own,
        answers: known.answers + 1,
        inputTokens: known.inputTokens + inputTokens,
        outputTokens: known.outputTokens + outputTokens,
        // One unknown price makes the sum unknown.
        cost: known.cost === null || cost === null ? null : known.cost + cost,
      });
    }
    for (const child of node.children ?? []) walk(child, own);
  };
  for (const node of nodes) walk(node, name);
  const size = ({ cost, inputTokens, outputTokens }: ActorSpend) => [cost ?? Infinity, inputTokens + outputTokens];
  return [...found.values()].sort((a, b) => compare(size(b), size(a)));
}

function compare(
  [cost = 0, tokens = 0]: readonly number[],
  [otherCost = 0, otherTokens = 0]: readonly number[],
): number {
  return cost === otherCost ? tokens - otherTokens : cost > otherCost ? 1 : -1;
}

/** The cost of a run by its director and agents; nothing where only one of them asked a model, or nothing was used. */
export function RunSpend({ run }: { run: Run }) {
  // Each turn changes it.
  const key = `${run.id}/${run.usage.turns}`;
  useEffect(() => {
    if (run.usage.turns > 1) tree.show(key);
  }, [key]);
  const { key: shown, data } = tree.state.value;
  if (data === undefined || !shown.startsWith(`${run.id}/`)) return null;
  const actors = spendByActor(data.items, run.agentName ?? run.directorName);
  // Rules that answer without a model use nothing.
  const isUsed = actors.some(({ cost, inputTokens, outputTokens }) => cost !== 0 || inputTokens + outputTokens > 0);
  if (actors.length < 2 || !isUsed) return null;
  return html`<section class="run-spend">
    <h2 class="section">Cost by agent</h2>
    <div class="spend-scroll" role="region" aria-label="Cost by agent" tabindex="0">
      <table class="spend-table">
        <thead>
          <tr>
            <th scope="col">Director or agent</th>
            ${['Cost', 'Answers', 'Read', 'Written'].map((title) => html`<th key=${title} scope="col">${title}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${actors.map(
            ({ name, answers, inputTokens, outputTokens, cost }) =>
              html`<tr key=${name}>
                <th scope="row"><${Shown} text=${name} /></th>
                <td>${costOf(cost)}</td>
                ${[answers, inputTokens, outputTokens].map(
                  (count, i) => html`<td key=${i} title=${count.toLocaleString('en')}>${short(count)}</td>`,
                )}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`;
}
