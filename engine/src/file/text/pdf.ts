import { EngineError } from '../../base/error.ts';
import { MAX_TEXT_CHARACTERS } from '../document.ts';

/** Most pages that are read. */
const MAX_PAGES = 3000;

/** The text of a PDF. */
export interface PdfText {
  /** Each page begins with a line `[page 2]`, where there are several. */
  readonly text: string;
  readonly pages: number;
  /** True where pages were left out. */
  readonly isCut: boolean;
}

/** The text of a PDF, page by page. Runs no script of it and reads no image. `FILE_UNREADABLE`. */
export async function readPdf(bytes: Uint8Array): Promise<PdfText> {
  const { getDocumentProxy } = await import('unpdf');
  // A copy: the library takes the buffer away from its owner.
  const pdf = await getDocumentProxy(new Uint8Array(bytes), { useSystemFonts: false, verbosity: 0 }).catch(unreadable);
  try {
    const pages = pdf.numPages;
    const last = Math.min(pages, MAX_PAGES);
    const texts: string[] = [];
    let length = 0;
    for (let number = 1; number <= last && length < MAX_TEXT_CHARACTERS; number++) {
      const text = await readPage(pdf, number);
      if (text !== '') texts.push(pages === 1 ? text : `[page ${number}]\n${text}`);
      length += text.length;
    }
    const isCut = pages > MAX_PAGES || length >= MAX_TEXT_CHARACTERS;
    return { text: texts.join('\n\n'), pages, isCut };
  } finally {
    await pdf.loadingTask.destroy();
  }
}

type PdfDocument = Awaited<ReturnType<typeof import('unpdf').getDocumentProxy>>;

/** Text of one page; empty for a page that cannot be read. */
async function readPage(pdf: PdfDocument, number: number): Promise<string> {
  try {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    page.cleanup();
    return items
      .map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : ''))
      .join('')
      .replace(/[ \t]+\n/g, '\n')
      .trim();
  } catch {
    return '';
  }
}

function unreadable(cause: unknown): never {
  const isLocked = cause instanceof Error && cause.name === 'PasswordException';
  const message = isLocked ? 'the PDF is protected by a password' : 'the PDF is damaged';
  throw new EngineError('FILE_UNREADABLE', message, { cause });
}
