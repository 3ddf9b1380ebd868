import { drafts } from '../item/drafts.ts';
import { replies } from '../reply/replies.ts';

/** Whether somebody has typed what would be lost with the page: an edit of a result, or an answer. */
export function isUnsaved(): boolean {
  return drafts.value.size > 0 || [...replies.value.values()].some(({ text }) => text.trim() !== '');
}

/** Makes the browser ask before it leaves a page with something unsaved. Returns what stops it. */
export function startUnsavedGuard(): () => void {
  const onLeave = (event: BeforeUnloadEvent) => {
    if (isUnsaved()) event.preventDefault();
  };
  addEventListener('beforeunload', onLeave);
  return () => removeEventListener('beforeunload', onLeave);
}
