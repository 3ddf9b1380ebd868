import type { Agent, Director, Snapshot } from '../config/config.ts';
import type { GuardContext } from './guard.ts';

/** What says which directors rule over a caller. */
export type RulingContext = Pick<GuardContext, 'layers' | 'config' | 'newest'>;

/** A director whose gates and checks hold for a caller. */
export interface Ruling {
  readonly director: Director;
  /** True for the newest version, where the run works with another one. */
  readonly isNewest: boolean;
}

/** The director of a caller; for an agent that works for a person, every director that names the agent. */
export function directorsOf({ layers, config, newest }: RulingContext): readonly Ruling[] {
  const own = layers.flatMap(({ document, isNewest }) =>
    isDirector(document) ? [{ director: document, isNewest }] : [],
  );
  const [agent] = layers;
  if (own.length > 0 || agent === undefined) return own;
  const naming = ({ directors }: Snapshot, isNewest: boolean) =>
    [...directors.values()]
      .filter(({ agents }) => agents.includes(agent.id))
      .map((director): Ruling => ({ director, isNewest }));
  return [...naming(config, false), ...(newest === config ? [] : naming(newest, true))];
}

function isDirector(document: Director | Agent): document is Director {
  return 'guards' in document;
}
