import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import type { ErrorBody } from '../../../engine/src/base/error.ts';
import type { FolderChoices } from '../../http/api-types.ts';
import { errorOfThrown, request } from '../../http/request.ts';
import { Icon } from '../../widget/icon.ts';
import { ErrorNotice } from '../../widget/notice.ts';
import { Shown, visible } from '../../widget/visible.ts';
import { digitOf, nearKeyed } from '../../shell/keys.ts';

/** Chooses a folder by walking through the workspaces of the settings. Each step chooses the folder that it opens. */
export function FolderPicker({ onChoose }: { readonly onChoose: (path: string) => void }) {
  const [path, setPath] = useState('');
  const [shown, setShown] = useState<FolderChoices | undefined>(undefined);
  const [error, setError] = useState<ErrorBody | undefined>(undefined);
  useEffect(() => {
    const gone = new AbortController();
    const query = path === '' ? '' : `?${new URLSearchParams({ path })}`;
    request<FolderChoices>('GET', `/api/workspace-folders${query}`, { signal: gone.signal }).then(
      (found) => {
        setShown(found);
        setError(undefined);
      },
      (thrown: unknown) => {
        if (!gone.signal.aborted) setError(errorOfThrown(thrown));
      },
    );
    return () => gone.abort();
  }, [path]);
  const open = (next: string) => {
    setPath(next);
    if (next !== '') onChoose(next);
  };
  if (error !== undefined) return html`<${ErrorNotice} error=${error} />`;
  if (shown === undefined) return null;
  return html`<div class="folders" role="group" aria-label="Folders">
    ${shown.path !== null && html`<button ...${nearKeyed('u', 'Up')} type="button" class="bare" onClick=${() => open(shown.parent ?? '')}><${Icon} name="back" />${shown.parent === null ? 'All workspaces' : 'Up'}</button>`}
    ${shown.folders.map(
      (folder, i) =>
        html`<button
          ...${nearKeyed(digitOf(i), visible(folder.name))}
          type="button"
          key=${folder.path}
          onClick=${() => open(folder.path)}
        >
          <${Icon} name="folder" /><${Shown} text=${folder.name} />
        </button>`,
    )}
    ${shown.folders.length === 0 && html`<span class="muted">${shown.path === null ? 'No workspace of the settings is there. In settings.yaml: workspaces: { name: path }' : 'No folders in it.'}</span>`}
    ${shown.isTruncated && html`<span class="muted">There are more.</span>`}
  </div>`;
}
