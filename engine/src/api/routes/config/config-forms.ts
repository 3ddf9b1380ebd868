import { stringify } from 'yaml';
import { EngineError } from '../../../base/error.ts';
import { type Kind, KINDS } from '../../../config/config.ts';
import { parseText } from '../../../config/parse/parse.ts';
import { SCHEMAS } from '../../../config/parse/schema.ts';
import { whyEmpty } from '../../../config/prompt/empty-variables.ts';
import { isUntrusted, VARIABLES } from '../../../config/prompt/variable.ts';
import type { RegexTrial } from '../../../filter/filter.ts';
import type { AddRoutes, Services } from '../../api.ts';
import { optional, readBody, text } from '../../http/body.ts';

/** What the form of a kind of documents is made from. */
export interface FormFacts {
  /** JSON Schema (draft 2020-12), with `x-unit`, `x-secret`, `x-regex` and `x-expected`. */
  readonly schema: object;
  /** Variables that prompts of this kind can have, without those that are always empty there. */
  readonly variables: readonly { readonly name: string; readonly isUntrusted: boolean }[];
}

/** Longest pattern and longest text of a trial, in characters: the limits of a filter. */
const MAX_PATTERN = 2000;
const MAX_TEXT = 256 * 1024;
/** Longest part of a document as YAML or JSON, in characters, so that reading it does not hold the event loop. */
const MAX_PART = 64 * 1024;

/**
 * What the forms of the viewer need: `GET /api/config/forms/:kind`, schema and variables · `POST /api/config/regex { regex, text }`, a pattern
 * tried by the linear engine of the filters · `POST /api/config/yaml { text }` answers `{ value }`, and `{ value }` answers `{ text }`.
 */
export const configFormRoutes: AddRoutes = (router, services) => {
  router.get('/config/forms/:kind', (ctx) => {
    ctx.body = factsOf(kindOf(ctx.params['kind']));
  });
  router.post('/config/regex', async (ctx) => {
    const { regex, text: subject } = readBody(ctx, { regex: text, text });
    ctx.body = await tryRegex(services, regex, subject);
  });
  router.post('/config/yaml', (ctx) => {
    const { text: yaml, value } = readBody(ctx, { text: optional(text), value: (given) => given });
    if ((yaml ?? JSON.stringify(value ?? null)).length > MAX_PART)
      throw new EngineError('TOO_LARGE', `the part of a document has more than ${MAX_PART} characters`);
    ctx.body = yaml === undefined ? { text: stringify(value, { lineWidth: 0 }) } : { value: valueOf(yaml) };
  });
};

function factsOf(kind: Kind): FormFacts {
  const actor = kind === 'director' || kind === 'agent' ? { kind, hasScope: true } : undefined;
  const names = VARIABLES.filter((name) => whyEmpty(name, actor) === undefined);
  return {
    schema: SCHEMAS[kind],
    variables: names.map((name) => ({ name, isUntrusted: isUntrusted(name) })),
  };
}

async function tryRegex(services: Services, pattern: string, subject: string): Promise<RegexTrial> {
  if (pattern.length > MAX_PATTERN) return { problem: `the pattern has more than ${MAX_PATTERN} characters` };
  if (pattern === '') return { problem: 'the pattern is empty' };
  if (subject.length > MAX_TEXT) throw new EngineError('TOO_LARGE', `the text has more than ${MAX_TEXT} characters`);
  return services.tryRegex(pattern, subject).catch((error: unknown) => {
    if (!(error instanceof EngineError && error.code === 'MAIL_TOO_COSTLY')) throw error;
    return { problem: `the pattern ${error.message}; use smaller counts in {…}, or a shorter text` };
  });
}

function valueOf(yaml: string): unknown {
  const { value, findings } = parseText(yaml, 'text.yaml');
  const [first] = findings;
  if (first === undefined) return value;
  throw new EngineError('BAD_REQUEST', `line ${first.at.line}, column ${first.at.column}: ${first.message}`, {
    hint: first.hint,
  });
}

function kindOf(given: unknown): Kind {
  const kind = (Object.keys(KINDS) as Kind[]).find((known) => known === given);
  if (kind !== undefined) return kind;
  throw new EngineError('NOT_FOUND', `there is no kind of documents "${String(given)}"`, {
    hint: `kinds: ${Object.keys(KINDS).join(', ')}`,
  });
}
