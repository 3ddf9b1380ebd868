import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../engine/src/base/clock.ts';
import { createFolderSource } from '../../../engine/src/mail/folder/source.ts';
import type { MailWorkers } from '../../../engine/src/mail/parse/mail-workers.ts';
import { sourceContract, type SourceWorld } from '../../contracts/source.ts';

const LETTERS: Readonly<Record<string, string>> = { '\\Flagged': 'F', '\\Answered': 'R' };

/** A Maildir in a folder of its own. */
async function openMaildir(workers: MailWorkers): Promise<SourceWorld> {
  const root = mkdtempSync(join(tmpdir(), 'callsheet-maildir-'));
  const [box, away] = [join(root, 'box'), join(root, 'away')];
  for (const folder of [box, join(box, 'cur'), join(box, 'new'), join(box, 'tmp'), away]) mkdirSync(folder);
  let count = 0;
  const now = (name: string, folder = join(box, 'cur')) => {
    const file = readdirSync(folder).find((other) => other.startsWith(`${name}:2,`));
    if (file === undefined) throw new Error(`there is no ${name}`);
    return file;
  };
  return {
    labels: ['\\Flagged', '\\Answered'],
    open: () =>
      createFolderSource({
        ...{ accountId: 'box', email: 'team@example.org', path: box, format: 'maildir', workers, clock: systemClock },
      }),
    async deliver(mime) {
      const name = `${1_700_000_000 + count++}.1.host`;
      const file = join(box, 'cur', `${name}:2,`);
      writeFileSync(file, mime);
      utimesSync(file, count, count);
      return name;
    },
    async label(mail, { add = [], remove = [] }) {
      const file = now(mail);
      const gone = remove.map((label) => LETTERS[label]);
      const letters = [...file.split(':2,')[1]!].filter((letter) => !gone.includes(letter));
      const all = new Set([...letters, ...add.map((label) => LETTERS[label])]);
      renameSync(join(box, 'cur', file), join(box, 'cur', `${mail}:2,${[...all].sort().join('')}`));
    },
    async remove(mail) {
      renameSync(join(box, 'cur', now(mail)), join(away, now(mail)));
    },
    async restore(mail) {
      renameSync(join(away, now(mail, away)), join(box, 'cur', now(mail, away)));
    },
    async close() {
      rmSync(root, { recursive: true });
    },
  };
}

sourceContract('a Maildir', openMaildir);
