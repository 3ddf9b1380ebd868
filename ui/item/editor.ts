import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import { ApiError, errorOfThrown } from '../http/request.ts';
import type { Item } from '../http/shapes.ts';
import { unsaved } from '../shell/unsaved.ts';
import { ErrorNotice } from '../widget/notice.ts';
import { showToast } from '../widget/toast.ts';
import type { ErrorBody } from '../../engine/src/base/error.ts';
import { item as shown, saveItem } from './items.ts';

interface Props {
  readonly item: Item;
  readonly itemKey: string;
  readonly onClose: () => void;
}

/** Edits an item's text over the revision that was seen. When it moved on meanwhile, the writer chooses. */
export function Editor({ item, itemKey, onClose }: Props) {
  const [base, setBase] = useState(item.revision ?? 1);
  const [data, setData] = useState(item.data ?? '');
  const [label, setLabel] = useState(item.label ?? '');
  const [error, setError] = useState<ErrorBody | undefined>(undefined);
  const [isSaving, setIsSaving] = useState(false);
  const current = item.revision ?? 1;

  useEffect(() => {
    unsaved.value = true;
    return () => {
      unsaved.value = false;
    };
  }, []);

  const save = async (expectedRevision: number) => {
    setIsSaving(true);
    setError(undefined);
    try {
      await saveItem(itemKey, { data, label, expectedRevision });
      shown.refresh();
      showToast('Saved.');
      onClose();
    } catch (thrown) {
      setError(errorOfThrown(thrown));
      if (thrown instanceof ApiError && thrown.status === 409) shown.refresh();
    }
    setIsSaving(false);
  };
  const takeTheirs = () => {
    setBase(current);
    setData(item.data ?? '');
    setLabel(item.label ?? '');
    setError(undefined);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save(base);
    if (event.key === 'Escape') onClose();
  };
  return html`<div class="editor" onKeyDown=${onKeyDown}>
    ${
      current !== base
        ? html`<div class="notice warn" role="alert">
            <div>
              <p>
                <b>Changed meanwhile:</b> you started from revision ${base}, now it is ${current}. Your text below is
                not saved.
              </p>
              <div class="row">
                <button onClick=${takeTheirs}>Take revision ${current}</button>
                <button class="danger" onClick=${() => void save(current)}>Save mine over it</button>
              </div>
            </div>
          </div>`
        : error !== undefined && html`<${ErrorNotice} error=${error} />`
    }
    <label class="field"
      ><span>Label</span
      ><input
        value=${label}
        onInput=${(e: InputEvent) => e.target instanceof HTMLInputElement && setLabel(e.target.value)}
    /></label>
    <label class="field grow"
      ><span>${item.mimeType ?? 'text/plain'}</span>
      <textarea
        spellcheck="true"
        value=${data}
        autofocus
        onInput=${(e: InputEvent) => e.target instanceof HTMLTextAreaElement && setData(e.target.value)}
      ></textarea>
    </label>
    <div class="row end">
      <span class="muted">Ctrl+Enter saves, Esc leaves</span>
      <button onClick=${onClose}>Cancel</button>
      <button class="primary" disabled=${isSaving || current !== base} onClick=${() => void save(base)}>Save</button>
    </div>
  </div>`;
}
