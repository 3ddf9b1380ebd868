import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { EngineError } from '../../../engine/src/base/error.ts';
import { createTextWorkers } from '../../../engine/src/file/text/text-workers.ts';
import { isFull } from '../../available.ts';
import { makeDocx, makePdf, paragraph } from './samples.ts';

const workers = createTextWorkers({ timeoutMs: 5000 });
afterAll(() => workers.close());

const SAMPLES = [
  ['a.pdf', makePdf(['One page', 'Another page'])],
  ['a.docx', makeDocx(paragraph('A head', 'Heading1') + paragraph('A text.'))],
  ['a.html', Buffer.from('<h1>A</h1><table><tr><td>1<td>2</table><p>text <b>bold')],
  ['a.csv', Buffer.from('a;b\n"1;2";3\n')],
  ['a.txt', Buffer.from('\ufeffwide', 'utf16le')],
] as const;

/** A file with some of its bytes replaced, and perhaps cut. */
const damaged = fc
  .tuple(
    fc.constantFrom(...SAMPLES),
    fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 30 }),
    fc.option(fc.nat(), { freq: 4 }),
  )
  .map(([[name, bytes], changes, end]) => {
    const copy = new Uint8Array(bytes);
    for (const [at, byte] of changes) copy[at % copy.length] = byte;
    return { name, bytes: end === null ? copy : copy.slice(0, end % copy.length) };
  });

test('a damaged file is text or an error that says so', { timeout: 60_000 }, async () => {
  const property = fc.asyncProperty(damaged, async (source) => {
    const outcome: unknown = await workers.read(source).catch((error: unknown) => error);
    if (outcome instanceof EngineError) expect(['FILE_UNREADABLE', 'FILE_TOO_COSTLY']).toContain(outcome.code);
    else expect(outcome).toMatchObject({ text: expect.any(String) as string });
  });
  await fc.assert(property, { numRuns: isFull ? 5000 : 100, seed: 12 });
});
