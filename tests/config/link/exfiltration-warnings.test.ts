import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { brief, type Files, makeFolder, open, problemsOf, save, VALID } from '../folder.ts';
import { agent, director, testProblems } from '../problem-cases.ts';
import { EXFILTRATION, NO_ROUTE, ROUTES } from './cases.ts';

const HARMLESS: readonly (readonly [string, Files])[] = [
  ['asks before it sends', director('tools: [mail]\npermissions: { ask: [mail_send] }\n')],
  ['says nothing of sending, so that it asks', director('tools: [mail]\n')],
  ['sends, and reads nothing', director('tools: [mail_send]\npermissions: { allow: [mail_send] }\n')],
  ['reads, and sends nothing', director('tools: [mail]\npermissions: { deny: [mail_send] }\n')],
  [
    'lets its agent send, which its own rules ask about',
    {
      ...agent('tools: [mail]\npermissions: { allow: [mail_send] }\n'),
      ...director('agents: [reader]\ntools: [mail]\npermissions: { ask: [mail_send] }\n'),
    },
  ],
];

describe('exfiltration warnings', () => {
  testProblems(EXFILTRATION);
  testProblems(ROUTES);

  test.each([...HARMLESS, ...NO_ROUTE])('finds nothing wrong with a director that %s', async (_name, files) => {
    expect((await problemsOf({ ...VALID, ...files })).map(({ code }) => code)).not.toContain('CONFIG_CAN_LEAK');
  });

  test('are those of the files as they are now, whatever was in them before', async () => {
    const { dir } = await makeFolder(VALID);
    const config = await open(dir);
    const all = [...EXFILTRATION, ...ROUTES].map(({ files }) => files);
    const names = new Set(all.flatMap((files) => Object.keys({ ...VALID, ...files })));
    for (const files of [...all, ...HARMLESS.map(([, files]) => files), ...all.toReversed()]) {
      const wanted: Files = { ...VALID, ...files };
      for (const name of names)
        await (wanted[name] === undefined ? rm(join(dir, name), { force: true }) : save(dir, name, wanted[name]));
      await config.refresh();
      expect(brief(config.problems())).toEqual(brief(await problemsOf(wanted)));
    }
  });
});
