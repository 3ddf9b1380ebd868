import { signatureDrafts } from '../account/connections.ts';
import { held } from '../approval/held.ts';
import { chatDrafts } from '../chat/drafts.ts';
import { documentDrafts } from '../config/documents.ts';
import { drafts } from '../item/drafts.ts';
import { memoryDrafts } from '../memory/memories.ts';
import { isHeld } from '../reply/held.ts';
import { replies } from '../reply/replies.ts';

/** Longest text that a closing page is sure to send, in characters. */
const MAX_SENT_LATE = 15_000;

/** Whether there is unsaved text: an edit of a result, a memory, a config file or a call, a reply, or a message of a chat. */
export function isUnsaved(): boolean {
  if ([...chatDrafts.value.values()].some((text) => text.trim() !== '')) return true;
  return (
    drafts.value.size > 0 ||
    documentDrafts.value.size > 0 ||
    signatureDrafts.value.size > 0 ||
    memoryDrafts.value.size > 0 ||
    held.value.some(({ decision }) => JSON.stringify(decision).length > MAX_SENT_LATE) ||
    // A held reply or decision is sent when the page goes, as far as a browser does that.
    [...replies.value].some(([key, { text }]) => text.trim() !== '' && (!isHeld(key) || text.length > MAX_SENT_LATE))
  );
}

/** Makes the browser ask before it leaves a page with unsaved text. Returns a function that stops it. */
export function startUnsavedGuard(): () => void {
  const onLeave = (event: BeforeUnloadEvent) => {
    if (isUnsaved()) event.preventDefault();
  };
  addEventListener('beforeunload', onLeave);
  return () => removeEventListener('beforeunload', onLeave);
}
