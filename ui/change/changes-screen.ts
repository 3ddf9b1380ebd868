import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import type { ComparisonView, ShadowView } from '../http/api-types.ts';
import { useKeys } from '../shell/keys.ts';
import { mayDo } from '../shell/person.ts';
import { route } from '../shell/route.ts';
import { Choice } from '../widget/choice.ts';
import { Icon } from '../widget/icon.ts';
import { Empty, ErrorNotice } from '../widget/notice.ts';
import { fullTime } from '../widget/time.ts';
import { Shown } from '../widget/visible.ts';
import { cancelChanges, changes, follow, refreshChanges, refs, shadow, startChanges, unsavedEdits } from './changes.ts';
import { Report } from './report.ts';
import { SidesScreen } from './sides-screen.ts';

const LIMITS = [
  ['20', '20'],
  ['50', '50'],
  ['200', '200'],
] as const;

/** What a change of the config would do: compares the running config with a git ref or unsaved edits on recent mail and runs. */
export function ChangesScreen() {
  const [name] = route.value.ids;
  if (name !== undefined) return html`<${SidesScreen} name=${name} />`;
  return html`<${Comparison} />`;
}

function Comparison() {
  const isAdmin = mayDo('admin');
  useEffect(() => {
    refreshChanges();
    if (isAdmin) refs.show('refs');
  }, [isAdmin]);
  const { data, error } = changes.state.value;
  useEffect(follow, [data]);
  useKeys({ r: refreshChanges });
  return html`<div class="page changes">
    <div class="page-head">
      <h1>Changes</h1>
      <button title="Refresh (r)" onClick=${refreshChanges}><${Icon} name="refresh" />Refresh</button>
    </div>
    ${
      isAdmin
        ? html`<p class="muted intro">
              Plays recent mail and runs under another config, from their recordings. No model is asked, and nothing is
              sent or written.
            </p>
            <${Start} view=${data} />
            ${error !== undefined && html`<${ErrorNotice} error=${error} />`}
            ${data !== undefined && html`<${Result} view=${data} />`}`
        : html`<p class="muted">Only an admin can compare configs.</p>`
    }
    <${ShadowPart} view=${shadow.state.value.data} />
  </div>`;
}

/** What is compared, with how many mails and runs. */
function Start({ view }: { readonly view: ComparisonView | undefined }) {
  const edits = unsavedEdits.value;
  const [wanted, setWanted] = useState<'ref' | 'edits'>(edits.length > 0 ? 'edits' : 'ref');
  const [ref, setRef] = useState('');
  const [limit, setLimit] = useState('50');
  const [isStarting, setStarting] = useState(false);
  const isRunning = view?.job?.status === 'running';
  const isReady = wanted === 'edits' ? edits.length > 0 : ref.trim() !== '';
  const canStart = isReady && !isRunning && !isStarting;
  const start = async () => {
    if (!canStart) return;
    setStarting(true);
    await startChanges(wanted === 'edits' ? 'edits' : { ref: ref.trim() }, Number(limit));
    setStarting(false);
  };
  useKeys({ n: () => void start(), ...(isRunning && { X: () => void cancelChanges() }) });
  return html`<form
    class="changes-form"
    onSubmit=${(event: Event) => {
      event.preventDefault();
      void start();
    }}
  >
    <${Choice}
      label="Compare with"
      nextKey="V"
      options=${[
        ['ref', 'Git ref'],
        ['edits', `Unsaved edits (${edits.length})`],
      ]}
      value=${wanted}
      onChoose=${setWanted}
    />
    ${
      wanted === 'ref'
        ? html`<label class="changes-ref">
            <span class="sr">Branch, tag or commit</span>
            <input
              list="changes-refs"
              placeholder="branch, tag or commit"
              autocomplete="off"
              spellcheck="false"
              value=${ref}
              onInput=${(event: InputEvent) => event.target instanceof HTMLInputElement && setRef(event.target.value)}
            />
            <datalist id="changes-refs">
              ${(refs.state.value.data?.refs ?? []).map((one) => html`<option key=${one} value=${one}></option>`)}
            </datalist>
          </label>`
        : html`<p class="changes-ref muted">
            ${edits.length === 0 ? 'No form of Config has an unsaved edit.' : edits.map(nameOfEdit).join(', ')}
          </p>`
    }
    <div class="row">
      <span class="muted">newest mails and runs</span>
      <${Choice} label="Newest mails and runs" nextKey="W" options=${LIMITS} value=${limit} onChoose=${setLimit} />
    </div>
    <div class="row">
      <button class="primary" disabled=${!canStart} title="Compare (n)">Compare</button>
      ${
        isRunning &&
        html`<button type="button" title="Cancel the comparison (X)" onClick=${() => void cancelChanges()}>
          <${Icon} name="cross" />Cancel
        </button>`
      }
    </div>
  </form>`;
}

function nameOfEdit({ kind, id, isNew }: (typeof unsavedEdits.value)[number]): string {
  if (kind === 'settings') return 'settings';
  return `${isNew ? 'new ' : ''}${kind} ${id}`;
}

function Result({ view: { job, report } }: { readonly view: ComparisonView }) {
  if (job === null)
    return html`<${Empty} icon="swap" title="Nothing compared yet.">
      <p>Choose a branch, or edit a form of Config without saving, and see here what it would change.</p>
    <//>`;
  const { status, against, progress, error, startedAt } = job;
  return html`<section aria-label="Comparison">
    <h2 class="section">Compared with <${Shown} text=${against} /></h2>
    <p class="muted" role="status">
      ${
        status === 'running'
          ? progress === undefined
            ? 'Opening the other config…'
            : `${progress.tier}: ${progress.done} of ${progress.total}`
          : `${status === 'done' ? 'Finished' : status === 'cancelled' ? 'Cancelled' : 'Failed'}, started ${fullTime(startedAt)}`
      }
    </p>
    ${
      status === 'running' &&
      html`<progress
        aria-label="Progress"
        ...${progress === undefined ? {} : { value: progress.done, max: Math.max(progress.total, 1) }}
      ></progress>`
    }
    ${error !== undefined && html`<${ErrorNotice} error=${error} />`}
    ${report !== undefined && html`<${Report} report=${report} problems=${report.problems} hasSides=${true} />`}
  </section>`;
}

/** The comparison of the shadow so far; nothing where none runs. */
function ShadowPart({ view }: { readonly view: ShadowView | undefined }) {
  if (view === undefined || view.shadow === null || view.report === undefined) return null;
  const { ref, percent, startedAt, mails, spentToday, maxCostPerDay, isFull, problem } = view.shadow;
  const facts = [
    `${percent} % of new mail since ${fullTime(startedAt)}`,
    `${mails} ${mails === 1 ? 'mail' : 'mails'}${isFull ? ', the most that it takes' : ''}`,
    `$${spentToday.toFixed(4)} of $${maxCostPerDay} spent today`,
  ];
  return html`<section class="shadow-part" aria-label="Shadow">
    <h2 class="section">Shadow of <${Shown} text=${ref} /></h2>
    <p class="muted">${facts.join(' · ')}</p>
    ${
      problem !== undefined &&
      html`<p class="notice bad">
        <${Icon} name="alert" /><span>It cannot try mail: <${Shown} text=${problem} /></span>
      </p>`
    }
    <${Report} report=${view.report} />
  </section>`;
}
