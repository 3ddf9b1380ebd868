import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import type { ErrorBody } from '../../../engine/src/base/error.ts';
import type { NotebookFolderList } from '../../../engine/src/api/routes/config/folders.ts';
import { errorOfThrown, request } from '../../http/request.ts';
import { Icon } from '../../widget/icon.ts';
import { ErrorNotice } from '../../widget/notice.ts';
import { Shown } from '../../widget/visible.ts';
import type { FormContext } from './context.ts';
import type { Fields } from './schema.ts';
import { oneOfTexts } from './texts.ts';
import { nearKeyed } from '../../shell/keys.ts';

interface Props {
  readonly context: FormContext;
  /** The scope. */
  readonly value: Fields;
  readonly onChange: (value: Fields) => void;
}

/** Walks through the folders of the notebooks, and adds the open one to the scope. */
export function ScopeFolders({ context, value, onChange }: Props) {
  const [notebook, setNotebook] = useState<string | undefined>(undefined);
  const [path, setPath] = useState('/');
  const [shown, setShown] = useState<NotebookFolderList | undefined>(undefined);
  const [error, setError] = useState<ErrorBody | undefined>(undefined);
  useEffect(() => {
    setShown(undefined);
    setError(undefined);
    if (notebook === undefined) return undefined;
    const gone = new AbortController();
    const query = new URLSearchParams({ notebook, path });
    request<NotebookFolderList>('GET', `/api/folders?${query}`, { signal: gone.signal }).then(
      setShown,
      (thrown: unknown) => !gone.signal.aborted && setError(errorOfThrown(thrown)),
    );
    return () => gone.abort();
  }, [notebook, path]);
  const open = (name: string | undefined, folder: string) => {
    setNotebook(name);
    setPath(folder);
  };
  const add = () => {
    if (notebook === undefined) return;
    const notebooks = oneOfTexts(value['notebooks']);
    const folders = oneOfTexts(value['folders']);
    const isOpen = notebooks.includes('*') || notebooks.includes(notebook);
    // A slash at the end stands for a folder with everything below it.
    const pattern = path === '/' ? undefined : `${path}/`;
    onChange({
      ...value,
      ...(!isOpen && { notebooks: [...notebooks, notebook] }),
      ...(pattern !== undefined &&
        !folders.includes(pattern) && { folders: [...folders.filter((one) => one !== '*'), pattern] }),
    });
  };
  return html`<div class="scope-folders" role="group" aria-label="Choose a folder">
    <p class="row">
      <b>Choose a folder</b>
      ${notebook !== undefined && html`<code>${notebook}: ${path}</code>`}
      ${notebook !== undefined && html`<button ...${nearKeyed('+', 'Add')} type="button" class="primary" onClick=${add}>${path === '/' ? `Add notebook ${notebook}` : 'Add this folder'}</button>`}
    </p>
    ${error !== undefined && html`<${ErrorNotice} error=${error} />`}
    <div class="folders">
      ${
        notebook === undefined
          ? context.notebooks.map(
              (name) => html`<${Folder} key=${name} name=${name} onOpen=${() => open(name, '/')} />`,
            )
          : html`<button
              ...${nearKeyed('u', 'Up')}
              type="button"
              class="bare"
              onClick=${() => (path === '/' ? open(undefined, '/') : open(notebook, path.slice(0, path.lastIndexOf('/')) || '/'))}
            >
              <${Icon} name="back" />${path === '/' ? 'All notebooks' : 'Up'}
            </button>`
      }
      ${(shown?.folders ?? []).map((folder) => html`<${Folder} key=${folder} name=${folder.slice(folder.lastIndexOf('/') + 1)} onOpen=${() => open(notebook, folder)} />`)}
      ${shown?.folders.length === 0 && html`<span class="muted">No folders in it.</span>`}
      ${shown?.isTruncated === true && html`<span class="muted">There are more.</span>`}
      ${notebook === undefined && context.notebooks.length === 0 && html`<span class="muted">The settings have no notebooks (roots).</span>`}
    </div>
  </div>`;
}

function Folder({ name, onOpen }: { readonly name: string; readonly onOpen: () => void }) {
  return html`<button type="button" onClick=${onOpen}><${Icon} name="folder" /><${Shown} text=${name} /></button>`;
}
