import type { Knowledge } from '../config/config.ts';
import { checkRegex } from '../filter/regex.ts';
import { DISCOVERY } from '../tool/offered.ts';
import type { Tool } from '../tool/tool.ts';

/** What config must know of the rooms to its right. */
export function knowledgeOf(tools: ReadonlyMap<string, Tool>): Knowledge {
  return {
    tools: new Map([...tools].map(([name, { family, effects }]) => [name, { family, effects }])),
    discovery: DISCOVERY,
    checkRegex,
  };
}
