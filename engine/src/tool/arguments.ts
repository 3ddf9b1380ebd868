import type { ValidateFunction } from 'ajv';
import { EngineError } from '../base/error.ts';
import { isRecord, isTooDeep, MAX_JSON_DEPTH } from '../base/json.ts';

export type Arguments = Readonly<Record<string, unknown>>;

/** Compiled schemas in memory at most, beside those of tools that are in use. */
const MAX_COMPILED = 200;

/**
 * Parses and checks the arguments of tool calls. It guesses and repairs nothing: its errors tell the model what to correct. An
 * empty text counts as `{}`, since models send it for tools without parameters.
 */
export class ArgumentChecker {
  readonly #validators = new WeakMap<object, Promise<ValidateFunction>>();
  readonly #byText = new Map<string, Promise<ValidateFunction>>();

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
    const faults = await this.faults(value, schema, 'arguments');
    if (faults === undefined) return value;
    throw new EngineError('TOOL_ARGUMENTS', faults, {
      hint: 'call the tool again with arguments that match its parameters',
    });
  }

  /** Why a value, which `name` stands for, does not match a schema: the first five faults; undefined where it does. */
  async faults(value: unknown, schema: object, name: string): Promise<string | undefined> {
    const validate = await this.#validator(schema);
    if (validate(value)) return undefined;
    const faults = (validate.errors ?? []).slice(0, 5).map(({ instancePath, message, params }) => {
      const extra: unknown = params['additionalProperty'] ?? params['allowedValues'];
      return `${instancePath === '' ? name : instancePath.slice(1)} ${message}${extra === undefined ? '' : ` (${String(extra)})`}`;
    });
    return faults.join('; ');
  }

  #validator(schema: object): Promise<ValidateFunction> {
    let validator = this.#validators.get(schema);
    if (validator === undefined) {
      // Schemas of answers are read from the store and made anew: the same text needs no second compilation, of some 10 ms.
      const text = JSON.stringify(schema);
      validator = this.#byText.get(text) ?? compile(schema);
      if (this.#byText.size >= MAX_COMPILED) this.#byText.clear();
      this.#byText.set(text, validator);
      this.#validators.set(schema, validator);
    }
    return validator;
  }
}

/** Ajv takes 27 ms to load: only once a tool is called. */
async function compile(schema: object): Promise<ValidateFunction> {
  const [{ Ajv2020 }, { checkRegex, compileRegex }] = await Promise.all([
    import('ajv/dist/2020.js'),
    import('../regex/regex.ts'),
  ]);
  // Declared tools and MCP servers bring patterns of their own, and arguments may come from a mail. A pattern without a
  // linear-time engine accepts everything; config refuses it.
  const linear = (pattern: string) => {
    const regex = checkRegex(pattern) === undefined ? compileRegex(pattern) : undefined;
    // Ajv keeps the patterns of a schema apart by their text.
    return { test: (text: string) => regex?.test(text) ?? true, toString: () => pattern };
  };
  const regExp = Object.assign(linear, { code: 'linear' });
  // Whoever takes a schema in has checked it (`whyNotSchema`): to compile the meta-schema again takes 20 ms a schema.
  const checked = { meta: false, validateSchema: false } as const;
  return new Ajv2020({ ...checked, allErrors: true, strict: false, validateFormats: false, code: { regExp } }).compile(
    schema,
  );
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
