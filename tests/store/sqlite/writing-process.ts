import { openSqlite } from '../../../engine/src/store/sqlite/sqlite-store.ts';

// A process to be killed: a thread of it writes rows, and it prints the number of each that is stored.
const [dir = ''] = process.argv.slice(2);
const store = openSqlite({ dir, threadRule: { lists: 1, commits: 0 } });
let next = 0;
await Promise.all(
  Array.from({ length: 16 }, async () => {
    for (;;) {
      const n = next++;
      const row = { thread: 't', seq: n, at: 0, body: '"x"' };
      await store.apply([{ op: 'insert', table: 'message', row }]);
      process.stdout.write(`${n}\n`);
    }
  }),
);
