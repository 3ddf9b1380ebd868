import { signal } from '@preact/signals';
import type { UploadFacts } from '../http/api-types.ts';
import { path, request } from '../http/request.ts';

/** Most files of one question. */
export const MAX_FILES = 10;

/** Uploaded files that wait for their question, by the key of its draft. */
export const attached = signal<ReadonlyMap<string, readonly UploadFacts[]>>(new Map());

/** The uploaded files of a draft. */
export const attachedTo = (draft: string) => attached.value.get(draft) ?? [];

/** Uploads a file for a question. Rejects with `ApiError`, for example where its text cannot be read. */
export async function attach(draft: string, file: File): Promise<void> {
  const facts = await request<UploadFacts>('POST', `/api/uploads?name=${encodeURIComponent(file.name)}`, {
    body: file,
  });
  set(draft, [...attachedTo(draft), facts]);
}

/** Takes a file away from a question, and deletes it. */
export async function detach(draft: string, id: string): Promise<void> {
  set(
    draft,
    attachedTo(draft).filter((file) => file.id !== id),
  );
  await request('DELETE', path`/api/uploads/${id}`);
}

/** Forgets the files of a question that was sent. */
export function forgetAttached(draft: string): void {
  set(draft, []);
}

function set(draft: string, files: readonly UploadFacts[]): void {
  const next = new Map(attached.value);
  if (files.length === 0) next.delete(draft);
  else next.set(draft, files);
  attached.value = next;
}
