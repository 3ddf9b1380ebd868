import { EngineError } from '../../base/error.ts';
import type { HttpTool } from '../../config/documents.gen.ts';
import { parseTemplate, parseUrlTemplate, type UrlTemplate } from '../../config/tool-template.ts';
import { encodeHeader, encodeSegment, fillJson, fillOptional, fillText, type CallValues } from './fill-template.ts';

/** A request that is ready to be sent. */
export interface HttpRequest {
  readonly method: string;
  readonly url: URL;
  /** Those of the document, in lower case. They go only to the host of `url`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * The request of a call. Arguments are encoded for their place: they change neither host nor path prefix, and add neither a header
 * nor a name to the query. `TOOL_ARGUMENTS` for an argument that cannot stand in a path.
 */
export function buildRequest({ request }: Pick<HttpTool, 'request'>, values: CallValues): HttpRequest {
  const { method, json, form } = request;
  const template = parseUrlTemplate(request.url);
  if (typeof template === 'string') throw new EngineError('TOOL_FAILED', `the address cannot be used: ${template}`);
  const url = buildUrl(template, Object.entries(request.query), values);
  const headers = buildHeaders(request.headers, values);
  if (json !== undefined)
    return {
      ...{ method, url, body: JSON.stringify(fillJson(json, values)) ?? 'null' },
      headers: { 'content-type': 'application/json', ...headers },
    };
  if (form === undefined) return { method, url, headers };
  const fields = new URLSearchParams(filled(Object.entries(form), values));
  return {
    ...{ method, url, body: fields.toString() },
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  };
}

function buildUrl(template: UrlTemplate, query: readonly [string, string][], values: CallValues): URL {
  const segments = template.segments.map((segment) => buildSegment(segment, values));
  const url = new URL(`${template.origin}/${segments.join('/')}`);
  url.search = new URLSearchParams(filled([...template.query, ...query], values)).toString();
  if (url.origin !== template.origin || url.pathname.split('/').length - 1 !== Math.max(1, segments.length))
    throw new EngineError('TOOL_ARGUMENTS', 'the arguments would change the address of the request');
  return url;
}

function buildSegment(template: string, values: CallValues): string {
  const segment = fillText(template, values, encodeSegment);
  const isFixed = parseTemplate(template).every(({ kind }) => kind === 'text');
  if (isFixed) return segment;
  // An empty segment, or one that several arguments make ".." together.
  if (segment === '' || /^(\.|%2e)+$/i.test(segment))
    throw new EngineError('TOOL_ARGUMENTS', 'an argument that is part of the address is empty, or only dots', {
      hint: 'call the tool again with a name or an id',
    });
  return segment;
}

function filled(pairs: readonly (readonly [string, string])[], values: CallValues): [string, string][] {
  return pairs.flatMap(([name, template]) => {
    const value = fillOptional(template, values);
    return value === undefined ? [] : [[name, value] as [string, string]];
  });
}

function buildHeaders(templates: Readonly<Record<string, string>>, values: CallValues): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, template] of Object.entries(templates)) {
    const value = fillOptional(template, values, encodeHeader);
    if (value !== undefined) headers[name.toLowerCase()] = encodeHeader(value);
  }
  return headers;
}
