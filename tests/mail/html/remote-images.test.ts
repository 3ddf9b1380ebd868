import { describe, expect, test } from 'vitest';
import { namesRemoteImages } from '../../../engine/src/mail/html/remote-images.ts';

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

describe('2 MB are read in one pass', () => {
  const SIZE = 2 * 1024 * 1024;
  test.each([
    ['spaces after src=', `<img src=${' '.repeat(SIZE)}x>`],
    ['spaces before src=', `src${' '.repeat(SIZE)}x`],
    ['a quote and spaces', `src="${' '.repeat(SIZE)}x`],
    ['url( and spaces', `url(${' '.repeat(SIZE)}x`],
    ['src= again and again', 'src= '.repeat(SIZE / 5)],
    ['half addresses', 'srcset=http:'.repeat(SIZE / 12)],
  ])('of %s', (_name, html) => {
    const held = Array.from({ length: 3 }, () => {
      const before = process.threadCpuUsage();
      namesRemoteImages(html);
      const { user, system } = process.threadCpuUsage(before);
      return (user + system) / 1000;
    });
    expect(Math.min(...held)).toBeLessThan(50);
  });
});
