import { html } from 'htm/preact';
import { formatJson, parseJson } from '../http/json.ts';
import type { WorkspaceItem } from '../http/api-types.ts';
import { saveFile } from '../widget/copy.ts';
import { MailFile } from '../mail/mail-file.ts';
import { SafeFrame } from '../widget/frame.ts';
import { Icon } from '../widget/icon.ts';
import { LongText } from '../widget/long-text.ts';
import { bytes } from '../widget/number.ts';
import { Shown, visible } from '../widget/visible.ts';
import { CsvTable } from './csv-table.ts';
import { Events } from './events.ts';
import { FileText } from './file-text.ts';
import { itemBodyUrl, itemEventsUrl, itemMailUrl, itemTextUrl } from './items.ts';
import { JsonTree } from './json-tree.ts';
import { keyed } from '../shell/keys.ts';

/** Longer JSON is shown as text: a tree would need all of it at once. */
const MAX_TREE_CHARS = 1_000_000;

/** Types of images that contain no code. SVG may contain scripts. */
export const RASTER = /^image\/(?:png|jpeg|gif|webp|avif|bmp)$/;
// The server names the files of its `…/file` the same (engine/src/api/routes/item/item-file.ts); the viewer shares no code with it.
const EXTENSIONS: Readonly<Record<string, string>> = {
  'message/rfc822': 'eml',
  'text/markdown': 'md',
  'text/plain': 'txt',
  'text/html': 'html',
  'text/csv': 'csv',
  'text/calendar': 'ics',
  'application/json': 'json',
  'image/svg+xml': 'svg',
  'application/pdf': 'pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
};

/** Files whose text the server reads. */
const DOCUMENTS = new Set([
  'application/pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
]);

type PreviewKind = 'frame' | 'text' | 'json' | 'csv' | 'image' | 'events' | 'mail' | 'document' | 'other';

const typeOf = (item: WorkspaceItem) => item.mimeType.split(';')[0]?.trim().toLowerCase() ?? '';

/** Whether an item is an image that is shown from its data. */
export function isRaster(item: WorkspaceItem): boolean {
  return item.encoding === 'base64' && RASTER.test(typeOf(item));
}

/** The kind of preview for an item; depends only on MIME type and encoding (seed 000, 3.2.0a). */
export function previewKind(item: WorkspaceItem): PreviewKind {
  const type = typeOf(item);
  if (isRaster(item)) return 'image';
  if (type === 'text/calendar') return 'events';
  if (type === 'message/rfc822') return 'mail';
  if (item.encoding === 'base64' && DOCUMENTS.has(type)) return 'document';
  if (item.encoding === 'base64' || item.encoding === 'binary') return 'other';
  if (type === 'text/html' || type === 'text/markdown') return 'frame';
  if (type === 'application/json' || type.endsWith('+json')) return 'json';
  if (type === 'text/csv') return 'csv';
  return type.startsWith('text/') ? 'text' : 'other';
}

/** The preview of an item. */
export function Preview({ item, itemKey }: { item: WorkspaceItem; itemKey: string }) {
  const data = item.data ?? '';
  switch (previewKind(item)) {
    case 'frame':
      return html`<div class="canvas">
        <${SafeFrame} src=${itemBodyUrl(itemKey, item.revision)} title=${visible(item.label ?? '') || 'Result'} />
      </div>`;
    case 'json':
      return html`<${JsonPreview} data=${data} />`;
    case 'csv':
      return html`<${CsvTable} data=${data} />`;
    case 'text':
      return html`<${LongText} className="prose" text=${data} />`;
    case 'events':
      return html`<${Events} url=${itemEventsUrl(itemKey, item.revision)}
        ><${LongText} className="prose" text=${data}
      /><//>`;
    case 'mail':
      return html`<${MailFile} url=${itemMailUrl(itemKey, item.revision)}
        ><${LongText} className="prose" text=${data}
      /><//>`;
    case 'image':
      return html`<div class="picture">
        <img alt=${visible(item.label ?? '')} src=${`data:${typeOf(item)};base64,${data}`} />
      </div>`;
    case 'document':
      return html`<${FileText} url=${itemTextUrl(itemKey, item.revision)} onSave=${() => saveItemAsFile(item)}
        ><${OnlyDownload} item=${item} why="There is no preview of this file."
      /><//>`;
    case 'other':
      return html`<${OnlyDownload} item=${item} why="There is no preview for this type." />`;
  }
}

function OnlyDownload({ item, why }: { item: WorkspaceItem; why: string }) {
  return html`<div class="empty">
    <${Icon} name="file" />
    <h2><${Shown} text=${item.mimeType} /></h2>
    <p>${why} Size: ${bytes(byteSize(item))}</p>
    <button ...${keyed('d', 'Download')} onClick=${() => saveItemAsFile(item)}>
      <${Icon} name="download" />Download
    </button>
  </div>`;
}

/** A tree, where the data are JSON and not too much of it. */
function JsonPreview({ data }: { data: string }) {
  const value = data.length > MAX_TREE_CHARS ? undefined : parseJson(data);
  if (value === undefined || typeof value !== 'object')
    return html`<${LongText} className="source" text=${formatJson(data)} />`;
  return html`<${JsonTree} value=${value} />`;
}

function byteSize(item: WorkspaceItem): number {
  const data = item.data ?? '';
  return item.encoding === 'base64' ? Math.floor((data.length * 3) / 4) : new TextEncoder().encode(data).length;
}

/** The name of an item as a file: its label, with the ending of its type where the label has none. */
export function fileName(item: WorkspaceItem): string {
  const type = typeOf(item);
  const label = (item.label ?? '')
    .replace(/[^\p{L}\p{N} ._-]+/gu, '_')
    .slice(0, 100)
    .trim();
  const name = /[\p{L}\p{N}]/u.test(label) ? label : 'item';
  const ending = EXTENSIONS[type] ?? type.split('/')[1]?.replace(/[^a-z0-9]/g, '') ?? 'bin';
  return name.toLowerCase().endsWith(`.${ending}`) ? name : `${name}.${ending}`;
}

/** Downloads an item as a file named after its label and MIME type. */
export function saveItemAsFile(item: WorkspaceItem): void {
  const data = item.data ?? '';
  saveFile(fileName(item), item.encoding === 'base64' ? Uint8Array.from(atob(data), (c) => c.charCodeAt(0)) : data);
}
