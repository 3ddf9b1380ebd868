import { describe, expect, test } from 'vitest';
import { importsOf, split } from './code.ts';

describe('split', () => {
  test.each([
    { name: 'a line comment', source: 'a; // b', code: 'a;     ', comments: '   // b' },
    { name: 'a block comment', source: 'a /* b\nc */ d', code: 'a     \n     d', comments: '  /* b\nc */  ' },
    { name: 'a string', source: `a('b // c', "d")`, code: `a('      ', " ")`, comments: ' '.repeat(16) },
    { name: 'a template', source: '`a ${b + `c`} d`', code: '`  ${b + ` `}  `', comments: ' '.repeat(16) },
    { name: 'braces in a template', source: '`${{ a: 1 }}b`', code: '`${{ a: 1 }} `', comments: ' '.repeat(14) },
    {
      name: 'a regular expression',
      source: `x = /['"/*]\\//; y`,
      code: 'x = /         /; y',
      comments: ' '.repeat(16),
    },
    { name: 'a division', source: 'a / b; c / d', code: 'a / b; c / d', comments: ' '.repeat(12) },
    { name: 'an escaped quote', source: `'a\\'b' + c`, code: `'    ' + c`, comments: ' '.repeat(10) },
  ])('keeps code and comments of $name apart', ({ source, code, comments }) => {
    const parts = split(source);
    expect({ code: parts.code.length, comments: parts.comments.length }).toEqual({
      code: source.length,
      comments: source.length,
    });
    expect(parts.code.replace(/\s+/g, ' ')).toBe(code.replace(/\s+/g, ' '));
    expect(parts.comments.trim()).toBe(comments.trim());
  });
});

describe('importsOf', () => {
  test.each([
    { name: 'a named import', source: `import { a, b } from './a.ts';`, found: [['value', './a.ts']] },
    { name: 'an import over several lines', source: `import {\n  a,\n} from './a.ts';`, found: [['value', './a.ts']] },
    { name: 'a default import', source: `import a from 'a';`, found: [['value', 'a']] },
    { name: 'a namespace', source: `import * as a from 'a';`, found: [['value', 'a']] },
    { name: 'a bare import', source: `import './a.ts';`, found: [['value', './a.ts']] },
    { name: 'a type import', source: `import type { A } from './a.ts';`, found: [['type', './a.ts']] },
    { name: 'an import that names one type', source: `import { type A } from './a.ts';`, found: [['value', './a.ts']] },
    { name: 'a re-export', source: `export { a } from './a.ts';`, found: [['value', './a.ts']] },
    { name: 'a re-export of types', source: `export type { A } from './a.ts';`, found: [['type', './a.ts']] },
    { name: 'a dynamic import', source: `const a = await import('./a.ts');`, found: [['value', './a.ts']] },
    { name: 'a worker', source: `new Worker(new URL('./a.ts', import.meta.url));`, found: [['url', './a.ts']] },
    {
      name: 'two lines',
      source: `import a from 'a';\nexport const b = 'from';\nimport c from 'c';`,
      found: [
        ['value', 'a'],
        ['value', 'c'],
      ],
    },
    { name: 'a comment', source: `// import a from 'a';\n/* \nimport b from 'b'; */`, found: [] },
    { name: 'a string', source: "const a = `\nimport a from 'a';\n`;", found: [] },
    { name: 'an exported constant', source: `export const a = 'b';`, found: [] },
  ])('finds what $name names', ({ source, found }) => {
    expect(importsOf(source, split(source)).map(({ kind, specifier }) => [kind, specifier])).toEqual(found);
  });
});
