import type { Bound, Codec } from '../codec.ts';
import type { Row } from '../row.ts';
import { TABLES, type TableName } from '../tables.ts';

/**
 * Wraps a codec so that PostgreSQL accepts its values. Bodies become bytes: a body in plain text is stored as UTF-8. In
 * texts, NUL and lone surrogates are escaped, because TEXT refuses or changes them, and models choose some of the
 * names.
 */
export function createPgCodec(inner: Codec): Codec {
  return {
    store(table, column, value, row) {
      const stored = inner.store(table, column, value, row);
      if (typeof stored !== 'string') return stored;
      return column === 'body' ? Buffer.from(stored, 'utf8') : escapeText(stored);
    },
    load(table, row, hasBody = true) {
      const plain = inner.load(table, unescapeRow(table, row), hasBody);
      const { body } = plain as { readonly body?: unknown };
      if (!(body instanceof Uint8Array) || typesOf(table)['body'] !== 'json') return plain;
      return { ...plain, body: Buffer.from(body.buffer, body.byteOffset, body.length).toString('utf8') };
    },
  };
}

function unescapeRow<T extends TableName>(table: T, row: Row<T>): Row<T> {
  let open: Record<string, Bound> | undefined;
  for (const [column, type] of Object.entries(typesOf(table))) {
    if (type !== 'text' && type !== 'name') continue;
    const text = String((row as Readonly<Record<string, Bound>>)[column]);
    if (!text.includes('\\')) continue;
    open ??= { ...row };
    open[column] = unescapeText(text);
  }
  return open === undefined ? row : (open as Row<T>);
}

/** Escapes each UTF-16 unit that TEXT cannot store, and the backslash, as `\` and four hex digits. */
export function escapeText(text: string): string {
  if (text.isWellFormed() && !text.includes('\0') && !text.includes('\\')) return text;
  return text.replace(
    /[\0\\]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g,
    (unit) => `\\${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Reverses `escapeText`. */
export function unescapeText(text: string): string {
  return text.replace(/\\([0-9a-f]{4})/g, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)));
}

function typesOf(table: TableName): Readonly<Record<string, string>> {
  return TABLES[table].columns;
}
