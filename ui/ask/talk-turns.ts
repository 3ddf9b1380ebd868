import { html } from 'htm/preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Message } from '../../engine/src/model/model.ts';
import { WaitingCards, waitingOf } from '../approval/waiting-cards.ts';
import { ItemCard } from '../item/card.ts';
import { Markdown } from '../markdown/markdown.ts';
import { liveTextOf } from '../run/live-answer.ts';
import { PlanSteps } from '../run/plan-steps.ts';
import { CallChip } from '../run/transcript.ts';
import { hrefOf } from '../shell/route.ts';
import { StatusChip } from '../widget/chip.ts';
import { ErrorNotice } from '../widget/notice.ts';
import { Age } from '../widget/time.ts';
import { Shown } from '../widget/visible.ts';
import { isOpen, type Talk, type Turn } from './talk.ts';

/** Distance from the end, in pixels, within which somebody reads along. */
const NEAR_PX = 160;

/** The questions of a talk with their steps, oldest first. Opens at the newest and stays there for whoever is at the end. */
export function TalkTurns({ talk }: { readonly talk: Talk }) {
  const pane = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const area = pane.current;
    const content = area?.firstElementChild;
    if (!area || !content) return;
    let isAtEnd = true;
    const onScroll = () => (isAtEnd = area.scrollHeight - area.scrollTop - area.clientHeight < NEAR_PX);
    const observer = new ResizeObserver(() => {
      if (isAtEnd) area.scrollTop = area.scrollHeight;
    });
    observer.observe(content);
    area.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      area.removeEventListener('scroll', onScroll);
    };
  }, []);
  return html`<div class="timeline">
    <div class="body" ref=${pane} tabindex="0" role="region" aria-label="Conversation">
      <div class="messages">
        ${talk.moreBefore !== undefined && html`<p class="muted">Only the newest questions are shown.</p>`}
        <div class="log" role="log" aria-label="Questions and answers">
          ${talk.turns.map((turn, i) => html`<${OneTurn} key=${turn.runId ?? i} turn=${turn} name=${talk.name} />`)}
        </div>
      </div>
    </div>
  </div>`;
}

function OneTurn({ turn, name }: { readonly turn: Turn; readonly name: string }) {
  const { question, at, runId, status, error, items } = turn;
  return html`<article class="message own" aria-label="Your question">
      <div class="bubble">
        <p class="author"><b>You</b>${at !== undefined && html`<${Age} at=${at} />`}</p>
        <${Markdown} text=${question} />
      </div>
    </article>
    <article class="message answer" aria-label="Answer">
      <div class="bubble">
        <p class="author">
          <b><${Shown} text=${name} /></b>
          ${status !== 'completed' && html`<${StatusChip} status=${status} waitingFor=${turn.waitingFor} />`}
          ${runId !== undefined && html`<a class="run-link" href=${hrefOf('runs', runId)}>run</a>`}
        </p>
        <${PlanSteps} plan=${turn.plan} /><${Steps} turn=${turn} />
        <${WaitingCards} runId=${runId} />
        ${error !== undefined && html`<${ErrorNotice} error=${error} />`}
        ${
          items.length > 0 &&
          html`<div class="cards" role="group" aria-label="Results">
            ${items.map((item) => html`<${ItemCard} key=${item.id} item=${item} maker=${name} full=${item} href=${hrefOf('runs', item.context.runId ?? runId ?? '', item.id)} />`)}
          </div>`
        }
      </div>
    </article>`;
}

/** Texts and tool calls in their order, and the text that is being written. */
function Steps({ turn }: { readonly turn: Turn }) {
  const { steps, runId } = turn;
  const results = new Map(steps.flatMap((m) => (m.role === 'tool' ? [[m.tool_call_id, m.content] as const] : [])));
  const live = runId === undefined || !isOpen(turn) ? '' : liveTextOf(runId);
  // A text that arrived is in the transcript before its piece is dropped.
  const isNew = live !== '' && !steps.some((step) => step.role === 'assistant' && step.content === live);
  const isQuiet = isOpen(turn) && turn.status !== 'waiting' && !isNew && waitingOf(runId).length === 0;
  return html`${steps.map((step, i) => html`<${Step} key=${i} step=${step} results=${results} />`)}
  ${isNew && html`<div aria-busy="true"><${Markdown} text=${live} /></div>`}
  ${isQuiet && html`<p class="typing" role="status" aria-label="At work"><i></i><i></i><i></i></p>`}`;
}

function Step({ step, results }: { readonly step: Message; readonly results: ReadonlyMap<string, string> }) {
  if (step.role !== 'assistant') return null;
  const text = step.content || step.refusal || '';
  return html`${text !== '' && html`<${Markdown} text=${text} />`}
  ${
    (step.tool_calls ?? []).length > 0 &&
    html`<div class="transcript">
      ${step.tool_calls?.map((call) => html`<${CallChip} key=${call.id} call=${call} answer=${results.get(call.id)} isWanted=${false} />`)}
    </div>`
  }`;
}
