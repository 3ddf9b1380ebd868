import { enclose } from '../../engine/src/config/prompt/envelope.ts';
import type { InjectionCorpus } from './corpus.ts';

/** Ids of the harmless mails whose text is another one in its envelope. */
export function changedByEnvelope({ benign }: InjectionCorpus): string[] {
  const mark = '0123456789ab';
  return benign
    .filter(({ body }) => enclose(body, 'MAIL', mark) !== `<<MAIL-${mark}\n${body}\nMAIL-${mark}>>`)
    .map(({ id }) => id);
}
