import { html } from 'htm/preact';
import type { WorkspaceItem, ItemView } from '../http/api-types.ts';
import { Icon, mimeIcon } from '../widget/icon.ts';
import { Age } from '../widget/time.ts';
import { isRaster } from './preview.ts';

const SNIPPET_CHARS = 420;

interface Props {
  readonly item: Pick<ItemView, 'label' | 'mimeType' | 'revision' | 'updated'>;
  /** Name of who made it. */
  readonly maker: string;
  /** With its data, once that is there. */
  readonly full: WorkspaceItem | undefined;
  readonly href: string;
}

/** An item at a glance, as a link to all of it. */
export function ItemCard({ item, maker, full, href }: Props) {
  return html`<a class="card" href=${href}>
    <span class="card-head">
      <${Icon} name=${mimeIcon(item.mimeType)} /><b>${item.label || item.mimeType}</b><${Age} at=${item.updated} />
    </span>
    <span class="card-body">${excerpt(full)}</span>
    <span class="card-foot">${maker}<span>rev ${item.revision}</span></span>
  </a>`;
}

/** A excerpt of the item, as plain text always: nothing of it is read as HTML here. */
function excerpt(item: WorkspaceItem | undefined) {
  if (item?.data === undefined) return '';
  if (isRaster(item)) return html`<img alt="" src=${`data:${item.mimeType};base64,${item.data}`} />`;
  if (item.encoding !== 'utf8') return item.mimeType;
  return toPlainText(item.data, item.mimeType).trim().slice(0, SNIPPET_CHARS);
}

function toPlainText(data: string, mimeType: string): string {
  if (mimeType.startsWith('text/html')) return data.replace(/<style[\s\S]*?<\/style>|<[^>]*>/gi, ' ');
  if (mimeType.startsWith('text/calendar')) return titlesIn(data);
  if (mimeType.startsWith('text/markdown')) return data.replace(/^[#>\s]+|^\s*[-*] |[*`]+/gm, '');
  return data;
}

/** Titles of the events in a calendar file, a line each. */
function titlesIn(data: string): string {
  const found = data.replace(/\r?\n[ \t]/g, '').matchAll(/^SUMMARY(?:;[^:\r\n]*)?:(.*)$/gim);
  return Array.from(found, ([, title = '']) => title.replace(/\\([,;\\])/g, '$1').trim()).join('\n');
}
