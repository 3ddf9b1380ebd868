import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import type { Estimate } from '../http/api-types.ts';
import { request } from '../http/request.ts';
import { go, hrefOf } from '../shell/route.ts';
import { Icon } from '../widget/icon.ts';
import { attempt, showToast } from '../widget/toast.ts';
import { Shown } from '../widget/visible.ts';
import { type Asked, isOpen, type Talk } from './talk.ts';
import { cancelTurn, endTalk } from './talks.ts';

interface Props {
  readonly asked: Asked;
  readonly name: string;
  /** The open talk; undefined for a new one. */
  readonly talk?: Talk;
}

/** Who is asked, by which model, the way to the config and to the files, and what ends the talk. */
export function TalkHead({ asked, name, talk }: Props) {
  const model = useModel(asked);
  const isSession = asked.kind === 'agent';
  const end = (id: string) =>
    void attempt(async () => {
      await endTalk(id);
      showToast('The session has ended. It stays in the list.');
    });
  return html`<header class="head ask-head">
    <div class="title">
      <h1><${Icon} name=${isSession ? 'agent' : 'director'} /> <${Shown} text=${name} /></h1>
      <p class="sub">
        <span>${isSession ? 'Agent' : 'Director'}</span>
        ${model !== '' && html`<span class="model"><${Shown} text=${model} /></span>`}
        <a href=${hrefOf('config')} title=${`config/${asked.kind}s/${asked.id}.yaml`}>Config</a>
        ${isSession && html`<a href=${hrefOf('ask', 'agent', asked.id, 'files')}>Files</a>`}
        <a href=${hrefOf('ask', asked.kind, asked.id, 'activity')}>Activity</a>
      </p>
    </div>
    ${
      talk !== undefined &&
      html`<div class="row for-approver">
        ${
          isOpen(talk.turns.at(-1)) &&
          html`<button
            class=${`danger ${isSession ? '' : 'for-admin'}`}
            title="Cancel the work on the question (Esc)"
            onClick=${() => void attempt(() => cancelTurn(talk))}
          >
            <${Icon} name="stop" />Cancel
          </button>`
        }
        ${
          isSession && talk.over === ''
            ? html`<button
                aria-keyshortcuts="X"
                title="End the session (X). Leaving the page keeps it."
                onClick=${() => end(talk.id)}
              >
                <${Icon} name="exit" />End
              </button>`
            : html`<button title="Ask again, in a new talk (n)" onClick=${() => go('ask', [asked.kind, asked.id])}>
                <${Icon} name="plus" />New
              </button>`
        }
      </div>`
    }
  </header>`;
}

/** Name of the model that answers; `''` until it is known. */
function useModel({ kind, id }: Asked): string {
  const [model, setModel] = useState('');
  useEffect(() => {
    const gone = new AbortController();
    const body = { [`${kind}Id`]: id, message: '' };
    // Where it cannot be estimated, the field below says why.
    request<Estimate>('POST', '/api/estimate', { body, signal: gone.signal }).then(
      (found) => setModel(found.model),
      () => undefined,
    );
    return () => gone.abort();
  }, [kind, id]);
  return model;
}
