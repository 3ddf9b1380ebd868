import { EngineError } from '../../base/error.ts';
import { visible } from '../../base/visible.ts';
import type { DocumentText } from '../../file/document.ts';
import type { FileService } from '../../file/open-files.ts';
import type { Caller } from '../tool.ts';

/** Parameters that choose the page of a text. */
export const TEXT_PAGE = {
  offset: {
    type: 'integer',
    minimum: 0,
    default: 0,
    description: 'Character at which to begin, as nextOffset of an earlier call says. Default 0.',
  },
  limit: {
    type: 'integer',
    minimum: 100,
    maximum: 60_000,
    default: 20_000,
    description: 'Most characters to return. Default 20000.',
  },
} as const;

/** Parameters that choose the page of a list. */
export const LIST_PAGE = {
  offset: { type: 'integer', minimum: 0, maximum: 100_000, default: 0, description: 'Entries to skip. Default 0.' },
  limit: { type: 'integer', minimum: 1, maximum: 200, default: 50, description: 'Most entries. Default 50.' },
} as const;

/** Calls `work`, and writes a refused access to the log. */
export async function withAccessLog<Result>(
  files: FileService,
  { tool, path, caller }: { readonly tool: string; readonly path: string; readonly caller: Caller },
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EngineError && error.code === 'FILE_DENIED') {
      const { director, agent } = caller.origin;
      files.reportDenied({
        ...{ tool, path: visible(path.slice(0, 300)), why: error.message, run: caller.runId },
        ...(director.id !== '' && { director: director.id }),
        ...(agent !== undefined && { agent: agent.id }),
      });
    }
    throw error;
  }
}

/** A page of a text, with a mark where it is not the whole text. */
export function pageOf(
  { text }: Pick<DocumentText, 'text'>,
  { offset = 0, limit = 20_000 }: { readonly offset?: number; readonly limit?: number },
) {
  const end = Math.min(text.length, offset + limit);
  return {
    text: text.slice(offset, end).toWellFormed(),
    offset,
    characters: text.length,
    ...(end < text.length && { truncated: true, nextOffset: end }),
  };
}

/** What a document says of itself beside its text. */
export function aboutText({ form, encoding, pages, columns, note }: DocumentText) {
  return {
    form,
    ...(encoding !== undefined && { encoding }),
    ...(pages !== undefined && { pages }),
    ...(columns !== undefined && { columns }),
    ...(note !== undefined && { note }),
  };
}
