import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { EngineError } from '../../../base/error.ts';
import { applyLearnPatch, writeChanges } from '../../../run/learn/apply-patch.ts';
import type { LearnChange, ValidateTexts } from '../../../run/learn/proposal.ts';
import type { CommandContext } from '../../context.ts';
import { oneLine } from '../../terminal/table.ts';
import { EXIT } from '../../terminal/terminal.ts';

/** `learn --apply PATCH`: checks the patch as a proposal, then writes its files. Every check comes before the first write. */
export async function applyPatchFile(context: CommandContext, given: string, validate: ValidateTexts): Promise<number> {
  const text = await readPatchFile(context, given);
  return report(context, await applyLearnPatch(context.configDir, text, validate));
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

/** Writes the changes, as `writeChanges` does, and prints their files. */
export async function applyChanges(context: CommandContext, changes: readonly LearnChange[]): Promise<number> {
  return report(context, await writeChanges(context.configDir, changes));
}

function report(context: CommandContext, names: readonly string[]): number {
  if (context.isJson) context.print({ applied: names });
  else for (const name of names) context.say(`changed ${oneLine(name)}`);
  return EXIT.fine;
}
