import { isRecord } from '../../base/json.ts';
import { checkRegex } from '../../regex/regex.ts';
import { whyNotSchema } from '../parse/schema.ts';
import type { TestAssertion } from '../documents.gen.ts';
import { type AssertionType, typeOf } from './test-file.ts';

/** Says what is wrong with the value of an assertion; undefined where nothing is. */
type Check = (value: unknown, assertion: TestAssertion) => string | undefined;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isTexts = (value: unknown) => Array.isArray(value) && value.length > 0 && value.every(isText);

const text: Check = (value) => (isText(value) ? undefined : 'value must be a text');
const texts: Check = (value) => (isTexts(value) ? undefined : 'value must be a list of texts');
const textOrTexts: Check = (value) =>
  isText(value) || isTexts(value) ? undefined : 'value must be a text or a list of texts';
const none: Check = (value) => (value === undefined ? undefined : 'this type has no value');
const limit: Check = (value, { threshold }) =>
  typeof threshold === 'number' || typeof value === 'number' ? undefined : 'threshold is missing: the most that passes';
const toolCall: Check = (value) => {
  if (isText(value)) return undefined;
  const isCall = isRecord(value) && isText(value['tool']) && isRecord(value['arguments'] ?? {});
  const isOnly = isCall && Object.keys(value).every((key) => key === 'tool' || key === 'arguments');
  return isOnly ? undefined : 'value must be the name of a tool, or { tool, arguments }';
};

/** What the value of each type must be. */
const CHECKS: Readonly<Record<AssertionType, Check>> = {
  'equals': (value) => (value === undefined ? 'value is missing' : undefined),
  'contains': text,
  'contains-any': texts,
  'contains-all': texts,
  'icontains': text,
  'icontains-any': texts,
  'icontains-all': texts,
  'regex': (value) => text(value, { type: 'regex' }) ?? checkRegex(String(value)),
  'is-json': (value) => {
    if (value === undefined) return undefined;
    return isRecord(value) ? whyNotSchema(value) : 'value must be a JSON Schema';
  },
  'tool-called': toolCall,
  'tool-sequence': texts,
  'turns': limit,
  'cost': limit,
  'latency': limit,
  'route': (value) =>
    isText(value) || (Array.isArray(value) && value.every(isText))
      ? undefined
      : 'value must be the id of a director, or a list of ids; [] for no director',
  'recipient': textOrTexts,
  'language': (value) =>
    typeof value === 'string' && /^[a-z]{2,3}$/.test(value) ? undefined : 'value must be a language code such as en',
  'approval-asked': (value) => (value === undefined || isText(value) ? undefined : 'value must be the name of a tool'),
  'effect-none': none,
  'no-pii': none,
  'similar': textOrTexts,
  'llm-rubric': text,
  'unchanged': none,
};

/** Types that read a text, and so may say which one with `on`. */
const READS_TEXT: ReadonlySet<AssertionType> = new Set<AssertionType>([
  ...(['equals', 'contains', 'contains-any', 'contains-all', 'icontains', 'icontains-any', 'icontains-all'] as const),
  ...(['regex', 'is-json', 'language', 'no-pii', 'similar', 'llm-rubric'] as const),
]);

/** What is wrong with an assertion beyond its schema, with the key that is wrong; undefined where nothing is. */
export function checkAssertion(
  assertion: TestAssertion,
): { readonly key: 'value' | 'on'; readonly message: string } | undefined {
  const { type } = typeOf(assertion);
  const message = CHECKS[type](assertion.value, assertion);
  if (message !== undefined) return { key: 'value', message: `${assertion.type}: ${message}` };
  if (assertion.on === undefined || READS_TEXT.has(type)) return undefined;
  return { key: 'on', message: `${assertion.type} reads no text, so it takes no "on"` };
}
