import type { DocumentForm } from '../document.ts';

/** MIME types by the ending of a file name. */
const TYPES: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  html: 'text/html',
  htm: 'text/html',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  txt: 'text/plain',
  log: 'text/plain',
  md: 'text/markdown',
  markdown: 'text/markdown',
  json: 'application/json',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  eml: 'message/rfc822',
  ics: 'text/calendar',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  svg: 'image/svg+xml',
  zip: 'application/zip',
};

/** Endings of files that the document tools list. */
const DOCUMENTS = new Set([
  ...[
    'pdf',
    'docx',
    'html',
    'htm',
    'csv',
    'tsv',
    'txt',
    'log',
    'md',
    'markdown',
    'json',
    'xml',
    'yaml',
    'yml',
    'eml',
    'ics',
  ],
]);

/** MIME type of a file by its name; `application/octet-stream` for an unknown ending. */
export function mimeTypeOf(name: string): string {
  return TYPES[endingOf(name)] ?? 'application/octet-stream';
}

/** Whether a file name has the ending of a document whose text can be read. */
export function isDocumentName(name: string): boolean {
  return DOCUMENTS.has(endingOf(name));
}

/** Whether the text of a file is packed, so that a search reads it in a worker of its own. */
export function isPackedName(name: string): boolean {
  return ['pdf', 'docx'].includes(endingOf(name));
}

/** The form of a file: by its first bytes, then by its name and its MIME type, which a sender may have chosen wrongly. */
export function formOf(bytes: Uint8Array, name: string, mimeType = mimeTypeOf(name)): DocumentForm {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 1024)).toString('latin1');
  if (start.includes('%PDF-')) return 'pdf';
  const type = mimeType.toLowerCase();
  const ending = endingOf(name);
  if (start.startsWith('PK\x03\x04') && (ending === 'docx' || type === TYPES['docx'])) return 'docx';
  if (ending === 'html' || ending === 'htm' || type === 'text/html' || /^\s*<(?:!doctype html|html)\b/i.test(start))
    return 'html';
  if (ending === 'csv' || ending === 'tsv' || type === 'text/csv' || type === TYPES['tsv']) return 'csv';
  return 'plain';
}

/** The ending of a name without its dot, in small letters; empty where there is none. */
function endingOf(name: string): string {
  return /\.([a-z0-9]{1,10})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
}
