import { signal } from '@preact/signals';
import { html } from 'htm/preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ErrorBody } from '../../engine/src/base/error.ts';
import type { AlwaysChanges, ApprovalView } from '../http/api-types.ts';
import { errorOfThrown } from '../http/request.ts';
import { ErrorNotice } from '../widget/notice.ts';
import { Shown } from '../widget/visible.ts';
import { alwaysChange, decide } from './approvals.ts';
import { Diff } from './diff.ts';
import { keyed, MAIN_KEY } from '../shell/keys.ts';

const asked = signal<ApprovalView | undefined>(undefined);

/** Opens the dialog that shows what "Always allow" changes in the config, before it changes anything. */
export function openAlways(approval: ApprovalView): void {
  asked.value = approval;
}

/** The dialog of `openAlways`; it is on the page once. */
export function AlwaysDialog() {
  const approval = asked.value;
  if (approval === undefined) return null;
  return html`<${Open} key=${approval.id} approval=${approval} close=${() => (asked.value = undefined)} />`;
}

function Open({ approval, close }: { approval: ApprovalView; close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [pattern, setPattern] = useState<string | undefined>(undefined);
  const [change, setChange] = useState<AlwaysChanges | undefined>(undefined);
  const [error, setError] = useState<ErrorBody | undefined>(undefined);
  const [count, setCount] = useState(0);
  const [isBusy, setIsBusy] = useState(false);
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    const gone = new AbortController();
    const load = () =>
      void alwaysChange(approval.id, pattern, gone.signal).then(
        (found) => {
          setChange(found);
          setError(undefined);
        },
        (thrown: unknown) => {
          if (!gone.signal.aborted) setError(errorOfThrown(thrown));
        },
      );
    const timer = setTimeout(load, pattern === undefined ? 0 : 300);
    return () => {
      clearTimeout(timer);
      gone.abort();
    };
  }, [approval.id, pattern, count]);
  const isFresh = change !== undefined && error === undefined && (pattern ?? change.pattern) === change.pattern;
  const apply = async () => {
    if (!isFresh || isBusy) return;
    setIsBusy(true);
    const { pattern: rule, seen } = change;
    const refusal = await decide(approval.id, { decision: 'allow', remember: 'always', pattern: rule, seen });
    setIsBusy(false);
    if (refusal === undefined) return close();
    // The files have changed meanwhile: the dialog shows what would change now.
    if (refusal.code === 'CONFLICT') setCount(count + 1);
    setError(refusal);
  };
  return html`<dialog ref=${dialog} class="wide" aria-labelledby="always-title" onClose=${close}>
    <h2 id="always-title">Always allow: ${approval.title.action}</h2>
    <p>Calls that match this pattern run without asking, in this run and in later ones.</p>
    <label class="field"
      ><span>Pattern</span
      ><input
        class="mono"
        spellcheck="false"
        value=${pattern ?? change?.pattern ?? ''}
        aria-invalid=${error === undefined ? undefined : 'true'}
        onInput=${(e: InputEvent) => e.target instanceof HTMLInputElement && setPattern(e.target.value)}
    /></label>
    ${error !== undefined && html`<${ErrorNotice} error=${error} />`}
    ${change === undefined && error === undefined && html`<p class="muted">Loading…</p>`}
    ${
      isFresh &&
      html`<div class="changes">
        ${change.changes.map(
          ({ file, diff }) =>
            html`<h3 key=${`h${file}`} class="mono"><${Shown} text=${file} /></h3>
              <${Diff} key=${file} text=${diff} label=${`What changes in ${file}`} />`,
        )}
      </div>`
    }
    <div class="row end">
      <button ...${keyed('Escape', 'Cancel')} onClick=${() => dialog.current?.close()}>Cancel</button>
      <button
        ...${keyed(MAIN_KEY, 'Allow')}
        class="primary"
        disabled=${!isFresh || isBusy}
        onClick=${() => void apply()}
      >
        Change ${change?.changes.length === 1 ? 'the file' : 'the files'} and allow
      </button>
    </div>
  </dialog>`;
}
