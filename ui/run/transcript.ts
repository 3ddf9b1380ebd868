import { useSignal } from '@preact/signals';
import { html } from 'htm/preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Message, ToolCall } from '../../engine/src/model/model.ts';
import { formatJson, isRecord, parseJson } from '../http/json.ts';
import { errorOfThrown } from '../http/request.ts';
import type { ConversationThread } from '../http/api-types.ts';
import { Icon } from '../widget/icon.ts';
import { LongText } from '../widget/long-text.ts';
import { Shown, visible } from '../widget/visible.ts';
import { dropAnswer, endedAnswer, hasLiveAnswer, LiveAnswer } from './live-answer.ts';
import { fetchThread, transcriptTick } from './runs.ts';

/** A tool call to show: the number of its message, counted from 1, and its id. */
export interface CallPlace {
  readonly message: number;
  readonly callId: string;
}

interface Props {
  readonly threadId: string;
  /** This call is open, in sight and has the focus, once the messages are there. */
  readonly place?: CallPlace | undefined;
}

/** The messages of a thread in order; each tool call opens to show its arguments and its result. */
export function Transcript({ threadId, place }: Props) {
  const thread = useSignal<ConversationThread | undefined>(undefined);
  const failure = useSignal('');
  const tick = transcriptTick.value;
  useEffect(() => {
    const gone = new AbortController();
    const ended = endedAnswer(threadId);
    fetchThread(threadId, gone.signal).then(
      (fetched) => {
        thread.value = fetched;
        dropAnswer(threadId, ended);
        failure.value = '';
      },
      (thrown: unknown) => {
        if (!gone.signal.aborted) failure.value = errorOfThrown(thrown).message;
      },
    );
    return () => gone.abort();
  }, [threadId, tick]);
  if (failure.value !== '') return html`<p class="bad-text"><${Shown} text=${failure.value} /></p>`;
  if (thread.value === undefined) return html`<p class="muted">Loading…</p>`;
  const { messages = [], summary } = thread.value;
  if (messages.length === 0 && !hasLiveAnswer(threadId)) return html`<p class="muted">No messages yet.</p>`;
  const answers = new Map(messages.flatMap((m) => (m.role === 'tool' ? [[m.tool_call_id, m.content]] : [])));
  return html`<ol class="transcript">
    ${messages.map(
      (message, i) =>
        message.role !== 'tool' &&
        html`${i === summary?.upTo && html`<${Summarised} key="summary" summary=${summary} />`}<${Line}
            key=${i}
            message=${message}
            answers=${answers}
            openCall=${place?.message === i + 1 ? place.callId : undefined}
          />`,
    )}
    <${LiveAnswer} key="arriving" threadId=${threadId} />
  </ol>`;
}

/** Where the messages begin that the model gets word for word, and what it gets in place of those above. */
function Summarised({ summary }: { summary: NonNullable<ConversationThread['summary']> }) {
  return html`<li class="window">
    <details>
      <summary>
        <${Icon} name="chevron" className="turn" />
        <span class="muted">
          The model gets ${summary.text === '' ? 'none of the messages above' : 'a summary of the messages above'}
        </span>
      </summary>
      ${summary.text !== '' && html`<${LongText} text=${summary.text} />`}
    </details>
  </li>`;
}

function Line({
  message,
  answers,
  openCall,
}: {
  message: Exclude<Message, { role: 'tool' }>;
  answers: ReadonlyMap<string, string>;
  openCall: string | undefined;
}) {
  if (message.role !== 'assistant') {
    return html`<li class=${message.role}>
      <details>
        <summary>
          <${Icon} name="chevron" className="turn" /><b>${message.role}</b>
          <span class="one-line"><${Shown} text=${message.content.slice(0, 200)} /></span>
        </summary>
        <${LongText} text=${message.content} />
      </details>
    </li>`;
  }
  const text = message.content || message.refusal || '';
  return html`<li class="assistant">
    ${text !== '' && html`<${LongText} className="said" text=${text} />`}
    ${(message.tool_calls ?? []).map((call) => html`<${CallChip} key=${call.id} call=${call} answer=${answers.get(call.id)} isWanted=${call.id === openCall} />`)}
  </li>`;
}

/** A tool call, which opens to show its arguments and its result. */
export function CallChip({
  call,
  answer,
  isWanted,
}: {
  call: ToolCall;
  answer: string | undefined;
  isWanted: boolean;
}) {
  const [isOpen, setIsOpen] = useState(isWanted);
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (!isWanted) return;
    setIsOpen(true);
    details.current?.querySelector('summary')?.focus({ preventScroll: true });
    details.current?.scrollIntoView({ block: 'center' });
  }, [isWanted]);
  const result = answer === undefined ? undefined : parseJson(answer);
  const isError = isRecord(result) && result['error'] !== undefined;
  const sessionId = isRecord(result) && typeof result['sessionId'] === 'string' ? result['sessionId'] : undefined;
  return html`<details
    ref=${details}
    class=${`call${isError ? ' bad' : ''}${isWanted ? ' wanted' : ''}`}
    open=${isOpen}
    onToggle=${(e: Event) => e.target instanceof HTMLDetailsElement && e.target === e.currentTarget && setIsOpen(e.target.open)}
  >
    <summary>
      <${Icon} name=${call.function.name.startsWith('agent__') ? 'agent' : 'tool'} />
      <b><${Shown} text=${call.function.name} /></b>
      <span class="one-line"><${Shown} text=${call.function.arguments.slice(0, 160)} /></span>
      <span class="outcome">${answer === undefined ? 'no result yet' : isError ? 'error' : ''}</span>
    </summary>
    ${
      isOpen &&
      html`<h3>Arguments</h3>
        <${LongText} text=${visible(formatJson(call.function.arguments))} />
        <h3>Result</h3>
        <${LongText} text=${answer === undefined ? 'none yet' : formatJson(answer)} />
        ${
          sessionId !== undefined &&
          html`<h3>The agent's session</h3>
            <${Transcript} threadId=${sessionId} />`
        }`
    }
  </details>`;
}
