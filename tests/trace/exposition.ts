/** One line of Prometheus' text format that holds a value. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const LABEL = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"';
const SAMPLE = new RegExp(`^(${NAME})(?:\\{((?:${LABEL},?)*)\\})? (\\S+)$`);
const NUMBER = /^(?:[+-]?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?)|[+-]Inf|NaN)$/;

/**
 * Reads Prometheus' text format 0.0.4 as strictly as it is written down (prometheus.io/docs/instrumenting/exposition_formats):
 * throws where a line is none, where a name has two types or a sample none, and where a series stands twice.
 */
export function parseExposition(text: string): {
  readonly samples: readonly Sample[];
  readonly types: ReadonlyMap<string, string>;
} {
  if (!text.endsWith('\n')) throw new Error('the last line does not end');
  const samples: Sample[] = [];
  const types = new Map<string, string>();
  const helps = new Set<string>();
  const series = new Set<string>();
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const help = new RegExp(`^# HELP (${NAME}) (?:[^\\\\]|\\\\[\\\\n])*$`).exec(line);
    const type = new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram|summary|untyped)$`).exec(line);
    if (help !== null) {
      if (helps.has(help[1]!)) throw new Error(`two HELP lines: ${line}`);
      helps.add(help[1]!);
    } else if (type !== null) {
      if (types.has(type[1]!)) throw new Error(`two TYPE lines: ${line}`);
      types.set(type[1]!, type[2]!);
    } else {
      const sample = readSample(line);
      const family = sample.name.replace(/_(?:bucket|sum|count)$/, '');
      const isTyped = types.has(sample.name) || ['histogram', 'summary'].includes(types.get(family) ?? '');
      if (!isTyped) throw new Error(`a sample before its TYPE: ${line}`);
      const key = JSON.stringify([sample.name, Object.entries(sample.labels).sort()]);
      if (series.has(key)) throw new Error(`a series twice: ${line}`);
      series.add(key);
      samples.push(sample);
    }
  }
  return { samples, types };
}

function readSample(line: string): Sample {
  const match = SAMPLE.exec(line);
  if (match === null || !NUMBER.test(match[3]!)) throw new Error(`not a line of the format: ${line}`);
  const [, name = '', labels = '', value = ''] = match;
  const pairs = [...labels.matchAll(new RegExp(LABEL, 'g'))].map(([pair]) => {
    const at = pair.indexOf('=');
    const text = pair.slice(at + 2, -1).replace(/\\(.)/g, (_, char: string) => (char === 'n' ? '\n' : char));
    return [pair.slice(0, at), text] as const;
  });
  return { name, labels: Object.fromEntries(pairs), value: Number(value.replace('Inf', 'Infinity')) };
}
