import type { PermissionRow } from '../../../run/step/permission-table.ts';
import type { CommandContext } from '../../context.ts';
import { formatTable, oneLine } from '../../terminal/table.ts';
import { EXIT, widthOf } from '../../terminal/terminal.ts';
import { withApi } from '../../with-api.ts';

/** `permissions DIRECTOR`: what happens when the director or one of its agents calls a tool, and which rule decides. */
export async function showPermissions(
  context: CommandContext,
  _options: object,
  [director = '']: readonly string[],
): Promise<number> {
  const { items } = await withApi(context, { isDriving: false }, (client) =>
    client.request<{ readonly items: readonly PermissionRow[] }>(
      'GET',
      `/api/directors/${encodeURIComponent(director)}/permissions`,
    ),
  );
  if (context.isJson) context.print(items);
  else context.terminal.out(format(items, widthOf(context.terminal)));
  return EXIT.fine;
}

function format(items: readonly PermissionRow[], width: number): string {
  const rows = items.flatMap(({ tool, caller, permission, reason, cases }) =>
    [...cases, { permission, reason }].map((one, n) => [
      n === 0 ? oneLine(tool) : '',
      n === 0 ? oneLine(caller.id) : '',
      one.permission,
      oneLine(shortened(one.reason, `${caller.kind} ${caller.id}`)),
    ]),
  );
  const columns = [
    { head: 'TOOL', cut: 1, min: 18 },
    { head: 'CALLER', cut: 2, min: 10 },
    'CALL',
    { head: 'RULE', cut: 3, min: 20 },
  ];
  return formatTable(columns, rows, width);
}

/** `director boss: permissions.ask has "mail_*"` as `mail_* (director boss)`, and without the document where it is the caller's own. */
function shortened(reason: string, own: string): string {
  return reason.replace(
    /(\S+ \S+): permissions\.(?:allow|ask|deny) has "([^"]*)"/g,
    (_all, who: string, rule: string) => (who === own ? rule : `${rule} (${who})`),
  );
}
