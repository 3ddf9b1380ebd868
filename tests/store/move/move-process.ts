import { openPg } from '../../../engine/src/store/postgres/pool.ts';
import { databaseAt, folderAt, move } from './endpoints.ts';

// A process to be killed: moves a store from a folder to a database, or back.
const [dir = '', url = '', isBack = ''] = process.argv.slice(2);
// Without an address it only leaves its compiled code.
if (url === '') process.exit();
const database = openPg(url);
const places = [folderAt(dir), databaseAt(database)];
const [from, to] = isBack === 'back' ? places.reverse() : places;
process.stdout.write('begin\n');
await move(from!, to!, { id: `${process.pid}` });
await database.close();
