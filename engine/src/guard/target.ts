import { isRecord } from '../base/json.ts';
import type { GuardedCall } from './guard.ts';

/** Arguments that name what a call acts on; the first that is there is the target. */
const NAMES: readonly string[] = [
  'to',
  'emailId',
  'mailId',
  'path',
  'from',
  'eventId',
  'attendees',
  'url',
  'uri',
  'ref',
  'itemId',
  'id',
  'title',
  'name',
  'query',
];
/** Arguments of calendars and to-dos: objects that hold the title. */
const HOLDERS: readonly string[] = ['event', 'task'];
/** Most characters of a target. */
const MAX_TARGET = 500;

/** What a call acts on, in one line: an agent, recipients, a path, an id. Undefined where its arguments name nothing. */
export function targetOf({ tool, arguments: args }: GuardedCall): string | undefined {
  if ('kind' in tool && tool.kind === 'agent') return tool.agentId;
  const holders = [args];
  for (const name of HOLDERS) {
    const holder = args[name];
    if (isRecord(holder)) holders.push(holder);
  }
  for (const name of NAMES)
    for (const holder of holders) {
      const text = textOf(holder[name]);
      if (text !== '') return text.length > MAX_TARGET ? `${text.slice(0, MAX_TARGET - 1)}…` : text;
    }
  return undefined;
}

function textOf(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value).replace(/\s+/g, ' ').trim();
  return Array.isArray(value) ? value.map(textOf).join(', ') : '';
}
