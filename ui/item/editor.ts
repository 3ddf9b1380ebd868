import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import { errorOfThrown } from '../http/request.ts';
import type { WorkspaceItem } from '../http/api-types.ts';
import { useFocus } from '../widget/focus.ts';
import { ErrorNotice } from '../widget/notice.ts';
import { showToast } from '../widget/toast.ts';
import type { ErrorBody } from '../../engine/src/base/error.ts';
import { type Draft, drafts, setDraft } from './drafts.ts';
import { saveItem, shownItem } from './items.ts';
import { keyed, MAIN_KEY, nearKeyed } from '../shell/keys.ts';

interface Props {
  readonly item: WorkspaceItem;
  readonly itemKey: string;
  /** Whether the text field gets the focus: yes after a click on Edit, no when an old draft is shown again. */
  readonly takesFocus: boolean;
  readonly onClose: () => void;
}

/** Edits the text of an item. When the item changed meanwhile, the person chooses which text to keep. */
export function Editor({ item, itemKey, takesFocus, onClose }: Props) {
  const current = item.revision;
  const stored = { base: current, label: item.label ?? '', data: item.data ?? '' };
  const draft = drafts.value.get(itemKey) ?? stored;
  const area = useFocus<HTMLTextAreaElement>(takesFocus);
  // The draft keeps the revision that was shown when the editor opened.
  useEffect(() => {
    setDraft(itemKey, draft);
    return () => {
      const left = drafts.value.get(itemKey);
      if (left?.data === stored.data && left.label === stored.label) setDraft(itemKey, undefined);
    };
  }, []);

  const change = (part: Partial<Draft>) => setDraft(itemKey, { ...draft, ...part });
  const close = () => {
    setDraft(itemKey, undefined);
    onClose();
  };
  const { save, error, isSaving, clearError } = useSave(itemKey, draft, close);
  const useStored = () => {
    setDraft(itemKey, stored);
    clearError();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose();
  };
  return html`<div class="editor" data-part onKeyDown=${onKeyDown}>
    ${
      current !== draft.base
        ? html`<${Conflict}
            base=${draft.base}
            current=${current}
            onUseStored=${useStored}
            onOverwrite=${() => void save(current)}
          />`
        : error !== undefined && html`<${ErrorNotice} error=${error} />`
    }
    <label class="field"
      ><span>Label</span
      ><input
        value=${draft.label}
        onInput=${(e: InputEvent) => e.target instanceof HTMLInputElement && change({ label: e.target.value })}
    /></label>
    <label class="field grow"
      ><span>${item.mimeType}</span>
      <textarea
        spellcheck="true"
        value=${draft.data}
        ref=${area}
        onInput=${(e: InputEvent) => e.target instanceof HTMLTextAreaElement && change({ data: e.target.value })}
      ></textarea>
    </label>
    <div class="row end">
      <span class="muted">Ctrl+Enter saves. Esc closes the editor and keeps the draft.</span>
      <button ...${nearKeyed('Q', 'Close, and drop this text')} onClick=${close}>Cancel</button>
      <button
        ...${keyed(MAIN_KEY, 'Save')}
        class="primary"
        disabled=${isSaving || current !== draft.base}
        onClick=${() => void save(draft.base)}
      >
        Save
      </button>
    </div>
  </div>`;
}

/** Saves a draft over an expected revision. An error stays until the next attempt. */
function useSave(itemKey: string, { data, label }: Draft, close: () => void) {
  const [error, setError] = useState<ErrorBody | undefined>(undefined);
  const [isSaving, setIsSaving] = useState(false);
  const save = async (expectedRevision: number) => {
    setIsSaving(true);
    setError(undefined);
    try {
      const { revision } = await saveItem(itemKey, { data, label, expectedRevision });
      showToast('Saved.');
      // What was written meanwhile is an edit of the text that is saved now.
      const now = drafts.value.get(itemKey);
      if (now === undefined || (now.data === data && now.label === label)) close();
      else setDraft(itemKey, { ...now, base: revision });
    } catch (thrown) {
      setError(errorOfThrown(thrown));
    }
    shownItem.refresh();
    setIsSaving(false);
  };
  return { save, error, isSaving, clearError: () => setError(undefined) };
}

interface ConflictProps {
  /** The revision that the draft began from. */
  readonly base: number;
  readonly current: number;
  readonly onUseStored: () => void;
  readonly onOverwrite: () => void;
}

function Conflict({ base, current, onUseStored, onOverwrite }: ConflictProps) {
  return html`<div class="notice warn" role="alert" data-part>
    <div>
      <p>
        <b>This result has changed.</b> Your edit began from revision ${base}; the current one is ${current}. Your text
        below is not saved.
      </p>
      <div class="row">
        <button ...${keyed('B', 'Use the stored revision')} onClick=${onUseStored}>Use revision ${current}</button>
        <button ...${nearKeyed('P', 'Overwrite with my text')} class="danger" onClick=${onOverwrite}>
          Overwrite with my text
        </button>
      </div>
    </div>
  </div>`;
}
