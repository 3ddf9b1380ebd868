import { go, idsOn } from '../shell/route.ts';
import { confirm } from '../widget/confirm.ts';
import { attempt, showToast } from '../widget/toast.ts';
import { allMails, deleteMails, hiddenMails } from './mails.ts';
import { marked } from './tree-state.ts';

/** Milliseconds in which a deletion can be taken back. */
const HOLD_MS = 10_000;

/** Sends each deletion that the server does not know yet. */
const held = new Set<(isClosing: boolean) => void>();

/** Deletes mails with their runs and results, after a confirmation; for ten seconds the deletion can be taken back. */
export async function confirmDelete(ids: readonly string[]): Promise<void> {
  const one = ids.length === 1 ? allMails.value.find((mail) => mail.id === ids[0]) : undefined;
  const yes = await confirm({
    title: ids.length === 1 ? 'Delete this e-mail?' : `Delete ${ids.length} e-mails?`,
    text: `This deletes ${one === undefined ? 'them' : `“${one.subject || '(no subject)'}”`} with all runs and results. The mailbox does not change, and Callsheet does not fetch ${one === undefined ? 'them' : 'it'} again.`,
    action: 'Delete',
  });
  if (yes) hold(ids);
}

/** Hides mails and deletes them after ten seconds, or when the page is closed. */
function hold(ids: readonly string[]): void {
  const [selected] = idsOn('inbox');
  const isSelected = selected !== undefined && ids.includes(selected);
  const index = allMails.value.findIndex((mail) => mail.id === ids[0]);
  hiddenMails.value = new Set([...hiddenMails.value, ...ids]);
  marked.value = new Set();
  const next = allMails.value[Math.min(index, allMails.value.length - 1)];
  if (isSelected) go('inbox', next === undefined ? [] : [next.id], { replace: true });
  const end = () => {
    clearTimeout(timer);
    held.delete(send);
    endOffer();
  };
  const show = () => (hiddenMails.value = new Set([...hiddenMails.value].filter((id) => !ids.includes(id))));
  const send = (isClosing: boolean) => {
    end();
    // A mail that could not be deleted is in the list again.
    void attempt(() => deleteMails(ids, { isClosing })).then(show);
  };
  const undo = () => {
    end();
    show();
    if (isSelected) go('inbox', [selected], { replace: true });
  };
  const timer = setTimeout(() => send(false), HOLD_MS);
  held.add(send);
  const text =
    ids.length === 1 ? 'The e-mail is deleted in ten seconds.' : `${ids.length} e-mails are deleted in ten seconds.`;
  const endOffer = showToast(text, 'info', { label: 'Undo', run: undo });
}

/** Deletes what is held when the page is closed. Returns a function that stops it. */
export function startSendingDeletes(): () => void {
  const sendAll = () => held.forEach((send) => send(true));
  addEventListener('pagehide', sendAll);
  return () => removeEventListener('pagehide', sendAll);
}
