import { html } from 'htm/preact';
import { useEffect } from 'preact/hooks';
import type { DocumentLink, DocumentState } from '../../engine/src/config/config.ts';
import type { ConfigState } from '../http/api-types.ts';
import { hrefOf } from '../shell/route.ts';
import { ErrorNotice } from '../widget/notice.ts';
import { configLinks } from './documents.ts';

/** Name of a document in links: its folder and id, as in its file. */
export function nameOf({ file }: Pick<DocumentState, 'file'>): string {
  return file.slice(file.indexOf('/') + 1).replace(/\.[^./]*$/, '');
}

/** Which documents name this one, and which this one names, in the config that runs. */
export function Uses({ document, config }: { readonly document: DocumentState; readonly config: ConfigState }) {
  useEffect(() => configLinks.reload('links'), [config.revision]);
  const { data, error } = configLinks.state.value;
  if (data === undefined) return error !== undefined && html`<${ErrorNotice} error=${error} />`;
  const name = nameOf(document);
  const tools = data.tools.filter(({ from }) => from === name);
  const users = data.items.filter(({ to }) => to === name);
  const used = data.items.filter(({ from }) => from === name);
  return html`<h2 class="section">Used by</h2>
    <${Links} links=${users} side="from" config=${config} none="No other document names it." />
    <h2 class="section">Uses</h2>
    <${Links} links=${used} side="to" config=${config} none="It names no other document." />
    ${
      tools.length > 0 &&
      html`<h2 class="section">Tools</h2>
        <p>${tools.map(({ name: tool }) => html`<code key=${tool}>${tool}</code> `)}</p>`
    }`;
}

interface LinksProps {
  readonly links: readonly DocumentLink[];
  readonly side: 'from' | 'to';
  readonly config: ConfigState;
  readonly none: string;
}

function Links({ links, side, config, none }: LinksProps) {
  if (links.length === 0) return html`<p class="muted">${none}</p>`;
  return html`<ul class="uses">
    ${links.map((link, i) => {
      const file = config.documents.find((one) => nameOf(one) === link[side])?.file;
      return html`<li key=${i}>
        ${file === undefined ? link[side] : html`<a href=${hrefOf('config', file)}>${link[side]}</a>`}
        <code>${link.path.slice(1).replaceAll('/', '.')}</code>
      </li>`;
    })}
  </ul>`;
}
