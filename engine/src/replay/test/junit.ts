import type { TestResult } from './test-result.ts';

/** Results as JUnit XML, which CI services read: a suite a file; a test that could not run is an `error`. */
export function toJunit(results: readonly TestResult[]): string {
  const suites = [...Map.groupBy(results, ({ file }) => file)].map(([file, own]) => suite(file, own));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts(results)}>`,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n');
}

function suite(file: string, results: readonly TestResult[]): string {
  return [`  <testsuite name="${escape(file)}" ${counts(results)}>`, ...results.map(testcase), '  </testsuite>'].join(
    '\n',
  );
}

function counts(results: readonly TestResult[]): string {
  const count = (wanted: TestResult['status']) => results.filter(({ status }) => status === wanted).length;
  const ms = results.reduce((sum, { durationMs }) => sum + durationMs, 0);
  return `tests="${results.length}" failures="${count('failed')}" errors="${count('unknown')}" time="${seconds(ms)}"`;
}

function testcase({ file, line, name, status, messages, durationMs }: TestResult): string {
  const head = `    <testcase name="${escape(name)}" classname="${escape(file)}" file="${escape(file)}" line="${line}" time="${seconds(durationMs)}"`;
  if (status === 'passed') return `${head}/>`;
  const tag = status === 'failed' ? 'failure' : 'error';
  const body = `      <${tag} message="${escape(messages[0] ?? '')}">${escape(messages.join('\n'))}</${tag}>`;
  return [`${head}>`, body, '    </testcase>'].join('\n');
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
};

/** A text for XML 1.0, which has no way to write most control characters. */
function escape(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"\n]/g, (char) => ENTITIES[char] ?? char);
}
