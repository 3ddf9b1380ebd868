import { EngineError } from '../../base/error.ts';
import type { CommandTool } from '../../config/documents.gen.ts';
import { argumentsIn, parseTemplate } from '../../config/tool-template.ts';
import type { Arguments } from '../arguments.ts';
import { fillOptional } from './fill-template.ts';

/**
 * The program and its arguments. Each placeholder stays within one argument; one that is only a placeholder is left out if its value is
 * missing. `TOOL_ARGUMENTS` for a value that the program could read as an option: one that begins with `-` before `'--'`.
 */
export function buildArgv({ argv }: Pick<CommandTool, 'argv'>, args: Arguments): string[] {
  const end = argv.indexOf('--');
  return argv.flatMap((template, i) => {
    const text = fillOptional(template, { args, reference: (reference) => reference });
    if (text === undefined) return [];
    if (text.includes('\0')) throw refused(template, 'contains a NUL character');
    const [first] = parseTemplate(template);
    const isAfterEnd = end >= 0 && i > end;
    if (!isAfterEnd && first?.kind === 'argument' && text.startsWith('-'))
      throw refused(
        template,
        `begins with "-": ${JSON.stringify(text.slice(0, 60))} would be an option of the program`,
      );
    return [text];
  });
}

function refused(template: string, why: string): EngineError {
  const [name = ''] = argumentsIn(template);
  return new EngineError('TOOL_ARGUMENTS', `the argument "${name}" ${why}`, {
    hint: 'call the tool again with another value; a file can be written as ./-name',
  });
}
