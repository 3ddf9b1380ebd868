import { html } from 'htm/preact';
import type { ComponentChildren } from 'preact';
import type { ErrorBody } from '../../engine/src/base/error.ts';
import { config, editorLink } from '../config/config.ts';
import { Icon } from './icon.ts';
import { Shown } from './visible.ts';

/** An error with its code, position and hint. */
export function ErrorNotice({ error, children }: { error: ErrorBody; children?: ComponentChildren }) {
  const { file, line = 1, column = 1 } = error.where ?? {};
  const link = file === undefined ? undefined : editorLink(config.state.value.data?.root, file, line, column);
  return html`<div class="notice bad" role="alert">
    <${Icon} name="alert" />
    <div>
      <p>
        <b><${Shown} text=${error.message} /></b> <code>${error.code}</code>
      </p>
      ${
        file !== undefined &&
        html`<p class="mono">
          ${file}:${line}
          ${link !== undefined && html`<a class="editor-link" href=${link}>Open in VS Code<${Icon} name="open" /></a>`}
        </p>`
      }
      ${error.hint !== undefined && html`<p><${Shown} text=${error.hint} /></p>`} ${children}
    </div>
  </div>`;
}

/** The text for an empty list or pane. */
export function Empty({ icon, title, children }: { icon: string; title: string; children?: ComponentChildren }) {
  return html`<div class="empty">
    <${Icon} name=${icon} />
    <h2>${title}</h2>
    ${children}
  </div>`;
}
