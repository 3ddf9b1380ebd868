import { EngineError } from '../../base/error.ts';
import type { HttpResponse } from './http-exchange.ts';

/** Characters of an error's body that the model reads. */
const MAX_ERROR_TEXT = 500;
/** Characters of a page that become text. More would hold up everything else. */
const MAX_HTML = 256 * 1024;

/** What a response holds, for a model. */
export interface HttpContent {
  readonly status: number;
  readonly contentType?: string;
  /** The value of a JSON response, or the text of another one. Absent for a response that is not text. */
  readonly body?: unknown;
  /** Says what is missing. */
  readonly note?: string;
}

/** The content of a response: JSON as a value, HTML as plain text, other text as it is. */
export async function contentOf({ status, headers, body, isCut }: HttpResponse): Promise<HttpContent> {
  const contentType = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const head = { status, ...(contentType !== '' && { contentType }) };
  const cut = isCut ? { note: `[truncated: the first ${body.length} bytes; the response is longer]` } : {};
  if (body.length === 0) return head;
  if (!isText(contentType, body)) {
    const size = isCut ? `more than ${body.length}` : String(body.length);
    return { ...head, note: `the response has ${size} bytes that are not text` };
  }
  const text = decodeText(body, headers['content-type'] ?? '');
  if (/[/+]json$/.test(contentType) && !isCut) {
    const value = parseJson(text);
    return { ...head, body: value === undefined ? text : value.value };
  }
  if (contentType === 'text/html' || contentType === 'application/xhtml+xml')
    return {
      ...head,
      body: await htmlText(text),
      ...(text.length > MAX_HTML ? { note: '[truncated: the page is longer]' } : cut),
    };
  return { ...head, body: text, ...cut };
}

/** The error of a response with a status of 400 or more, readable for the model. */
export async function statusError(response: HttpResponse, host: string): Promise<EngineError> {
  const { status, statusText } = response;
  const { body } = await contentOf(response);
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  const shown = text.replace(/\s+/g, ' ').trim();
  const said = shown === '' ? '' : `: ${shown.length > MAX_ERROR_TEXT ? `${shown.slice(0, MAX_ERROR_TEXT)}…` : shown}`;
  return new EngineError('TOOL_FAILED', `${host} answered ${status} ${statusText}${said}`, {
    hint: HINTS.find(([first, last]) => status >= first && status <= last)?.[2],
    retryable: isTransient(status),
  });
}

/** Whether another attempt may have another answer. */
export function isTransient(status: number): boolean {
  return status === 429 || status === 502 || status === 503 || status === 504;
}

const HINTS: readonly (readonly [first: number, last: number, hint: string])[] = [
  [401, 401, 'the key of the tool is missing or wrong: a person must set it; go on without this tool'],
  [403, 403, 'the key of the tool may not do this; go on without it'],
  [404, 404, 'check the arguments: there is no such thing'],
  [408, 408, 'call the tool again'],
  [429, 429, 'the server limits requests: call the tool again later'],
  [400, 499, 'check the arguments and call the tool again'],
  [500, 599, 'the server has a problem: try again later, or go on without this tool'],
];

function isText(contentType: string, body: Buffer): boolean {
  if (/^(text\/|application\/(.*[+.])?(json|xml|yaml|javascript|x-ndjson|x-www-form-urlencoded)$)/.test(contentType))
    return true;
  if (contentType !== '' && contentType !== 'application/octet-stream') return /[/+](json|xml)$/.test(contentType);
  return !body.subarray(0, 4096).includes(0);
}

function decodeText(body: Buffer, contentType: string): string {
  const charset = /charset="?([\w.:-]+)/i.exec(contentType)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}

function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

async function htmlText(html: string): Promise<string> {
  const { htmlToText } = await import('../../mail/html/html-to-text.ts');
  return htmlToText(html.slice(0, MAX_HTML));
}
