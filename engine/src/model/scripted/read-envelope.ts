import { unwrapped } from '../../config/prompt/envelope.ts';

/** Facts about a mail for scripted rules, read from the envelope at the top of a user message. */
export interface Envelope {
  readonly subject: string;
  /** The sender as written: `Ann Lee <ann@example.com>`. */
  readonly from: string;
  /** The text below the headers, up to the closing mark of the envelope. */
  readonly body: string;
}

/** Lines that may contain the headers of an envelope. Headers further down belong to quoted mails. */
const MAX_HEADER_LINES = 40;
/** The line that opens an envelope: `<<NAME`. The closing line is `NAME>>`. */
const MARK = /^<<(\S{1,100})$/;
const HEADER = /^(From|Subject):[ \t]*(.*)$/i;

/**
 * Reads the first `From:` and `Subject:` near the top of a message, up to the first empty line after them. Undefined if the
 * message has neither.
 */
export function readEnvelope(text: string): Envelope | undefined {
  const lines = text.split('\n');
  const found: { from?: string; subject?: string } = {};
  let last = -1;
  for (const [index, line] of lines.slice(0, MAX_HEADER_LINES).entries()) {
    if (last >= 0 && line.trim() === '') break;
    const [, name, value] = HEADER.exec(line.trimEnd()) ?? [];
    if (name === undefined || value === undefined) continue;
    if (name.toLowerCase() === 'from') found.from ??= unwrapped(value.trim(), ['MAIL']);
    else found.subject ??= unwrapped(value.trim(), ['MAIL']);
    last = index;
  }
  if (last < 0) return undefined;
  const gap = lines.findIndex((line, index) => index > last && line.trim() === '');
  const [, name] =
    lines
      .slice(0, last)
      .map((line) => MARK.exec(line.trimEnd()))
      .find((mark) => mark !== null) ?? [];
  const close = name === undefined ? -1 : lines.findIndex((line) => line.trimEnd() === `${name}>>`);
  const rest = gap < 0 ? '' : lines.slice(gap + 1, close < 0 ? undefined : close).join('\n');
  // A prompt may name the parts of a mail one by one: then each stands between marks of its own.
  const body = close < 0 ? unwrapped(rest, ['MAIL']) : rest;
  return { subject: found.subject ?? '', from: found.from ?? '', body };
}
