import { EngineError } from '../../../base/error.ts';
import { isRecord } from '../../../base/json.ts';
import type { Prompt, Snapshot } from '../../../config/config.ts';
import type { PromptMessage, PromptSource } from '../../../config/documents.gen.ts';
import { type Field, whereOf } from '../../http/body.ts';

/** A prompt that is not stored, for a preview. */
export interface PromptDraft {
  readonly prompt: PromptSource;
  /** The variables of a template. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Id of the draft among the templates; no stored template can have it. */
const DRAFT = 'the draft';

/** The prompt of an actor while a draft is previewed: messages become a template, which has variables of its own. */
export function sourceOf({ prompt }: PromptDraft): PromptSource {
  return 'use' in prompt ? prompt : { use: DRAFT, with: {} };
}

/** The config with the messages of a draft as a template. `NOT_FOUND` for a draft that uses an unknown template. */
export function withDraft(config: Snapshot, draft: PromptDraft | undefined): Snapshot {
  if (draft === undefined) return config;
  const { prompt, variables } = draft;
  if ('use' in prompt) {
    if (config.prompts.has(prompt.use)) return config;
    throw new EngineError('NOT_FOUND', `there is no template "${prompt.use}"`);
  }
  const template: Prompt = { id: DRAFT, description: '', enabled: true, variables, messages: prompt };
  return { ...config, prompts: new Map([...config.prompts, [DRAFT, template]]) };
}

const ROLES = ['system', 'user', 'assistant', 'tool'] as const satisfies readonly PromptMessage['role'][];

/** A prompt in a body: a list of messages, or `{ use, with? }`. */
export const promptSource: Field<PromptSource> = (value, key) => {
  if (Array.isArray(value)) return value.map((entry, i) => promptMessage(entry, `${key}[${i}]`));
  if (isRecord(value) && typeof value['use'] === 'string')
    return { use: value['use'], with: textsByName(value['with'] ?? {}, `${key}.with`) };
  throw refuse(key, 'a list of messages, or { use, with }');
};

/** An object whose values are strings. */
export const textsByName: Field<Readonly<Record<string, string>>> = (value, key) => {
  if (!isRecord(value)) throw refuse(key, 'an object');
  const texts = Object.entries(value).map(([name, entry]): [string, string] => {
    if (typeof entry === 'string') return [name, entry];
    throw refuse(`${key}.${name}`, 'a string');
  });
  return Object.fromEntries(texts);
};

function promptMessage(value: unknown, key: string): PromptMessage {
  if (!isRecord(value)) throw refuse(key, 'an object');
  const role = ROLES.find((known) => known === value['role']);
  if (role === undefined) throw refuse(`${key}.role`, ROLES.join(', '));
  const { content, name, arguments: args } = value;
  if (typeof content !== 'string') throw refuse(`${key}.content`, 'a string');
  if (name !== undefined && typeof name !== 'string') throw refuse(`${key}.name`, 'a string');
  if (args !== undefined && !isRecord(args)) throw refuse(`${key}.arguments`, 'an object');
  return { role, content, ...(name !== undefined && { name }), ...(args !== undefined && { arguments: args }) };
}

function refuse(key: string, expected: string): EngineError {
  return new EngineError('BAD_REQUEST', `"${key}" must be ${expected}`, { where: whereOf(key) });
}
