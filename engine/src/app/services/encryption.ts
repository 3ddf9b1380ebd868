import type { Encryption, EncryptionState } from '../../api/api.ts';
import { EngineError, type ErrorBody } from '../../base/error.ts';
import type { Store } from '../../store/store.ts';
import { envFileObstacle, KEY_NAME } from './env-key.ts';

/** What `callsheet start` brings, so that a click in the viewer can encrypt its data folder. */
export interface EncryptionSwitch {
  readonly envFile: { readonly path: string; readonly isNamed: boolean };
  /** A variable of the process itself, without the env file. */
  readonly processEnv: (name: string) => string | undefined;
  /** Why the last attempt of this process changed nothing. */
  readonly failure?: ErrorBody | undefined;
  /** Called once, when the process shall close everything and encrypt. */
  readonly onBegin: () => void;
}

/** What `encryptionOf` needs to know of an open store. */
export interface StoreFacts extends Pick<Store, 'storage'> {
  /** Whether several processes share it. */
  readonly isShared: boolean;
  readonly dataDir: string;
}

/** The encryption of an app as the API shows it. Without a switch, it can only be looked at. */
export function encryptionOf(
  { storage, isShared, dataDir }: StoreFacts,
  given: EncryptionSwitch | undefined,
): Encryption {
  let isUnderWay = false;
  const obstacle = (): string | undefined => {
    if (storage === 'encrypted') return 'the stored data are encrypted already';
    if (isShared)
      return 'the data are in a shared database: all its processes need the same key, which no single one can give them';
    if (given === undefined) return 'this server was not started by "callsheet start"';
    if (given.processEnv(KEY_NAME) !== undefined)
      return `${KEY_NAME} is set in the environment of the server, which outranks every file`;
    if (given.envFile.isNamed)
      return `the server reads its variables from ${given.envFile.path} (--env-file), which somebody else may keep`;
    return envFileObstacle(given.envFile.path, dataDir);
  };
  const isOwnFile = !isShared && given?.processEnv(KEY_NAME) === undefined;
  return {
    state: (): EncryptionState => ({
      storage,
      envFile: isOwnFile ? (given?.envFile.path ?? null) : null,
      obstacle: obstacle() ?? null,
      isUnderWay,
      failure: given?.failure ?? null,
    }),
    begin() {
      const reason = isUnderWay ? 'the server is encrypting already' : obstacle();
      if (reason !== undefined || given === undefined)
        throw new EngineError('CONFLICT', `no key was made: ${reason}`, {
          hint: 'make one on the command line: docs/encryption.md',
        });
      isUnderWay = true;
      given.onBegin();
    },
  };
}
