import { unwatchFile, watchFile } from 'node:fs';
import { errorBody } from '../../../base/error.ts';
import { isOwnVariable } from '../../../config/own-variables.ts';
import type { CommandContext } from '../../context.ts';

/** How often the env file is looked at, in milliseconds. Editors replace it, so its folder would have to be watched. */
const INTERVAL_MS = 1000;

/**
 * Reads the env file again when it changes, until the returned function is called. Config uses the new values at once, and
 * `onChange` is called. The engine's own variables are used at the next start, which a warning says.
 */
export function watchEnv({ envFile, log }: CommandContext, onChange: () => Promise<void>): () => void {
  const { path } = envFile;
  const reload = () => {
    try {
      const changed = envFile.reload(isOwnVariable);
      const own = changed.filter(isOwnVariable);
      const used = changed.filter((name) => !isOwnVariable(name));
      if (own.length > 0)
        log.warn('these variables of the env file take effect after a restart', {
          file: path,
          variables: own.join(', '),
        });
      if (used.length === 0) return;
      log.info('the env file was read again', { file: path, variables: used.join(', ') });
      onChange().catch((error: unknown) => log.error('the config could not be checked again', { why: String(error) }));
    } catch (error) {
      log.warn('the env file cannot be read; its last values stay in use', { why: errorBody(error).message });
    }
  };
  watchFile(path, { interval: INTERVAL_MS, persistent: false }, reload);
  return () => unwatchFile(path, reload);
}
