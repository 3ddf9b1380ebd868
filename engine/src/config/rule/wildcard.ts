/**
 * Whether a text is like a pattern. `*` stands for any characters but `barrier`, `**` for any characters, and `**` before a
 * slash also for nothing with it: `**` + `/a` is like `a`. The work grows with the length of both, whatever the pattern is.
 */
export function matchesWildcard(pattern: string, text: string, barrier: string): boolean {
  const tokens = tokensOf(pattern);
  let reached = startsOf(tokens);
  for (const character of text) {
    const next = new Set<number>();
    for (const at of reached) {
      const token = tokens[at];
      if (token?.kind === 'any' || (token?.kind === 'some' && character !== barrier)) addFrom(tokens, at, next);
      if (token?.kind === 'one' && token.character === character) addFrom(tokens, at + 1, next);
      if (token?.kind !== 'folders') continue;
      next.add(at);
      if (character === '/') addFrom(tokens, at + 1, next);
    }
    if (next.size === 0) return false;
    reached = next;
  }
  return reached.has(tokens.length);
}

type Token =
  | { readonly kind: 'one'; readonly character: string }
  /** `*` */
  | { readonly kind: 'some' }
  /** `**` */
  | { readonly kind: 'any' }
  /** `**` and a slash */
  | { readonly kind: 'folders' };

function tokensOf(pattern: string): Token[] {
  const tokens: Token[] = [];
  for (const piece of pattern.match(/(?<![^/])\*{2,}\/|\*{2,}|\*|[^*]/gu) ?? [])
    if (piece === '*') tokens.push({ kind: 'some' });
    else if (piece.startsWith('**')) tokens.push({ kind: piece.endsWith('/') ? 'folders' : 'any' });
    else tokens.push({ kind: 'one', character: piece });
  return tokens;
}

function startsOf(tokens: readonly Token[]): Set<number> {
  const starts = new Set<number>();
  addFrom(tokens, 0, starts);
  return starts;
}

/** Adds a position, and those after it that need no character. */
function addFrom(tokens: readonly Token[], at: number, to: Set<number>): void {
  for (let position = at; ; position++) {
    to.add(position);
    const kind = tokens[position]?.kind;
    if (kind === undefined || kind === 'one') return;
  }
}
