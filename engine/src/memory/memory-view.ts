import { EngineError } from '../base/error.ts';
import type { Memory, MemoryScope, MemorySpace } from './memory.ts';

/** A memory as the API and files show it: with the field names of seed 000 for its text and its time. */
export interface MemoryView extends Omit<Memory, 'text'> {
  readonly content: string;
  /** The same as `updatedAt`. */
  readonly timestamp: string;
}

/** The memory as the API shows it. */
export function viewMemory({ text, ...memory }: Memory): MemoryView {
  return { ...memory, content: text, timestamp: memory.updatedAt };
}

/** The space of a scope. `BAD_REQUEST` where the scope needs a director or an agent that is missing, or has none. */
export function toSpace(scope: MemoryScope, directorId = '', agentId = ''): MemorySpace {
  const faults = {
    global: directorId !== '' || agentId !== '' ? 'scope global has no directorId and no agentId' : undefined,
    shared: directorId === '' || agentId === '' ? 'scope shared needs directorId and agentId' : undefined,
    local: (directorId === '') === (agentId === '') ? 'scope local needs either directorId or agentId' : undefined,
  };
  const fault = faults[scope];
  if (fault !== undefined) throw new EngineError('BAD_REQUEST', fault);
  return { scope, directorId, agentId };
}
