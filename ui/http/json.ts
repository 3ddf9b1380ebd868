/** Most spaces of indentation in formatted JSON: each level of a nested value indents all below it again. */
const MAX_INDENTATION = 1_000_000;

/** Whether a value is an object with keys; arrays are not. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parses JSON; undefined when the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Formats JSON with line breaks and indentation; returns other text, and JSON nested too deeply for it, unchanged. */
export function formatJson(text: string): string {
  const value = parseJson(text);
  return value === undefined || isTooDeep(value) ? text : JSON.stringify(value, null, 2);
}

/** A value as JSON with line breaks and indentation; on one line when it is nested too deeply for that. */
export function formatValue(value: unknown): string {
  if (!isTooDeep(value)) return JSON.stringify(value, null, 2) ?? '';
  try {
    return JSON.stringify(value);
  } catch {
    return '(nested too deeply to be shown)';
  }
}

/** Whether the indentation alone would be longer than `MAX_INDENTATION`. Walks without recursion. */
function isTooDeep(value: unknown): boolean {
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 0 }];
  let indentation = 0;
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    indentation += 2 * entry.depth;
    if (indentation > MAX_INDENTATION) return true;
    if (typeof entry.value !== 'object' || entry.value === null) continue;
    for (const child of Object.values(entry.value)) open.push({ value: child, depth: entry.depth + 1 });
  }
  return false;
}
