import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import account from '../../../../schemas/account.schema.json' with { type: 'json' };
import agent from '../../../../schemas/agent.schema.json' with { type: 'json' };
import api from '../../../../schemas/api.schema.json' with { type: 'json' };
import chat from '../../../../schemas/chat.schema.json' with { type: 'json' };
import director from '../../../../schemas/director.schema.json' with { type: 'json' };
import filter from '../../../../schemas/filter.schema.json' with { type: 'json' };
import prompt from '../../../../schemas/prompt.schema.json' with { type: 'json' };
import settings from '../../../../schemas/settings.schema.json' with { type: 'json' };
import tool from '../../../../schemas/tool.schema.json' with { type: 'json' };
import type { Kind } from '../config.ts';

/** The JSON Schema of each kind. */
export const SCHEMAS: Readonly<Record<Kind, object>> = {
  settings,
  api,
  account,
  filter,
  director,
  agent,
  prompt,
  tool,
  chat,
};

/** Our own annotations, which do not affect validity. `validate/explain-schema-error.ts` reads them. */
const ANNOTATIONS = ['x-unit', 'x-expected', 'x-secret', 'x-regex', 'x-default-from'];

/** Checks a value against the schema of a kind and adds defaults to it. Returns no errors if it is valid. */
export type CheckShape = (kind: Kind, value: object) => readonly ErrorObject[];

/** One instance for all configs of a process: its compiled schemas depend only on our schema files. */
let ajv: Ajv2020 | undefined;

/** Why a value is not a JSON Schema (draft 2020-12) that arguments can be checked against; undefined if it is one. */
export function whyNotSchema(schema: object): string | undefined {
  try {
    new Ajv2020({ strict: false, validateFormats: false, logger: false }).compile(structuredClone(schema));
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Compiles each schema with the first document of its kind: about 10 ms each, once per process. */
export function createShapeCheck(): CheckShape {
  return (kind, value) => {
    ajv ??= createAjv();
    const validate = ajv.getSchema(`${kind}.schema.json`) ?? ajv.compile(SCHEMAS[kind]);
    return validate(value) === true ? [] : (validate.errors ?? []);
  };
}

function createAjv(): Ajv2020 {
  const made = new Ajv2020({
    // The schemas are ours, and tests check them against the meta-schema. These four options halve the time to compile them
    // at each start and each command; validation is not slower.
    meta: false,
    validateSchema: false,
    inlineRefs: false,
    code: { optimize: false },
    allErrors: true,
    allowUnionTypes: true,
    discriminator: true,
    strict: true,
    strictRequired: false,
    useDefaults: true,
    verbose: true,
  });
  made.addVocabulary(ANNOTATIONS);
  return made;
}
