import type { ApprovalView, Preview } from '../http/api-types.ts';
import { isRecord, parseJson } from '../http/json.ts';

// The server has the same (engine/src/tool/preview.ts), since the viewer shares no code with the engine.
const PREVIEW_TYPE = 'application/vnd.callsheet.preview+json';

/** MIME type of a preview that is a unified diff. */
export const DIFF = 'text/x-diff';

const KINDS: Readonly<Record<Preview['kind'], true>> = { mail: true, event: true, request: true, command: true };

/** What a call does, as the card shows it; undefined where only its arguments are known. */
export type Shown = Preview | { readonly kind: 'diff'; readonly text: string };

/** Reads the preview of an approval. */
export function readPreview({ mimeType, data }: ApprovalView['preview']): Shown | undefined {
  if (mimeType === DIFF) return { kind: 'diff', text: data };
  if (mimeType !== PREVIEW_TYPE) return undefined;
  const value = parseJson(data);
  return isRecord(value) && Object.hasOwn(KINDS, String(value['kind'])) ? (value as unknown as Preview) : undefined;
}
