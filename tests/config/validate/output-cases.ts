import { agent, director, type ProblemCase } from '../problem-cases.ts';

const schema = (text: string) => `output:\n  schema:\n    ${text}\n`;

/** Forms of answers that cannot be used. */
export const OUTPUTS: readonly ProblemCase[] = [
  {
    name: 'a form of an answer',
    files: director(schema('{ type: object, required: [a], properties: { a: { type: string } } }')),
    found: [],
  },
  {
    name: 'a type that JSON Schema does not have',
    files: agent(schema('{ type: object, properties: { mood: { type: text } } }')),
    found: ['agents/reader.yaml:4:49 CONFIG_OUTPUT_SCHEMA'],
    says: 'output.schema is not a valid JSON Schema: properties.mood.type must be equal to one of the allowed values',
  },
  {
    name: 'a schema from another place',
    files: director(schema('{ $ref: "https://example.org/mood.json" }')),
    found: ['directors/boss.yaml:5:5 CONFIG_OUTPUT_SCHEMA'],
    says: "can't resolve reference",
  },
  {
    name: 'a pattern that may take for ever',
    files: agent(schema("{ type: string, pattern: '(?=a)b' }")),
    found: ['agents/reader.yaml:4:30 CONFIG_OUTPUT_SCHEMA'],
    says: 'cannot be used: look-ahead',
  },
  { name: 'no schema at all', files: agent('output: {}\n'), found: ['agents/reader.yaml:2:9 CONFIG_MISSING_KEY'] },
  {
    name: 'a schema that says nothing',
    files: agent(schema('{}')),
    found: ['agents/reader.yaml:4:5 CONFIG_VALUE'],
  },
  {
    name: 'a form of the answer of an objective, which has none',
    files: director(`mode: objective\n${schema('{ type: object }')}`),
    found: ['directors/boss.yaml:4:1 CONFIG_OUTPUT_SCHEMA'],
    says: 'output has no effect',
  },
];

/** Keys that another mode of the director would read. */
export const MODES: readonly ProblemCase[] = [
  {
    name: 'limits of a plan that nobody makes',
    files: director('plan: { maxSteps: 3 }\n'),
    found: ['directors/boss.yaml:3:1 CONFIG_KEY_UNUSED'],
    says: 'plan has no effect with mode: orchestrate',
  },
  {
    name: 'settings of an objective in a director that plans',
    files: director('mode: plan\nplan: { maxSteps: 3 }\nobjective: { maxWakes: 3 }\n'),
    found: ['directors/boss.yaml:5:1 CONFIG_KEY_UNUSED'],
    says: 'objective has no effect with mode: plan',
  },
];
