import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import { formatValue, isRecord } from '../http/json.ts';
import type { NodeView } from '../http/api-types.ts';
import { costOf } from '../run/run-entry.ts';
import { Transcript } from '../run/transcript.ts';
import { useKeys } from '../shell/keys.ts';
import { go, hrefOf } from '../shell/route.ts';
import { copyText } from '../widget/copy.ts';
import { Icon } from '../widget/icon.ts';
import { LongText } from '../widget/long-text.ts';
import { ErrorNotice } from '../widget/notice.ts';
import { duration, short } from '../widget/number.ts';
import { fullTime } from '../widget/time.ts';
import { Shown } from '../widget/visible.ts';
import { ConfigTab } from './config-tab.ts';
import { EmailTab } from './email-tab.ts';
import { confirmDelete } from './delete.ts';
import { PromptTab } from './prompt-tab.ts';
import { PANEL_ID, Tabs } from './tabs.ts';
import { labelOf } from './trace-line.ts';
import { entryIds } from './trace-rows.ts';
import { shownNode } from './traces.ts';

const TABS = ['Messages', 'Result', 'Email', 'Prompt', 'Config', 'JSON'] as const;
type Tab = (typeof TABS)[number];

/** The tab of the node before; undefined until somebody chooses one. */
let chosen: Tab | undefined;

/** The selected node: what was said, its result, the e-mail, the prompt, the config of the run, and all of it as JSON. */
export function TracePane({ nodeId }: { nodeId: string }) {
  const [tab, setTab] = useState<Tab | undefined>(chosen);
  useEffect(() => shownNode.show(nodeId), [nodeId]);
  const { key, data: node, error } = shownNode.state.value;
  const choose = (next: Tab) => setTab((chosen = next));
  useKeys({
    ...Object.fromEntries(TABS.map((name, i) => [String(i + 1), () => choose(name)])),
    Escape: () => go('diagnostics'),
    c: () => node?.runId !== undefined && copyText(commandOf(node.runId)),
  });
  if (key !== nodeId || (node === undefined && error === undefined)) return html`<div class="body"></div>`;
  if (node === undefined)
    return html`<div class="body pad">${error !== undefined && html`<${ErrorNotice} error=${error} />`}</div>`;
  const { runId } = node;
  const shown = tab ?? (node.kind === 'director' || node.kind === 'agent' ? 'Messages' : 'Result');
  return html`<header class="head">
      <div class="title">
        <h1><${Shown} text=${labelOf(node)} /></h1>
        <p class="sub"><${Facts} node=${node} /></p>
      </div>
      <div class="row">
        ${
          runId !== undefined &&
          html`<button title=${`${commandOf(runId)} (c)`} onClick=${() => copyText(commandOf(runId))}>
            <${Icon} name="copy" />Copy command
          </button>`
        }
        ${
          entryIds(node).length > 0 &&
          html`<button class="danger for-admin" title="Delete (#)" onClick=${() => void confirmDelete(entryIds(node))}>
            <${Icon} name="trash" />Delete
          </button>`
        }
        <button class="bare" title="Close (Esc)" aria-label="Close" onClick=${() => go('diagnostics')}>
          <${Icon} name="cross" />
        </button>
      </div>
    </header>
    <div class="body pad">
      <${Tabs} tabs=${TABS} current=${shown} onChoose=${choose} />
      <section id=${PANEL_ID} role="tabpanel" aria-labelledby=${`tab-${shown}`}>
        <${Panel} tab=${shown} node=${node} />
      </section>
    </div>`;
}

/** The command that shows the run in a terminal. */
const commandOf = (runId: string) => `callsheet runs show ${runId}`;

function Panel({ tab, node }: { tab: Tab; node: NodeView }) {
  const threadId = threadOf(node);
  switch (tab) {
    case 'Messages':
      return threadId === undefined
        ? html`<p class="muted">Choose a run: each has messages of its own.</p>`
        : html`<${Transcript} key=${threadId} threadId=${threadId} />`;
    case 'Result':
      return html`<${ResultTab} node=${node} />`;
    case 'Email':
      return html`<${EmailTab} emailId=${node.emailId} />`;
    case 'Prompt':
      return html`<${PromptTab} key=${node.id} threadId=${threadId} payload=${split(node.detail).result} />`;
    case 'Config':
      return html`<${ConfigTab} runId=${node.kind === 'cycle' ? undefined : node.runId} />`;
    case 'JSON':
      return html`<p class="row">
          <button aria-keyshortcuts="C" title="Copy JSON (C)" onClick=${() => copyText(formatValue(node.detail))}>
            <${Icon} name="copy" />Copy JSON
          </button>
        </p>
        <${LongText} className="json" text=${formatValue(node.detail)} />`;
    default:
      return tab satisfies never;
  }
}

/** The thread that a node is, or belongs to; undefined for a fetch. */
function threadOf({ kind, parentId, detail, id }: NodeView): string | undefined {
  if (kind === 'cycle') return undefined;
  const thread = isRecord(detail) ? detail['thread'] : undefined;
  if (isRecord(thread) && typeof thread['id'] === 'string') return thread['id'];
  return kind === 'director' || kind === 'agent' ? id : (parentId ?? undefined);
}

function Facts({ node }: { node: NodeView }) {
  const { status, durationMs, usage, timestamp, runId, phase } = node;
  return html`${status !== undefined && html`<span class=${`chip ${status === 'failed' ? 'bad' : status === 'completed' ? 'ok' : ''}`}>${status}</span>`}
    ${phase !== undefined && html`<span>${phase}</span>`}
    <span>${fullTime(timestamp)}</span> ${durationMs !== undefined && html`<span>${duration(durationMs)}</span>`}
    ${usage !== undefined && html`<span>${short(usage.inputTokens)} → ${short(usage.outputTokens)} tokens</span>`}
    ${usage?.cost !== undefined && html`<span>${costOf(usage.cost)}</span>`}
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
