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
 * Up to this a file goes in one request, which Graph takes up to 3,145,611 bytes of a file; an upload session wants more than
 * that by Microsoft's documentation (3 MB), and more than 2 MiB by what it answers
 * (https://github.com/microsoftgraph/msgraph-sdk-java/pull/52).
 */
const MOST_AT_ONCE_BYTES = 3_140_000;

const MOST_TRIES = 3;

/**
 * Adds files to a draft that has none, one after the other; what is there only counts once it is complete. A request whose answer
 * is lost, or a session that is, is begun anew where the draft has no file more than before. Throws as `Graph.json`, with the
 * file that it was, and `ACCOUNT_FAILED` where the draft has more or fewer files in the end: then it must not be used.
 */
export async function addAttachments(
  { graph, clock }: { readonly graph: Graph; readonly clock: Clock },
  draftPath: string,
  files: readonly OutgoingFile[],
  { signal }: Abortable,
): Promise<void> {
  const attachments: Attachments = { graph, clock, path: `${draftPath}/attachments`, signal };
  for (const [n, file] of files.entries())
    await insist(attachments, file, n).catch((error: unknown) => {
      signal?.throwIfAborted();
      throw which(error, `attachment ${n + 1} of ${files.length} (${file.bytes.byteLength} bytes)`);
    });
  const there = await count(attachments);
  if (there === files.length) return;
  throw new EngineError('ACCOUNT_FAILED', `a draft at Outlook has ${there} attachments and not ${files.length}`, {
    hint: 'It is made anew with the next attempt.',
    retryable: true,
  });
}

/** The attachments of one draft, and how they are reached. */
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

/** False where nobody can tell from the answers alone. */
async function add({ graph, path, signal }: Attachments, { name, mimeType, bytes }: OutgoingFile): Promise<boolean> {
  const facts = { name: name.toWellFormed(), contentType: mimeType };
  if (bytes.byteLength <= MOST_AT_ONCE_BYTES) {
    const contentBytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
    const body = { '@odata.type': '#microsoft.graph.fileAttachment', ...facts, contentBytes };
    await graph.json({ method: 'POST', path, body, scopes: WRITE, signal });
    return true;
  }
  const body = { AttachmentItem: { attachmentType: 'file', ...facts, size: bytes.byteLength } };
  const opening = { method: 'POST', path: `${path}/createUploadSession`, body, scopes: WRITE, signal } as const;
  // A session that nobody uses leaves nothing.
  const session = await graph.json({ ...opening, isRepeatable: true });
  return graph.upload({ uploadUrl: textOf(session, 'uploadUrl'), bytes, scopes: WRITE, signal });
}

/** The file is the nth, counted from zero. */
async function insist(attachments: Attachments, file: OutgoingFile, n: number): Promise<void> {
  const { clock, signal } = attachments;
  for (let tries = 1; ; tries++) {
    const fault = await add(attachments, file).then(
      (isThere) => (isThere ? undefined : sessionLost()),
      (error: unknown) => error,
    );
    if (fault === undefined) return;
    signal?.throwIfAborted();
    const problem = problemOf(fault);
    if (problem !== undefined && !isTransient(problem)) throw fault;
    if (problem === undefined && !(fault instanceof EngineError && fault.retryable)) throw fault;
    await sleep(1000 * 2 ** (tries - 1), { signal, clock });
    if ((await count(attachments)) > n) return;
    if (tries >= MOST_TRIES) throw fault;
  }
}

function sessionLost(): EngineError {
  return new EngineError('ACCOUNT_FAILED', 'Microsoft has given up its upload before it was complete', {
    hint: 'It is begun anew with the next attempt.',
    retryable: true,
  });
}

/** The same error, with what it was about. */
function which(error: unknown, about: string): unknown {
  if (!(error instanceof EngineError)) return error;
  const { code, message, hint, retryable, cause } = error;
  return new EngineError(code, `${about}: ${message}`, { hint, retryable, cause });
}
