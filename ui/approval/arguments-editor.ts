import { html } from 'htm/preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ErrorBody } from '../../engine/src/base/error.ts';
import { formatValue, isRecord } from '../http/json.ts';
import { Choice } from '../widget/choice.ts';
import { ErrorNotice } from '../widget/notice.ts';
import { visible } from '../widget/visible.ts';
import { ArgumentForm } from './argument-form.ts';
import { type Edit, parseEdit } from './edits.ts';

type Mode = 'form' | 'json';

/** Edits the arguments of a call in a form or as JSON. The text stays as it is, whatever the server says about it. */
export function ArgumentsEditor({ edit, id }: { readonly edit: Edit; readonly id: string }) {
  const [mode, setMode] = useState<Mode>('form');
  const text = edit.text.value;
  const parsed = parseEdit(text);
  const refusal = edit.failure.value ?? edit.refusal.value;
  const schema = edit.draft.value?.parameters;
  const canShowForm = schema !== undefined && parsed.ok && isRecord(parsed.value);
  const section = useRef<HTMLElement>(null);
  const isReady = canShowForm && mode === 'form';
  // The form comes a moment after the editor was opened, which has the focus then.
  useEffect(() => {
    if (isReady && section.current?.contains(document.activeElement) === true)
      section.current.querySelector<HTMLElement>('.field :is(input, textarea, select)')?.focus();
  }, [isReady]);
  const change = (next: string) => {
    edit.text.value = next;
    edit.refusal.value = undefined;
    edit.failure.value = undefined;
  };
  return html`<section ref=${section} class="arguments" role="group" aria-label="Edit the arguments" id=${id}>
    <${Choice}
      label="Editor"
      nextKey="V"
      options=${[
        ['form', 'Form'],
        ['json', 'JSON'],
      ]}
      value=${mode}
      onChoose=${setMode}
    />
    ${
      mode === 'form'
        ? canShowForm
          ? html`<${ArgumentForm}
              schema=${schema}
              values=${parsed.value}
              onChange=${(values: object) => change(visible(formatValue(values)))}
            />`
          : html`<p class="muted">
              ${parsed.ok ? (refusal === undefined ? 'Loading the form…' : 'There is no form for this tool. Edit the arguments as JSON.') : 'The JSON has an error. Correct it under JSON.'}
            </p>`
        : html`<textarea
            class="mono"
            spellcheck="false"
            aria-label="Arguments"
            rows=${Math.min(14, text.split('\n').length)}
            value=${text}
            aria-invalid=${parsed.ok ? undefined : 'true'}
            onInput=${(e: InputEvent) => e.target instanceof HTMLTextAreaElement && change(e.target.value)}
          ></textarea>`
    }
    ${!parsed.ok && html`<p class="bad-text" role="alert">Not valid JSON: ${parsed.message}</p>`}
    ${parsed.ok && refusal !== undefined && html`<${ErrorNotice} error=${forPeople(refusal)} />`}
  </section>`;
}

/** The hint of such an error tells a model to call the tool again. */
function forPeople({ hint, ...error }: ErrorBody): ErrorBody {
  return error.code === 'TOOL_ARGUMENTS' || hint === undefined ? error : { ...error, hint };
}
