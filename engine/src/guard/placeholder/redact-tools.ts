import { isRecord } from '../../base/json.ts';
import type { ToolSpec } from '../../model/model.ts';
import { findAddresses } from '../privacy/addresses.ts';
import { rewriteStrings } from './content-text.ts';
import type { EntityMap } from './entity-map.ts';
import { redactFound } from './redact-text.ts';

/** Keys of a JSON Schema whose values are words for the model. */
const WORDS: ReadonlySet<string> = new Set(['description', 'title', 'examples', 'enum', 'const', 'default']);

/** Addresses that documentation uses and nobody has (RFC 2606). */
const EXAMPLE = /[@.](?:example(?:\.(?:com|net|org))?|test|invalid|localhost)$/i;

/**
 * Tools as a model gets them: addresses and known values in their words are redacted. Names of tools and of parameters stay. The same
 * object where nothing is private.
 */
export function redactTools(map: EntityMap, specs: readonly ToolSpec[], kinds: readonly string[]): readonly ToolSpec[] {
  let isChanged = false;
  const redact = (text: string) => {
    const addresses = kinds.includes('email')
      ? findAddresses(text).filter(({ text: found }) => !EXAMPLE.test(found))
      : [];
    const redacted = redactFound(map, text, addresses);
    isChanged ||= redacted !== text;
    return redacted;
  };
  const redacted = specs.map(({ type, function: { name, description, parameters } }) => ({
    type,
    function: { name, description: redact(description), parameters: rewriteSchema(parameters, redact) },
  }));
  return isChanged ? redacted : specs;
}

function rewriteSchema(schema: object, redact: (text: string) => string): object {
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      const isWords = WORDS.has(key) && !(isRecord(value) && (key === 'description' || key === 'title'));
      if (isWords) return [key, rewriteStrings(value, redact)];
      if (Array.isArray(value)) return [key, value.map((one) => (isRecord(one) ? rewriteSchema(one, redact) : one))];
      return [key, isRecord(value) ? rewriteSchema(value, redact) : value];
    }),
  );
}
