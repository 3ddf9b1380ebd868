import { go, route } from '../shell/route.ts';
import { confirm } from '../widget/confirm.ts';
import { attempt } from '../widget/toast.ts';
import { allMails, deleteMails } from './mails.ts';
import { marked } from './tree-state.ts';

/** Deletes mails with their runs and results, after a confirmation. */
export async function confirmDelete(ids: readonly string[]): Promise<void> {
  const one = ids.length === 1 ? allMails.value.find((mail) => mail.id === ids[0]) : undefined;
  const yes = await confirm({
    title: ids.length === 1 ? 'Delete this e-mail?' : `Delete ${ids.length} e-mails?`,
    text: `This deletes ${one === undefined ? 'them' : `“${one.subject || '(no subject)'}”`} with all runs and results. The mailbox does not change, and Callsheet does not fetch ${one === undefined ? 'them' : 'it'} again.`,
    action: 'Delete',
  });
  if (!yes) return;
  const index = allMails.value.findIndex((mail) => mail.id === ids[0]);
  const done = await attempt(() => deleteMails(ids));
  if (!done) return;
  marked.value = new Set();
  const next = allMails.value[Math.min(index, allMails.value.length - 1)];
  if (ids.includes(route.value.ids[0] ?? '')) go('inbox', next === undefined ? [] : [next.id], { replace: true });
}
