import { expect, test } from 'vitest';
import { createRedactor } from '../../engine/src/base/redact.ts';

const redactor = createRedactor();
for (const secret of ['hunter2-hunter3', 'secret', 'cretaceous/"era"']) redactor.add(secret);

function shown(text: string, length: number): string {
  const stage = redactor.growing();
  let seen = '';
  for (let at = 0; at < text.length; at += length) seen += stage(text.slice(at, at + length));
  return seen;
}

test.each([
  { name: 'a secret', text: 'The key is hunter2-hunter3, use it.', want: 'The key is [redacted], use it.' },
  { name: 'what only begins like a secret', text: 'The hunter2-hunter4 is ok.', want: 'The hunter2-hunter4 is ok.' },
  {
    name: 'a secret in base64',
    text: `a ${btoa('x hunter2-hunter3 y')} b.`,
    want: redactor.text(`a ${btoa('x hunter2-hunter3 y')} b.`),
  },
  { name: 'a secret whose end begins another', text: 'my secret. No!', want: 'my [redacted]. No!' },
  { name: 'a secret without its last letter', text: 'It is hunter2-hunter', want: 'It is ' },
  { name: 'a secret at the end whose last letters begin another', text: 'my secret', want: 'my ' },
])('$name in a growing text is never shown, in whatever pieces it arrives', ({ text, want }) => {
  for (const length of [1, 2, 3, 5, 11, 1000]) expect(shown(text, length), `pieces of ${length}`).toBe(want);
});
