import type { Snapshot } from '../../config/config.ts';
import { chooseEmbeddings } from '../../memory/embedding/choice.ts';
import { isLocalInstalled, LOCAL_MODEL } from '../../memory/embedding/local-embedder.ts';
import { type Check, fine, warn } from './check.ts';

/** Tells which embeddings find memories by meaning. A config that names an api without embeddings is a warning. */
export function checkMemory(snapshot: Pick<Snapshot, 'settings' | 'apis'>, isInstalled = isLocalInstalled): Check {
  const choice = chooseEmbeddings(snapshot, isInstalled);
  switch (choice.kind) {
    case 'api': {
      const { id, locality } = choice.api;
      const whose = locality === 'local' ? '' : '; memories of directors with locality: local are found by words alone';
      return fine('memory', `found by words and by vectors of ${choice.model} (api ${id})${whose}`);
    }
    case 'local':
      return fine('memory', `found by words and by vectors of the local model ${LOCAL_MODEL}`);
    case 'words':
      return choice.isMistake
        ? warn('memory', `found by words alone: ${choice.why}`, 'correct memory.embeddings in the settings')
        : fine('memory', `found by words alone: ${choice.why}`);
    default:
      return choice satisfies never;
  }
}
