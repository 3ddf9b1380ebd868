import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import { isRecord } from '../http/json.ts';
import { errorOfThrown } from '../http/request.ts';
import { fetchThread } from '../run/runs.ts';
import { LongText } from '../widget/long-text.ts';
import { visible } from '../widget/visible.ts';

interface Said {
  readonly role: string;
  readonly content: string;
}

interface Props {
  readonly threadId: string | undefined;
  /** What a provider event sent, if the node is one. */
  readonly payload: unknown;
}

/** What the model was told: the exact messages and tools of a request, or the system and user messages of a thread. */
export function PromptTab({ threadId, payload }: Props) {
  const sent = messagesOf(payload);
  const [said, setSaid] = useState<readonly Said[] | string>('Loading…');
  const isSent = sent !== undefined;
  useEffect(() => {
    if (threadId === undefined || isSent) return;
    const gone = new AbortController();
    fetchThread(threadId, gone.signal).then(
      ({ messages = [] }) => setSaid(messages.filter(({ role }) => role === 'system' || role === 'user').map(saidOf)),
      (thrown: unknown) => {
        if (!gone.signal.aborted) setSaid(errorOfThrown(thrown).message);
      },
    );
    return () => gone.abort();
  }, [threadId, isSent]);
  if (threadId === undefined && !isSent) return html`<p class="muted">Choose a run, an agent or a request.</p>`;
  const shown = sent ?? said;
  if (typeof shown === 'string') return html`<p class="muted">${shown}</p>`;
  const tools = toolsOf(payload);
  return html`${shown.length === 0 && html`<p class="muted">No message yet.</p>`}
  ${shown.map(
    ({ role, content }, i) =>
      html`<h2 key=${`h${i}`} class="section">${role}</h2>
        <${LongText} key=${i} className="json" text=${visible(content)} />`,
  )}
  ${
    tools.length > 0 &&
    html`<h2 class="section">Tools</h2>
      <p class="row">${tools.map((name) => html`<code key=${name}>${name}</code>`)}</p>`
  }`;
}

function saidOf(message: object): Said {
  const { role, content } = message as { readonly role?: unknown; readonly content?: unknown };
  return { role: String(role), content: typeof content === 'string' ? content : JSON.stringify(content ?? null) };
}

/** The messages of a request; undefined where the payload is none. */
function messagesOf(payload: unknown): readonly Said[] | undefined {
  if (!isRecord(payload) || !Array.isArray(payload['messages'])) return undefined;
  return payload['messages'].filter(isRecord).map(saidOf);
}

function toolsOf(payload: unknown): readonly string[] {
  if (!isRecord(payload) || !Array.isArray(payload['tools'])) return [];
  return payload['tools'].filter(isRecord).map((tool) => {
    const { function: inner, name } = tool;
    return String(isRecord(inner) ? inner['name'] : name);
  });
}
