import type { Arguments } from './arguments.ts';
import { type Preview, readPreview } from './preview.ts';
import type { ToolPreview } from './tool.ts';

/** What a call does and on what, as the title of its approval: `Send an e-mail` · `Ann Lee <ann@example.org>`. */
export interface CallTitle {
  readonly action: string;
  /** Undefined where the call names nothing. Text of others. */
  readonly target?: string;
}

/** Actions of tools, by name; the arguments that name the target, the first one that has a value. */
const ACTIONS: Readonly<Record<string, readonly [action: string, ...targets: string[]]>> = {
  mail_send: ['Send an e-mail', 'to', 'ref'],
  mail_draft: ['Save a draft', 'to', 'ref'],
  mail_label: ['Change labels of an e-mail', 'add', 'remove'],
  mail_archive: ['Archive an e-mail', 'ref', 'emailId'],
  calendar_add: ['Add an event', 'title'],
  todo_add: ['Add a to-do', 'title'],
  notebook_create_file: ['Create the file', 'path'],
  notebook_write_file: ['Replace the file', 'path'],
  notebook_update_properties: ['Change properties of the file', 'path'],
  notebook_delete_file: ['Delete the file', 'path'],
  workspace_add_item: ['Add a result', 'label'],
  workspace_update_item: ['Change a result', 'label', 'id'],
  workspace_remove_item: ['Remove a result', 'id'],
  memory_add: ['Remember', 'text', 'content'],
  memory_edit: ['Change a memory', 'id'],
  memory_forget: ['Forget a memory', 'id'],
  reminder_create: ['Create a reminder', 'text'],
  notify: ['Send a notification', 'title', 'text'],
  ask_user: ['Answer a question', 'question'],
};

/** Arguments that name the target of any other call, the first one that has a value. */
const TARGETS = ['to', 'path', 'url', 'uri', 'title', 'name', 'id', 'query'];

/** Most characters of a target. */
const MAX_CHARS = 200;

/** The title of a call; one of an unknown tool is `Call <tool>`. */
export function callTitle(tool: string, args: Arguments, preview: Pick<ToolPreview, 'mimeType' | 'data'>): CallTitle {
  const shown = readPreview(preview);
  const [action, ...names] = Object.hasOwn(ACTIONS, tool) ? (ACTIONS[tool] ?? []) : [];
  const target = (shown && targetOf(shown)) ?? firstOf(args, action === undefined ? TARGETS : names);
  return {
    action: (shown && actionOf(shown, tool)) ?? action ?? `Call ${tool}`,
    ...(target !== undefined && { target }),
  };
}

function actionOf(preview: Preview, tool: string): string | undefined {
  if (preview.kind === 'request') return `Send a ${preview.method} request with ${tool}`;
  return preview.kind === 'command' ? `Run ${preview.argv[0] ?? 'a program'} with ${tool}` : undefined;
}

function targetOf(preview: Preview): string | undefined {
  switch (preview.kind) {
    case 'mail': {
      const recipients = preview.headers.flatMap(({ name, values }) => (/^(to|b?cc)$/i.test(name) ? values : []));
      const [first, ...others] = recipients;
      return first === undefined
        ? undefined
        : `${cut(first)}${others.length === 0 ? '' : ` and ${others.length} more`}`;
    }
    case 'event':
      return cut(preview.title);
    case 'request':
      return URL.parse(preview.url)?.host;
    case 'command':
      return undefined;
    default:
      preview satisfies never;
      return undefined;
  }
}

function firstOf(args: Arguments, names: readonly string[]): string | undefined {
  // Tools of calendars and to-dos have one object that holds the title.
  const nested = ['event', 'task']
    .map((name) => args[name])
    .filter((value) => typeof value === 'object' && value !== null);
  for (const name of names)
    for (const holder of [args, ...(nested as Arguments[])]) {
      const text = textOf(holder[name]);
      if (text !== '') return cut(text);
    }
  return undefined;
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.filter((one) => typeof one === 'string').join(', ');
  return typeof value === 'string' || typeof value === 'number' ? String(value).replace(/\s+/g, ' ').trim() : '';
}

const cut = (text: string) => (text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS - 1)}…` : text);
