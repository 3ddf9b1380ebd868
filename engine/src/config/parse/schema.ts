import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import account from '../../../../schemas/account.schema.json' with { type: 'json' };
import agent from '../../../../schemas/agent.schema.json' with { type: 'json' };
import api from '../../../../schemas/api.schema.json' with { type: 'json' };
import director from '../../../../schemas/director.schema.json' with { type: 'json' };
import filter from '../../../../schemas/filter.schema.json' with { type: 'json' };
import prompt from '../../../../schemas/prompt.schema.json' with { type: 'json' };
import settings from '../../../../schemas/settings.schema.json' with { type: 'json' };
import type { Kind } from '../config.ts';

/** The hand-written shape of each kind. */
export const SCHEMAS: Readonly<Record<Kind, object>> = { settings, api, account, filter, director, agent, prompt };

/** Annotations of ours, which say nothing about validity. `schemas/` explains itself; `explain.ts` reads them. */
const ANNOTATIONS = ['x-unit', 'x-expected', 'x-secret', 'x-regex', 'x-default-from'];

/** Checks a value against the schema of a kind, and fills defaults into it. Empty where it is valid. */
export type CheckShape = (kind: Kind, value: object) => readonly ErrorObject[];

/** One for all configs of a process: what it compiles follows from our schemas alone. */
let ajv: Ajv2020 | undefined;

/** Schemas are compiled when the first document of their kind comes: some 10 ms each, once a process. */
export function createShapeCheck(): CheckShape {
  return (kind, value) => {
    ajv ??= createAjv();
    const validate = ajv.getSchema(`${kind}.schema.json`) ?? ajv.compile(SCHEMAS[kind]);
    return validate(value) === true ? [] : (validate.errors ?? []);
  };
}

function createAjv(): Ajv2020 {
  const made = new Ajv2020({
    // The schemas are ours, and tests hold them against the meta-schema. With these four, compiling all of them takes half as
    // long, at each start and each command, and checking no longer.
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
