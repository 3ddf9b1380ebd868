import PostalMime from 'postal-mime';

/**
 * A part of a mail, as found by the line parser of postal-mime. Callsheet passes the lines to that parser itself, and
 * keeps each body as a range of the raw bytes, so that the library does not collect it line by line: a 20 MB attachment
 * needs no work until it is used, CRLF in unencoded parts survives, and Callsheet sets the limits.
 */
export interface Part {
  readonly mimeType: string;
  /** `mixed`, `alternative`, … or false for a leaf. */
  readonly multipart: string | false;
  readonly params: Readonly<Record<string, string>>;
  /** `attachment`, `inline`, another token, or `''`. */
  readonly disposition: string;
  readonly dispositionParams: Readonly<Record<string, string>>;
  readonly encoding: string;
  /** Includes the angle brackets; `''` where it is missing. */
  readonly contentId: string;
  readonly headers: readonly { readonly key: string; readonly originalKey: string; readonly value: string }[];
  readonly children: readonly Part[];
  /** The encoded body: the raw bytes, without the line break that belongs to the next boundary. */
  readonly body: Uint8Array;
  /** Decodes bytes in the charset of the part, and joins flowed lines (RFC 3676). */
  text(decoded: Uint8Array): string;
}

export interface MimeTree {
  readonly root: Part;
  /** What a limit left out, in plain words. */
  readonly notes: readonly string[];
}

/** A mail above these is an attack or broken; the part before the limit is still parsed. */
export const MIME_LIMITS = {
  depth: 100,
  parts: 20_000,
  partHeaderBytes: 1024 * 1024,
  partHeaderLines: 10_000,
  headerBytes: 16 * 1024 * 1024,
} as const;

/** The used members of postal-mime's nodes. They are not in its public types, so its exact version is pinned. */
interface Node {
  readonly state: 'header' | 'body' | 'finished';
  readonly depth: number;
  readonly childNodes: readonly Node[];
  readonly contentType: { readonly parsed: Structured; readonly multipart: string | false };
  readonly contentDisposition: { readonly parsed: Structured };
  readonly contentTransferEncoding: { readonly encoding: string };
  readonly contentId?: string;
  readonly headers: Part['headers'];
  contentDecoder: { update(line: Uint8Array): void; finalize(): Promise<ArrayBuffer> } | null;
  content: Uint8Array | null;
  getTextContent(): string;
}

interface Structured {
  readonly value: string;
  readonly params: Readonly<Record<string, string>>;
}

interface Machine {
  readonly root: Node;
  readonly currentNode: Node;
  readonly boundaries: unknown[];
  processLine(line: Uint8Array, isFinal: boolean): Promise<void>;
}

interface Range {
  start: number;
  end: number;
}

const LF = 0x0a;
const CR = 0x0d;
const DASH = 0x2d;
const EMPTY = new Uint8Array(0);
const NO_BODY = { update() {}, finalize: () => Promise.resolve(new ArrayBuffer(0)) };

/** Finds the parts of `raw`. Never throws, whatever the bytes are; time and memory are linear in its size. */
export async function readParts(raw: Uint8Array): Promise<MimeTree> {
  const reader = new Reader(raw);
  await reader.read();
  return { root: reader.partOf(reader.machine.root), notes: [...reader.notes] };
}

class Reader {
  // Callsheet's own limits apply first, so that the library never throws for a large mail.
  readonly machine = new PostalMime({
    maxNestingDepth: MIME_LIMITS.depth + 1,
    maxHeadersSize: Number.MAX_SAFE_INTEGER,
  }) as unknown as Machine;
  readonly notes = new Set<string>();
  readonly #raw: Uint8Array;
  readonly #ranges = new Map<Node, Range>();
  #parts = 0;
  #partHeaderBytes = 0;
  #partHeaderLines = 0;
  #headerBytes = 0;

  constructor(raw: Uint8Array) {
    this.#raw = raw;
  }

