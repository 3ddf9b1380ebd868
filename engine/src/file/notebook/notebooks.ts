import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import type { IdSource } from '../../base/id.ts';
import type { Snapshot } from '../../config/config.ts';
import { folderOfSetting, overlapOf, type OwnFolders } from '../../config/own-folders.ts';
import type { Store } from '../../store/store.ts';
import type { FileRoot } from '../file.ts';

/** The notebooks of the newest settings, and the store that keeps the versions of their files. */
export interface Notebooks {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Names of all notebooks, in the order of the settings. */
  names(): readonly string[];
  /** The folder of a notebook. `NOT_FOUND`; `FILE_DENIED` where it touches the config folder or the data folder. */
  root(name: string): FileRoot;
}

interface NotebooksOptions extends Pick<Notebooks, 'store' | 'clock' | 'ids'> {
  readonly config: () => Pick<Snapshot, 'settings'>;
  /** The folders that no notebook may touch. Relative paths in the settings start at the parent of the config folder. */
  readonly folders: OwnFolders;
}

/** Opens the notebooks. Touches no file before first use. */
export function openNotebookFolders({ config, folders, ...rest }: NotebooksOptions): Notebooks {
  return {
    ...rest,
    names: () => Object.keys(config().settings.roots),
    root(name) {
      const { roots } = config().settings;
      const path = Object.hasOwn(roots, name) ? roots[name] : undefined;
      if (path === undefined)
        throw new EngineError('NOT_FOUND', `there is no notebook "${name}"`, {
          hint: `notebooks: ${Object.keys(roots).join(', ') || 'none'}`,
        });
      const folder = folderOfSetting(path, folders.config);
      // Validation refuses such a root, but a link may have been put there since.
      const overlap = overlapOf(folder, folders);
      if (overlap === undefined) return { name, folder };
      throw new EngineError('FILE_DENIED', `the folder of the notebook "${name}" ${overlap}, which no tool may open`, {
        hint: 'a person must change roots in the settings',
      });
    },
  };
}
