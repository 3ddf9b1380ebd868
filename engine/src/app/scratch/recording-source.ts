import type { RecordingSource } from '../../replay/read/recording.ts';
import type { App } from '../app.ts';

/** Where the recordings of an open app come from. */
export function recordingSource({ deps, config }: Pick<App, 'deps' | 'config'>): RecordingSource {
  return {
    store: deps.store,
    revision: (id) => deps.config.revision(id),
    toolsOf: (snapshot, lists) => deps.tools.of(snapshot ?? config.current(), lists),
  };
}
