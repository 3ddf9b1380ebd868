/**
 * TypeScript source cut into code and comments, without a parser: `code` is the text with comments and the insides of
 * strings blanked, `comments` the text with everything else blanked. Both keep every offset and line break, so that a
 * match in either can be looked up in the original.
 */
export interface Split {
  readonly code: string;
  readonly comments: string;
}

/** After these a slash begins a regular expression, after anything else it divides. */
const BEFORE_REGEX = /(?:^|[(,=:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|in|of|yield|await|throw))\s*$/;

/** Splits `source`. Template literals are blanked but for the code in their `${}`. */
export function split(source: string): Split {
  const code = source.split('');
  const comments: string[] = code.map((char) => (char === '\n' ? char : ' '));
  const blank = (from: number, to: number) => {
    for (let i = from; i < to; i++) if (code[i] !== '\n') code[i] = ' ';
  };
  /** What each open brace belongs to: a template's `${` or a block. */
  const braces: ('template' | 'block')[] = [];
  let at = 0;

  const comment = (end: number) => {
    for (let i = at; i < end; i++) comments[i] = source[i] ?? '';
    blank(at, end);
    at = end;
  };
  const quoted = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const end = pattern.exec(source) === null ? source.length : pattern.lastIndex;
    blank(at + 1, end - 1);
    at = end;
  };
  const template = () => {
    const end = /(?:[^\\`$]|\\[^]|\$(?!\{))*(?:`|\$\{)/y;
    end.lastIndex = at + 1;
    end.exec(source);
    const stop = end.lastIndex === 0 ? source.length : end.lastIndex;
    const isOpen = source.startsWith('${', stop - 2);
    blank(at + 1, stop - (isOpen ? 2 : 1));
    if (isOpen) braces.push('template');
    at = stop;
  };

  while (at < source.length) {
    const char = source[at];
    if (source.startsWith('//', at)) comment(indexAfter(source, '\n', at) - 1);
    else if (source.startsWith('/*', at)) comment(indexAfter(source, '*/', at + 2));
    else if (char === "'") quoted(/'(?:[^\\'\n]|\\[^])*'/y);
    else if (char === '"') quoted(/"(?:[^\\"\n]|\\[^])*"/y);
    else if (char === '`') template();
    else if (char === '/' && BEFORE_REGEX.test(code.slice(Math.max(0, at - 80), at).join(''))) {
      quoted(/\/(?:[^\\/[\n]|\\.|\[(?:[^\\\]\n]|\\.)*\])+\//y);
    } else if (char === '{') {
      braces.push('block');
      at++;
    } else if (char === '}' && braces.pop() === 'template') template();
    else at++;
  }
  return { code: code.join(''), comments: comments.join('') };
}

/** Offset just after the next `text`, or one past the end where there is none. */
function indexAfter(source: string, text: string, from: number): number {
  const at = source.indexOf(text, from);
  return at < 0 ? source.length + (text === '\n' ? 1 : 0) : at + text.length;
}

/** One place where a file names another module. */
export interface Import {
  /** As written: `./error.ts`, `koa`, `node:fs`. */
  readonly specifier: string;
  /** type: `import type`; value: anything that loads the module; url: `new URL('./worker.ts', import.meta.url)`. */
  readonly kind: 'type' | 'value' | 'url';
}

const IMPORTS: readonly (readonly [RegExp, 'from' | 'url'])[] = [
  [/^[ \t]*(?:import|export)\s+(type\s+(?!from\b))?(?:[\w$*{][^'"=;()]*?\sfrom\s*)?['"]( *)['"]/dgm, 'from'],
  [/\bimport\s*\(\s*()['"]( *)['"]/dg, 'from'],
  [/\bnew\s+URL\(\s*()['"]( *)['"]\s*,\s*import\.meta\.url/dg, 'url'],
];

/** Every import, re-export, dynamic import and module URL of a file. */
export function importsOf(source: string, { code }: Split): Import[] {
  return IMPORTS.flatMap(([pattern, form]) =>
    [...code.matchAll(pattern)].map((match): Import => {
      const [start = 0, end = 0] = match.indices?.[2] ?? [];
      return { specifier: source.slice(start, end), kind: form === 'url' ? 'url' : match[1] ? 'type' : 'value' };
    }),
  );
}
