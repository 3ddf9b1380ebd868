import { html } from 'htm/preact';
import type { Problem } from '../../engine/src/config/config.ts';
import { hrefOf } from '../shell/route.ts';
import { Icon } from '../widget/icon.ts';
import { Shown } from '../widget/visible.ts';
import { AllowHost } from './allow-host.ts';
import { editorLink } from './config.ts';

interface ListProps {
  readonly problems: readonly Problem[];
  readonly root: string | undefined;
  /** Whether each problem leads to the source of its file. */
  readonly hasLinks?: boolean;
}

/** Problems with their place, the remedy, and a link that opens the file in VS Code. */
export function ProblemList({ problems, root, hasLinks = false }: ListProps) {
  return html`<ul class="problems">
    ${problems.map((problem, i) => html`<${ProblemLine} key=${i} problem=${problem} root=${root} hasLink=${hasLinks} />`)}
  </ul>`;
}

/** One problem. */
export function ProblemLine({
  problem,
  root,
  hasLink,
}: {
  problem: Problem;
  root: string | undefined;
  hasLink: boolean;
}) {
  const { severity, code, file, line, column, message, hint, secretHost } = problem;
  const link = editorLink(root, file, line, column);
  const place = `${file}:${line}:${column}`;
  return html`<li class=${`problem ${severity}`}>
    <${Icon} name=${severity === 'error' ? 'alert' : 'info'} />
    <div>
      <p class="place">
        ${hasLink ? html`<a class="mono" href=${hrefOf('config', file, 'source')}>${place}</a>` : html`<span class="mono">${place}</span>`}
        <code>${code}</code><span class="sr">${severity}</span>
      </p>
      <p class="problem-text"><${Shown} text=${message} /></p>
      ${hint !== undefined && html`<p class="muted">${hint}</p>`}
      ${secretHost !== undefined && html`<${AllowHost} secretHost=${secretHost} />`}
      ${link !== undefined && html`<a class="editor-link" href=${link}>Open in VS Code<${Icon} name="open" /></a>`}
    </div>
  </li>`;
}
