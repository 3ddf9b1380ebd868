import { EngineError } from '../../base/error.ts';
import { readHtml } from './html.ts';
import { checkZip } from './zip.ts';

/** Most bytes of all parts of a DOCX file together, unpacked. */
const MAX_UNPACKED = 64 * 1024 * 1024;

/** The text of a DOCX file with its headings and tables. `FILE_UNREADABLE`; `FILE_TOO_COSTLY` for one that unpacks to too much. */
export async function readDocx(bytes: Uint8Array): Promise<{ readonly text: string; readonly isCut: boolean }> {
  checkZip(bytes, MAX_UNPACKED);
  const { default: mammoth } = await import('mammoth');
  const noImage = mammoth.images.imgElement(async () => ({ src: '' }));
  const input = { buffer: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
  // Neither a style map nor a linked file that the document brings along is used.
  const options = { convertImage: noImage, includeEmbeddedStyleMap: false, externalFileAccess: false };
  try {
    const { value } = await mammoth.convertToHtml(input, options);
    // Mammoth puts the text of each cell into a paragraph, which would be a line of its own.
    return readHtml(value.replace(/<(t[dh][^>]*)>\s*<p>/g, '<$1>').replace(/<\/p>\s*<\/(t[dh])>/g, '</$1>'));
  } catch (cause) {
    throw new EngineError('FILE_UNREADABLE', 'the DOCX file is damaged', { cause });
  }
}
