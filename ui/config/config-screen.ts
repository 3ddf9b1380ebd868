import { html } from 'htm/preact';
import type { DocumentState, Problem } from '../../engine/src/config/config.ts';
import { useKeys } from '../shell/keys.ts';
import { go, route } from '../shell/route.ts';
import { Icon } from '../widget/icon.ts';
import { Empty, ErrorNotice } from '../widget/notice.ts';
import { Split } from '../widget/split.ts';
import { Shown } from '../widget/visible.ts';
import { AllowHost } from './allow-host.ts';
import { config, editorLink } from './config.ts';
import { ConnectionList } from './connection-list.ts';

const MARKS = { live: 'check', stale: 'clock', invalid: 'alert' } as const;
const KIND_LABELS: readonly (readonly [kind: DocumentState['kind'], word: string])[] = [
  ['settings', 'Settings'],
  ['account', 'Accounts'],
  ['filter', 'Filters'],
  ['director', 'Directors'],
  ['agent', 'Agents'],
  ['prompt', 'Prompts'],
  ['tool', 'Tools'],
  ['api', 'Model APIs'],
];
const STATE_LABELS = { live: 'runs as saved', stale: 'an earlier version runs', invalid: 'does not run' } as const;

/** The config that runs: its revision, the state of each file, accounts, and problems with their position. */
export function ConfigScreen() {
  // `#/config/<file>` shows the problems of one file.
  const [chosen = ''] = route.value.ids;
  const setChosen = (file: string) => go('config', file === '' ? [] : [file]);
  useKeys({ r: config.refresh, u: () => setChosen('') });
  const { data, error } = config.state.value;
  if (data === undefined)
    return html`<div class="page">${error !== undefined && html`<${ErrorNotice} error=${error} />`}</div>`;
  const problems = data.problems.filter((problem) => chosen === '' || concerns(problem, chosen));
  const left = html`<div class="list-head revision">
      <span>Revision</span><code title=${data.revision}>${data.revision.slice(0, 12)}</code>
      ${chosen !== '' && html`<button onClick=${() => setChosen('')}>All files</button>`}
    </div>
    <div class="scroll">
      <${Documents} documents=${data.documents} problems=${data.problems} chosen=${chosen} onChoose=${setChosen} />
    </div>`;
  const right = html`<${RejectedEdit} documents=${data.documents} revision=${data.revision} />
    <header class="head">
      <div class="title"><h1>${chosen === '' ? 'Config' : chosen}</h1></div>
    </header>
    <div class="body pad">
      ${error !== undefined && html`<${ErrorNotice} error=${error} />`}
      ${
        chosen === '' &&
        html`<${ConnectionList} />
          <h2 class="section">Problems</h2>`
      }
      ${problems.length === 0 && html`<${Empty} icon="check" title=${chosen === '' ? 'No problems.' : 'No problems in this file.'} />`}
      <ul class="problems">
        ${problems.map((problem, i) => html`<${ProblemLine} key=${i} problem=${problem} root=${data.root} />`)}
      </ul>
    </div>`;
  return html`<${Split} label="Config files" detail=${true} left=${left} right=${right} />`;
}

/** After a rejected edit: names the files whose last good version still runs, and those that do not run. */
function RejectedEdit({ documents, revision }: { documents: readonly DocumentState[]; revision: string }) {
  const stale = documents.filter((entry) => entry.state === 'stale');
  const invalid = documents.filter((entry) => entry.state === 'invalid');
  if (stale.length + invalid.length === 0) return null;
  const names = (list: readonly DocumentState[]) => list.map((entry) => entry.file).join(', ');
  return html`<div class="notice bad banner" role="alert">
    <${Icon} name="alert" />
    <div>
      ${
        stale.length > 0 &&
        html`<p>
          <b>An edit was rejected.</b> The last good version of <code>${names(stale)}</code> still runs, in
          revision${' '} <code>${revision.slice(0, 12)}</code>.
        </p>`
      }
      ${invalid.length > 0 && html`<p><b>Not running:</b> <code>${names(invalid)}</code>. There is no valid version yet.</p>`}
    </div>
  </div>`;
}

interface DocumentsProps {
  readonly documents: readonly DocumentState[];
  readonly problems: readonly Problem[];
  readonly chosen: string;
  readonly onChoose: (file: string) => void;
}

function Documents({ documents, problems, chosen, onChoose }: DocumentsProps) {
  const kinds = KIND_LABELS.filter(([kind]) => documents.some((entry) => entry.kind === kind));
  return html`${kinds.map(
    ([kind, word]) =>
      html`<section key=${kind} class="kind">
        <h2>${word}</h2>
        ${documents
          .filter((entry) => entry.kind === kind)
          .map((entry) => {
            const count = problems.filter((problem) => concerns(problem, entry.file)).length;
            return html`<button
              key=${entry.file}
              class=${`document ${entry.state}`}
              aria-pressed=${chosen === entry.file ? 'true' : 'false'}
              title=${`${entry.file}: ${STATE_LABELS[entry.state]}`}
              onClick=${() => onChoose(chosen === entry.file ? '' : entry.file)}
            >
              <${Icon} name=${MARKS[entry.state]} /><span class="label">${entry.id}</span>
              ${entry.state !== 'live' && html`<span class="hint">${entry.state}</span>`}
              ${count > 0 && html`<span class="count">${count}</span>`}
            </button>`;
          })}
      </section>`,
  )}`;
}

/** Whether a problem is in a file, or keeps its document from running. */
function concerns({ file, stops = [] }: Problem, wanted: string): boolean {
  return file === wanted || stops.includes(wanted.slice(wanted.indexOf('/') + 1).replace(/\.[^./]*$/, ''));
}

function ProblemLine({ problem, root }: { problem: Problem; root: string | undefined }) {
  const { severity, code, file, line, column, message, hint, secretHost } = problem;
  const link = editorLink(root, file, line, column);
  return html`<li class=${`problem ${severity}`}>
    <${Icon} name=${severity === 'error' ? 'alert' : 'info'} />
    <div>
      <p class="place">
        <span class="mono">${file}:${line}:${column}</span> <code>${code}</code><span class="sr">${severity}</span>
      </p>
      <p class="message"><${Shown} text=${message} /></p>
      ${hint !== undefined && html`<p class="muted">${hint}</p>`}
      ${secretHost !== undefined && html`<${AllowHost} secretHost=${secretHost} />`}
      ${link !== undefined && html`<a class="editor-link" href=${link}>Open in VS Code<${Icon} name="open" /></a>`}
    </div>
  </li>`;
}
