import { EngineError } from '../../base/error.ts';

/**
 * Whether an error says that machines of a run cannot be read: another version wrote them, or their rows are damaged.
 */
export function isUnreadable(error: unknown): error is EngineError {
  const codes: readonly string[] = ['MACHINE_VERSION', 'STORE_DAMAGED', 'STORE_TAMPERED'];
  return error instanceof EngineError && codes.includes(error.code);
}
