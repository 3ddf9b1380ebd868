import { html } from 'htm/preact';
import { useEffect } from 'preact/hooks';
import { chatDrafts, setChatDraft } from '../chat/drafts.ts';
import { path as address, request } from '../http/request.ts';
import { createResource } from '../http/resource.ts';
import { go, hrefOf } from '../shell/route.ts';
import { Icon } from '../widget/icon.ts';
import { Empty, ErrorNotice } from '../widget/notice.ts';
import { bytes } from '../widget/number.ts';
import { Age } from '../widget/time.ts';
import { Shown } from '../widget/visible.ts';
import { draftOf } from './ask-field.ts';
import { nearKeyed } from '../shell/keys.ts';

interface Folder {
  readonly path: string;
  readonly folders: readonly string[];
  readonly files: readonly { readonly path: string; readonly size: number; readonly modifiedAt: string }[];
  readonly truncated?: true;
}

interface Shelf {
  readonly notebooks: readonly { readonly name: string }[];
  /** The open folder; absent where no notebook is chosen. */
  readonly folder?: Folder;
}

/** The notebooks of an agent and one folder. The key is the JSON of agent, notebook and path. */
const shelf = createResource(async (key, signal): Promise<Shelf> => {
  const [agent = '', notebook, path = '/'] = JSON.parse(key) as (string | undefined)[];
  const start = address`/api/agents/${agent}`;
  const { items } = await request<{ items: Shelf['notebooks'] }>('GET', `${start}/notebooks`, { signal });
  const name = notebook ?? (items.length === 1 ? items[0]?.name : undefined);
  if (name === undefined) return { notebooks: items };
  const query = new URLSearchParams({ notebook: name, path });
  return { notebooks: items, folder: await request<Folder>('GET', `${start}/files?${query}`, { signal }) };
});

/** How a question about a file begins. */
const ABOUT = /^About the file .* of the notebook [^:]*: /;

interface Props {
  readonly agentId: string;
  readonly notebook: string | undefined;
  readonly path: string;
}

/** The files of notebooks that an agent may read. A file begins a question about it. */
export function NotebookFiles({ agentId, notebook, path }: Props) {
  const key = JSON.stringify([agentId, notebook, path]);
  useEffect(() => shelf.reload(key), [key]);
  const { key: shownKey, data, error } = shelf.state.value;
  const name = notebook ?? (data?.notebooks.length === 1 ? data.notebooks[0]?.name : undefined);
  return html`<header class="head">
      <div class="title">
        <h1>Files for <${Shown} text=${agentId} /></h1>
        <p class="sub"><a href=${hrefOf('ask', 'agent', agentId)}>Ask without a file</a></p>
      </div>
    </header>
    <div class="body pad ask-files">
      ${shownKey === key && error !== undefined && html`<${ErrorNotice} error=${error} />`}
      ${shownKey === key && data !== undefined && html`<${Listing} agentId=${agentId} notebook=${name} shelf=${data} />`}
    </div>`;
}

function Listing({
  agentId,
  notebook,
  shelf: { notebooks, folder },
}: {
  readonly agentId: string;
  readonly notebook: string | undefined;
  readonly shelf: Shelf;
}) {
  const hrefTo = (...rest: readonly string[]) => hrefOf('ask', 'agent', agentId, 'files', ...rest);
  if (notebooks.length === 0)
    return html`<${Empty} icon="folder" title="No notebook is open to this agent.">
      <p>Name folders in <code>roots</code> of the settings, and open them in <code>scope</code> of the agent.</p>
    <//>`;
  if (notebook === undefined || folder === undefined)
    return html`<ul class="file-list" aria-label="Notebooks">
      ${notebooks.map(
        ({ name }) =>
          html`<li key=${name}>
            <a href=${hrefTo(name)}><${Icon} name="folder" /><${Shown} text=${name} /></a>
          </li>`,
      )}
    </ul>`;
  const parts = folder.path.split('/').filter((part) => part !== '');
  const begin = (file: string) => {
    const draft = draftOf({ kind: 'agent', id: agentId });
    // What was typed already stays, after the file that was chosen last.
    const typed = (chatDrafts.value.get(draft) ?? '').replace(ABOUT, '');
    setChatDraft(draft, `About the file ${file} of the notebook ${notebook}: ${typed}`);
    go('ask', ['agent', agentId]);
  };
  return html`<nav class="crumbs" aria-label="Folder">
      ${notebooks.length > 1 && html`<a href=${hrefTo()}>Notebooks</a> / `}<a href=${hrefTo(notebook)}
        ><${Shown} text=${notebook}
      /></a>
      ${parts.map((part, i) => html` / <a key=${i} href=${hrefTo(notebook, `/${parts.slice(0, i + 1).join('/')}`)}><${Shown} text=${part} /></a>`)}
    </nav>
    ${folder.folders.length + folder.files.length === 0 && html`<p class="muted">Nothing here that the agent may read.</p>`}
    <ul class="file-list" aria-label="Files">
      ${folder.folders.map(
        (path) =>
          html`<li key=${path}>
            <a href=${hrefTo(notebook, path)}><${Icon} name="folder" /><${Shown} text=${nameOf(path)} /></a>
          </li>`,
      )}
      ${folder.files.map(
        ({ path, size, modifiedAt }) =>
          html`<li key=${path}>
            <button class="bare" ...${nearKeyed('a', 'Ask the agent about this file')} onClick=${() => begin(path)}>
              <${Icon} name="file" /><span class="name"><${Shown} text=${nameOf(path)} /></span>
            </button>
            <span class="muted">${bytes(size)} · <${Age} at=${modifiedAt} /></span>
          </li>`,
      )}
    </ul>
    ${folder.truncated === true && html`<p class="muted">There are more files than are shown.</p>`}`;
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
