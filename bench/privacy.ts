/**
 * Measures the recognisers of private data on `corpora/pii`: recall and precision of each kind, as texts of mails, and the time
 * of a text of 1 MB. `node bench/privacy.ts [--json] [--errors]`; `--errors` prints what was missed and what is wrong.
 */
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { findPrivate } from '../engine/src/guard/privacy/recognise.ts';
import { corpora } from '../tests/available.ts';
import { countSpans, readLabelled, type SpanCount, sumCounts } from '../tests/guard/privacy/labelled-spans.ts';

const { values: flags } = parseArgs({ options: { json: { type: 'boolean' }, errors: { type: 'boolean' } } });

if (corpora === undefined) console.error('skipped: there is no folder of corpora; set CORPORA_DIR');
else await measure(corpora);

async function measure(folder: string): Promise<void> {
  const texts = await Promise.all(
    readLabelled(folder).map(async (labelled) => ({
      labelled,
      reported: await findPrivate(labelled.text, { known: [], isUserWords: false }),
    })),
  );
  const kinds = {
    email: countSpans('email', texts),
    iban: countSpans('iban', texts),
    card: countSpans('card', texts),
    phone: countSpans('phone', texts),
  };
  const rows: [string, SpanCount][] = [
    ...Object.entries(kinds),
    ['structured', sumCounts(Object.values(kinds))],
    ['person', countSpans('person', texts)],
  ];
  for (const [name, count] of rows) print(name, count);
  const begin = performance.now();
  const long = 'Please ask Jonathan Miller about the invoice that we sent to our Berlin office on Tuesday.\n'.repeat(
    11_000,
  );
  await findPrivate(long, { known: [{ name: 'Karthik Raman' }], isUserWords: false });
  const seconds = (performance.now() - begin) / 1000;
  if (flags.json === true) console.log(JSON.stringify({ bench: 'privacy', text: '1 MB', seconds }));
  else console.log(`a text of 1 MB takes ${seconds.toFixed(1)} s, in a worker thread`);
}

function print(name: string, { labelled, found, reported, right, missed, wrong }: SpanCount): void {
  const [recall, precision] = [found / labelled, right / reported];
  if (flags.json === true)
    console.log(JSON.stringify({ bench: 'privacy', kind: name, labelled, found, reported, right, recall, precision }));
  else
    console.log(
      `${name.padEnd(11)} recall ${recall.toFixed(3)} (${found} of ${labelled})  precision ${precision.toFixed(3)} (${right} of ${reported})`,
    );
  if (flags.errors !== true || name === 'structured') return;
  for (const line of missed) console.log(`  missed ${JSON.stringify(line)}`);
  for (const line of wrong) console.log(`  wrong  ${JSON.stringify(line)}`);
}
