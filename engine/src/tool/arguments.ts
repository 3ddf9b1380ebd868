import type { ValidateFunction } from 'ajv';
import { EngineError } from '../base/error.ts';
import { isRecord, isTooDeep, MAX_JSON_DEPTH } from '../base/json.ts';

export type Arguments = Readonly<Record<string, unknown>>;

/**
 * Parses and checks the arguments of tool calls. It guesses and repairs nothing: its errors tell the model what to correct. An
 * empty text counts as `{}`, since models send it for tools without parameters.
 */
export class ArgumentChecker {
  readonly #validators = new WeakMap<object, Promise<ValidateFunction>>();

  /** The arguments as an object. `TOOL_ARGUMENTS` where the text is not JSON, not an object, or does not match the schema. */
  async read(text: string, schema: object): Promise<Arguments> {
    const value = parse(text.trim() === '' ? '{}' : text);
    return this.check(value, schema);
  }

  /** The same for a parsed value, such as arguments that a person has edited. */
  async check(value: unknown, schema: object): Promise<Arguments> {
    if (!isRecord(value))
      throw new EngineError('TOOL_ARGUMENTS', `arguments must be a JSON object, found ${nameOf(value)}`, {
        hint: 'send an object',
      });
    const validate = await this.#validator(schema);
    if (validate(value)) return value;
    const faults = (validate.errors ?? []).slice(0, 5).map(({ instancePath, message, params }) => {
      const extra: unknown = params['additionalProperty'] ?? params['allowedValues'];
      return `${instancePath === '' ? 'arguments' : instancePath.slice(1)} ${message}${extra === undefined ? '' : ` (${String(extra)})`}`;
    });
    throw new EngineError('TOOL_ARGUMENTS', faults.join('; '), {
      hint: 'call the tool again with arguments that match its parameters',
    });
  }

  #validator(schema: object): Promise<ValidateFunction> {
    let validator = this.#validators.get(schema);
    if (validator === undefined) {
      // Ajv takes 27 ms to load: only once a tool is called.
      validator = Promise.all([import('ajv/dist/2020.js'), import('../regex/regex.ts')]).then(
        ([{ Ajv2020 }, { checkRegex, compileRegex }]) => {
          // Declared tools and MCP servers bring patterns of their own, and arguments may come from a mail. A pattern without a
          // linear-time engine accepts everything; config refuses it.
          const linear = (pattern: string) => {
            const regex = checkRegex(pattern) === undefined ? compileRegex(pattern) : undefined;
            // Ajv keeps the patterns of a schema apart by their text.
            return { test: (text: string) => regex?.test(text) ?? true, toString: () => pattern };
          };
          const regExp = Object.assign(linear, { code: 'linear' });
          return new Ajv2020({ allErrors: true, strict: false, validateFormats: false, code: { regExp } }).compile(
            schema,
          );
        },
      );
      this.#validators.set(schema, validator);
    }
    return validator;
  }
}

function parse(text: string): unknown {
  if (isTooDeep(text))
    throw new EngineError('TOOL_ARGUMENTS', `arguments are nested more than ${MAX_JSON_DEPTH} levels deep`, {
      hint: 'send the same call again with fewer levels',
    });
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch (cause) {
    throw new EngineError(
      'TOOL_ARGUMENTS',
      `arguments are not valid JSON: ${cause instanceof Error ? cause.message : String(cause)}`,
      {
        hint: 'send the same call again with valid JSON',
        cause,
      },
    );
  }
}

function nameOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : typeof value;
}
