import { html } from 'htm/preact';

/** One column of the chart. */
export interface Column {
  readonly key: string;
  readonly value: number;
  /** Text of the tooltip. */
  readonly title: string;
}

interface Props {
  readonly columns: readonly Column[];
  readonly selected: string;
  /** Draws a line at this value, if it is near enough to the columns to be drawn. */
  readonly limit: number | undefined;
  /** Text of the highest value. */
  readonly top: string;
  readonly onChoose: (key: string) => void;
}

const [WIDTH, HEIGHT] = [900, 160];

/**
 * Columns by day as SVG. Screen readers and keyboards use the table below it, which has the same figures; the mouse may
 * choose a column here too.
 */
export function Chart({ columns, selected, limit, top, onChoose }: Props) {
  const most = Math.max(...columns.map(({ value }) => value), 0);
  // A limit far above all use would make every column invisible.
  const isLimitShown = limit !== undefined && limit <= most * 4;
  const scale = Math.max(most, isLimitShown ? limit : 0) || 1;
  const step = WIDTH / Math.max(1, columns.length);
  const y = (value: number) => HEIGHT - (value / scale) * (HEIGHT - 6);
  return html`<div class="chart" aria-hidden="true">
    <p class="chart-top muted">${top}</p>
    <svg viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none">
      ${columns.map(
        ({ key, value, title }, i) =>
          html`<g key=${key} class=${key === selected ? 'column selected' : 'column'} onClick=${() => onChoose(key)}>
            <title>${title}</title>
            <rect class="back" x=${i * step} y="0" width=${step} height=${HEIGHT} />
            <rect class="bar" x=${(i + 0.14) * step} y=${y(value)} width=${step * 0.72} height=${HEIGHT - y(value)} />
          </g>`,
      )}
      ${isLimitShown && html`<line class="limit" x1="0" x2=${WIDTH} y1=${y(limit)} y2=${y(limit)} />`}
    </svg>
    <p class="chart-days muted"><span>${columns[0]?.key}</span><span>${columns.at(-1)?.key}</span></p>
  </div>`;
}

/** A bar within a row of a table: the part of the highest value. */
export function Bar({ value, most }: { value: number; most: number }) {
  return html`<svg class="row-bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
    <rect class="back" width="100" height="6" />
    <rect class="bar" width=${most > 0 ? (value / most) * 100 : 0} height="6" />
  </svg>`;
}
