import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import { formatValue, isRecord } from '../http/json.ts';
import type { NodeView } from '../http/api-types.ts';
import { hrefOf } from '../shell/route.ts';
import { copyText } from '../widget/copy.ts';
import { Icon } from '../widget/icon.ts';
import { LongText } from '../widget/long-text.ts';
import { ErrorNotice } from '../widget/notice.ts';
import { duration, short } from '../widget/number.ts';
import { fullTime } from '../widget/time.ts';
import { Shown } from '../widget/visible.ts';
import { EmailTab } from './email-tab.ts';
import { confirmDelete } from './delete.ts';
import { labelOf } from './trace-line.ts';
import { shownNode } from './traces.ts';

/** The tabs, in the order of seed 000, 3.2.6. */
const TABS = ['Result', 'Email'] as const;
type Tab = (typeof TABS)[number];

/** The selected node: its result and details as JSON, or the e-mail that started it. */
export function TracePane({ nodeId }: { nodeId: string }) {
  const [tab, setTab] = useState<Tab>('Result');
  useEffect(() => shownNode.show(nodeId), [nodeId]);
  const { key, data: node, error } = shownNode.state.value;
  if (key !== nodeId || (node === undefined && error === undefined)) return html`<div class="body"></div>`;
  if (node === undefined)
    return html`<div class="body pad">${error !== undefined && html`<${ErrorNotice} error=${error} />`}</div>`;
  return html`<header class="head">
      <div class="title">
        <h1><${Shown} text=${labelOf(node)} /></h1>
        <p class="sub"><${Facts} node=${node} /></p>
      </div>
      <div class="row">
        <button onClick=${() => copyText(formatValue(node.detail))}><${Icon} name="copy" />Copy JSON</button>
        ${
          node.kind === 'entry' &&
          html`<button class="danger for-admin" onClick=${() => void confirmDelete([node.id])}>
            <${Icon} name="trash" />Delete
          </button>`
        }
      </div>
    </header>
    <div class="body pad">
      <${Tabs} current=${tab} onChoose=${setTab} />
      <section id="trace-panel" role="tabpanel" aria-labelledby=${`tab-${tab}`}>
        ${tab === 'Result' ? html`<${ResultTab} node=${node} />` : html`<${EmailTab} emailId=${node.emailId} />`}
      </section>
    </div>`;
}

function Tabs({ current, onChoose }: { current: Tab; onChoose: (tab: Tab) => void }) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    event.preventDefault();
    onChoose(current === 'Result' ? 'Email' : 'Result');
  };
  return html`<div class="tabs" role="tablist" aria-label="Details" onKeyDown=${onKeyDown}>
    ${TABS.map(
      (name) =>
        html`<button
          key=${name}
          role="tab"
          id=${`tab-${name}`}
          aria-controls="trace-panel"
          aria-selected=${current === name ? 'true' : 'false'}
          tabindex=${current === name ? 0 : -1}
          onClick=${() => onChoose(name)}
        >
          ${name}
        </button>`,
    )}
  </div>`;
}

function Facts({ node }: { node: NodeView }) {
  const { status, durationMs, usage, timestamp, runId, phase } = node;
  return html`${status !== undefined && html`<span class=${`chip ${status === 'failed' ? 'bad' : status === 'completed' ? 'ok' : ''}`}>${status}</span>`}
    ${phase !== undefined && html`<span>${phase}</span>`}
    <span>${fullTime(timestamp)}</span> ${durationMs !== undefined && html`<span>${duration(durationMs)}</span>`}
    ${usage !== undefined && html`<span>${short(usage.inputTokens)} → ${short(usage.outputTokens)} tokens</span>`}
    ${usage?.cost === null && html`<span>unknown cost</span>`}
    ${runId !== undefined && html`<a href=${hrefOf('runs', runId)}>Open run</a>`}`;
}

function ResultTab({ node }: { node: NodeView }) {
  const { result, rest } = split(node.detail);
  return html`${node.error !== undefined && html`<${ErrorNotice} error=${node.error} />`}
    ${
      result !== undefined &&
      html`<h2 class="section">Result</h2>
        <${LongText} className="json" text=${pretty(result)} />`
    }
    <h2 class="section">Details</h2>
    <${LongText} className="json" text=${pretty(rest)} />`;
}

/** Separates the result (of an entry) or the payload (of a provider event) from the other details. */
function split(detail: unknown): { result: unknown; rest: unknown } {
  if (!isRecord(detail)) return { result: undefined, rest: detail };
  const { entry, event } = detail;
  if (isRecord(entry)) {
    const { result, ...rest } = entry;
    return { result, rest };
  }
  if (isRecord(event)) {
    const { payload, ...rest } = event;
    return { result: payload, rest };
  }
  return { result: undefined, rest: detail };
}

function pretty(value: unknown): string {
  return typeof value === 'string' ? value : formatValue(value);
}
