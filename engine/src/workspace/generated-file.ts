import type { Draft } from '../store/draft.ts';
import type { ItemInput, WorkspaceItem } from './item.ts';
import { addItem, listItems, updateItem } from './items.ts';

/** A file that a tool call has made: a mail, an event, a document (seed 003, generated files). */
export interface GeneratedFile {
  /** The subject of a mail, the title of an event, the path of a document. */
  readonly label: string;
  readonly mimeType: string;
  readonly encoding: 'utf8' | 'base64';
  readonly data: string;
}

/** Tag of items that hold a generated file. */
const TAG = 'file';

/** Which files of a run stay: `newest`, one of each type, of which earlier ones are revisions; `all`, each in an item of its own. */
export type KeptFiles = 'newest' | 'all';

/** Stores a generated file as an item of the run's workspace. */
export async function keepFile(
  draft: Draft,
  workspaceId: string,
  file: GeneratedFile,
  made: {
    readonly id: string;
    readonly now: number;
    readonly kept: KeptFiles;
    readonly context: WorkspaceItem['context'] & { readonly runId: string };
  },
): Promise<WorkspaceItem> {
  const { id, now, kept, context } = made;
  const input: ItemInput = { ...file, tags: [TAG] };
  const earlier = kept === 'all' ? undefined : await earlierFile(draft, workspaceId, file, context.runId);
  if (earlier === undefined) return addItem(draft, workspaceId, input, { id, now, context });
  const { runId, isTainted = false } = context;
  return updateItem(draft, workspaceId, earlier.id, input, { now, runId, isTainted });
}

async function earlierFile(
  draft: Draft,
  workspaceId: string,
  { mimeType }: GeneratedFile,
  runId: string,
): Promise<WorkspaceItem | undefined> {
  const items = await listItems(draft, workspaceId);
  return items.find(
    (item) => item.mimeType === mimeType && item.context.runId === runId && item.tags?.includes(TAG) === true,
  );
}

/** Bytes as the data of an item: as text where they are ASCII, such as an encoded mail, else as base64. */
export function fileData(bytes: Uint8Array): Pick<GeneratedFile, 'data' | 'encoding'> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isAscii = buffer.every((byte) => byte < 128 && byte !== 0);
  return isAscii
    ? { encoding: 'utf8', data: buffer.toString('latin1') }
    : { encoding: 'base64', data: buffer.toString('base64') };
}
