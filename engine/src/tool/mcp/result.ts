import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';
import { EngineError } from '../../base/error.ts';
import { canonicalJson, isTooDeep } from '../../base/json.ts';

/** Longest message of a server in an error, in characters. */
const MAX_MESSAGE = 4000;

/**
 * The result of a server as JSON that a model can read: `{ text }`, `{ content }` with several parts, `{ structured }`. A model
 * gets no bytes of images, sounds and files. `TOOL_FAILED` where the server reports an error.
 */
export function readResult({ content, structuredContent, isError }: CallToolResult): object {
  const parts = content.map(readPart);
  if (isError === true) {
    const text = parts.map((part) => (typeof part === 'string' ? part : JSON.stringify(part))).join('\n');
    const message = text.slice(0, MAX_MESSAGE).toWellFormed().trim();
    throw new EngineError('TOOL_FAILED', message === '' ? 'the server reports an error without a text' : message);
  }
  if (structuredContent === undefined) return contentOf(parts);
  expectShallow(structuredContent);
  // Servers repeat structured results as text for old clients.
  const others = parts.filter((part) => typeof part !== 'string' || !isSameJson(part, structuredContent));
  return { structured: structuredContent, ...(others.length > 0 && contentOf(others)) };
}

function contentOf(parts: readonly (string | object)[]): object {
  const [first = ''] = parts;
  return parts.length <= 1 && typeof first === 'string' ? { text: first } : { content: parts };
}

function readPart(block: ContentBlock): string | object {
  if (block.type === 'text') return block.text;
  if (block.type === 'resource_link') {
    const { uri, name, description, mimeType } = block;
    return { type: 'link', uri, name, description, mimeType };
  }
  if (block.type === 'resource') {
    const { resource } = block;
    const { uri, mimeType } = resource;
    const held = 'text' in resource ? { text: resource.text } : notShown(resource.blob);
    return { type: 'resource', uri, mimeType, ...held };
  }
  return { type: block.type, mimeType: block.mimeType, ...notShown(block.data) };
}

function notShown(base64: string): object {
  return { bytes: Math.floor((base64.length * 3) / 4), note: 'not shown: only text can be read' };
}

/** `TOOL_FAILED` for a value that nobody could write or redact: nested thousands of levels deep. */
function expectShallow(value: unknown): void {
  let json: string | undefined;
  try {
    json = JSON.stringify(value);
  } catch {
    // Too deep even for that.
  }
  if (json === undefined || isTooDeep(json))
    throw new EngineError('TOOL_FAILED', 'the result of the server is nested too deeply to be read');
}

function isSameJson(text: string, value: unknown): boolean {
  try {
    return canonicalJson(JSON.parse(text)) === canonicalJson(value);
  } catch {
    return false;
  }
}
