/** What a scripted rule can know of a mail: read from the envelope at the top of a user message. */
export interface Envelope {
  readonly subject: string;
  /** As written: `Ann Lee <ann@example.com>`. */
  readonly from: string;
  /** The text below the headers, up to the mark that closes the envelope. */
  readonly body: string;
}

/** The headers of an envelope are near its top; what a mail quotes further down is not its own. */
const MAX_HEADER_LINES = 40;
/** The line that opens an envelope; the one that closes it is the same name and `>>`. */
const MARK = /^<<(\S{1,100})$/;
const HEADER = /^(From|Subject):[ \t]*(.*)$/i;

/**
 * Reads `From:` and `Subject:` lines near the top of a message. A message without them is all body. The first of each
 * counts, and those above the first empty line after them are headers.
 */
export function readEnvelope(text: string): Envelope | undefined {
  const lines = text.split('\n');
  const found: { from?: string; subject?: string } = {};
  let last = -1;
  for (const [index, line] of lines.slice(0, MAX_HEADER_LINES).entries()) {
    if (last >= 0 && line.trim() === '') break;
    const [, name, value] = HEADER.exec(line.trimEnd()) ?? [];
    if (name === undefined || value === undefined) continue;
    if (name.toLowerCase() === 'from') found.from ??= value.trim();
    else found.subject ??= value.trim();
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
  const body = gap < 0 ? '' : lines.slice(gap + 1, close < 0 ? undefined : close).join('\n');
  return { subject: found.subject ?? '', from: found.from ?? '', body };
}
