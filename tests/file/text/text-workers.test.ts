import { deflateSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { createTextWorkers } from '../../../engine/src/file/text/text-workers.ts';
import { makeDocx, makePdf, makeZip, paragraph } from './samples.ts';

const workers = createTextWorkers({ workers: 1 });
afterAll(() => workers.close());

const read = (name: string, bytes: Uint8Array | string, mimeType?: string) =>
  workers.read({ bytes: new Uint8Array(Buffer.from(bytes)), name, mimeType });

describe('the text', () => {
  test('of a PDF has its pages', async () => {
    expect(await read('offer.pdf', makePdf(['First page\nsecond line', 'Total 420 EUR']))).toEqual({
      form: 'pdf',
      text: '[page 1]\nFirst page\nsecond line\n\n[page 2]\nTotal 420 EUR',
      pages: 2,
    });
  });

  test('of a PDF without text says that it may be scanned', async () => {
    expect(await read('scan.pdf', makePdf(['']))).toMatchObject({
      text: '',
      pages: 1,
      note: 'the PDF has no text; its pages may be scanned images',
    });
  });

  test('of a DOCX file has its headings and its tables', async () => {
    const cell = (text: string) => `<w:tc>${paragraph(text)}</w:tc>`;
    const table = `<w:tbl><w:tr>${cell('Poster')}${cell('40')}</w:tr></w:tbl>`;
    const docx = makeDocx(paragraph('Prices', 'Heading1') + paragraph('As of May.') + table);
    const { form, text } = await read('prices.docx', docx);
    expect(form).toBe('docx');
    expect(text).toBe('# Prices\n\nAs of May.\n\n| Poster | 40');
  });

  test('of an HTML file has its headings and links, and none of its scripts', async () => {
    const html = '<title>t</title><h2>Prices</h2><p>See <a href="https://example.org/x">here</a><script>no()</script>';
    expect(await read('a.html', html)).toEqual({
      form: 'html',
      text: '## Prices\n\nSee here [https://example.org/x]',
      encoding: 'utf-8',
    });
  });

  test.each([
    ['commas', 'name,price\n"Poster, large",40\n', ['name', 'price'], '| name | price |\n| Poster, large | 40 |'],
    ['semicolons', 'name;price\nPoster;40,50\n', ['name', 'price'], '| name | price |\n| Poster | 40,50 |'],
    ['tabs and a pipe', 'a\tb\nx|y\t"1\n2"\n', ['a', 'b'], '| a | b |\n| x\\|y | 1 2 |'],
  ])('of a CSV file with %s has a line for each row', async (_name, csv, columns, text) => {
    expect(await read('list.csv', csv)).toEqual({ form: 'csv', text, columns, encoding: 'utf-8' });
  });

  test.each([
    ['UTF-8', Buffer.from('Grüße'), 'utf-8'],
    ['UTF-8 with a byte order mark', Buffer.from('\ufeffGrüße'), 'utf-8'],
    ['UTF-16LE', Buffer.from('\ufeffGrüße', 'utf16le'), 'utf-16le'],
    ['UTF-16BE', Buffer.from('\ufeffGrüße', 'utf16le').swap16(), 'utf-16be'],
    ['Latin-1', Buffer.from('Grüße', 'latin1'), 'windows-1252'],
  ])('in %s is decoded', async (_name, bytes, encoding) => {
    expect(await read('a.txt', bytes)).toEqual({ form: 'plain', text: 'Grüße', encoding });
  });

  test('of a file follows its first bytes, not the name that a sender chose', async () => {
    expect(await read('invoice.txt', makePdf(['Total']), 'text/plain')).toMatchObject({ form: 'pdf', text: 'Total' });
    expect(await read('fake.pdf', 'just text', 'application/pdf')).toMatchObject({ form: 'plain', text: 'just text' });
  });
});

describe('a file is refused', () => {
  test.each([
    ['that is binary', 'a.bin', Buffer.from([0, 1, 2, 3])],
    ['that is a damaged PDF', 'a.pdf', Buffer.from('%PDF-1.4\nnothing more')],
    ['that is a damaged DOCX file', 'a.docx', Buffer.from('PK\x03\x04 and no more')],
    ['that is a ZIP file called DOCX', 'a.docx', makeZip([{ name: 'a.txt', data: Buffer.from('x') }])],
    ['whose ZIP directory points elsewhere', 'a.docx', Buffer.concat([makeDocx(''), makeDocx('').subarray(-22)])],
  ])('%s', async (_name, name, bytes) => {
    await expect(read(name, bytes)).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
  });

  test('whose PDF asks for a password', async () => {
    const locked = Buffer.from(
      makePdf(['x'])
        .toString('latin1')
        .replace(
          '/Root 1 0 R',
          `/Root 1 0 R /ID [<00><00>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'11'.repeat(32)}> /U <${'22'.repeat(32)}> >>`,
        ),
      'latin1',
    );
    await expect(read('a.pdf', locked)).rejects.toMatchObject({ message: 'the PDF is protected by a password' });
  });

  test('that unpacks to too much, whatever size it states', async () => {
    const zeros = Buffer.alloc(65 * 1024 * 1024);
    const bomb = makeDocx(paragraph('x'), [{ name: 'word/media/a.png', data: zeros, size: 10 }]);
    expect(bomb.length).toBeLessThan(100_000);
    await expect(read('a.docx', bomb)).rejects.toMatchObject({
      code: 'FILE_TOO_COSTLY',
      message: 'the file unpacks to more than 64 MB',
    });
  });

  test('that has too many parts', async () => {
    const many = Array.from({ length: 5000 }, (_, i) => ({ name: `p${i}`, data: Buffer.from('x') }));
    await expect(read('a.docx', makeDocx('', many))).rejects.toMatchObject({
      code: 'FILE_TOO_COSTLY',
      message: 'the file has 5004 parts; at most 5000 are read',
    });
  });

  test('that has more bytes than are read', async () => {
    const bytes = new Uint8Array(32 * 1024 * 1024 + 1);
    await expect(workers.read({ bytes, name: 'a.txt' })).rejects.toMatchObject({ code: 'TOO_LARGE' });
  });
});

describe('limits of a worker', () => {
  test('a PDF that unpacks to very much is stopped by the limit of buffers', async () => {
    const content = deflateSync(Buffer.alloc(160 * 1024 * 1024, ' '), { level: 1 });
    const strict = createTextWorkers({ workers: 1, maxBufferMb: 32 });
    const bytes = new Uint8Array(makePdf(['x'], [content]));
    expect(bytes.length).toBeLessThan(2_000_000);
    await expect(strict.read({ bytes, name: 'a.pdf' })).rejects.toMatchObject({ code: 'FILE_TOO_COSTLY' });
    await strict.close();
  });

  test('a file that takes too long is stopped, and the next one is read', async () => {
    const strict = createTextWorkers({ workers: 1, timeoutMs: 1000 });
    const endless = makePdf(Array.from({ length: 10_000 }, () => 'x'.repeat(200)));
    await expect(strict.read({ bytes: new Uint8Array(endless), name: 'a.pdf' })).rejects.toMatchObject({
      code: 'FILE_TOO_COSTLY',
    });
    expect(await strict.read({ bytes: new Uint8Array(Buffer.from('next')), name: 'a.txt' })).toMatchObject({
      text: 'next',
    });
    await strict.close();
  });

  test('an abort rejects with its reason', async () => {
    const signal = AbortSignal.abort(new Error('stopped'));
    const bytes = new Uint8Array(1);
    await expect(workers.read({ bytes, name: 'a.txt' }, { signal })).rejects.toThrow('stopped');
  });
});
