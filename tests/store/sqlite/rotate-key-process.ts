import { silentLogger } from '../../../engine/src/base/log.ts';
import { rotateKey } from '../../../engine/src/store/sqlite/rotate-key.ts';
import { openSqlite } from '../../../engine/src/store/sqlite/sqlite-store.ts';

// A process to be killed: encrypts a folder with a key, or rotates it from one key to another.
const [dir = '', from = '', to = ''] = process.argv.slice(2);
// Without a folder it only leaves its compiled code.
if (dir === '') process.exit();
process.stdout.write('begin\n');
if (to === '') await openSqlite({ dir, key: from }).close();
else rotateKey(dir, { from, to }, silentLogger);
