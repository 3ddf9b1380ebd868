import { html } from 'htm/preact';
import { Shown } from '../widget/visible.ts';
import { parseCsv } from './csv.ts';

/** Most rows and columns that are shown; the source has all. */
const MAX_ROWS = 500;
const MAX_COLUMNS = 50;

/** A CSV file as a table; the first row is its head. */
export function CsvTable({ data }: { data: string }) {
  const rows = parseCsv(data, MAX_ROWS + 2);
  const [head = [], ...body] = rows;
  const cells = (row: readonly string[]) => row.slice(0, MAX_COLUMNS);
  const isCut = body.length > MAX_ROWS || rows.some((row) => row.length > MAX_COLUMNS);
  return html`<div class="csv" role="region" aria-label="Table" tabindex="0">
    ${isCut && html`<p class="muted">The table shows ${MAX_ROWS} rows and ${MAX_COLUMNS} columns at most. Source has all.</p>`}
    <table>
      <thead>
        <tr>
          ${cells(head).map((text, i) => html`<th key=${i} scope="col"><${Shown} text=${text} /></th>`)}
        </tr>
      </thead>
      <tbody>
        ${body.slice(0, MAX_ROWS).map(
          (row, i) =>
            html`<tr key=${i}>
              ${cells(row).map((text, j) => html`<td key=${j}><${Shown} text=${text} /></td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
