import type { AssertionType } from '../../config/test/test-file.ts';
import type { TestAssertion } from '../../config/documents.gen.ts';
import { canonicalJson } from '../../base/json.ts';
import { compileRegex } from '../../regex/regex.ts';
import { type Checker, cut, type Checked } from './checker.ts';
import { textsOf } from './texts.ts';

const PLACE = { answer: 'answer', items: 'item', drafts: 'draft' } as const;

/** Least likeness of `similar`, and least score of `llm-rubric`. */
const LIKE = 0.75;
const GOOD = 0.5;

/** A checker that holds where one of the texts does. */
const some =
  (test: (text: string, assertion: TestAssertion) => boolean): Checker =>
  (assertion, { outcome }) => {
    const texts = textsOf(outcome, assertion.on);
    return { holds: texts.some((text) => test(text, assertion)), found: foundIn(texts, assertion) };
  };

function foundIn(texts: readonly string[], { on = 'answer' }: TestAssertion): string {
  if (texts.length === 0) return `there is no ${PLACE[on]}`;
  return texts.map((text) => `the ${PLACE[on]} is "${cut(text)}"`).join('; ');
}

const listOf = (value: unknown): string[] => [value].flat().map(String);
const lower = (text: string) => text.toLowerCase();

/** The checkers that read a text. */
export const TEXT_ASSERTIONS = {
  'equals': some((text, { value }) => isEqual(text, value)),
  'contains': some((text, { value }) => text.includes(String(value))),
  'contains-any': some((text, { value }) => listOf(value).some((one) => text.includes(one))),
  'contains-all': some((text, { value }) => listOf(value).every((one) => text.includes(one))),
  'icontains': some((text, { value }) => lower(text).includes(lower(String(value)))),
  'icontains-any': some((text, { value }) => listOf(value).some((one) => lower(text).includes(lower(one)))),
  'icontains-all': some((text, { value }) => listOf(value).every((one) => lower(text).includes(lower(one)))),
  'regex': some((text, { value }) => compileRegex(String(value)).test(text)),
  'is-json': async (assertion, { outcome, judges }) => {
    const texts = textsOf(outcome, assertion.on);
    const { value, isNot } = assertion;
    for (const text of texts) {
      const read = parseJson(text);
      const faults =
        read === undefined
          ? `"${cut(text)}" is not JSON`
          : value === undefined
            ? undefined
            : await judges.schemaFaults(read.value, value);
      // Of several texts, all must match; with `not-`, none may.
      if ((faults !== undefined) !== isNot) return { holds: isNot, found: faults ?? foundIn([text], assertion) };
    }
    return { holds: texts.length > 0 && !isNot, found: foundIn(texts, assertion) };
  },
  'language': async (assertion, { outcome, judges }) => {
    const texts = textsOf(outcome, assertion.on);
    const found = await Promise.all(texts.map((text) => judges.language(text)));
    const wanted = String(assertion.value);
    return {
      holds: assertion.isNot ? found.includes(wanted) : found.length > 0 && found.every((code) => code === wanted),
      found: found.length === 0 ? foundIn(texts, assertion) : `it is ${found.join(', ')}`,
    };
  },
  'no-pii': async (assertion, { outcome, judges }) => {
    const texts = textsOf(outcome, assertion.on);
    const found = (await Promise.all(texts.map((text) => judges.privateValues(text)))).flat();
    return {
      holds: found.length === 0,
      found: found.length === 0 ? 'nothing private' : `it has ${cut(found.join(', '))}`,
    };
  },
  'similar': async (assertion, { outcome, judges }) => {
    const texts = textsOf(outcome, assertion.on);
    let best = 0;
    for (const text of texts)
      for (const other of listOf(assertion.value)) best = Math.max(best, await judges.similarity(text, other));
    const holds = texts.length > 0 && best >= (assertion.threshold ?? LIKE);
    return { holds, found: texts.length === 0 ? foundIn(texts, assertion) : `its likeness is ${best.toFixed(2)}` };
  },
  'llm-rubric': async (assertion, { outcome, judges }) => {
    const texts = textsOf(outcome, assertion.on);
    if (texts.length === 0) return { holds: false, found: foundIn(texts, assertion) };
    const { score, reason } = await judges.rubric(String(assertion.value), texts.join('\n\n'));
    const holds = score >= (assertion.threshold ?? GOOD);
    return { holds, found: `score ${score.toFixed(2)}: ${cut(reason)}` } satisfies Checked;
  },
} satisfies Partial<Record<AssertionType, Checker>>;

/** Texts are equal but for white space at their ends; any other value is compared with the text as JSON. */
function isEqual(text: string, value: unknown): boolean {
  if (typeof value === 'string') return text.trim() === value.trim();
  const read = parseJson(text);
  return read !== undefined && canonicalJson(read.value) === canonicalJson(value);
}

function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text.trim()) as unknown };
  } catch {
    return undefined;
  }
}
