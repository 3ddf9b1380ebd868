import { isRecord } from '../base/json.ts';
import type { ToolPreview } from './tool.ts';

/** MIME type of a preview that is one of `Preview` as JSON. */
export const PREVIEW_TYPE = 'application/vnd.callsheet.preview+json';

/** MIME type of a preview that is a unified diff of a file. */
export const DIFF_TYPE = 'text/x-diff';

/** A mail as it will be sent, or saved as a draft. */
export interface MailPreview {
  readonly kind: 'mail';
  readonly action: 'send' | 'draft';
  /** Id of the account that it leaves from. */
  readonly accountId: string;
  /** From, To, Cc, Bcc, Subject, In-Reply-To: those that the mail has, in this order. An address list has a value for each. */
  readonly headers: readonly { readonly name: string; readonly values: readonly string[] }[];
  /** The whole text, with signature and quotation. */
  readonly text: string;
  /** The whole HTML body, sanitised. */
  readonly html?: string;
  readonly attachments: readonly {
    readonly name: string;
    readonly mimeType: string;
    readonly bytes: number;
    readonly sha256: string;
  }[];
}

/** A time in one zone, as people read it: `Wed 25 Nov 2026, 14:00`. */
export interface PreviewTime {
  /** IANA name. */
  readonly timeZone: string;
  readonly start: string;
  readonly end: string;
}

/** An event as it will stand in the calendar. */
export interface EventPreview {
  readonly kind: 'event';
  readonly title: string;
  /** In the user's zone first; then, where they differ, in that of the event and in that of the calendar. */
  readonly times: readonly (PreviewTime & { readonly of: readonly ('user' | 'event' | 'calendar')[] })[];
  readonly isAllDay: boolean;
  readonly calendar: string;
  readonly accountId?: string;
  readonly location?: string;
  readonly description?: string;
  /** Addresses of those who are invited. */
  readonly attendees: readonly string[];
}

/** The HTTP request of a declared tool. Values of secrets and variables are `***`. */
export interface RequestPreview {
  readonly kind: 'request';
  readonly method: string;
  readonly url: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly body?: string;
}

/** The program that a declared tool runs, without a shell. */
export interface CommandPreview {
  readonly kind: 'command';
  readonly argv: readonly string[];
  /** Folder in which it starts, as the tool's file says. */
  readonly cwd: string;
  readonly isSandboxed: boolean;
}

/** What a call does, for the person who is asked about it. Any other tool shows its arguments. */
export type Preview = MailPreview | EventPreview | RequestPreview | CommandPreview;

const KINDS: Readonly<Record<Preview['kind'], true>> = { mail: true, event: true, request: true, command: true };

/** A preview as a tool returns it. */
export function toolPreview(preview: Preview): ToolPreview {
  return { mimeType: PREVIEW_TYPE, data: JSON.stringify(preview) };
}

/** The preview of an approval; undefined for a diff, for plain arguments, and for a kind of a later version. */
export function readPreview({ mimeType, data }: Pick<ToolPreview, 'mimeType' | 'data'>): Preview | undefined {
  if (mimeType !== PREVIEW_TYPE) return undefined;
  try {
    const value: unknown = JSON.parse(data);
    return isRecord(value) && Object.hasOwn(KINDS, String(value['kind'])) ? (value as unknown as Preview) : undefined;
  } catch {
    return undefined;
  }
}
