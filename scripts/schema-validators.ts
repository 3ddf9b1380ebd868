import { Ajv2020 } from 'ajv/dist/2020.js';
import standaloneModule from 'ajv/dist/standalone/index.js';
import { ANNOTATIONS, SCHEMAS } from '../engine/src/config/parse/schema.ts';

const BANNER = `// Generated from schemas/*.schema.json by \`npm run generate\`. Do not edit.
// @ts-nocheck
import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
`;

/** The text of `validators.gen.ts`: for each kind a function that checks a value as `createShapeCheck` says. */
export function generateValidators(): string {
  const ajv = new Ajv2020({
    // The schemas are ours, and tests check them against the meta-schema.
    meta: false,
    validateSchema: false,
    inlineRefs: false,
    code: { source: true, esm: true, lines: true },
    allErrors: true,
    allowUnionTypes: true,
    discriminator: true,
    strict: true,
    strictRequired: false,
    useDefaults: true,
    verbose: true,
  });
  ajv.addVocabulary(ANNOTATIONS);
  for (const schema of Object.values(SCHEMAS)) ajv.addSchema(schema);
  const code = standaloneModule.default(
    ajv,
    Object.fromEntries(Object.keys(SCHEMAS).map((kind) => [kind, `${kind}.schema.json`])),
  );
  // What Ajv compiles requires small files of its own, also in the form of an ES module.
  return BANNER + code.replace(/^"use strict";\n?/, '');
}
