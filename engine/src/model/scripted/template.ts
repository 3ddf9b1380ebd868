import { isRecord } from '../../base/json.ts';

/** Values by variable name. A dotted path reads into a value that is JSON text: `lastToolResult.output`. */
export type TemplateValues = Readonly<Record<string, string>>;

const PLACEHOLDER = /\{\{ *([A-Za-z][A-Za-z0-9]*)((?:\.[A-Za-z0-9_-]+)*) *\}\}/g;
const WHOLE_PLACEHOLDER = /^\{\{ *([A-Za-z][A-Za-z0-9]*)((?:\.[A-Za-z0-9_-]+)+) *\}\}$/;

/**
 * Replaces each `{{name}}` and `{{name.path}}` in `text` once; inserted text is not scanned again. A path without a value
 * becomes `''`, an unknown name stays as written, and a value that is not text becomes JSON.
 */
export function fillText(text: string, values: TemplateValues): string {
  return text.replace(PLACEHOLDER, (written: string, name: string, path: string) => {
    const value = lookUp(values, name, path);
    if (value === undefined) return Object.hasOwn(values, name) ? '' : written;
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
}

/**
 * Replaces placeholders in every text within a value. A text that is only a path to a number or boolean becomes that
 * value: `{ expectedRevision: "{{lastToolResult.revision}}" }` gives a number.
 */
export function fillValue(value: unknown, values: TemplateValues): unknown {
  if (typeof value === 'string') {
    const [, name, path] = WHOLE_PLACEHOLDER.exec(value) ?? [];
    const found = name === undefined || path === undefined ? undefined : lookUp(values, name, path);
    return typeof found === 'number' || typeof found === 'boolean' ? found : fillText(value, values);
  }
  if (Array.isArray(value)) return value.map((item) => fillValue(item, values));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillValue(item, values)]));
}

/** Whether any text within a value uses the variable `name`. */
export function usesVariable(value: unknown, name: string): boolean {
  if (typeof value === 'string') return [...value.matchAll(PLACEHOLDER)].some((match) => match[1] === name);
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
