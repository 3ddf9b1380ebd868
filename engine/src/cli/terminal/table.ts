/** Formats rows as aligned columns, separated by two spaces; the last column is not padded. Ends with a line break. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows];
  const widths = head.map((_, i) => Math.max(...all.map((row) => row[i]?.length ?? 0)));
  const last = head.length - 1;
  const line = (row: readonly string[]) =>
    row
      .map((cell, i) => (i === last ? cell : cell.padEnd(widths[i] ?? 0)))
      .join('  ')
      .trimEnd();
  return `${all.map(line).join('\n')}\n`;
}

/**
 * Removes control characters from untrusted text, since a mail could use them to overwrite the screen or write to the clipboard.
 * Keeps line breaks and tabs.
 */
export function plain(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '');
}

/** As `plain`, on one line. */
export function oneLine(text: string): string {
  return plain(text.replace(/\s+/g, ' ')).trim();
}
