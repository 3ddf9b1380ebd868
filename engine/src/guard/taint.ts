import { isRecord } from '../base/json.ts';
import type { OfferedTool } from '../tool/offered-tool.ts';

/** Why a thread is tainted: it has read text that strangers may have written, and which may make a model act for them. */
export interface Taint {
  /** The text, as part of a sentence: `the result of mail_search`. */
  readonly cause: string;
  /** ISO 8601. */
  readonly at: string;
}

/** Error codes of calls that read nothing: the engine refused them. */
const NOTHING_READ: ReadonlySet<string> = new Set([
  'TOOL_ARGUMENTS',
  'TOOL_CANCELLED',
  'TOOL_DENIED',
  'TOOL_LIMIT',
  'TOOL_UNKNOWN',
]);

/** Whether the result of a tool may have words of strangers. An unknown tool may be any. */
export function isUntrustedResult(
  tool: OfferedTool | undefined,
  result: { readonly value: unknown } | { readonly error: { readonly code: string } },
): boolean {
  if (tool !== undefined && 'kind' in tool) return false;
  const trust = tool === undefined ? 'untrusted' : (tool.trust ?? (tool.effects === 'none' ? 'told' : 'untrusted'));
  if ('error' in result) return trust === 'untrusted' && !NOTHING_READ.has(result.error.code);
  if (trust === 'told') return isRecord(result.value) && result.value['trust'] === 'untrusted';
  return trust === 'untrusted';
}
