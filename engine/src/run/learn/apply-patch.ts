import { EngineError } from '../../base/error.ts';
import { type NewText, writeTogether } from '../../config/edit/write-file.ts';
import { type LearnMemory, readLearnFiles, restoreMemory, writeMemory } from './learn-files.ts';
import { readPatch } from './patch.ts';
import { checkProposals, type LearnChange, type ValidateTexts } from './proposal.ts';

/**
 * Checks a patch of `writePatch` as a proposal, then writes its files; resolves with their names. Every check comes before the
 * first write. Errors as of `readPatch`, `checkProposals` and `writeChanges`.
 */
export async function applyLearnPatch(
  configDir: string,
  patch: string,
  validate: ValidateTexts,
): Promise<readonly string[]> {
  const files = await readLearnFiles(configDir);
  return writeChanges(configDir, await checkProposals(files, readPatch(patch, files), validate));
}

/**
 * Writes the new texts after the files were read again: all of them, or none where one cannot be written. Resolves with their names.
 * `FILE_CHANGED` where one is no longer what the change was made from.
 */
export async function writeChanges(configDir: string, changes: readonly LearnChange[]): Promise<readonly string[]> {
  const { files } = await readLearnFiles(configDir);
  for (const { target } of changes)
    if ((files.get(target.file)?.text ?? '') !== target.text)
      throw new EngineError('FILE_CHANGED', `${target.file} has changed, nothing is written`, {
        hint: 'run callsheet learn again',
      });
  const texts: NewText[] = [];
  const memories: LearnMemory[] = [];
  for (const { target, after } of changes)
    if (target.kind === 'memory') memories.push({ target, after });
    else texts.push({ relative: target.relative, before: target.text, after });
  const written: LearnMemory[] = [];
  try {
    await writeTogether(configDir, texts, async () => {
      for (const memory of memories) {
        await writeMemory(memory);
        written.push(memory);
      }
    });
  } catch (error) {
    for (const memory of written) await restoreMemory(memory);
    throw error;
  }
  return changes.map(({ target }) => target.file);
}
