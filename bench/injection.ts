/**
 * Runs the corpora of prompt injection: attacks against models that obey every one of them, where `permissions` allow every
 * tool, and the calls that users' tasks need. Prints what happened outside without a person, which share of the useful calls
 * ran or asked, how many of them asked, and whether a model got the text of a stranger outside an envelope.
 * `node bench/injection.ts [--json]`; the corpora are in `CORPORA_DIR`.
 */
import { changedByEnvelope } from './injection/benign.ts';
import { readInjectionCorpus } from './injection/corpus.ts';
import { measureAttacks, measureUse, type UseFigures } from './injection/measure.ts';
import { corpora } from '../tests/available.ts';

function print(name: string, figures: Readonly<Record<string, string | number>>): void {
  const text = process.argv.includes('--json')
    ? JSON.stringify({ name, ...figures })
    : `${name}  ${Object.entries(figures)
        .map(([key, value]) => `${key} ${value}`)
        .join('  ')}`;
  process.stdout.write(`injection  ${text}\n`);
}

function printUse(name: string, { calls, ran, asked, refused }: UseFigures): void {
  const percent = (count: number) => `${((100 * count) / calls).toFixed(1)} %`;
  print(name, {
    calls,
    'run or ask': percent(ran + asked),
    'ask': percent(asked),
    'refused': refused.join(', ') || 'none',
  });
}

if (import.meta.main) {
  if (corpora === undefined) {
    process.stderr.write('injection  left out: there are no corpora (CORPORA_DIR)\n');
  } else {
    const corpus = readInjectionCorpus(corpora);
    const { attacks, ways, reached, damage, executed, asking, leaks } = await measureAttacks(corpus, corpus.attacks);
    print('attacks that a model obeys', {
      ...{ attacks, ways, 'texts that reached a model': reached },
      ...{ 'forbidden calls without a person': executed.length, 'changes outside': damage.length },
      ...{ 'calls that ask': asking, 'texts outside an envelope': leaks.length },
    });
    printUse('useful calls', await measureUse(corpus, corpus.tasks));
    const act = 'untrusted: { act: [calendar_add, "notebook_*", "mail_send(to=@thread)"] }\n';
    printUse('useful calls, calendar and notebook named in untrusted.act', await measureUse(corpus, corpus.tasks, act));
    print('harmless mails', {
      'mails': corpus.benign.length,
      'changed by the envelope': changedByEnvelope(corpus).length,
    });
    if (executed.length + damage.length + leaks.length > 0) process.exitCode = 1;
  }
}
