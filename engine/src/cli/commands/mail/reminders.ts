import type { Reminder } from '../../../agenda/reminders.ts';
import type { Page } from '../../../api/http/paging.ts';
import { path } from '../../client.ts';
import type { CommandContext } from '../../context.ts';
import { withApi, withRows } from '../../with-api.ts';
import { findId } from '../../find-id.ts';
import { shortIds } from '../../terminal/short-ids.ts';
import { formatTable, oneLine } from '../../terminal/table.ts';
import { EXIT, widthOf } from '../../terminal/terminal.ts';

/** Largest page of the API. */
const MAX_PAGE = 200;

/** `reminders list`: open reminders by their time, or those that were due, or cancelled. */
export async function listReminders(
  context: CommandContext,
  { fired = false, cancelled = false }: { readonly fired?: boolean; readonly cancelled?: boolean },
): Promise<number> {
  const status = fired ? 'fired' : cancelled ? 'cancelled' : 'open';
  const query = new URLSearchParams({ limit: String(MAX_PAGE), status });
  const page = await withRows(context, (client) => client.request<Page<Reminder>>('GET', `/api/reminders?${query}`));
  if (context.isJson) context.print(page);
  else if (page.items.length === 0) context.say('no reminders');
  else context.terminal.out(formatReminders(page.items, widthOf(context.terminal)));
  if (!context.isJson && page.nextCursor !== null) context.say(`only the first ${MAX_PAGE} are listed`);
  return EXIT.fine;
}

function formatReminders(reminders: readonly Reminder[], width: number): string {
  const ids = shortIds(reminders.map(({ id }) => id));
  const rows = reminders.map(({ id, dueAt, startsRunOf = '', text }) => [
    ids.get(id) ?? id,
    `${dueAt.slice(0, 16).replace('T', ' ')}Z`,
    startsRunOf,
    oneLine(text),
  ]);
  return formatTable(['ID', 'DUE', { head: 'RUN OF', cut: 2 }, { head: 'TEXT', cut: 1, min: 20 }], rows, width);
}

/** `reminders cancel <id>`: cancels an open reminder. */
export async function cancelReminder(
  context: CommandContext,
  _options: object,
  [given = '']: readonly string[],
): Promise<number> {
  const reminder = await withApi(context, { isDriving: false }, async (client) =>
    client.request<Reminder>('DELETE', path`/api/reminders/${await findId(client, 'reminder', given)}`),
  );
  if (context.isJson) context.print(reminder);
  else context.say(`cancelled: ${oneLine(reminder.text)}`);
  return EXIT.fine;
}