  async read(): Promise<void> {
    const raw = this.#raw;
    let position = 0;
    while (position < raw.length && this.#parts <= MIME_LIMITS.parts) {
      const node = this.machine.currentNode;
      if (node.state === 'body') {
        const next = skipBody(raw, position, this.machine.boundaries.length > 0);
        if (next > position) this.#extend(node, position, next);
        position = next;
        if (position === raw.length) break;
      }
      position = await this.#line(node, position);
    }
    if (this.#parts > MIME_LIMITS.parts) this.notes.add(`only the first ${MIME_LIMITS.parts} parts were read`);
    await this.machine.processLine(EMPTY, true);
  }

  /** Passes one line to the library: a header, the end of headers, or a possible boundary. */
  async #line(node: Node, position: number): Promise<number> {
    const { end, next } = lineAt(this.#raw, position);
    if (node.state === 'header' && end > position && this.#isTooMuchHeader(position, end)) return next;
    await this.machine.processLine(this.#raw.subarray(position, end), false);
    const now = this.machine.currentNode;
    if (now !== node) {
      this.#partHeaderBytes = 0;
      this.#partHeaderLines = 0;
      if (now.state === 'header') this.#parts++;
    } else if (node.state === 'body') {
      if (this.#ranges.has(node)) this.#extend(node, position, next);
      else this.#beginBody(node, next);
    }
    return next;
  }

  #beginBody(node: Node, start: number): void {
    node.contentDecoder = NO_BODY;
    this.#ranges.set(node, { start, end: start });
    if (
      node.contentType.multipart !== false &&
      node.depth >= MIME_LIMITS.depth &&
      node.contentType.parsed.params.boundary
    ) {
      // Forgets its boundary, so that its content counts as one body and outer parts are still found.
      this.machine.boundaries.pop();
      this.notes.add(`parts nested deeper than ${MIME_LIMITS.depth} levels were left out`);
    }
  }

  #isTooMuchHeader(position: number, end: number): boolean {
    if (this.#raw[position] === DASH && this.#raw[position + 1] === DASH) return false;
    this.#partHeaderBytes += end - position;
    this.#headerBytes += end - position;
    const isFine =
      this.#partHeaderBytes <= MIME_LIMITS.partHeaderBytes &&
      ++this.#partHeaderLines <= MIME_LIMITS.partHeaderLines &&
      this.#headerBytes <= MIME_LIMITS.headerBytes;
    if (isFine) return false;
    this.notes.add('headers beyond 1 MB or 10,000 lines were left out');
    return true;
  }

  #extend(node: Node, start: number, end: number): void {
    const range = this.#ranges.get(node);
    if (range === undefined) this.#ranges.set(node, { start, end });
    else range.end = end;
  }

  partOf(node: Node): Part {
    const type = node.contentType.parsed;
    return {
      mimeType: type.value,
      multipart: node.contentType.multipart,
      params: type.params,
      disposition: node.contentDisposition.parsed.value,
      dispositionParams: node.contentDisposition.parsed.params,
      encoding: node.contentTransferEncoding.encoding,
      contentId: node.contentId ?? '',
      headers: node.headers,
      children: node.childNodes.map((child) => this.partOf(child)),
      body: bodyOf(this.#raw, this.#ranges.get(node)),
      text(decoded) {
        node.content = decoded;
        const text = node.getTextContent();
        node.content = null;
        return text;
      },
    };
  }
}

/** Start of the next line that could be a boundary, from the start of a line of a body; the end where there is none. */
function skipBody(raw: Uint8Array, position: number, hasBoundaries: boolean): number {
  if (!hasBoundaries) return raw.length;
  if (raw[position] === DASH && raw[position + 1] === DASH) return position;
  // Node searches for all three bytes at once, which is far faster than line by line.
  const newline = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).indexOf('\n--', position, 'latin1');
  return newline < 0 ? raw.length : newline + 1;
}

function lineAt(raw: Uint8Array, position: number): { end: number; next: number } {
  const newline = raw.indexOf(LF, position);
  const next = newline < 0 ? raw.length : newline + 1;
  let end = newline < 0 ? raw.length : newline;
  while (end > position && raw[end - 1] === CR) end--;
  return { end, next };
}

/** RFC 2046 5.1.1: the line break before a boundary belongs to the boundary. The end of the mail has no boundary. */
function bodyOf(raw: Uint8Array, range: Range | undefined): Uint8Array {
  if (range === undefined) return EMPTY;
  let { end } = range;
  if (end < raw.length && raw[end - 1] === LF && end > range.start) {
    end--;
    if (raw[end - 1] === CR && end > range.start) end--;
  }
  return raw.subarray(range.start, end);
}
