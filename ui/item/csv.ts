/**
 * Reads CSV (RFC 4180): fields in quotes may hold separators, line breaks and doubled quotes. The separator is the one of `,`, `;` and tab
 * that the first line has most of. Reads each character once, and at most `maxRows` rows.
 */
export function parseCsv(data: string, maxRows: number): readonly (readonly string[])[] {
  const separator = separatorOf(data);
  const rows: string[][] = [];
  let row: string[] = [];
  let field = '';
  let isQuoted = false;
  const endField = () => {
    row.push(field);
    field = '';
  };
  const endRow = () => {
    endField();
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  };
  for (let at = data.startsWith('\ufeff') ? 1 : 0; at < data.length && rows.length < maxRows; at++) {
    const char = data[at] ?? '';
    if (isQuoted) {
      if (char !== '"') field += char;
      else if (data[at + 1] === '"') {
        field += '"';
        at++;
      } else isQuoted = false;
    } else if (char === '"' && field === '') isQuoted = true;
    else if (char === separator) endField();
    else if (char === '\n') endRow();
    else if (char !== '\r') field += char;
  }
  if (rows.length < maxRows) endRow();
  return rows;
}

function separatorOf(data: string): string {
  const [line = ''] = data.slice(0, 4096).split('\n', 1);
  const count = (separator: string) => line.split(separator).length;
  return [',', ';', '\t'].reduce((best, other) => (count(other) > count(best) ? other : best));
}
