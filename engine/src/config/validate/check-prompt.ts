import type { Prompt } from '../config.ts';
import type { PromptMessage, PromptSource } from '../documents.gen.ts';
import type { DocumentPath, Finding } from '../problem.ts';
import { isUntrusted, isVariable, placeholders, unknownVariable } from '../prompt/variable.ts';

/** Checks the prompt of a director or an agent: its own messages, or the values that it passes to a template. */
export function checkPromptSource(prompt: PromptSource | undefined): Finding[] {
  if (prompt === undefined) return [];
  if (!('use' in prompt)) return checkMessages(prompt, ['prompt'], []);
  return Object.entries(prompt.with)
    .filter(([, value]) => placeholders(value).length > 0)
    .map(([key, value]) => ({
      code: 'CONFIG_LITERAL_VARIABLE' as const,
      path: ['prompt', 'with', key],
      message: `{{${placeholders(value)[0]}}} is not replaced here: values under "with" are literal text`,
      hint: 'write the variable in the template instead',
    }));
}

/** Checks a template: its own variables must not have the names of built-in variables; its messages may use both. */
export function checkTemplate({ variables, messages }: Prompt): Finding[] {
  const names = Object.keys(variables);
  const reserved = names
    .filter((name) => isVariable(name))
    .map((name) => ({
      code: 'CONFIG_RESERVED_VARIABLE' as const,
      path: ['variables', name],
      part: 'key' as const,
      message: `"${name}" is the name of a built-in variable`,
      hint: 'rename the variable',
    }));
  return [...reserved, ...checkMessages(messages, ['messages'], names)];
}

/** Checks an imprint by the rules of a system message. */
export function checkImprint(imprint: string | undefined): Finding[] {
  return imprint === undefined ? [] : checkContent(imprint, 'system', ['imprint'], []);
}

function checkMessages(messages: readonly PromptMessage[], path: DocumentPath, own: readonly string[]): Finding[] {
  return messages.flatMap(({ role, content }, i) => checkContent(content, role, [...path, i, 'content'], own));
}

function checkContent(
  content: string,
  role: PromptMessage['role'],
  path: DocumentPath,
  own: readonly string[],
): Finding[] {
  return placeholders(content).flatMap((name): Finding[] => {
    if (own.includes(name)) return [];
    if (!isVariable(name)) return [{ code: 'CONFIG_UNKNOWN_VARIABLE', path, ...unknownVariable(name, own) }];
    if (role === 'user' || !isUntrusted(name)) return [];
    // A model follows text in role system as an instruction, so mail text there is prompt injection (OWASP LLM01).
    const message = `{{${name}}} contains text from outside: it is allowed only in role user, not in role ${role}`;
    return [{ code: 'CONFIG_UNTRUSTED_VARIABLE', path, message, hint: 'move it to a message with role: user' }];
  });
}
