import { go } from '../shell/route.ts';
import { confirm } from '../widget/confirm.ts';
import { attempt } from '../widget/toast.ts';
import { deleteEntries, selectedId } from './traces.ts';

/** Deletes entries of the log after a confirmation. */
export async function confirmDelete(ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const yes = await confirm({
    title: ids.length === 1 ? 'Delete this entry?' : `Delete ${ids.length} entries?`,
    text: 'This changes only the log. Runs, transcripts, provider events and results stay.',
    action: 'Delete',
  });
  if (!yes) return;
  const done = await attempt(() => deleteEntries(ids));
  if (done && ids.includes(selectedId.value)) go('diagnostics', [], { replace: true });
}
