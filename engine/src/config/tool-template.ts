import { isNearby } from '../base/network-host.ts';
import type { DeclaredTool } from './config.ts';
/** A piece of a template of a declared tool: literal text, an argument, or a reference such as `${env:KEY}`. */
export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'argument'; readonly name: string }
  | { readonly kind: 'reference'; readonly reference: string };

const PIECE = /\{\{\s*([^{}]*?)\s*\}\}|\$\{(?:env|secret):[A-Za-z_][A-Za-z0-9_]*\}/g;

/** The pieces of a text with `{{name}}` and `${env:NAME}` or `${secret:NAME}`, in order. */
export function parseTemplate(text: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let end = 0;
  for (const match of text.matchAll(PIECE)) {
    if (match.index > end) parts.push({ kind: 'text', text: text.slice(end, match.index) });
    end = match.index + match[0].length;
    const [whole, name] = match;
    parts.push(name === undefined ? { kind: 'reference', reference: whole } : { kind: 'argument', name });
  }
  if (end < text.length) parts.push({ kind: 'text', text: text.slice(end) });
  return parts;
}

/** The names of the arguments in a text, each once. */
export function argumentsIn(text: string): string[] {
  const names = parseTemplate(text).flatMap((part) => (part.kind === 'argument' ? [part.name] : []));
  return [...new Set(names)];
}

/** The references in a text. */
export function referencesIn(text: string): string[] {
  return parseTemplate(text).flatMap((part) => (part.kind === 'reference' ? [part.reference] : []));
}

/** The name of the argument if a text is one `{{name}}` and nothing else. */
export function wholeArgument(text: string): string | undefined {
  const [first, ...rest] = parseTemplate(text);
  return first?.kind === 'argument' && rest.length === 0 ? first.name : undefined;
}

/** An address of a declared tool, in parts. Only `segments` and `query` may hold arguments. */
export interface UrlTemplate {
  /** Scheme, host and port: `https://api.example.com`. */
  readonly origin: string;
  /** The parts of the path between slashes. */
  readonly segments: readonly string[];
  /** Name and value of each parameter of the query. */
  readonly query: readonly (readonly [string, string])[];
}

/** Takes an address apart. Returns the reason as a text if it cannot be used as the address of a tool. */
export function parseUrlTemplate(text: string): UrlTemplate | string {
  const match = /^(https?:\/\/[^/?#\\]+)([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(text);
  if (match === null) return 'it is not an address that starts with http:// or https://';
  const [, start = '', path = '', query = '', fragment] = match;
  if (/\{\{|\$\{/.test(start)) return 'the host is fixed: {{name}} may stand in the path and in values of the query';
  const url = URL.parse(start);
  if (url === null) return 'its host is not valid';
  if (url.username !== '' || url.password !== '') return 'it contains a user or a password; write a header instead';
  if (fragment !== undefined) return 'it has a fragment (#), which is never sent';
  if (path.includes('\\')) return 'its path has a backslash';
  const segments = path.split('/').slice(1);
  if (segments.some((segment) => /^(\.|%2e){1,2}$/i.test(segment))) return 'its path has "." or ".."';
  const pairs = query === '' ? [] : query.split('&').map((pair) => splitPair(pair));
  const templated = pairs.find(([name]) => /\{\{|\$\{/.test(name));
  if (templated !== undefined) return `the name "${templated[0]}" in its query is not fixed`;
  return { origin: url.origin, segments, query: pairs };
}

function splitPair(pair: string): readonly [string, string] {
  const at = pair.indexOf('=');
  const [name, value] = at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
  return [decode(name), parseTemplate(value).map(decodeText).join('')];
}

function decodeText(part: TemplatePart): string {
  if (part.kind === 'text') return decode(part.text);
  return part.kind === 'argument' ? `{{${part.name}}}` : part.reference;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** The host of another network that gets the arguments of a tool; undefined for a program. */
export function remoteHostOf(tool: DeclaredTool): string | undefined {
  if (tool.kind === 'command' || 'command' in tool) return undefined;
  const url = parseUrlTemplate(tool.kind === 'http' ? tool.request.url : tool.url);
  if (typeof url === 'string') return undefined;
  const { hostname, host } = new URL(url.origin);
  return isNearby(hostname) ? undefined : host;
}
