import { signal } from '@preact/signals';
import { html } from 'htm/preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ErrorBody } from '../../engine/src/base/error.ts';
import { errorOfThrown, path, request } from '../http/request.ts';
import type { WorkspaceItem } from '../http/api-types.ts';
import { ErrorNotice } from '../widget/notice.ts';
import { showToast } from '../widget/toast.ts';
import { refreshItems } from './items.ts';
import { keyed, MAIN_KEY } from '../shell/keys.ts';

/** The run whose workspace gets a result. */
interface Target {
  readonly workspaceId: string;
  readonly runId: string;
}

const TYPES = [
  ['text/markdown', 'Markdown'],
  ['text/plain', 'Text'],
  ['text/html', 'HTML'],
  ['text/csv', 'CSV'],
  ['application/json', 'JSON'],
] as const;

const target = signal<Target | undefined>(undefined);

/** Opens the dialog that adds a result of the person's own. */
export function askItem(of: Target): void {
  target.value = of;
}

/** The dialog of `askItem`; the page Inbox has it once. */
export function AddItem() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [error, setError] = useState<ErrorBody | undefined>(undefined);
  const [isBusy, setIsBusy] = useState(false);
  const to = target.value;
  useEffect(() => {
    setError(undefined);
    if (to !== undefined) dialog.current?.showModal();
  }, [to]);
  if (to === undefined) return null;
  const onSubmit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement) || isBusy) return;
    const fields = new FormData(event.currentTarget);
    const read = (name: string) => String(fields.get(name) ?? '');
    const tags = read('tags')
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== '');
    const body = {
      label: read('label'),
      mimeType: read('mimeType'),
      data: read('data'),
      ...(tags.length > 0 && { tags }),
    };
    setIsBusy(true);
    try {
      await request<WorkspaceItem>('POST', path`/api/workspaces/${to.workspaceId}/items?runId=${to.runId}`, { body });
      refreshItems(to.workspaceId);
      showToast('Added.');
      target.value = undefined;
    } catch (thrown) {
      setError(errorOfThrown(thrown));
    }
    setIsBusy(false);
  };
  return html`<dialog
    ref=${dialog}
    class="add-item"
    aria-labelledby="add-item-title"
    onClose=${() => (target.value = undefined)}
  >
    <h2 id="add-item-title">Add a result</h2>
    ${error !== undefined && html`<${ErrorNotice} error=${error} />`}
    <form onSubmit=${(event: SubmitEvent) => void onSubmit(event)}>
      <label class="field"><span>Label</span><input name="label" required maxlength="200" autofocus /></label>
      <label class="field"
        ><span>Type</span
        ><select name="mimeType">
          ${TYPES.map(([type, label]) => html`<option key=${type} value=${type}>${label}</option>`)}
        </select></label
      >
      <label class="field"><span>Tags, with commas between them</span><input name="tags" /></label>
      <label class="field"><span>Text</span><textarea name="data" rows="8" required></textarea></label>
      <div class="row end">
        <button ...${keyed('Escape', 'Cancel')} type="button" onClick=${() => dialog.current?.close()}>Cancel</button>
        <button ...${keyed(MAIN_KEY, 'Add')} class="primary" disabled=${isBusy}>Add</button>
      </div>
    </form>
  </dialog>`;
}
