import type { Logger } from '../base/log.ts';
import type { ConfigChange, Snapshot } from './config.ts';

/** The listeners to changes of the config. */
export class ConfigListeners {
  readonly #log: Logger;
  readonly #listeners = new Set<(change: ConfigChange) => void>();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Adds a listener. Returns a function that removes it. */
  add(listener: (change: ConfigChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls all listeners. Logs the error of a listener that throws, and calls the others. */
  notify(previous: Snapshot, snapshot: Snapshot): void {
    const change = { snapshot, previous, changed: changedNames(previous, snapshot) };
    for (const listener of [...this.#listeners])
      try {
        listener(change);
      } catch (error) {
        this.#log.error('a listener failed at a change of the config', { why: String(error) });
      }
  }
}

function changedNames(before: Snapshot, after: Snapshot): string[] {
  if (before === after) return [];
  const changed: string[] = [];
  let kept = 0;
  for (const [name, hash] of after.documents) {
    const old = before.documents.get(name);
    if (old !== undefined) kept++;
    if (old !== hash) changed.push(name);
  }
  if (kept < before.documents.size)
    for (const name of before.documents.keys()) if (!after.documents.has(name)) changed.push(name);
  return changed;
}
