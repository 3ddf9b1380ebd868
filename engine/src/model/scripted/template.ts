import { isRecord } from '../../base/json.ts';

/** Values that a template can name. A text that is JSON can be entered with dots: `lastToolResult.output`. */
export type TemplateValues = Readonly<Record<string, string>>;

const PLACE = /\{\{ *([A-Za-z][A-Za-z0-9]*)((?:\.[A-Za-z0-9_-]+)*) *\}\}/g;
const ONE_PLACE = /^\{\{ *([A-Za-z][A-Za-z0-9]*)((?:\.[A-Za-z0-9_-]+)+) *\}\}$/;

/**
 * `text` with each `{{name}}` and `{{name.path}}` filled in, once: what is filled in is not looked at again. A path that
 * leads nowhere becomes nothing; a name that does not exist stays as it is written. What is no text becomes JSON.
 */
export function fillText(text: string, values: TemplateValues): string {
  return text.replace(PLACE, (written: string, name: string, path: string) => {
    const value = lookUp(values, name, path);
    if (value === undefined) return Object.hasOwn(values, name) ? '' : written;
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
}

/**
 * Fills in every text within a value. A text that is nothing but one path to a number or a truth value becomes that
 * value, so that `{ expectedRevision: "{{lastToolResult.revision}}" }` is a number.
 */
export function fillValue(value: unknown, values: TemplateValues): unknown {
  if (typeof value === 'string') {
    const [, name, path] = ONE_PLACE.exec(value) ?? [];
    const found = name === undefined || path === undefined ? undefined : lookUp(values, name, path);
    return typeof found === 'number' || typeof found === 'boolean' ? found : fillText(value, values);
  }
  if (Array.isArray(value)) return value.map((item) => fillValue(item, values));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillValue(item, values)]));
}

/** Whether any text within a value names `name`. */
export function usesVariable(value: unknown, name: string): boolean {
  if (typeof value === 'string') return [...value.matchAll(PLACE)].some((place) => place[1] === name);
  if (Array.isArray(value)) return value.some((item) => usesVariable(item, name));
  return isRecord(value) && Object.values(value).some((item) => usesVariable(item, name));
}

function lookUp(values: TemplateValues, name: string, path: string): unknown {
  if (!Object.hasOwn(values, name)) return undefined;
  const text = values[name];
  if (path === '' || text === undefined) return text;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  for (const key of path.slice(1).split('.')) {
    const holder: unknown = value;
    if (Array.isArray(holder)) value = holder[Number(key)];
    else value = isRecord(holder) && Object.hasOwn(holder, key) ? holder[key] : undefined;
  }
  return value;
}
