/** A pattern for one argument of a call. */
export interface ArgumentPattern {
  /** Name of the argument; dots lead into objects: `event.title`. */
  readonly name: string;
  /** What its value must be like; `*` stands for any characters (`match-argument.ts`). */
  readonly pattern: string;
}

/** An entry of a list of permissions: `mail_*`, or `mail_send(to=*@company.com, cc=*@company.com)`. */
export interface Rule {
  /** Name of a tool; `*` stands for any characters. */
  readonly tool: string;
  /** All of them must match; empty where the rule holds for every call of the tool. */
  readonly arguments: readonly ArgumentPattern[];
}

/** Text that cannot be read as a rule, with the reason in words. */
export interface RuleFault {
  readonly fault: string;
}

/** The pattern that stands for everybody who wrote or got a mail of the thread. It counts only in `untrusted.act`. */
export const THREAD = '@thread';

const TOOL = /^[A-Za-z0-9_*-]{1,64}$/;
const NAME = /^[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*$/;
/** Where one argument ends and the next begins. A comma that no name and `=` follow belongs to the pattern. */
const NEXT = /,\s*(?=[A-Za-z_][\w.-]*\s*=)/;

/** Rules by their text. There are as many as documents name, so a limit only guards against endless edits. */
const parsed = new Map<string, Rule | RuleFault>();
const MAX_PARSED = 10_000;

/** Reads an entry of a list of permissions. */
export function parseRule(text: string): Rule | RuleFault {
  let rule = parsed.get(text);
  if (rule === undefined) {
    if (parsed.size >= MAX_PARSED) parsed.clear();
    parsed.set(text, (rule = readRule(text)));
  }
  return rule;
}

/** The name or glob of the tools that an entry is about, also where its arguments cannot be read. */
export function toolOfRule(text: string): string {
  const open = text.indexOf('(');
  return (open < 0 ? text : text.slice(0, open)).trim();
}

function readRule(text: string): Rule | RuleFault {
  const tool = toolOfRule(text);
  if (!TOOL.test(tool)) return { fault: `"${tool}" is no name of a tool` };
  const open = text.indexOf('(');
  if (open < 0) return { tool, arguments: [] };
  if (!text.trimEnd().endsWith(')')) return { fault: 'the last ) is missing' };
  const inside = text.slice(open + 1, text.lastIndexOf(')')).trim();
  if (inside === '') return { fault: 'there is nothing between ( and )' };
  const patterns: ArgumentPattern[] = [];
  for (const part of inside.split(NEXT)) {
    const at = part.indexOf('=');
    const [name, pattern] = [part.slice(0, Math.max(at, 0)).trim(), part.slice(at + 1).trim()];
    if (at < 0) return { fault: `"${part.trim()}" has no =` };
    if (!NAME.test(name)) return { fault: `"${name}" is no name of an argument` };
    if (pattern === '') return { fault: `"${name}" has no pattern` };
    if (patterns.some((other) => other.name === name)) return { fault: `"${name}" stands there twice` };
    patterns.push({ name, pattern });
  }
  return { tool, arguments: patterns };
}
