import { signal, type Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ErrorBody } from '../../engine/src/base/error.ts';
import type { ApprovalView, CallDraft } from '../http/api-types.ts';
import { formatValue } from '../http/json.ts';
import { errorOfThrown } from '../http/request.ts';
import { visible } from '../widget/visible.ts';
import { draftCall } from './approvals.ts';

/** What a person has written on a card. It stays while the card is open anywhere, and when they look at another page. */
export interface Edit {
  /** The arguments as JSON. Hidden characters are escaped, which is the same JSON. */
  readonly text: Signal<string>;
  readonly original: string;
  readonly reason: Signal<string>;
  readonly isOpen: Signal<boolean>;
  /** The call as the server sees it with these arguments. */
  readonly draft: Signal<CallDraft | undefined>;
  /** The text that `draft` is of: while the server checks what was typed since, it is an earlier one. */
  readonly draftText: Signal<string>;
  /** Why the server does not accept these arguments. */
  readonly refusal: Signal<ErrorBody | undefined>;
  /** Why the server did not accept the decision. */
  readonly failure: Signal<ErrorBody | undefined>;
}

const edits = new Map<string, Edit>();
/** Time without a key before the server checks edited arguments. */
const PAUSE_MS = 300;

/** The edit of an approval, the same object as long as the page is open. */
export function editOf({ id, arguments: args }: Pick<ApprovalView, 'id' | 'arguments'>): Edit {
  let edit = edits.get(id);
  if (edit === undefined) {
    const original = visible(formatValue(args));
    edit = {
      ...{ text: signal(original), original, reason: signal(''), isOpen: signal(false) },
      ...{ draft: signal<CallDraft | undefined>(undefined), refusal: signal<ErrorBody | undefined>(undefined) },
      ...{ failure: signal<ErrorBody | undefined>(undefined), draftText: signal(original) },
    };
    edits.set(id, edit);
  }
  return edit;
}

/** Forgets the edit of a decided approval. */
export function forgetEdit(id: string): void {
  edits.delete(id);
}

/** Whether the card of an approval holds arguments or a reason that were not sent. */
export function isEdited(id: string): boolean {
  const edit = edits.get(id);
  return edit !== undefined && (edit.text.value !== edit.original || edit.reason.value.trim() !== '');
}

/** JSON that was read, or why it is none. */
export type Parsed = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string };

/** Reads edited arguments. */
export function parseEdit(text: string): Parsed {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}

/** Asks the server about the arguments after each pause of typing, while `isWanted`. */
export function useDraft(id: string, edit: Edit, isWanted: boolean): void {
  const text = edit.text.value;
  useEffect(() => {
    if (!isWanted) return;
    const parsed = parseEdit(text);
    if (!parsed.ok) return;
    const gone = new AbortController();
    const isEdited = text !== edit.original;
    const ask = () =>
      void draftCall(id, isEdited ? parsed.value : undefined, gone.signal).then(
        (draft) => {
          edit.draft.value = draft;
          edit.draftText.value = text;
          edit.refusal.value = undefined;
        },
        (thrown: unknown) => {
          if (!gone.signal.aborted) edit.refusal.value = errorOfThrown(thrown);
        },
      );
    const timer = setTimeout(ask, edit.draft.value === undefined ? 0 : PAUSE_MS);
    return () => {
      clearTimeout(timer);
      gone.abort();
    };
  }, [id, text, isWanted]);
}
