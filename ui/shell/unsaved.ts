import { signatureDrafts } from '../account/connections.ts';
import { isEdited } from '../approval/edits.ts';
import { held, waiting } from '../approval/held.ts';
import { answers } from '../approval/questions.ts';
import { chatDrafts, newChat } from '../chat/drafts.ts';
import { documentDrafts } from '../config/documents.ts';
import { drafts } from '../item/drafts.ts';
import { memoryDrafts } from '../memory/memories.ts';
import { wish } from '../objective/objectives.ts';
import { isHeld } from '../reply/held.ts';
import { replies } from '../reply/replies.ts';
import { typedTask } from '../todo/tasks.ts';

/** Longest text that a closing page is sure to send, in characters. */
const MAX_SENT_LATE = 15_000;

/**
 * Whether there is unsaved text: an edit of a result, a memory, a config file or a call, a reply, an answer, a message of a chat, or the
 * form of a new chat, objective or task.
 */
export function isUnsaved(): boolean {
  const { title, instructions } = typedTask.value;
  const { title: name = '', context = '', participants = [] } = newChat.value ?? {};
  const typed = [...chatDrafts.value.values(), wish.value, title, instructions, name, context];
  if (typed.some((text) => text.trim() !== '')) return true;
  return (
    participants.length > 0 ||
    // What was written about a call or a question that somebody else has decided cannot be sent any more.
    waiting.value.some(({ id }) => isEdited(id) || (answers.value.get(id) ?? '').trim() !== '') ||
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
