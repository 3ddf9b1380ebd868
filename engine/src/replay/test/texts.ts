import type { TestAssertion } from '../../config/documents.gen.ts';
import { isRecord } from '../../base/json.ts';
import type { Outcome, PlayedCall, PlayedRun } from '../replay.ts';

/** Names of tools whose text is a draft or a mail. */
const DRAFTS = /^mail_(?:draft|reply|send|forward)/;

/** The texts that an assertion reads: final answers, items or drafts, of all runs in order. */
export function textsOf({ runs }: Pick<Outcome, 'runs'>, on: TestAssertion['on'] = 'answer'): string[] {
  switch (on) {
    case 'answer':
      return runs.map(({ answer }) => answer).filter((text) => text !== '');
    case 'items':
      return runs.flatMap(({ items }) => items.map(({ data }) => data));
    case 'drafts':
      return runs.flatMap(draftsOf);
    default:
      return on satisfies never;
  }
}

function draftsOf({ calls, items }: PlayedRun): string[] {
  const mails = items.filter(({ mimeType }) => mimeType === 'message/rfc822').map(({ data }) => data);
  return [...calls.filter(({ tool }) => DRAFTS.test(tool)).flatMap(textOfCall), ...mails];
}

function textOfCall({ arguments: args }: PlayedCall): string[] {
  const { subject, text, body, html } = isRecord(args) ? args : {};
  const parts = [subject, text ?? body ?? html].filter((part) => typeof part === 'string');
  return parts.length === 0 ? [] : [parts.join('\n\n')];
}

const ADDRESS = /[^\s<>,;"']+@[^\s<>,;"']+/g;

/** Calls that answer the mail of the run where they name no recipient. */
const ANSWERS = /^mail_(?:draft|send)$/;

/** Whether a call that was not denied wrote to people that its arguments do not name. */
export function hasUnnamedRecipients({ runs }: Pick<Outcome, 'runs'>): boolean {
  return runs.some(({ calls }) =>
    calls.some(({ tool, state, arguments: args }) => {
      const to = isRecord(args) ? [args['to'] ?? []].flat() : [];
      return state !== 'denied' && ANSWERS.test(tool) && to.length === 0;
    }),
  );
}

/** The bare addresses, in lower case, that runs wrote to: in calls that were not denied, and in items that are mails. */
export function recipientsOf({ runs }: Pick<Outcome, 'runs'>): string[] {
  const found = runs.flatMap(({ calls, items }) => [
    ...calls.filter(({ state }) => state !== 'denied').flatMap(({ arguments: args }) => addressesOf(args)),
    ...items.filter(({ mimeType }) => mimeType === 'message/rfc822').flatMap(({ data }) => headersOf(data)),
  ]);
  return [...new Set(found.flatMap((text) => text.match(ADDRESS) ?? []).map((one) => one.toLowerCase()))];
}

function addressesOf(args: unknown): string[] {
  const { to, cc, bcc } = isRecord(args) ? args : {};
  return [to, cc, bcc]
    .flat()
    .flatMap((one) => (typeof one === 'string' ? [one] : isRecord(one) ? [String(one['address'])] : []));
}

function headersOf(mail: string): string[] {
  const [head = ''] = mail.split(/\r?\n\r?\n/, 1);
  return head
    .replace(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/)
    .filter((line) => /^(?:to|cc|bcc):/i.test(line));
}
