import type { Director } from '../config/config.ts';
import type { Guard } from './guard.ts';

const RANK = ['allow', 'ask', 'never'] as const;

/** Keeps mails of objectives to `objective.sendDrafts`: of the run's config and the newest one, the stricter counts. */
export const sendDraftsGuard: Guard = {
  name: 'sendDrafts',
  check({ tool: { name } }, { caller, config, newest }) {
    const { id } = caller.origin.director;
    const directors = [config, newest].flatMap(({ directors: all }) => all.get(id) ?? []);
    if (name !== 'mail_send' || !directors.some(({ mode }) => mode === 'objective')) return { decision: 'pass' };
    const strictest = RANK[Math.max(...directors.map(rankOf))] ?? 'never';
    if (strictest === 'allow') return { decision: 'pass' };
    const reason = `objective.sendDrafts of director ${id} is ${strictest}`;
    if (strictest === 'ask') return { decision: 'ask', reason };
    return { decision: 'refuse', code: 'TOOL_DENIED', reason, hint: 'leave a draft; the user sends it' };
  },
};

function rankOf({ mode, objective }: Director): number {
  return mode === 'objective' ? RANK.indexOf(objective.sendDrafts) : 0;
}

/** Asks about a call of a retry where the earlier run has done the same already, or may have. */
export const repeatsGuard: Guard = {
  name: 'repeats',
  check({ tool: { name } }, { repeats }) {
    if (repeats === undefined || !repeats.doneBefore.includes(name)) return { decision: 'pass' };
    const reason = `this run repeats run ${repeats.runId}, which has called ${name} already. Allow does it again, deny leaves it as it is`;
    return { decision: 'ask', reason };
  },
};

/** Asks about a call where an earlier call of the tool in the same run may have happened: a model makes such a call again. */
export const unknownGuard: Guard = {
  name: 'unknown',
  async check({ tool: { name } }, { unknown }) {
    if (!(await unknown?.())?.includes(name)) return { decision: 'pass' };
    const reason = `nobody knows whether an earlier call of ${name} in this run happened. Allow makes this one, deny leaves it as it is`;
    return { decision: 'ask', reason };
  },
};
