import { EngineError } from '../../base/error.ts';
import { type DocumentForm, type DocumentText, MAX_TEXT_CHARACTERS } from '../document.ts';
import { readCsv } from './csv.ts';
import { type DecodedText, decodeText } from './decode.ts';
import { readDocx } from './docx.ts';
import { formOf } from './form.ts';
import { readHtml } from './html.ts';
import { readPdf } from './pdf.ts';

/** A file whose text is wanted. */
export interface TextSource {
  readonly bytes: Uint8Array;
  readonly name: string;
  readonly mimeType?: string | undefined;
}

type Read = Omit<DocumentText, 'form' | 'note'> & { readonly isCut?: boolean; readonly reason?: string };

const READERS: Readonly<Record<DocumentForm, (bytes: Uint8Array) => Promise<Read>>> = {
  pdf: async (bytes) => {
    const read = await readPdf(bytes);
    const reason = read.text === '' ? 'the PDF has no text; its pages may be scanned images' : undefined;
    return { ...read, ...(reason !== undefined && { reason }) };
  },
  docx: readDocx,
  html: async (bytes) => {
    const { text, encoding } = decode(bytes);
    return { ...readHtml(text), encoding };
  },
  csv: async (bytes) => {
    const { text, encoding } = decode(bytes);
    return { ...(await readCsv(text)), encoding };
  },
  plain: async (bytes) => decode(bytes),
};

/** Reads the text of a file. `FILE_UNREADABLE` for a damaged file, and for one that has no text; `FILE_TOO_COSTLY`. */
export async function readText({ bytes, name, mimeType }: TextSource): Promise<DocumentText> {
  const form = formOf(bytes, name, mimeType);
  const { text: all, isCut = false, reason, ...facts } = await READERS[form](bytes);
  const text = all.slice(0, MAX_TEXT_CHARACTERS).toWellFormed();
  const cut = `only the first ${text.length} characters were read`;
  const note = reason ?? (isCut || all.length > text.length ? cut : undefined);
  return { form, text, ...facts, ...(note !== undefined && { note }) };
}

function decode(bytes: Uint8Array): DecodedText {
  const decoded = decodeText(bytes);
  if (decoded === undefined)
    throw new EngineError('FILE_UNREADABLE', 'the file is not text, PDF, DOCX, HTML or CSV', {
      hint: 'filesystem_retrieve returns the bytes of a small file',
    });
  return decoded;
}
