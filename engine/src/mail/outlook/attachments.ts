import { type Abortable, sleep } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import { type Graph, withQuery } from '../../account/microsoft/graph.ts';
import { isTransient, problemOf } from '../../account/microsoft/graph-error.ts';
import { scopesFor } from '../../account/scopes.ts';
import type { OutgoingFile } from '../mailbox.ts';
import { textOf } from './message.ts';

const READ = scopesFor('outlook', ['read']);
const WRITE = scopesFor('outlook', ['draft']);

/**
 * A file up to this size goes in one request: Graph accepts up to 3,145,611 bytes of a file. An upload session needs
 * more than 3 MB by Microsoft's documentation, and more than 2 MiB by its responses
 * (https://github.com/microsoftgraph/msgraph-sdk-java/pull/52).
 */
const MAX_SINGLE_REQUEST_BYTES = 3_140_000;

const MAX_TRIES = 3;

/**
 * Adds files to a draft without files, one after the other; the draft is usable only once it has all of them. After a
 * lost response or a lost session the file is sent again, where the draft has no more files than before. Throws as
 * `Graph.json`, with the file in the message, and `ACCOUNT_FAILED` where the draft has more or fewer files in the end:
 * then it must not be used.
 */
export async function addAttachments(
  { graph, clock }: { readonly graph: Graph; readonly clock: Clock },
  draftPath: string,
  files: readonly OutgoingFile[],
  { signal }: Abortable,
): Promise<void> {
  const attachments: Attachments = { graph, clock, path: `${draftPath}/attachments`, signal };
  for (const [n, file] of files.entries())
    await addWithRetry(attachments, file, n).catch((error: unknown) => {
      signal?.throwIfAborted();
      throw withSubject(error, `attachment ${n + 1} of ${files.length} (${file.bytes.byteLength} bytes)`);
    });
  const there = await count(attachments);
  if (there === files.length) return;
  throw new EngineError('ACCOUNT_FAILED', `a draft at Outlook has ${there} attachments instead of ${files.length}`, {
    hint: 'The next attempt creates a new draft.',
    retryable: true,
  });
}

/** The attachments of one draft, and the means to change them. */
interface Attachments {
  readonly graph: Graph;
  readonly clock: Clock;
  /** `/me/messages/…/attachments` */
  readonly path: string;
  readonly signal: AbortSignal | undefined;
}

async function count({ graph, path, signal }: Attachments): Promise<number> {
  let there = 0;
  for await (const _ of graph.items({ path: withQuery(path, { $select: 'id' }), scopes: READ, signal })) there++;
  return there;
}

/** Sends one file. Returns false where the response does not show whether it arrived. */
async function add({ graph, path, signal }: Attachments, { name, mimeType, bytes }: OutgoingFile): Promise<boolean> {
  const facts = { name: name.toWellFormed(), contentType: mimeType };
  if (bytes.byteLength <= MAX_SINGLE_REQUEST_BYTES) {
    const contentBytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
    const body = { '@odata.type': '#microsoft.graph.fileAttachment', ...facts, contentBytes };
    await graph.json({ method: 'POST', path, body, scopes: WRITE, signal });
    return true;
  }
  const body = { AttachmentItem: { attachmentType: 'file', ...facts, size: bytes.byteLength } };
  const opening = { method: 'POST', path: `${path}/createUploadSession`, body, scopes: WRITE, signal } as const;
  // An unused session has no effect.
  const session = await graph.json({ ...opening, isRepeatable: true });
  return graph.upload({ uploadUrl: textOf(session, 'uploadUrl'), bytes, scopes: WRITE, signal });
}

/** Sends a file until the draft has it. `n` is its index: the number of files before it. */
async function addWithRetry(attachments: Attachments, file: OutgoingFile, n: number): Promise<void> {
  const { clock, signal } = attachments;
  for (let tries = 1; ; tries++) {
    const failure = await add(attachments, file).then(
      (isThere) => (isThere ? undefined : uploadLost()),
      (error: unknown) => error,
    );
    if (failure === undefined) return;
    signal?.throwIfAborted();
    const problem = problemOf(failure);
    if (problem !== undefined && !isTransient(problem)) throw failure;
    if (problem === undefined && !(failure instanceof EngineError && failure.retryable)) throw failure;
    await sleep(1000 * 2 ** (tries - 1), { signal, clock });
    if ((await count(attachments)) > n) return;
    if (tries >= MAX_TRIES) throw failure;
  }
}

function uploadLost(): EngineError {
  return new EngineError('ACCOUNT_FAILED', 'Microsoft ended the upload before it was complete', {
    hint: 'The next attempt starts the upload again.',
    retryable: true,
  });
}

/** The same error with its subject in the message. */
function withSubject(error: unknown, about: string): unknown {
  if (!(error instanceof EngineError)) return error;
  const { code, message, hint, retryable, cause } = error;
  return new EngineError(code, `${about}: ${message}`, { hint, retryable, cause });
}
