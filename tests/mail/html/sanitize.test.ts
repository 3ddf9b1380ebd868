import { describe, expect, test } from 'vitest';
import { MAX_DEPTH } from '../../../engine/src/mail/html/limit-depth.ts';
import { htmlToText } from '../../../engine/src/mail/html/html-to-text.ts';
import { bodyHeaders, MAX_IMAGE_BYTES } from '../../../engine/src/mail/html/safe-headers.ts';
import { safeHtml, safeMarkdown } from '../../../engine/src/mail/html/sanitize.ts';
import { growthOf } from '../../cpu-time.ts';

const REMOTE = 'https://tracker.example/x';
/** What every document of ours begins with. */
const PREFIX = safeHtml({ html: '' });

/** Ways of loading something from elsewhere, or of running something. */
const ATTACKS = {
  'img': `<img src="${REMOTE}">`,
  'img without a scheme': '<img src="//tracker.example/x">',
  'srcset': `<img srcset="${REMOTE} 2x" src="data:,">`,
  'picture': `<picture><source srcset="${REMOTE}"><img></picture>`,
  'background attribute': `<table background="${REMOTE}"><tr><td background="${REMOTE}">x</table>`,
  'inline style': `<div style="background:url(${REMOTE})">x</div>`,
  'escaped style': `<div style="background:u\\72l(${REMOTE})">x</div>`,
  'style with comments': `<div style="background:/**/url/**/(${REMOTE})">x</div>`,
  'image-set': `<div style="background:-webkit-image-set('${REMOTE}' 1x)">x</div>`,
  'style sheet': `<style>p{background:url(${REMOTE})}</style>`,
  'import': `<style>@import "${REMOTE}";</style>`,
  'import by escapes': `<style>@\\69mport "${REMOTE}";</style>`,
  'import inside import': `<style>@im@import ;port "${REMOTE}";</style>`,
  'font-face': `<style>@font-face{font-family:x;src:url(${REMOTE})}</style>`,
  'broken-out style': `<style></sty</stylele><img src="${REMOTE}"></style>`,
  'link': `<link rel="stylesheet" href="${REMOTE}">`,
  'prefetch': `<link rel="dns-prefetch" href="${REMOTE}">`,
  'refresh': `<meta http-equiv="refresh" content="0;url=${REMOTE}">`,
  'base': `<base href="${REMOTE}">`,
  'iframe': `<iframe src="${REMOTE}"></iframe>`,
  'srcdoc': `<iframe srcdoc="<img src='${REMOTE}'>"></iframe>`,
  'object': `<object data="${REMOTE}"></object><embed src="${REMOTE}">`,
  'video': `<video poster="${REMOTE}" src="${REMOTE}"></video><audio src="${REMOTE}"></audio>`,
  'svg': `<svg><image href="${REMOTE}"/><use href="${REMOTE}#a"/></svg>`,
  'svg style': `<svg><style>@import "${REMOTE}";</style></svg>`,
  'mathml': `<math><mtext><img src="${REMOTE}"></mtext></math>`,
  'input': `<input type="image" src="${REMOTE}">`,
  'form': `<form action="${REMOTE}"><button formaction="${REMOTE}">go</button></form>`,
  'script': `<script src="${REMOTE}"></script>`,
  'noscript': `<noscript><p title="</noscript><img src=${REMOTE}>">`,
  'template': `<template><img src="${REMOTE}"></template>`,
  'textarea': `<textarea><img src="${REMOTE}"></textarea>`,
  'xmp': `<xmp><img src="${REMOTE}"></xmp>`,
  'frameset': `<frameset><frame src="${REMOTE}"></frameset>`,
  'applet': `<applet archive="${REMOTE}"></applet><bgsound src="${REMOTE}">`,
  'handler': `<img src=x onerror="fetch('${REMOTE}')"><body onload="fetch('${REMOTE}')">`,
  'script link': `<a href="javascript:fetch('${REMOTE}')">x</a>`,
  'script link with a tab': `<a href="java\tscript:fetch('${REMOTE}')">x</a>`,
  'data link': `<a href="data:text/html,<img src=${REMOTE}>">x</a>`,
  'svg image': `<img src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'><image href='${REMOTE}'/></svg>">`,
  'comment': `<!--[if mso]><img src="${REMOTE}"><![endif]-->`,
} as const;

