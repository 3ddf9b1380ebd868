import { createRedactor } from '../../../engine/src/base/redact.ts';
import { silentLogger } from '../../../engine/src/base/log.ts';
import { encryptFolder } from '../../../engine/src/app/services/encrypt-folder.ts';

/** Program of the test beside it: encrypts a data folder, and kills itself without a warning at one step. */
const [dataDir = '', envPath = '', step = ''] = process.argv.slice(2);
const dieAt = (at: string) => {
  if (at.includes(step)) process.kill(process.pid, 'SIGKILL');
};
const redactor = createRedactor();
await encryptFolder({
  dataDir,
  envPath,
  redactor: {
    ...redactor,
    add(value) {
      dieAt('key made');
      redactor.add(value);
    },
  },
  log: { ...silentLogger, info: dieAt },
});
