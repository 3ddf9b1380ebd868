import { html } from 'htm/preact';
import type { Difference, ReplayReport } from '../http/api-types.ts';
import { hrefOf } from '../shell/route.ts';
import { Icon } from '../widget/icon.ts';
import { Shown } from '../widget/visible.ts';
import { type ChangedRow, rowsOf } from './changes.ts';
import { Words } from './words.ts';

interface Props {
  readonly report: ReplayReport;
  /** Documents of the other config that cannot be used. */
  readonly problems?: readonly string[];
  /** Whether a row opens as a page with both sides; else it opens in place, with its texts. */
  readonly hasSides?: boolean;
}

/** What would change: the summary first, a warning where more is permitted, then each mail and run. */
export function Report({ report, problems = [], hasSides = false }: Props) {
  const { summary, warnings, tiers, changed, leftOut } = report;
  return html`<div class="changes-report">
    <ul class="changes-summary">
      ${summary.map((sentence) => html`<li key=${sentence}><${Shown} text=${sentence} /></li>`)}
    </ul>
    <p class="muted">
      ${tiers.map(({ tier, total, changed: n }) => `${tier}: ${n} of ${total} changed`).join(' · ')}
      ${report.isInterrupted === true && ' · cancelled: not all was tried'}
    </p>
    ${
      warnings.length > 0 &&
      html`<div class="notice bad" role="alert">
        <${Icon} name="alert" />
        <div>
          <p><b>This change permits more than before.</b></p>
          <${List} lines=${warnings} />
        </div>
      </div>`
    }
    ${
      problems.length > 0 &&
      html`<div class="notice bad">
        <${Icon} name="alert" />
        <div>
          <p><b>Documents of the other config cannot be used.</b></p>
          <${List} lines=${problems} />
        </div>
      </div>`
    }
    ${changed.length > 0 && html`<${Table} rows=${rowsOf(changed)} hasSides=${hasSides} />`}
    ${
      leftOut.length > 0 &&
      html`<details class="compare-part">
        <summary><${Icon} name="chevron" className="turn" />${leftOut.length} left out</summary>
        <${List} lines=${leftOut.map(({ name, why }) => `${name}: ${why}`)} />
      </details>`
    }
  </div>`;
}

function List({ lines }: { readonly lines: readonly string[] }) {
  return html`<ul class="changes-lines">
    ${lines.map((line, i) => html`<li key=${i}><${Shown} text=${line} /></li>`)}
  </ul>`;
}

function Table({ rows, hasSides }: { readonly rows: readonly ChangedRow[]; readonly hasSides: boolean }) {
  return html`<table class="changes-table">
    <thead>
      <tr>
        <th scope="col">E-mail or run</th>
        <th scope="col">What changes</th>
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (row) =>
          html`<tr key=${row.name}>
            <th scope="row">
              ${
                hasSides
                  ? html`<a href=${hrefOf('changes', row.name)}><${Shown} text=${titleOf(row)} /></a>`
                  : html`<${Shown} text=${titleOf(row)} />`
              }
              <span class="muted"
                >${row.directorId === undefined ? 'e-mail' : `run of ${row.directorId || 'an agent'}`}</span
              >
            </th>
            <td>
              <ul class="differences">
                ${row.differences.map((one, i) => html`<li key=${i}><${DifferenceLine} difference=${one} /></li>`)}
              </ul>
            </td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/** The subject of a mail or run, or its id where it has none. */
export const titleOf = ({ subject, name }: Pick<ChangedRow, 'subject' | 'name'>) => subject || name;

/** One difference: its kind, what it is, and both texts where it has them. */
export function DifferenceLine({ difference }: { readonly difference: Difference }) {
  const { kind, text, loosens, words } = difference;
  return html`<span class=${`chip ${loosens === true ? 'bad' : ''}`}
      >${loosens === true ? `${kind}: permits more` : kind}</span
    >${' '}<${Shown} text=${text} /> ${
      words !== undefined &&
      html`<details class="compare-part">
        <summary><${Icon} name="chevron" className="turn" />Show the texts</summary>
        <${Words} words=${words} />
      </details>`
    }`;
}
