import type { Prompt } from '../config.ts';
import type { PromptMessage, PromptSource } from '../documents.gen.ts';
import type { DocumentPath, Finding } from '../problem.ts';
import { type PromptActor, whyEmpty } from '../prompt/empty-variables.ts';
import { namesAny, PLACED_BY } from '../prompt/render-prompt.ts';
import { isUntrusted, isVariable, placeholders, unknownVariable, type Variable } from '../prompt/variable.ts';

/** Checks the prompt of a director or an agent: its own messages, or the values that it passes to a template. */
export function checkPromptSource(prompt: PromptSource | undefined, actor: PromptActor): Finding[] {
  if (prompt === undefined) return [];
  if (!('use' in prompt)) return checkMessages(prompt, ['prompt'], { own: [], actor });
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
  return [...reserved, ...checkMessages(messages, ['messages'], { own: names, actor: undefined })];
}

/** Checks an imprint by the rules of a system message. */
export function checkImprint(imprint: string | undefined, actor: PromptActor): Finding[] {
  return imprint === undefined ? [] : checkContent(imprint, 'system', ['imprint'], { own: [], actor });
}

interface PromptOwner {
  /** A template's own variables. */
  readonly own: readonly string[];
  /** Undefined for a template. */
  readonly actor: PromptActor | undefined;
}

function checkMessages(messages: readonly PromptMessage[], path: DocumentPath, owner: PromptOwner): Finding[] {
  const found = messages.flatMap((message, i) => [
    ...checkCall(message, [...path, i]),
    ...checkContent(message.content, message.role, [...path, i, 'content'], owner),
  ]);
  return [...found, ...(owner.actor?.kind === 'agent' ? [] : checkPlace(messages, path))];
}

/** `name` and `arguments` describe the call that a result in role `tool` answers. Other roles have none. */
function checkCall(message: PromptMessage, path: DocumentPath): Finding[] {
  if (message.role === 'tool') return [];
  return (['name', 'arguments'] as const)
    .filter((key) => message[key] !== undefined)
    .map((key) => ({
      code: 'CONFIG_UNKNOWN_KEY' as const,
      path: [...path, key],
      part: 'key' as const,
      message: `"${key}" belongs to a message in role tool, and this one is in role ${message.role}`,
      hint: 'write role: tool for the result of a tool call, or remove the key',
    }));
}

function checkContent(
  content: string,
  role: PromptMessage['role'],
  path: DocumentPath,
  { own, actor }: PromptOwner,
): Finding[] {
  return placeholders(content).flatMap((name): Finding[] => {
    if (own.includes(name)) return [];
    if (!isVariable(name)) return [{ code: 'CONFIG_UNKNOWN_VARIABLE', path, ...unknownVariable(name, own) }];
    if (role !== 'user' && isUntrusted(name)) return [untrusted(name, role, path)];
    const empty = whyEmpty(name, actor);
    return empty === undefined ? [] : [{ code: 'CONFIG_EMPTY_VARIABLE', path, ...empty }];
  });
}

/** A model follows text in role system as an instruction, so mail text there is prompt injection (OWASP LLM01). */
function untrusted(name: Variable, role: PromptMessage['role'], path: DocumentPath): Finding {
  const message = `{{${name}}} contains text from outside: it is allowed only in role user, not in role ${role}`;
  return { code: 'CONFIG_UNTRUSTED_VARIABLE', path, message, hint: 'move it to a message with role: user' };
}

/**
 * Reports a prompt that names a part of the mail, such as its subject, and leaves the mail itself out: the mail is then
 * appended as a whole, which its author may not expect. Nothing is lost, so it is a warning.
 */
function checkPlace(messages: readonly PromptMessage[], path: DocumentPath): Finding[] {
  if (messages.some(({ role, content }) => namesAny(role, content, PLACED_BY.mail))) return [];
  return messages.flatMap(({ role, content }, i): Finding[] => {
    const part = role === 'user' ? placeholders(content).find((name) => name.startsWith('email.')) : undefined;
    if (part === undefined) return [];
    const message = `{{${part}}} is only a part of the mail: no message places the mail itself, so all of it is appended`;
    const hint = 'write {{email}} or {{email.text}} where the mail belongs';
    return [{ code: 'CONFIG_MAIL_NOT_PLACED', path: [...path, i, 'content'], message, hint }];
  });
}
