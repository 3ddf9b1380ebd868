import { describe, expect, test } from 'vitest';
import { namesRemoteImages } from '../../../engine/src/mail/html/remote-images.ts';
import { growthOf } from '../../cpu-time.ts';

test.each([
  ['an https image', '<img src="https://a.example/p.png">', true],
  ['an image in capitals, without quotes', '<IMG SRC = http://a.example/p.png>', true],
  ['an address without a scheme', "<img src='//a.example/p.png'>", true],
  ['a space after the quote', '<img src=" https://a.example/p.png">', true],
  ['a background', '<td background="http://a.example/p.png">', true],
  ['a set of images', '<img srcset="https://a.example/p.png 2x">', true],
  ['a style', '<p style="background: url( \'https://a.example/p.png\')">', true],
  ['an image of the mail', '<img src="cid:dot@x">', false],
  ['an image in place', '<img src="data:image/png;base64,AA">', false],
  ['a link alone', '<a href="https://a.example">a</a>', false],
  ['nothing', '', false],
])('HTML with %s', (_name, html, expected) => {
  expect(namesRemoteImages(html)).toBe(expected);
});

describe('2 MB are read about as fast as sixteen times 128 KB', () => {
  const LARGE = 2 * 1024 * 1024;
  const sizes = { small: LARGE / 16, large: LARGE };
  test.each<[string, (size: number) => string]>([
    ['spaces after src=', (size) => `<img src=${' '.repeat(size)}x>`],
    ['spaces before src=', (size) => `src${' '.repeat(size)}x`],
    ['a quote and spaces', (size) => `src="${' '.repeat(size)}x`],
    ['url( and spaces', (size) => `url(${' '.repeat(size)}x`],
    ['src= again and again', (size) => 'src= '.repeat(size / 5)],
    ['half addresses', (size) => 'srcset=http:'.repeat(size / 12)],
  ])('of %s', (_name, htmlOf) => {
    expect(growthOf((size) => namesRemoteImages(htmlOf(size)), sizes)).toBeLessThan(64);
  });
});
