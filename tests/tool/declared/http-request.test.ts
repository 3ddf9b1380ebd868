import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { HttpTool } from '../../../engine/src/config/documents.gen.ts';
import { EngineError } from '../../../engine/src/base/error.ts';
import { buildRequest, type HttpRequest } from '../../../engine/src/tool/declared/http-request.ts';
import { root } from '../../available.ts';
import { declare } from './declared-harness.ts';

const DOCUMENT = declare({
  kind: 'http',
  parameters: { type: 'object', required: ['a', 'b'], properties: { a: {}, b: {}, c: {} } },
  request: {
    method: 'POST',
    url: 'https://api.example.org/v1/items/{{a}}/x-{{a}}{{b}}?first={{b}}',
    query: { second: '{{c}}', third: 'fixed {{a}}' },
    headers: { 'X-One': '{{a}}', 'X-Two': 'by {{b}}', 'X-Key': 'Bearer ${env:KEY}' },
    json: { whole: '{{a}}', part: 'is {{b}}', list: ['{{c}}'], fixed: 1 },
  },
}) as HttpTool;

const build = (args: Record<string, unknown>, document = DOCUMENT): HttpRequest =>
  buildRequest(document, { args, reference: () => 'k3y' });

/** Texts that try to get out, and any other text. */
const HOSTILE = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc
    .array(
      fc.constantFrom(
        ...['..', '.', '/', '\\', '%2e', '%2E%2e', '%2f', '%252e', '?', '#', '&', '=', ';', '@', ':', '//evil.example'],
        ...[
          '\r\n',
          '\nX-Evil: 1',
          '\0',
          ' ',
          '\t',
          'a',
          '"',
          '}}',
          '{{b}}',
          '${env:KEY}',
          'https://evil.example/',
          '\ud800',
        ],
      ),
      { minLength: 1, maxLength: 6 },
    )
    .map((parts) => parts.join('')),
);

describe('the request of an HTTP tool', () => {
  test('keeps host, path prefix, headers and names of the query, whatever the arguments: 10,000 values', () => {
    let made = 0;
    fc.assert(
      fc.property(HOSTILE, HOSTILE, fc.option(HOSTILE, { nil: undefined }), (a, b, c) => {
        let request: HttpRequest;
        try {
          request = build({ a, b, c });
        } catch (error) {
          expect(error).toMatchObject({ code: 'TOOL_ARGUMENTS' });
          return;
        }
        made++;
        const { url, headers, method } = request;
        // As a server reads the address anew.
        const read = new URL(url.href);
        const names = c === undefined ? ['first', 'third'] : ['first', 'second', 'third'];
        // One comparison: 10,000 runs of several take seconds.
        const seen = [
          ...[method, read.origin, read.username, read.hash],
          /^\/v1\/items\/[^/]+\/x-[^/]+$/.test(read.pathname),
          decodeURIComponent(read.pathname).split(/[\\/]/).includes('..'),
          ...[...read.searchParams.keys()].sort(),
          read.searchParams.get('first'),
          ...Object.keys(headers).sort(),
          Object.values(headers).every((value) => /^[\x20-\x7e]*$/.test(value)),
          JSON.parse(request.body ?? ''),
        ];
        const list = c === undefined ? [] : [c];
        const wanted = [
          ...['POST', 'https://api.example.org', '', ''],
          true,
          false,
          ...names,
          b.toWellFormed(),
          ...['content-type', 'x-key', 'x-one', 'x-two'],
          true,
          { whole: a, part: `is ${b.toWellFormed()}`, list, fixed: 1 },
        ];
        if (!isDeepStrictEqual(seen, wanted)) expect(seen).toEqual(wanted);
      }),
      { numRuns: 10_000, seed: 12 },
    );
    expect(made).toBeGreaterThan(3000);
  });

  test('refuses an argument that leaves its segment of the path, also for a server that decodes twice', () => {
    for (const a of [
      '..',
      '.',
      '',
      '../admin',
      '..\\admin',
      'a/../../b',
      '%2e%2e',
      '%252e%252e%252fadmin',
      '..;/admin',
      'a\0',
    ])
      expect(() => build({ a, b: 'b' }), a).toThrow(EngineError);
    expect(build({ a: 'owner/repo', b: 'b' }).url.pathname).toBe('/v1/items/owner%2Frepo/x-owner%2Frepob');
  });

  test('keeps the type of an argument that is a whole JSON value, and leaves out what is missing', () => {
    const { body } = build({ a: { deep: [1, null, true] }, b: 7 });
    expect(JSON.parse(body ?? '')).toEqual({ whole: { deep: [1, null, true] }, part: 'is 7', list: [], fixed: 1 });
  });

  test('never looks for placeholders or references in an argument', () => {
    const { url, body } = build({ a: '{{b}}', b: '${env:KEY}' });
    expect(url.searchParams.get('first')).toBe('${env:KEY}');
    expect(JSON.parse(body ?? '')).toMatchObject({ whole: '{{b}}', part: 'is ${env:KEY}' });
  });

  test('writes a form', () => {
    const document = declare({
      kind: 'http',
      parameters: { type: 'object', properties: { text: { type: 'string' }, to: { type: 'string' } } },
      request: { method: 'POST', url: 'https://api.example.org/', form: { text: '{{text}}', to: '{{to}}' } },
    }) as HttpTool;
    const { body, headers } = build({ text: 'a=1&to=evil' }, document);
    expect(body).toBe('text=a%3D1%26to%3Devil');
    expect(headers['content-type']).toBe('application/x-www-form-urlencoded');
  });

  test('is that of Linkup for the shipped web_research', async () => {
    const text = await readFile(join(root, 'config/tools/web_research.yaml'), 'utf8');
    const document = declare(parse(text) as object) as HttpTool;
    expect(document.enabled).toBe(false);
    const { url, headers, body, method } = build({ query: 'a "quoted" wish' }, document);
    expect([method, url.href, headers['authorization']]).toEqual([
      ...['POST', 'https://api.linkup.so/v1/search', 'Bearer k3y'],
    ]);
    expect(JSON.parse(body ?? '')).toEqual({ q: 'a "quoted" wish', depth: 'standard', outputType: 'sourcedAnswer' });
  });
});
