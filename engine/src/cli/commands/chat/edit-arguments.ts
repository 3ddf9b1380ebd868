import { isRecord } from '../../../base/json.ts';
import type { LineReader } from '../../terminal/line-reader.ts';
import { oneLine } from '../../terminal/table.ts';

type Arguments = Readonly<Record<string, unknown>>;

interface Options {
  readonly lines: LineReader;
  readonly say: (text: string) => void;
}

/**
 * Lets a person change the arguments of a call, one after the other; Enter keeps a value. Text on one line stands as it is, everything
 * else as JSON. Undefined where the person breaks off.
 */
export async function editArguments(args: Arguments, { lines, say }: Options): Promise<Arguments | undefined> {
  const edited: Record<string, unknown> = {};
  say('  Enter keeps a value, Ctrl-C breaks off.');
  for (const [name, value] of Object.entries(args)) {
    const isPlain = typeof value === 'string' && oneLine(value) === value;
    const initial = isPlain ? value : JSON.stringify(value);
    for (;;) {
      const input = await lines.next(`  ${oneLine(name)}: `, { initial, isPrivate: true });
      if (input.kind !== 'line') return undefined;
      const parsed = isPlain ? { value: input.text } : parse(input.text);
      if (parsed !== undefined) {
        edited[name] = parsed.value;
        break;
      }
      say('  This is no JSON: text stands in quotation marks, a line break in it is \\n.');
    }
  }
  return edited;
}

/** Arguments as one JSON object; undefined where it is none. */
export function readArguments(text: string): Arguments | undefined {
  const parsed = parse(text)?.value;
  return isRecord(parsed) ? parsed : undefined;
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
