import { html } from 'htm/preact';
import { useEffect } from 'preact/hooks';
import type { DocumentState } from '../../engine/src/config/config.ts';
import type { ConfigState } from '../http/api-types.ts';
import { errorOfThrown } from '../http/request.ts';
import { useKeys } from '../shell/keys.ts';
import { go, route } from '../shell/route.ts';
import { Choice } from '../widget/choice.ts';
import { confirm } from '../widget/confirm.ts';
import { Icon } from '../widget/icon.ts';
import { ErrorNotice } from '../widget/notice.ts';
import { showToast } from '../widget/toast.ts';
import { concerns, editorLink } from './config.ts';
import { STATE_LABELS } from './document-list.ts';
import { deleteDocument, formFacts, keyOf, shownDocument } from './documents.ts';
import { DocumentForm } from './document-form.ts';
import { Effective } from './effective.ts';
import { ProblemList } from './problem-list.ts';
import { SourceView } from './source-view.ts';
import { Uses } from './uses.ts';

const TABS = [
  ['form', 'Form'],
  ['source', 'Source'],
  ['effective', 'Effective'],
  ['uses', 'Uses'],
] as const;

interface Props {
  readonly document: DocumentState;
  readonly config: ConfigState;
  /** The open tab; `''` for the first. */
  readonly tab: string;
}

/** One file: its form, its source with problems in place, the values that run, and which documents name it. */
export function DocumentPane({ document, config, tab }: Props) {
  const { kind, id, file, state } = document;
  const key = keyOf(kind, id);
  useEffect(() => {
    shownDocument.reload(key);
    formFacts.show(kind);
  }, [key]);
  const choose = (next: string) => go('config', next === 'form' ? [file] : [file, next], { replace: true });
  const shownTab = TABS.some(([name]) => name === tab) ? tab : 'form';
  useKeys(Object.fromEntries(TABS.map(([name], i) => [String(i + 1), () => choose(name)])));
  const problems = config.problems.filter((problem) => concerns(problem, file));
  const [first] = problems;
  const link = editorLink(
    config.root,
    file,
    first?.file === file ? first.line : 1,
    first?.file === file ? first.column : 1,
  );
  const { data, error, key: loadedKey } = shownDocument.state.value;
  const shown = loadedKey === key ? data : undefined;
  return html`<header class="head">
      <div class="title">
        <h1>${id}</h1>
        <p class="sub">
          <span class="mono">${file}</span>
          <span class=${`chip ${{ live: 'ok', stale: 'wait', invalid: 'bad' }[state]}`}
            >${state}: ${STATE_LABELS[state]}</span
          >
          ${link !== undefined && html`<a class="editor-link" href=${link}>Open in VS Code<${Icon} name="open" /></a>`}
        </p>
      </div>
      <div class="row">
        <${Choice} label="View" nextKey="V" options=${TABS} value=${shownTab} onChoose=${choose} />
        ${
          kind !== 'settings' &&
          html`<button
            class="bare for-admin"
            aria-label=${`Delete ${id}`}
            aria-keyshortcuts="#"
            title="Delete this file (#)"
            onClick=${() => void remove(document)}
          >
            <${Icon} name="trash" />
          </button>`
        }
      </div>
    </header>
    <div class="body pad document-body">
      ${error !== undefined && html`<${ErrorNotice} error=${error} />`}
      ${shownTab !== 'source' && problems.length > 0 && html`<${ProblemList} problems=${problems} root=${config.root} hasLinks=${true} />`}
      ${shown !== undefined && shownTab === 'form' && html`<${DocumentForm} document=${document} shown=${shown} config=${config} />`}
      ${shown !== undefined && shownTab === 'source' && html`<${SourceView} text=${shown.text} file=${file} problems=${problems} root=${config.root} />`}
      ${shown !== undefined && shownTab === 'effective' && html`<${Effective} shown=${shown} state=${state} />`}
      ${shownTab === 'uses' && html`<${Uses} document=${document} config=${config} />`}
    </div>`;
}

async function remove({ kind, id, file }: DocumentState): Promise<void> {
  const isSure = await confirm({
    title: `Delete ${file}?`,
    text: 'The file is deleted. Runs that have started keep their config.',
    action: 'Delete',
  });
  if (!isSure) return;
  const place = route.value;
  try {
    await deleteDocument(kind, id);
    if (route.value === place) go('config', []);
    showToast(`${file} is deleted.`);
  } catch (thrown) {
    const { message, hint } = errorOfThrown(thrown);
    showToast([message, hint].filter(Boolean).join('. '), 'bad');
  }
}
