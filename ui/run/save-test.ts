import type { Run, WrittenTest } from '../http/api-types.ts';
import { path, request } from '../http/request.ts';
import { confirm } from '../widget/confirm.ts';
import { attempt, showToast } from '../widget/toast.ts';

/** Whether a test may be written from a run: it does not work any more. The server refuses those that cannot be played again. */
export function canSaveTest({ status }: Pick<Run, 'status'>): boolean {
  return status !== 'queued' && status !== 'running';
}

/** Writes a test from a run after a confirmation, and says where it is. */
export async function saveTest({ id }: Pick<Run, 'id'>): Promise<void> {
  const text =
    `The server writes config/tests/${id}.yaml and, beside the config folder, cases/${id}: the whole e-mail or message and all ` +
    'answers of models and tools as they are, with names, addresses and other private data. Look at the files before you commit them. ' +
    '"callsheet record --redact" writes a case without names, addresses and numbers.';
  if (!(await confirm({ title: 'Save this run as a test?', text, action: 'Save as test', isSafe: true }))) return;
  await attempt(async () => {
    const { name, file } = await request<WrittenTest>('POST', path`/api/runs/${id}/test`, { body: {} });
    showToast(`Saved: ${file}. It runs with: callsheet test ${name}`);
  });
}
