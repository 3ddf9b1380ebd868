import { EngineError, errorBody } from '../base/error.ts';

/** Waits for the writing of a file or folder that a person named. `USAGE` with its path where that fails. */
export async function writeNamed<T>(path: string, writing: Promise<T>): Promise<T> {
  try {
    return await writing;
  } catch (cause) {
    if (cause instanceof EngineError) throw cause;
    throw new EngineError('USAGE', `${path} cannot be written: ${errorBody(cause).message}`, {
      hint: 'name a file or folder that may be written, in a folder that exists',
      cause,
    });
  }
}
