import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import type { ErrorBody } from '../../../engine/src/base/error.ts';
import type { PromptPreview as Preview } from '../../../engine/src/api/routes/config/prompt-preview.ts';
import { isRecord } from '../../http/json.ts';
import { errorOfThrown, request } from '../../http/request.ts';
import { mails } from '../../mail/mails.ts';
import { ErrorNotice } from '../../widget/notice.ts';
import { Marks, visible } from '../../widget/visible.ts';
import type { FormContext } from '../form/context.ts';
import { MailChoice } from '../try/mail-choice.ts';

/** Time without a change before the preview is asked again, in milliseconds. */
const PAUSE_MS = 300;

interface Props {
  readonly context: FormContext;
  /** The prompt as the form has it; undefined for an actor without one. */
  readonly prompt: unknown;
}

/** The first messages that the model gets for a mail or a message, with unknown variables in red and an estimate of tokens. */
export function PromptPreview({ context, prompt }: Props) {
  const { kind, id, ownVariables } = context;
  const actors = [
    ...context.idsIn('directors').map((one) => `director/${one}`),
    ...context.idsIn('agents').map((one) => `agent/${one}`),
  ];
  const self = kind === 'prompt' ? actors[0] : `${kind}/${id}`;
  const [actor, setActor] = useState(self ?? '');
  const [emailId, setEmailId] = useState(mails.value[0]?.id ?? '');
  const [message, setMessage] = useState('');
  const [shown, setShown] = useState<Preview | undefined>(undefined);
  const [error, setError] = useState<ErrorBody | undefined>(undefined);
  const isAgent = actor.startsWith('agent/');
  const draft = JSON.stringify({ prompt, ownVariables });
  useEffect(() => {
    if (actor === '') return undefined;
    const gone = new AbortController();
    const [who, ...rest] = actor.split('/');
    const own = kind === 'prompt' ? { variables: ownVariables } : {};
    const body = {
      [who === 'agent' ? 'agentId' : 'directorId']: rest.join('/'),
      ...(emailId !== '' && !isAgent ? { emailId } : { message }),
      ...(Array.isArray(prompt) || isRecord(prompt) ? { prompt, ...own } : {}),
    };
    const ask = () =>
      request<Preview>('POST', '/api/prompts/preview', { body, signal: gone.signal }).then(
        (answer) => {
          setShown(answer);
          setError(undefined);
        },
        (thrown: unknown) => !gone.signal.aborted && setError(errorOfThrown(thrown)),
      );
    const timer = setTimeout(() => void ask(), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      gone.abort();
    };
  }, [actor, emailId, message, draft]);
  if (actor === '') return html`<p class="muted">There is no director or agent to preview it for.</p>`;
  const read = (set: (text: string) => void) => (event: Event) =>
    (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) && set(event.target.value);
  return html`<div class="prompt-preview">
    <div class="row">
      ${
        kind === 'prompt' &&
        html`<label class="row"
          >For
          <select onChange=${read(setActor)}>
            ${actors.map((one) => html`<option key=${one} value=${one} selected=${one === actor}>${one.replace('/', ' ')}</option>`)}
          </select></label
        >`
      }
      ${!isAgent && html`<${MailChoice} label="E-mail" none="No e-mail" value=${emailId} onChoose=${setEmailId} />`}
      ${(isAgent || emailId === '') && html`<label class="row">Message <input value=${message} onInput=${read(setMessage)} /></label>`}
    </div>
    ${error !== undefined && html`<${ErrorNotice} error=${error} />`}
    ${
      shown !== undefined &&
      html`<p role="status">
          About <b>${shown.tokens.toLocaleString('en')}</b> tokens, tools not counted.
          ${shown.unknown.length > 0 && html` <span class="bad-text">Unknown: ${shown.unknown.map((name) => `{{${visible(name)}}}`).join(', ')}.</span>`}
          ${shown.empty.length > 0 && html` <span class="wait-text">Empty here: ${shown.empty.map((name) => `{{${visible(name)}}}`).join(', ')}.</span>`}
        </p>
        <ol class="preview-messages">
          ${shown.messages.map(
            (one, i) =>
              html`<li key=${i} class=${`message-card ${one.role}`}>
                <b>${one.role}</b>
                <pre><${Text} text=${one.content ?? ''} unknown=${shown.unknown} /></pre>
                ${'tool_calls' in one && one.tool_calls !== undefined && html`<p class="muted">calls ${one.tool_calls.map((call) => call.function.name).join(', ')}</p>`}
              </li>`,
          )}
        </ol>`
    }
  </div>`;
}

/** A text with the placeholders that are no variables in red. */
function Text({ text, unknown }: { readonly text: string; readonly unknown: readonly string[] }) {
  return text.split(/(\{\{\s*[A-Za-z_][\w.-]*\s*\}\})/).map((part, i) => {
    const isUnknown = i % 2 === 1 && unknown.includes(part.slice(2, -2).trim());
    return isUnknown
      ? html`<mark key=${i} class="unknown-variable">${part}</mark>`
      : html`<${Marks} key=${i} text=${part} />`;
  });
}
