import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { CliTurn } from '../../model.ts';
import { ModelError } from '../../model-error.ts';
import type { ToolName } from '../tool.ts';

/**
 * What Gemini CLI reads from a folder that it trusts, beside texts: settings, which can start programs and allow calls, commands, skills, and
 * variables of its own environment.
 */
const TRUSTED_NAMES = ['.gemini', '.agents', '.env'] as const;

/**
 * Refuses a turn of Gemini CLI in `safe` in a folder with settings for it (`MODEL_BAD_REQUEST`). Without a terminal, Gemini CLI 0.61 ends
 * with code 55 in a folder without trust, so by flags it always gets `--skip-trust`, and then such settings count. In `yolo` they
 * do as well, which the warning says.
 */
export async function checkTrustedFolder(name: ToolName | undefined, roaming: CliTurn['roaming']): Promise<void> {
  if (name !== 'gemini' || roaming?.mode !== 'safe') return;
  for (const entry of TRUSTED_NAMES) {
    const isThere = await lstat(join(roaming.dir, entry)).then(
      () => true,
      (error: unknown) => !isMissing(error),
    );
    if (isThere)
      throw new ModelError(
        'MODEL_BAD_REQUEST',
        `Gemini CLI was not started: by flags it trusts its folder, so what its ${entry} says would count also in mode "safe"`,
        { hint: `set protocol: acp, which does not trust the folder, or leave ${entry} out of it` },
      );
  }
}

/** An entry that cannot be looked at counts as one that is there. */
function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
