import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { EngineError } from '../../../base/error.ts';
import { readLearnFiles, writeLearnFile } from '../../../run/learn/learn-files.ts';
import { readPatch } from '../../../run/learn/patch.ts';
import { checkProposals, type LearnChange, type ValidateTexts } from '../../../run/learn/proposal.ts';
import type { CommandContext } from '../../context.ts';
import { oneLine } from '../../terminal/table.ts';
import { EXIT } from '../../terminal/terminal.ts';

/** `learn --apply PATCH`: checks the patch as a proposal, then writes its files. Every check comes before the first write. */
export async function applyPatchFile(context: CommandContext, given: string, validate: ValidateTexts): Promise<number> {
  const text = await readPatchFile(context, given);
  const files = await readLearnFiles(context.configDir);
  return applyChanges(context, await checkProposals(files, readPatch(text, files), validate));
}

async function readPatchFile({ terminal, dataDir }: CommandContext, given: string): Promise<string> {
  const isId = /^[A-Za-z0-9_]+$/.test(given);
  const file = isId ? join(dataDir, 'learn', `${given}.patch`) : resolve(terminal.cwd, given);
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new EngineError('USAGE', `the patch ${file} cannot be read`, {
      hint: 'pass the file or the id that callsheet learn printed',
      cause,
    });
  }
}

/** Writes the new texts, after the files were read again: `FILE_CHANGED` where one is no longer what the change was made from. */
export async function applyChanges(context: CommandContext, changes: readonly LearnChange[]): Promise<number> {
  const { files } = await readLearnFiles(context.configDir);
  for (const { target } of changes)
    if ((files.get(target.file)?.text ?? '') !== target.text)
      throw new EngineError('FILE_CHANGED', `${target.file} has changed, nothing is written`, {
        hint: 'run callsheet learn again',
      });
  for (const { target, after } of changes) await writeLearnFile(context.configDir, target, after);
  const names = changes.map(({ target }) => target.file);
  if (context.isJson) context.print({ applied: names });
  else for (const name of names) context.say(`changed ${oneLine(name)}`);
  return EXIT.fine;
}
