import type { OutputFormat } from '../model.ts';
import type { JsonCache } from './json-cache.ts';
import { strictSchema } from './strict-schema.ts';

/**
 * Name, schema and strictness of an answer, as OpenAI's two APIs take them: the fields of an object, without its braces. Strict where
 * the schema allows it; undefined for a root that is no object, which the APIs refuse.
 */
export function openaiFormat({ name, schema }: OutputFormat, cached: JsonCache): string | undefined {
  if (schema['type'] !== 'object') return undefined;
  const sent = cached(schema, () => {
    const strict = strictSchema(schema, { hasOptional: false });
    return `"schema":${JSON.stringify(strict ?? schema)},"strict":${strict !== undefined}`;
  });
  return `"name":${JSON.stringify(name)},${sent}`;
}

/** The schema of an answer for a server that always keeps to it; undefined where its subset of JSON Schema cannot express it. */
export function plainFormat({ schema }: OutputFormat, cached: JsonCache): string | undefined {
  const text = cached(schema, () => JSON.stringify(strictSchema(schema, { hasOptional: true })) ?? '');
  return text === '' ? undefined : text;
}
