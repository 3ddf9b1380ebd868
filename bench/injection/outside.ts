import type { Message } from '../../engine/src/model/model.ts';

/** An envelope of several lines or of one, with the mark that opens and closes it. */
const ENVELOPE = /<<([A-Z]+-[0-9a-f]{12})(?:\n[^]*?\n|[ ][^\n]*?[ ])\1>>/g;
/** Shortest line of a payload that identifies it. */
const MIN_LINE = 12;

/** What a request says about a payload: whether a model got it, and whether it got it outside an envelope. */
export interface Sighting {
  readonly isInside: boolean;
  /** The message that has it outside; undefined where none has. */
  readonly outside?: Message;
}

/** Looks for the texts of a stranger in the messages that a model gets, but for its own. */
export function sightingOf(messages: readonly Message[], payloads: readonly string[]): Sighting {
  const needles = payloads.flatMap(needlesOf);
  const others = messages.filter(({ role }) => role !== 'assistant');
  const has = (text: string) => needles.some((needle) => folded(text).includes(needle));
  const outside = others.find(({ content }) => has((content ?? '').replace(ENVELOPE, '')));
  const wrongRole = others.find(({ role, content }) => role === 'system' && has(content ?? ''));
  const found = outside ?? wrongRole;
  return { isInside: others.some(({ content }) => has(content ?? '')), ...(found !== undefined && { outside: found }) };
}

/** The lines of a payload as they stand in text, and in JSON. */
function needlesOf(payload: string): string[] {
  const lines = payload.split(/[\r\n]+/).map(folded);
  const long = lines.filter((line) => line.length >= MIN_LINE);
  return (long.length > 0 ? long : [folded(payload)]).flatMap((line) => [line, JSON.stringify(line).slice(1, -1)]);
}

function folded(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
