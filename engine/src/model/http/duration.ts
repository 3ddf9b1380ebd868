const UNIT_MS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const PART = /(\d+(?:\.\d+)?)(ms|s|m|h|d)/gy;

/**
 * Parses `12ms`, `7.66s`, `2m59.56s`, `1h0m0s` (x-ratelimit-reset of OpenAI and Groq) or a bare number of seconds into
 * milliseconds; undefined for anything else.
 */
export function parseDuration(text: string): number | undefined {
  const trimmed = text.trim();
  if (/^\d+(\.\d+)?$/.test(trimmed)) return Math.ceil(Number(trimmed) * 1000);
  PART.lastIndex = 0;
  let ms = 0;
  let end = 0;
  for (let part = PART.exec(trimmed); part !== null; part = PART.exec(trimmed)) {
    ms += Number(part[1]) * UNIT_MS[part[2]!]!;
    end = PART.lastIndex;
  }
  return end > 0 && end === trimmed.length ? Math.ceil(ms) : undefined;
}
