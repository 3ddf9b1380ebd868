import type { ApprovalView } from '../../../api/routes/run/approval-view.ts';
import { type MailPreview, type Preview, readPreview } from '../../../tool/preview.ts';
import { cellsOf, oneLine, plain } from '../../terminal/table.ts';
import { wrapText } from '../../terminal/wrap.ts';
import { formatQuestion } from './format-question.ts';

const INDENT = '  ';

/** What a call does and on what, on one line. */
export function titleOf({ title: { action, target } }: Pick<ApprovalView, 'title'>): string {
  return target === undefined ? oneLine(action) : `${oneLine(action)}: ${oneLine(target)}`;
}

/** `agent responder for director client-manager` */
function requesterOf({ requestedBy: { directorId, agentId } }: Pick<ApprovalView, 'requestedBy'>): string {
  if (agentId === undefined) return `director ${directorId}`;
  return `agent ${agentId}${directorId === '' ? '' : ` for director ${directorId}`}`;
}

/** An approval with everything that a person needs to decide it, in lines of at most `width` cells. Hidden characters are escaped. */
export function formatApproval(approval: ApprovalView, width: number): string {
  const { status, reason, email, warnings = [], preview } = approval;
  const facts: readonly (readonly [string, string])[] = [
    ['Status', stateOf(approval)],
    ['Asked by', `${requesterOf(approval)}, with ${oneLine(approval.tool)}, ${timeOf(approval.createdAt)}`],
    ['About', email === undefined ? '' : `${oneLine(email.subject) || '(no subject)'}, from ${oneLine(email.from)}`],
    ['Why', oneLine(reason)],
    ['Run', approval.runId],
    ['Escalated', timeOf(approval.escalatedAt)],
    ['Expires', status === 'pending' ? timeOf(approval.expiresAt) : ''],
    ['Reason', oneLine(approval.decisionReason ?? '')],
  ];
  if (approval.kind === 'question')
    return `${[
      wrapText(formatQuestion(approval), width).join('\n'),
      table(facts, width),
      approval.answer === undefined ? '' : `Answer\n${indent(plain(approval.answer), width)}`,
    ]
      .filter((part) => part !== '')
      .join('\n\n')}\n`;
  const shown = readPreview(preview);
  const parts = [
    wrapText(titleOf(approval), width).join('\n'),
    table(facts, width),
    preview.mimeType === 'text/x-diff' ? indent(plain(preview.data).trimEnd(), width) : '',
    shown === undefined ? '' : formatPreview(shown, width),
    warnings.flatMap((text) => wrapText(`! ${oneLine(text)}`, width)).join('\n'),
    `Exact arguments\n${indent(plain(JSON.stringify(approval.arguments, null, 2)), width)}`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function stateOf({ status, decidedBy, decidedByName, decidedAt, remembered }: ApprovalView): string {
  const who = decidedByName ?? decidedBy;
  const more = [
    who === undefined ? '' : `by ${oneLine(who)}`,
    timeOf(decidedAt),
    remembered === undefined ? '' : remembered === 'run' ? 'the same for the run' : 'the same always',
  ].filter((text) => text !== '');
  return [status, ...more].join(', ');
}

/** `2026-11-26 03:32 UTC` */
function timeOf(iso: string | undefined): string {
  return iso === undefined ? '' : `${iso.slice(0, 16).replace('T', ' ')} UTC`;
}

/** Names and values; a long value continues below its beginning. Empty values are left out. */
function table(rows: readonly (readonly [string, string])[], width: number, indentation = ''): string {
  const known = rows.filter(([, value]) => value !== '');
  const names = Math.max(0, ...known.map(([name]) => cellsOf(name))) + 2;
  return known
    .flatMap(([name, value]) =>
      wrapText(value, width - names - indentation.length).map(
        (line, i) => `${indentation}${(i === 0 ? name : '').padEnd(names)}${line}`,
      ),
    )
    .join('\n');
}

function indent(text: string, width: number): string {
  return wrapText(text, width - INDENT.length)
    .map((line) => (line === '' ? '' : INDENT + line))
    .join('\n');
}

function formatPreview(preview: Preview, width: number): string {
  switch (preview.kind) {
    case 'mail':
      return formatMail(preview, width);
    case 'event': {
      const { title, times, isAllDay, calendar, accountId, location = '', description = '', attendees } = preview;
      const rows: (readonly [string, string])[] = [
        ['Event', oneLine(title)],
        ...times.map(({ of, timeZone, start, end }): readonly [string, string] => {
          const zone = isAllDay ? '' : ` ${timeZone} (${of.map((one) => ZONES[one]).join(', ')})`;
          return [isAllDay ? 'Days' : 'When', `${start === end ? start : `${start} – ${end}`}${zone}`];
        }),
        ['Where', oneLine(location)],
        ['Calendar', `${oneLine(calendar)}${accountId === undefined ? '' : `, account ${accountId}`}`],
        ['Invited', attendees.map(oneLine).join(', ') || 'nobody'],
      ];
      return joined(table(rows, width, INDENT), indent(plain(description).trimEnd(), width));
    }
    case 'request': {
      const { method, url, headers, body = '' } = preview;
      const head = [`${method} ${oneLine(url)}`, ...headers.map(({ name, value }) => `${name}: ${oneLine(value)}`)];
      return joined(indent(head.join('\n'), width), indent(plain(body), width));
    }
    case 'command': {
      const { argv, cwd, isSandboxed } = preview;
      const where = `in ${oneLine(cwd)}, without a shell, ${isSandboxed ? 'in a sandbox' : 'without a sandbox'}`;
      return indent(`$ ${argv.map(quoted).join(' ')}\n${where}`, width);
    }
    default:
      preview satisfies never;
      return '';
  }
}

const ZONES = { user: 'yours', event: 'event', calendar: 'calendar' } as const;

function formatMail({ headers, accountId, attachments, text, html }: MailPreview, width: number): string {
  const files = attachments.map(({ name, bytes }) => `${oneLine(name)} (${bytes} bytes)`);
  const rows: (readonly [string, string])[] = [
    ...headers.map(({ name, values }): readonly [string, string] => [name, values.map(oneLine).join(', ')]),
    ['Account', accountId],
    ['Files', files.join(', ')],
  ];
  const markup = html === undefined ? '' : `${INDENT}HTML\n${indent(plain(html).trimEnd(), width)}`;
  return joined(table(rows, width, INDENT), indent(plain(text).trimEnd(), width), markup);
}

const joined = (...parts: readonly string[]) => parts.filter((part) => part !== '').join('\n\n');

/** An argument as a person reads it: quoted where it is more than a plain word. */
function quoted(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : plain(JSON.stringify(argument));
}
