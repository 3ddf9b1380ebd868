import type { ErrorObject } from 'ajv/dist/2020.js';
import { nearest } from '../../base/did-you-mean.ts';
import { isRecord } from '../../base/json.ts';

/**
 * The errors of the schema validator (Ajv) without those that another one causes. A misspelt key is an unknown key, and the
 * key that was meant is missing: only the unknown key stays. Of a condition without a kind only the choice of kinds stays.
 */
export function withoutConsequences(errors: readonly ErrorObject[]): ErrorObject[] {
  const objects = Map.groupBy(errors, ({ instancePath }) => instancePath);
  const dropped = new Set([...objects.values()].flatMap(consequences));
  return errors.filter((error) => !dropped.has(error));
}

/** The keys of which a schema with `oneOf` wants exactly one. */
export function keysOfBranches(schema: Record<string, unknown>): string[] {
  const branches = Array.isArray(schema['oneOf']) ? schema['oneOf'] : [];
  return branches.flatMap((branch: unknown) => (isRecord(branch) ? asTexts(branch['required']) : []));
}

/** The errors of one object that other errors of it cause. */
function consequences(errors: readonly ErrorObject[]): ErrorObject[] {
  const unknown = errors.filter(({ keyword }) => keyword === 'additionalProperties');
  const choice = errors.find((error) => error.keyword === 'oneOf' && !hasOneOf(error));
  const options = choice === undefined ? [] : keysOfBranches(schemaOf(choice));
  const missing = errors.filter(isMissing);
  const dropped = missing.filter((error) => error.keyword === 'dependentRequired' && options.includes(keyOf(error)));
  let isChoiceExplained = false;
  for (const error of unknown) {
    const members = schemaOf(error)['properties'];
    const meant = nearest(String(error.params['additionalProperty']), isRecord(members) ? Object.keys(members) : []);
    const explained = missing.filter((other) => keyOf(other) === meant);
    dropped.push(...explained);
    // An unknown key that resembles no missing key can only stand for the choice.
    const isOther = meant === undefined && explained.length === 0;
    if (isOther || (meant !== undefined && options.includes(meant))) isChoiceExplained = true;
  }
  return choice !== undefined && isChoiceExplained ? [...dropped, choice] : dropped;
}

function isMissing({ keyword, schemaPath }: ErrorObject): boolean {
  return keyword === 'dependentRequired' || (keyword === 'required' && !schemaPath.includes('/oneOf/'));
}

function keyOf({ params }: ErrorObject): string {
  return String(params['missingProperty']);
}

function hasOneOf({ data, parentSchema }: ErrorObject): boolean {
  return isRecord(data) && isRecord(parentSchema) && keysOfBranches(parentSchema).some((key) => key in data);
}

function schemaOf({ parentSchema }: ErrorObject): Record<string, unknown> {
  return isRecord(parentSchema) ? parentSchema : {};
}

function asTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