/** Anything that would load, run or send: an attribute with an address, a function of CSS that takes one, a tag. */
const DANGER =
  /<(?:script|link|iframe|object|embed|form|input|button|svg|math|video|audio|source|picture|frame|applet|template|meta(?! charset)|base(?! target))|\son\w+=|srcset=|background="|poster=|href="javascript:|url\s*\(|image-set\s*\(|@import|@font-face|<img[^>]*src="(?!data:image\/(?:png|jpe?g|gif|webp|bmp);)/i;

describe('HTML for display', () => {
  test.each(Object.entries(ATTACKS))('loads, runs and sends nothing: %s', (_name, html) => {
    const safe = safeHtml({ html });
    expect(safe.startsWith(PREFIX)).toBe(true);
    expect(safe.slice(PREFIX.length)).not.toMatch(DANGER);
  });

  test.each(Object.entries(ATTACKS))(
    'with images allowed, only https images come from elsewhere: %s',
    (_name, html) => {
      const safe = safeHtml({ html, images: true }).slice(PREFIX.length);
      expect(safe.replace(/<img[^>]*src="https:\/\/[^"]*"/g, '<img')).not.toMatch(DANGER);
    },
  );

  test('images from elsewhere come only when they are asked for, and only by https', () => {
    const html = '<img src="https://x.example/a.png" alt="a"><img src="http://x.example/b.png" alt="b">';
    expect(safeHtml({ html })).not.toContain('x.example');
    expect(safeHtml({ html, images: true })).toContain('src="https://x.example/a.png"');
    expect(safeHtml({ html, images: true })).not.toContain('b.png');
  });

  test('looks, tables and style sheets stay', () => {
    const html =
      '<style>p { color: red }</style><table width="600" cellpadding="0"><tr><td align="center" style="padding: 4px"><p>Hi</p></td></tr></table>';
    expect(safeHtml({ html })).toBe(
      `${PREFIX}<style>p { color: red }</style><table width="600" cellpadding="0"><tr><td align="center" style="padding: 4px"><p>Hi</p></td></tr></table>`,
    );
  });

  test('links open outside and tell nothing of where they were', () => {
    expect(safeHtml({ html: '<a href="https://x.example/?a=1&b=2" target="_self">x</a>' })).toContain(
      '<a target="_blank" rel="noopener noreferrer" href="https://x.example/?a=1&amp;b=2">x</a>',
    );
  });

  test.each(['/api/runs', '../x', '?a=1', '//x.example', 'ftp://x', 'blob:x', 'file:///etc/passwd'])(
    'the link %s leads nowhere',
    (href) => {
      expect(safeHtml({ html: `<a href="${href}">x</a>` })).not.toContain('href');
    },
  );

  test('images of the mail are shown from its own bytes, raster images only, up to a size', () => {
    const cid = new Map([
      ['a@b', { mimeType: 'image/png', bytes: new Uint8Array([1, 2]) }],
      ['svg', { mimeType: 'image/svg+xml', bytes: new Uint8Array([1]) }],
      ['big', { mimeType: 'image/png', bytes: new Uint8Array(MAX_IMAGE_BYTES + 1) }],
    ]);
    const html =
      '<img src="cid:a%40b"><img src="CID:svg" alt="s"><img src="cid:big"><img src="cid:none"><img src="cid:%">';
    expect(safeHtml({ html, cid })).toBe(
      `${PREFIX}<img src="data:image/png;base64,AQI=" /><img alt="s" /><img /><img /><img />`,
    );
  });

  test('an image that is shown a thousand times does not make a page of gigabytes', () => {
    const cid = new Map([['a', { mimeType: 'image/png', bytes: new Uint8Array(1024 * 1024) }]]);
    expect(safeHtml({ html: '<img src="cid:a">'.repeat(1000), cid }).length).toBeLessThan(13 * 1024 * 1024);
  });

  test('more than 2 MB is cut, and the page says so', () => {
    const safe = safeHtml({ html: '<p>word</p>'.repeat(300_000) });
    expect(safe.length).toBeLessThan(2.2 * 1024 * 1024);
    expect(safe).toContain('[Cut here');
  });

  test.each([
    '<div>',
    '<table><tr><td>',
    '<a href=x>',
    '<svg>',
    '<b><i>',
    '<style>',
    '<p style="a:url(',
    '<',
    '&',
    '<!--',
    '<a ',
  ])('1 MB of %s takes about ten times as long as 100 KB, not a hundred', (piece) => {
    const work = (size: number) => safeHtml({ html: piece.repeat(size / piece.length) });
    expect(growthOf(work, { small: 100_000, large: 1_000_000 })).toBeLessThan(40);
  });
});

describe('Markdown for display', () => {
  test('is HTML with headings, tables and line breaks', () => {
    expect(safeMarkdown('# A\n\none\ntwo\n\n| x |\n|---|\n| 1 |')).toMatch(
      /<h1>A<\/h1>\s*<p>one<br \/>two<\/p>\s*<table>/,
    );
  });

  test.each([
    ['a script', '<script>alert(1)</script>'],
    ['a handler', '<img src=x onerror=alert(1)>'],
    ['a script link', '[x](javascript:alert(1))'],
    ['an image from elsewhere', `![x](${REMOTE})`],
    ['a reference to one', `![x][1]\n\n[1]: ${REMOTE}`],
    ['an auto-link to a script', '<javascript:alert(1)>'],
  ])('passes %s no more than HTML may', (_name, text) => {
    expect(safeMarkdown(text).slice(PREFIX.length)).not.toMatch(DANGER);
  });

  test.each(['> ', '- ', '[', '*a ', '`', '**', '<', '![', '~~', '| a '])(
    '30 KB of %j come out without a crash',
    (piece) => {
      expect(safeMarkdown(`${piece.repeat(30_000 / piece.length)}x`)).toContain(PREFIX);
    },
  );
});

describe('headers of the route', () => {
  test('allow nothing but data images, inline styles and new windows', () => {
    expect(bodyHeaders()).toEqual({
      'Content-Security-Policy':
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; font-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox",
      'Content-Type': 'text/html; charset=utf-8',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'X-DNS-Prefetch-Control': 'off',
      'Cache-Control': 'private, no-store',
    });
  });

  test('with images, https images too', () => {
    expect(bodyHeaders({ images: true })['Content-Security-Policy']).toContain('img-src data: https:;');
  });
});

describe('text made from HTML', () => {
  test.each([
    ['paragraphs and breaks', '<p>a</p><p>b<br>c</p>', 'a\n\nb\nc'],
    ['links with their address', '<a href="https://x.example">here</a>', 'here [https://x.example]'],
    ['links that are their own text once', '<a href="https://x.example">https://x.example</a>', 'https://x.example'],
    ['cells side by side', '<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', 'a b\nc'],
    ['no styles and scripts', '<style>p{}</style><script>1</script><title>t</title>x', 'x'],
    ['entities', 'a &amp; b&nbsp;&euro;', 'a & b\u00a0€'],
    ['headings as they are', '<h1>Hello</h1>', 'Hello'],
    ['what is never closed', '<p>a<p>b<ul><li>c<li>d', 'a\n\nb\n\n * c\n * d'],
  ])('has %s', (_name, html, text) => {
    expect(htmlToText(html)).toBe(text);
  });

  test('keeps the words of elements that are nested too deep', () => {
    const html = `${'<div>'.repeat(MAX_DEPTH * 3)}one<div>two</div>${'</div>'.repeat(MAX_DEPTH * 3)}three`;
    expect(htmlToText(html).split(/\s+/)).toEqual(['one', 'two', 'three']);
  });
});
