import { html } from 'htm/preact';
import type { WorkspaceItem, ItemView } from '../http/api-types.ts';
import { Icon, mimeIcon } from '../widget/icon.ts';
import { Age } from '../widget/time.ts';
import { Shown } from '../widget/visible.ts';
import { plainText } from './plain-text.ts';
import { isRaster } from './preview.ts';

const SNIPPET_CHARS = 420;

interface Props {
  readonly item: Pick<ItemView, 'label' | 'mimeType' | 'revision' | 'updated'>;
  /** Name of the agent or person that made it. */
  readonly maker: string;
  /** The item with its data; undefined until it is loaded. */
  readonly full: WorkspaceItem | undefined;
  readonly href: string;
}

/** A short view of an item that links to its page. */
export function ItemCard({ item, maker, full, href }: Props) {
  const model = full?.context.createdBy === 'user' ? undefined : (full?.context.model ?? full?.context.apiId);
  return html`<a class="card" href=${href}>
    <span class="card-head">
      <${Icon} name=${mimeIcon(item.mimeType)} /><b><${Shown} text=${item.label || item.mimeType} /></b
      ><${Age} at=${item.updated} />
    </span>
    <span class="card-body">${excerpt(full)}</span>
    <span class="card-foot"
      ><span>${maker}${model !== undefined && html`<span class="model"> · ${model}</span>`}</span
      ><span>rev ${item.revision}</span></span
    >
  </a>`;
}

/** The beginning of an item. Always plain text, never parsed as HTML. */
function excerpt(item: WorkspaceItem | undefined) {
  if (item?.data === undefined) return '';
  if (isRaster(item)) return html`<img alt="" src=${`data:${item.mimeType};base64,${item.data}`} />`;
  if (item.encoding !== 'utf8') return item.mimeType;
  return html`<${Shown} text=${plainText(item.data, item.mimeType, SNIPPET_CHARS)} />`;
}
