import type { DocumentText } from '../../../file/document.ts';
import type { Services } from '../../api.ts';

/** Most characters of a text that is shown. */
const MAX_CHARACTERS = 500_000;

const TYPES = new Set(['application/pdf', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document']);

/** The text of a PDF or DOCX file. */
export type FileTextView = Pick<DocumentText, 'form' | 'text' | 'pages' | 'note'>;

/** The file whose text is shown. */
interface ShownFile {
  /** Names the content: a text that was read is kept for a while. */
  readonly key: readonly (string | number)[];
  readonly bytes: Uint8Array;
  readonly name: string;
  readonly mimeType: string;
}

/** Whether a file is a PDF or DOCX by its type, which many programs do not know, or by its name. */
export function hasFileText(mimeType: string, name = ''): boolean {
  const type = mimeType.split(';')[0]?.trim().toLowerCase() ?? '';
  return TYPES.has(type) || /\.(?:pdf|docx)$/i.test(name);
}

/** Reads the text of a file in a worker thread. Transfers `bytes`. `FILE_UNREADABLE`, `FILE_TOO_COSTLY` or `TOO_LARGE`. */
export async function viewFileText({ files }: Services, { key, ...source }: ShownFile): Promise<FileTextView> {
  const { form, text, pages, note } = await files.textOf(JSON.stringify(key), async () => source);
  const shown = text.slice(0, MAX_CHARACTERS).toWellFormed();
  const notes = [
    ...(note === undefined ? [] : [note]),
    ...(text.length > shown.length ? [`only the first ${shown.length} characters are shown`] : []),
  ];
  return {
    ...{ form, text: shown },
    ...(pages !== undefined && { pages }),
    ...(notes.length > 0 && { note: notes.join('; ') }),
  };
}
