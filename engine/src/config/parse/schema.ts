import { createRequire } from 'node:module';
import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import account from '../../../../schemas/account.schema.json' with { type: 'json' };
import agent from '../../../../schemas/agent.schema.json' with { type: 'json' };
import api from '../../../../schemas/api.schema.json' with { type: 'json' };
import chat from '../../../../schemas/chat.schema.json' with { type: 'json' };
import director from '../../../../schemas/director.schema.json' with { type: 'json' };
import filter from '../../../../schemas/filter.schema.json' with { type: 'json' };
import prompt from '../../../../schemas/prompt.schema.json' with { type: 'json' };
import settings from '../../../../schemas/settings.schema.json' with { type: 'json' };
import test from '../../../../schemas/test.schema.json' with { type: 'json' };
import tool from '../../../../schemas/tool.schema.json' with { type: 'json' };
import type { Kind } from '../config.ts';
import { isPlainSchema } from './plain-schema.ts';
import * as validators from './validators.gen.ts';

/** What has a schema: each kind of document, and files with tests, which are no documents. */
export type SchemaName = Kind | 'test';

/** The JSON Schema of each kind, and of files with tests. */
export const SCHEMAS: Readonly<Record<SchemaName, object>> = {
  settings,
  api,
  account,
  filter,
  director,
  agent,
  prompt,
  tool,
  chat,
  test,
};

/** Our own annotations, which do not affect validity. `validate/explain-schema-error.ts` reads them. */
export const ANNOTATIONS = ['x-unit', 'x-expected', 'x-secret', 'x-regex', 'x-default-from'];

/** Checks a value against the schema of a kind and adds defaults to it. Returns no errors if it is valid. */
export type CheckShape = (kind: SchemaName, value: object) => readonly ErrorObject[];

/** Why a value is not a JSON Schema (draft 2020-12) that arguments can be checked against; undefined if it is one. */
export function whyNotSchema(schema: object): string | undefined {
  if (isPlainSchema(schema)) return undefined;
  // Few folders hold a schema that is not plain, so the compiler is loaded with the first one.
  const { Ajv2020 } = createRequire(import.meta.url)('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  const options = { strict: false, validateFormats: false, logger: false } as const;
  try {
    metaSchema ??= new Ajv2020(options);
    metaSchema.validateSchema(schema, true);
    // An instance of its own, since each keeps all that it compiles; the check against the meta-schema is done.
    new Ajv2020({ ...options, meta: false, validateSchema: false }).compile(structuredClone(schema));
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Holds the compiled meta-schema, which takes longer than most schemas. */
let metaSchema: Ajv2020 | undefined;

/** Our schemas, compiled ahead of time (`npm run generate`): to compile them took a third of the time of each command. */
const VALIDATORS = validators as unknown as Readonly<Record<SchemaName, ValidateFunction>>;

export function createShapeCheck(): CheckShape {
  return (kind, value) => {
    const validate = VALIDATORS[kind];
    return validate(value) === true ? [] : (validate.errors ?? []);
  };
}
