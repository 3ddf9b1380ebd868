/**
 * True where version `a` is newer than version `b` (https://semver.org: numbers by size, a release above its
 * pre-releases, pre-releases by their text). False where `a` is no version.
 */
export function isNewer(a: string, b: string): boolean {
  const [one, other] = [parse(a), parse(b)];
  if (one === undefined) return false;
  if (other === undefined) return true;
  for (const [i, number] of one.numbers.entries()) {
    const against = other.numbers[i] ?? 0;
    if (number !== against) return number > against;
  }
  if (one.pre === '' || other.pre === '') return one.pre === '' && other.pre !== '';
  return one.pre > other.pre;
}

function parse(text: string): { numbers: number[]; pre: string } | undefined {
  const [, numbers, pre = ''] = /^(\d+\.\d+\.\d+)(?:-([\w.-]+))?(?:\+.*)?$/.exec(text) ?? [];
  return numbers === undefined ? undefined : { numbers: numbers.split('.').map(Number), pre };
}
