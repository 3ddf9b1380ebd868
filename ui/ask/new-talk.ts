import { html } from 'htm/preact';
import { useId } from 'preact/hooks';
import { go, hrefOf } from '../shell/route.ts';
import { Icon } from '../widget/icon.ts';
import { Empty, ErrorNotice } from '../widget/notice.ts';
import { Shown, visible } from '../widget/visible.ts';
import { AskField } from './ask-field.ts';
import type { Asked } from './talk.ts';
import { TalkHead } from './talk-head.ts';
import { askable } from './talks.ts';

const GROUPS = [
  ['director', 'Directors'],
  ['agent', 'Agents'],
] as const;

/** A new talk: whom to ask, and the field for the first question. */
export function NewTalk({ asked }: { readonly asked: Asked | undefined }) {
  const { data, error } = askable.state.value;
  if (data === undefined)
    return html`<div class="body pad">${error !== undefined && html`<${ErrorNotice} error=${error} />`}</div>`;
  if (data.length === 0)
    return html`<${Empty} icon="help" title="Nobody to ask yet.">
      <p>Write a director or an agent first: <a href=${hrefOf('config')}>Config</a></p>
    <//>`;
  const found = asked && data.find(({ kind, id }) => kind === asked.kind && id === asked.id);
  if (found === undefined) return html`<${Choose} isUnknown=${asked !== undefined} />`;
  return html`<${TalkHead} asked=${found} name=${found.name} />
    <div class="body pad ask-new">
      <${Picker} asked=${found} />
      ${found.description !== '' && html`<p class="muted"><${Shown} text=${found.description} /></p>`}
    </div>
    <${AskField} asked=${found} />`;
}

function Picker({ asked }: { readonly asked: Asked }) {
  const id = useId();
  const onChange = ({ target }: Event) => {
    if (!(target instanceof HTMLSelectElement)) return;
    const [kind = '', ...rest] = target.value.split('/');
    go('ask', [kind, rest.join('/')], { replace: true });
  };
  return html`<p class="row">
    <label for=${id}>Ask</label>
    <select id=${id} value=${`${asked.kind}/${asked.id}`} onChange=${onChange}>
      ${GROUPS.map(
        ([kind, label]) =>
          html`<optgroup key=${kind} label=${label}>
            ${ofKind(kind).map((one) => html`<option key=${one.id} value=${`${kind}/${one.id}`}>${visible(one.name)}</option>`)}
          </optgroup>`,
      )}
    </select>
  </p>`;
}

function Choose({ isUnknown }: { readonly isUnknown: boolean }) {
  return html`<div class="body pad ask-new">
    <h1>Whom do you ask?</h1>
    ${isUnknown && html`<p class="bad-text">There is no such director or agent any more.</p>`}
    ${GROUPS.map(
      ([kind, label]) =>
        ofKind(kind).length > 0 &&
        html`<section key=${kind} aria-label=${label}>
          <h2 class="section">${label}</h2>
          <ul class="whom">
            ${ofKind(kind).map(
              ({ id, name, description }) =>
                html`<li key=${id}>
                  <a class="card" href=${hrefOf('ask', kind, id)}>
                    <b><${Icon} name=${kind} /> <${Shown} text=${name} /></b>
                    ${description !== '' && html`<span class="muted"><${Shown} text=${description} /></span>`}
                  </a>
                </li>`,
            )}
          </ul>
        </section>`,
    )}
  </div>`;
}

const ofKind = (wanted: Asked['kind']) => (askable.state.value.data ?? []).filter(({ kind }) => kind === wanted);
