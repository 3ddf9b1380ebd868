import { resolve } from 'node:path';
import { openRecordings } from '../../../app/scratch/open-recordings.ts';
import { openScratch } from '../../../app/scratch/open-scratch.ts';
import { redactForCase } from '../../../app/scratch/redact-for-case.ts';
import { makeFolder } from '../../../base/folder.ts';
import { writeNamed } from '../../../file/write-named.ts';
import { writeCase } from '../../../replay/case/case-file.ts';
import { compareRoutes } from '../../../replay/compare/replay-all.ts';
import { recordRun } from '../../../replay/read/recording.ts';
import type { Recording, Scratch } from '../../../replay/replay.ts';
import type { CommandContext } from '../../context.ts';
import { EXIT } from '../../terminal/terminal.ts';

/**
 * `record <runs...> --into FOLDER [--redact]`: writes each run as a case. A redacted case is played at once, so that its recording fits
 * its new words; a route that changed by that is reported. Exit 0; 1 where a case no longer does what its run did; 2 as errors say.
 */
export async function record(
  context: CommandContext,
  { into, redact }: { readonly into: string; readonly redact?: boolean },
  ids: readonly string[],
): Promise<number> {
  const target = resolve(context.terminal.cwd, into);
  // Playing takes time: a folder that cannot be made is told before.
  await writeNamed(target, makeFolder(target));
  const store = await openRecordings(context);
  const written: { name: string; folder: string; notes: readonly string[] }[] = [];
  try {
    const scratch = await openScratch({ configDir: context.configDir, env: context.env });
    try {
      for (const text of ids) {
        const full = await recordRun(store.source, await store.findRun(text));
        const { recording, notes } =
          redact === true ? await redacted(scratch, full) : { recording: full, notes: await check(scratch, full) };
        const folder = await writeCase(target, recording);
        written.push({ name: recording.name, folder, notes });
        context.say(`${folder}${notes.map((note) => `\n  ${note}`).join('')}`);
      }
    } finally {
      await scratch.close();
    }
  } finally {
    await store.close();
  }
  if (context.isJson) context.print({ cases: written });
  return written.some(({ notes }) => notes.length > 0) ? EXIT.warning : EXIT.fine;
}

/** What a case does otherwise than its run, under the config folder as it is. */
async function check(scratch: Scratch, recording: Recording): Promise<string[]> {
  const { outcome } = await scratch.play(recording);
  return notesOn(recording, outcome);
}

async function redacted(scratch: Scratch, full: Recording): Promise<{ recording: Recording; notes: string[] }> {
  const { stimulus } = full;
  const mail = stimulus.kind === 'mail' ? await scratch.read(stimulus.mail) : undefined;
  const changed = await redactForCase(full, mail);
  const { outcome, cassette } = await scratch.play(changed, { isByOrder: true });
  const notes = notesOn(full, { ...outcome, runs: full.expected?.runs ?? [] });
  return { recording: { ...changed, cassette, expected: outcome }, notes };
}

function notesOn({ expected }: Recording, outcome: NonNullable<Recording['expected']>): string[] {
  const route =
    expected?.route !== undefined && outcome.route !== undefined ? compareRoutes(expected.route, outcome.route) : [];
  return [...route.map(({ text }) => `the mail ${text}`), ...outcome.misses.map(({ why }) => `not recorded: ${why}`)];
}
