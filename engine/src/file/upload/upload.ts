import { createHash } from 'node:crypto';
import { EngineError } from '../../base/error.ts';
import { withoutHidden } from '../../base/visible.ts';
import { envelopeOf } from '../../config/prompt/envelope.ts';
import type { DocumentText } from '../document.ts';
import { mimeTypeOf } from '../text/form.ts';

/** Largest file that can be attached to a question, in MB. */
export const MAX_UPLOAD_MB = 20;
/** Most files of one question. */
export const MAX_UPLOADS = 10;
/** Longest name, in characters. Longer ones lose their middle. */
const MAX_NAME = 120;

/** A file that a person attached to a question, without its bytes. */
export interface UploadFacts {
  readonly id: string;
  /** The last part of the name that the person's file had, without characters that nobody sees. Never used as a path. */
  readonly name: string;
  readonly mimeType: string;
  /** Bytes. */
  readonly size: number;
  readonly sha256: string;
  /** User id. */
  readonly by: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** What the document tools read of it: form, characters of text, pages of a PDF, and what is missing. */
  readonly form: DocumentText['form'];
  readonly characters: number;
  readonly pages?: number;
  readonly note?: string;
  /** Its number in the conversation, from 1; set when the question is asked. */
  readonly number?: number;
}

/** An attached file as a run names it. */
export type RunAttachment = Pick<UploadFacts, 'id' | 'name' | 'mimeType' | 'size'> & { readonly number: number };

/** What is known of a file by its name and its bytes. `BAD_REQUEST` for an empty file, `TOO_LARGE`. */
export function examine(given: string, bytes: Uint8Array): Pick<UploadFacts, 'name' | 'mimeType' | 'size' | 'sha256'> {
  const name = uploadName(given);
  if (bytes.byteLength === 0) throw new EngineError('BAD_REQUEST', `the file "${name}" is empty`);
  if (bytes.byteLength > MAX_UPLOAD_MB * 1024 * 1024)
    throw new EngineError('TOO_LARGE', `the file "${name}" is larger than ${MAX_UPLOAD_MB} MB`);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { name, mimeType: mimeTypeOf(name), size: bytes.byteLength, sha256 };
}

/** The name of an uploaded file: no folders, no control or invisible characters, no quotes and brackets, at most 120 characters. */
export function uploadName(given: string): string {
  const last = given.toWellFormed().normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const name = withoutHidden(last.replace(/[\t\n]/g, ' '))
    .replace(/["<>|`]/g, '_')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+/, '')
    .trim();
  const characters = Array.from(name);
  if (characters.length === 0) return 'file';
  if (characters.length <= MAX_NAME) return name;
  return `${characters.slice(0, MAX_NAME - 21).join('')}…${characters.slice(-20).join('')}`;
}

/** The name of an attached file for the document tools: `upload:1/offer.pdf`. */
export function uploadDocument({ number, name }: Pick<RunAttachment, 'number' | 'name'>): string {
  return `upload:${number}/${name}`;
}

/**
 * The part of a question that names its files. Whoever made a file has chosen its name, so the names stand in an envelope.
 * `mark`: a text that nobody outside can guess.
 */
export function attachedNote(files: readonly RunAttachment[], mark: string): string {
  const lines = files.map((file) => `${uploadDocument(file)} (${file.mimeType}, ${file.size} bytes)`);
  return envelopeOf(`Attached files, to be read with document_read:\n${lines.join('\n')}`, 'UPLOAD', mark);
}
