import { enclose, envelopeNote } from '../config/prompt/envelope.ts';
import type { Memory } from './memory.ts';

/** Longest text of the prompt variable `memories`, in characters. */
export const MAX_RECALLED = 4000;

/**
 * Memories as a prompt contains them: one line with scope and date before each text, and untrusted ones between marks. `''`
 * for none. Memories that do not fit into `maxChars` are left out, and it is said.
 */
export function memoriesText(memories: readonly Memory[], mark: string, maxChars = MAX_RECALLED): string {
  const blocks = memories.map((memory) => {
    const head = `Memory ${memory.id} (${memory.scope}, ${memory.updatedAt.slice(0, 10)}):`;
    return `${head}\n${memory.trust === 'trusted' ? memory.text : enclose(labelled(memory), 'MEMORY', mark)}`;
  });
  const kept: string[] = [];
  let chars = 0;
  for (const block of blocks) {
    chars += block.length + 2;
    if (chars > maxChars) break;
    kept.push(block);
  }
  const missing = blocks.length - kept.length;
  if (missing > 0) kept.push(`[left out: ${missing} more ${missing === 1 ? 'memory' : 'memories'}]`);
  if (memories.slice(0, blocks.length - missing).some(({ trust }) => trust === 'untrusted'))
    kept.push(envelopeNote('MEMORY', mark));
  return kept.join('\n\n');
}

/** Memories as a tool returns them. `note` and `trust`: one of them may have words of strangers. */
export interface ShownMemories {
  readonly memories: readonly object[];
  readonly note?: string;
  readonly trust?: 'untrusted';
}

/** The memories as a tool returns them to a model: the text of an untrusted one stands between marks. */
export function shownMemories(memories: readonly Memory[], mark: string): ShownMemories {
  const shown = memories.map((memory) => {
    const { id, scope, owner, createdAt, updatedAt, expiresAt, revision } = memory;
    const isTrusted = memory.trust === 'trusted';
    return {
      ...{ id, scope, owner, trust: memory.trust },
      ...(isTrusted && { tags: memory.tags }),
      content: isTrusted ? memory.text : enclose(labelled(memory), 'MEMORY', mark),
      timestamp: updatedAt,
      ...(memory.mentions !== undefined && memory.mentions.length > 0 && { mentions: memory.mentions }),
      ...(createdAt !== updatedAt && { createdAt }),
      ...(expiresAt !== undefined && { expiresAt }),
      revision,
    };
  });
  const isMarked = memories.some(({ trust }) => trust === 'untrusted');
  return { memories: shown, ...(isMarked && { note: envelopeNote('MEMORY', mark), trust: 'untrusted' as const }) };
}

/** The text after its tags: a stranger may have chosen both. */
function labelled({ text, tags }: Memory): string {
  return tags.length === 0 ? text : `Tags: ${tags.join(', ')}\n${text}`;
}
