import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import { Diff } from '../approval/diff.ts';
import { config, editorLink } from '../config/config.ts';
import type { RunConfig, RunDocument } from '../http/api-types.ts';
import { errorOfThrown, path, request } from '../http/request.ts';
import { createResource } from '../http/resource.ts';
import { Icon } from '../widget/icon.ts';
import { LongText } from '../widget/long-text.ts';
import { ErrorNotice } from '../widget/notice.ts';
import { Shown, visible } from '../widget/visible.ts';

const shownConfig = createResource((id, signal) => request<RunConfig>('GET', path`/api/runs/${id}/config`, { signal }));

/** The config that a run started with: each document as it was, and what has changed since. */
export function ConfigTab({ runId }: { readonly runId: string | undefined }) {
  useEffect(() => {
    if (runId !== undefined) shownConfig.reload(runId);
  }, [runId]);
  if (runId === undefined) return html`<p class="muted">Choose a run of this fetch: each has a config of its own.</p>`;
  const { key, data, error } = shownConfig.state.value;
  if (key !== runId || data === undefined)
    return key === runId && error !== undefined
      ? html`<${ErrorNotice} error=${error} />`
      : html`<p class="muted">Loading…</p>`;
  const changed = data.documents.filter(({ state }) => state !== 'same').length;
  return html`<p>
      Revision <code>${data.revision.slice(0, 8)}</code>${
        data.revision === data.current
          ? ', the one that runs now.'
          : html`; now <code>${data.current.slice(0, 8)}</code> runs.
              ${changed === 0 ? ' What the run uses is the same.' : ` ${changed} of its documents changed since.`}`
      }
    </p>
    ${data.documents.map((document) => html`<${Document} key=${document.name} runId=${runId} document=${document} />`)}`;
}

function Document({ runId, document }: { readonly runId: string; readonly document: RunDocument }) {
  const { name, file, state, diff } = document;
  const [isOpen, setIsOpen] = useState(state === 'changed');
  const link = editorLink(config.state.value.data?.root, file, 1, 1);
  return html`<details
    class="compare-part"
    open=${isOpen}
    onToggle=${(e: Event) => e.target instanceof HTMLDetailsElement && setIsOpen(e.target.open)}
  >
    <summary>
      <${Icon} name="chevron" className="turn" /><b><${Shown} text=${file} /></b>${' '}
      <span class=${state === 'same' ? 'chip quiet' : 'chip wait'}>${state}</span>
    </summary>
    ${
      link !== undefined &&
      html`<p>
        <a class="editor-link" href=${link}>Open in VS Code<${Icon} name="open" /></a>
      </p>`
    }
    ${diff !== undefined && html`<${Diff} text=${diff} label=${`What has changed in ${visible(file)} since`} />`}
    ${isOpen && state !== 'lost' && html`<${Text} runId=${runId} name=${name} />`}
    ${state === 'lost' && html`<p class="muted">Its text is stored no more.</p>`}
  </details>`;
}

/** The document as it was when the run started. */
function Text({ runId, name }: { readonly runId: string; readonly name: string }) {
  const [text, setText] = useState('');
  useEffect(() => {
    const gone = new AbortController();
    request<{ text: string }>('GET', `${path`/api/runs/${runId}/config`}?${new URLSearchParams({ name })}`, {
      signal: gone.signal,
    }).then(
      (found) => setText(found.text),
      (thrown: unknown) => {
        if (!gone.signal.aborted) setText(errorOfThrown(thrown).message);
      },
    );
    return () => gone.abort();
  }, [runId, name]);
  return html`<${LongText} className="json" text=${visible(text)} />`;
}
