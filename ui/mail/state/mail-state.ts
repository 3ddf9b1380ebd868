import { path, request } from '../../http/request.ts';
import type { MailEntry } from '../../http/api-types.ts';
import { go, idsOn } from '../../shell/route.ts';
import { mayDo } from '../../shell/person.ts';
import { attempt, showToast } from '../../widget/toast.ts';
import { offerUndo } from '../../widget/undo.ts';
import { allMails, changeLoaded, inParts, refreshMails } from '../mails.ts';
import { selectBeside } from '../tree-state.ts';

/** The states of a mail, with the key that sets each. */
export const STATES = [
  ['needsMe', 'Needs me', '1'],
  ['waiting', 'Waiting', '2'],
  ['replied', 'Replied', '3'],
  ['done', 'Done', '4'],
] as const;

type State = MailEntry['state'];

/** What a request changes: `value: null` gives the state back to Callsheet, `snoozedUntil: null` ends a snooze. */
export interface StateChange {
  readonly value?: State['value'];
  readonly unread?: boolean;
  readonly archived?: boolean;
  readonly snoozedUntil?: string | null;
}

/** Changes the state of mails at once, and says what was done with a way back. A mail that leaves the list hands the selection on. */
export async function setState(ids: readonly string[], change: StateChange, done: string): Promise<void> {
  const changed = new Set(ids);
  const before = allMails.value.filter(({ id }) => changed.has(id));
  const [selected] = idsOn('inbox');
  const step = selected !== undefined && changed.has(selected) ? selectBeside(ids) : undefined;
  changeLoaded(ids, (mail) => ({ ...mail, state: expected(mail.state, change) }));
  step?.();
  const undo = () => void undoState(before, change, selected);
  // `z` pressed before the server has answered waits for the answer. The step keeps its place among those of other mails.
  let isWanted = false;
  let takeBack = () => {
    isWanted = true;
    endUndo();
  };
  const endUndo = offerUndo(() => takeBack());
  if (!(await send(ids, change))) {
    endUndo();
    // What the server took is loaded again; what it refused is as before.
    const known = new Map(before.map((mail) => [mail.id, mail]));
    changeLoaded(ids, (mail) => ({ ...mail, state: known.get(mail.id)?.state ?? mail.state }));
    await refreshMails(ids);
    return;
  }
  if (isWanted) return undo();
  const text = ids.length === 1 ? done : `${ids.length} e-mails: ${done}`;
  const endOffer = showToast(text, 'info', { label: 'Undo', run: undo, endUndo });
  takeBack = () => {
    endOffer();
    undo();
  };
}

/** Marks a mail as read that the person has opened. Says nothing, not even on an error: the next opening tries again. */
export async function markRead(mail: MailEntry): Promise<void> {
  if (!mail.state.unread || mail.state.snoozedUntil !== undefined || !mayDo('admin')) return;
  changeLoaded([mail.id], (entry) => ({ ...entry, state: { ...entry.state, unread: false } }));
  await request('PUT', path`/api/emails/${mail.id}/state`, { body: { unread: false } }).catch(() => undefined);
}

async function send(ids: readonly string[], body: StateChange): Promise<boolean> {
  const [only] = ids;
  const isDone = await attempt(async () => {
    if (ids.length === 1 && only !== undefined) await request('PUT', path`/api/emails/${only}/state`, { body });
    else for (const part of inParts(ids)) await request('PUT', `/api/emails/state?ids=${part.join(',')}`, { body });
  });
  // The server knows what a run says about it.
  if (isDone) await refreshMails(ids);
  return isDone;
}

async function undoState(
  before: readonly MailEntry[],
  change: StateChange,
  selected: string | undefined,
): Promise<void> {
  const earlier = ({ state }: MailEntry): StateChange => ({
    ...('value' in change && { value: state.setBy === 'user' ? state.value : null }),
    // A snooze takes a mail out of the archive.
    ...(('archived' in change || 'snoozedUntil' in change) && { archived: state.archived }),
    ...((change.archived === true || 'snoozedUntil' in change) && { snoozedUntil: state.snoozedUntil ?? null }),
    unread: state.unread,
  });
  // Mails that get the same back share a request.
  const groups = Map.groupBy(before, (mail) => JSON.stringify(earlier(mail)));
  for (const mails of groups.values()) {
    const [first] = mails;
    const ids = mails.map(({ id }) => id);
    if (first !== undefined) await send(ids, earlier(first));
  }
  if (selected !== undefined && before.some(({ id }) => id === selected)) go('inbox', [selected], { replace: true });
}

/** The state that a change leads to, shown until the server answers. */
function expected(state: State, change: StateChange): State {
  const { value, unread, archived, snoozedUntil } = change;
  const { snoozedUntil: until, ...rest } = state;
  const nextUntil = snoozedUntil === null || archived === true ? undefined : (snoozedUntil ?? until);
  return {
    ...rest,
    ...(value !== undefined && value !== null && { value, setBy: 'user' as const }),
    ...(unread !== undefined && { unread }),
    ...(archived !== undefined && { archived }),
    ...(typeof snoozedUntil === 'string' && { archived: false }),
    ...(nextUntil !== undefined && { snoozedUntil: nextUntil }),
  };
}
