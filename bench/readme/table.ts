/** Figures of the README as they were measured: `figures.json`. */
export interface ReadmeFigures {
  /** Day of the measurement, UTC. */
  readonly date: string;
  readonly machine: string;
  readonly rows: readonly ReadmeRow[];
}

/** One figure. */
export interface ReadmeRow {
  readonly figure: string;
  readonly value: string;
  /** Name of the bench that measures it, as `npm run bench` takes it. */
  readonly bench: string;
}

/** The markers of the table in README.md. */
const [FROM, TO] = ['<!-- figures: npm run bench -- readme -->', '<!-- /figures -->'] as const;

/** The text between the markers, before Prettier aligns it. */
export function formatFigures({ date, machine, rows }: ReadmeFigures): string {
  const lines = rows.map(({ figure, value, bench }) => `| ${figure} | ${value} | \`npm run bench -- ${bench}\` |`);
  return [
    `Measured on ${date}, ${machine}.`,
    '',
    '| figure | value | measured by |',
    '| --- | --- | --- |',
    ...lines,
  ].join('\n');
}

/** The text between the markers of a document. Throws if it has no markers. */
export function figuresIn(document: string): string {
  const [from, to] = [document.indexOf(FROM), document.indexOf(TO)];
  if (from < 0 || to < from) throw new Error(`the document has no ${FROM} … ${TO}`);
  return document.slice(from + FROM.length, to).trim();
}

/** The document with other figures. */
export function withFigures(document: string, figures: ReadmeFigures): string {
  return document.replace(figuresIn(document), () => formatFigures(figures));
}
