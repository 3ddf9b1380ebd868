import { html } from 'htm/preact';
import { useEffect } from 'preact/hooks';
import type { AuditLine } from '../http/api-types.ts';
import { createPagedList } from '../http/list.ts';
import { go, hrefOf } from '../shell/route.ts';
import { Icon } from '../widget/icon.ts';
import { Empty, ErrorNotice } from '../widget/notice.ts';
import { duration } from '../widget/number.ts';
import { Age } from '../widget/time.ts';
import { Shown } from '../widget/visible.ts';
import type { Asked } from './talk.ts';

let whose: Readonly<Record<string, string>> = {};
/** The tool calls of one agent or director, newest first. */
const lines = createPagedList<AuditLine>('/api/audit', () => ({ limit: '50', ...whose }));

/** What an agent or a director has done: each tool call with its rule or person, arguments, result and run. */
export function Activity({ asked: { kind, id } }: { readonly asked: Asked }) {
  useEffect(() => {
    whose = { [`${kind}Id`]: id };
    lines.items.value = [];
    lines.nextCursor.value = null;
    void lines.load();
  }, [kind, id]);
  const error = lines.error.value;
  const all = lines.items.value;
  return html`<header class="head">
      <div class="title">
        <h1>Activity of <${Shown} text=${id} /></h1>
      </div>
      <button title="Back to the questions (u)" onClick=${() => go('ask', [kind, id])}>
        <${Icon} name="back" />Ask
      </button>
    </header>
    <div class="body pad">
      ${error !== undefined && html`<${ErrorNotice} error=${error} />`}
      ${
        all.length === 0 &&
        error === undefined &&
        html`<${Empty} icon="tool" title="No tool call yet."><p>Each call of a tool leaves a line here.</p><//>`
      }
      <ol class="transcript activity">
        ${all.map((line) => html`<li key=${line.id}><${Line} line=${line} /></li>`)}
      </ol>
      ${lines.nextCursor.value !== null && html`<div class="more"><button aria-keyshortcuts="L" title="Load more (L)" onClick=${() => void lines.load({ more: true })}>Load more</button></div>`}
    </div>`;
}

function Line({ line }: { readonly line: AuditLine }) {
  const { actionType, target, wasAllowed, why, inputSummary, outputSummary, executionTimeMs, createdAt, runId } = line;
  return html`<details class=${wasAllowed ? 'call' : 'call bad'}>
    <summary>
      <${Icon} name="tool" /><b><${Shown} text=${actionType} /></b>
      <span class="one-line">${target !== null && html`<${Shown} text=${target} />`}</span>
      <span class="outcome">${wasAllowed ? '' : 'refused'}</span><${Age} at=${createdAt} />
    </summary>
    <p><${Shown} text=${why} />${wasAllowed && html` <span class="muted">${duration(executionTimeMs)}</span>`}</p>
    <h3>Arguments</h3>
    <pre><${Shown} text=${inputSummary} /></pre>
    <h3>Result</h3>
    <pre><${Shown} text=${outputSummary} /></pre>
    <p><a href=${hrefOf('runs', runId)}>Open run</a></p>
  </details>`;
}
