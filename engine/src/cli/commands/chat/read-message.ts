import type { Input, LineReader } from '../../terminal/line-reader.ts';

/** A message, without the blanks around it; lines that end in a backslash belong together when a person types them. */
export async function readMessage(lines: LineReader, mark: string): Promise<Input> {
  let text = '';
  for (let prompt = `${mark} `; ; prompt = `${mark.replace('›', '·')} `) {
    const input = await lines.next(prompt);
    if (input.kind !== 'line') return input;
    const goesOn = lines.isInteractive && input.text.endsWith('\\');
    text += goesOn ? `${input.text.slice(0, -1)}\n` : input.text;
    if (!goesOn) return { kind: 'line', text: text.trim() };
  }
}
