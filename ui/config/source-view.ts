import { html } from 'htm/preact';
import type { Problem } from '../../engine/src/config/config.ts';
import { Marks } from '../widget/visible.ts';
import { ProblemList } from './problem-list.ts';

interface Props {
  readonly text: string;
  readonly file: string;
  readonly problems: readonly Problem[];
  readonly root: string | undefined;
}

/** The text of a file with line numbers; below a line its problems, with a caret at the column. */
export function SourceView({ text, file, problems, root }: Props) {
  const own = problems.filter((problem) => problem.file === file);
  const others = problems.filter((problem) => problem.file !== file);
  const lines = text.replace(/\n$/, '').split(/\r?\n/);
  return html`${others.length > 0 && html`<${ProblemList} problems=${others} root=${root} />`}
    <ol class="source-lines" aria-label=${`Source of ${file}`} tabindex="0">
      ${lines.map((line, i) => {
        const here = own.filter((problem) => problem.line === i + 1);
        return html`<li key=${i} class=${here.length > 0 ? `has-problem ${here[0]?.severity}` : ''}>
          <code><${Marks} text=${line} /></code>
          ${here.map(
            (problem, n) =>
              html`<div key=${n}>
                <pre class="caret" aria-hidden="true">${' '.repeat(Math.max(0, problem.column - 1))}^</pre>
                <${ProblemList} problems=${[problem]} root=${root} />
              </div>`,
          )}
        </li>`;
      })}
    </ol>`;
}
