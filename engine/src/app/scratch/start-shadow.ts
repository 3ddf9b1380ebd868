import { isoTime } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import { looser } from '../../replay/compare/replay-all.ts';
import { refuseRecognizers } from '../../replay/play/refuse-recognizers.ts';
import type { ShadowSettings } from '../../replay/shadow/shadow.ts';
import { alreadyThere, beginShadow, readShadow } from '../../replay/shadow/shadow-rows.ts';
import type { App } from '../app.ts';
import { commitOf, configAtRef } from './config-of-ref.ts';
import type { ScratchOptions } from './open-play.ts';
import { openScratch } from './open-scratch.ts';

/**
 * Starts a shadow on the config of a git ref, which is opened once to see that it can be used. `BAD_REQUEST` for a share or a limit out
 * of range; `CONFLICT` where there is a shadow already, and for a config that has private data found by a service; `USAGE` as of `configAtRef`; `CONFIG_INVALID`.
 */
export async function startShadow(
  { config, deps, mailWorkers, calendarWorkers, filterPool }: App,
  { ref, percent, maxCostPerDay }: ShadowSettings,
  env: ScratchOptions['env'],
): Promise<void> {
  if (!(percent > 0 && percent <= 100))
    throw new EngineError('BAD_REQUEST', `the share must be above 0 and at most 100 percent, not ${percent}`);
  if (!(maxCostPerDay >= 0 && Number.isFinite(maxCostPerDay)))
    throw new EngineError('BAD_REQUEST', `the limit must be at least 0 US dollars a day, not ${maxCostPerDay}`);
  const { store, clock, ids, recogniser, tools } = deps;
  if ((await readShadow(store)) !== undefined) throw alreadyThere();
  const commit = await commitOf(config.dir, ref);
  const copy = await configAtRef(config.dir, commit);
  try {
    const threads = { mailWorkers, calendarWorkers, filterPool };
    const scratch = await openScratch({ configDir: copy.configDir, env, threads, recogniser });
    await scratch.close();
    refuseRecognizers(scratch.config, `a shadow of ${ref}`);
    const current = { config: config.current(), tools: tools.of(config.current()) };
    const unusable = scratch.problems.filter(({ severity }) => severity === 'error');
    const warnings = [
      ...looser(current, scratch),
      ...unusable.map(({ message }) => `a document at ${ref} cannot be used: ${message}`),
    ];
    const facts = { id: ids.next('shadow'), startedAt: isoTime(clock.now()), warnings };
    await beginShadow(store, { ...facts, ref, commit, percent, maxCostPerDay });
  } finally {
    await copy.close();
  }
}
