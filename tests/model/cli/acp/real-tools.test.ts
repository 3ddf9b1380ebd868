import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../../../engine/src/base/clock.ts';
import { silentLogger } from '../../../../engine/src/base/log.ts';
import { createRedactor } from '../../../../engine/src/base/redact.ts';
import { findAcp } from '../../../../engine/src/model/cli/acp.ts';
import { acpTools } from '../../../../engine/src/model/cli/acp/modes.ts';
import { probeAcp } from '../../../../engine/src/model/cli/acp/probe.ts';
import { cliContextOf } from '../../../../engine/src/model/cli/cli.ts';
import { knownTools } from '../../../../engine/src/model/cli/tool.ts';
import { cliApi } from '../../../contracts/cli.ts';

const env = (name: string) => process.env[name];

for (const cli of ['claude', 'codex', 'gemini'] as const) {
  const isInstalled = (await findAcp({ api: cliApi({ cli }), env })) !== undefined;
  const why = isInstalled ? '' : ` (left out: ${knownTools[cli].acp[0] ?? ''} is not installed)`;

  test.runIf(isInstalled)(
    `the real ${cli} begins the protocol and makes a session, with a home of its own${why}`,
    async () => {
      const home = await mkdtemp(join(tmpdir(), 'callsheet-home-'));
      const context = cliContextOf({
        ...{ api: cliApi({ cli }), clock: systemClock, redactor: createRedactor(), log: silentLogger },
        env: (name) => (name === 'HOME' ? home : env(name)),
        sandbox: { isUsable: async () => false, wrapOf: async () => undefined },
      });
      const probe = await probeAcp(context);
      expect(probe).toMatchObject({ state: 'works', name: expect.stringMatching(/./), signedIn: false });
      if (probe.state === 'works' && probe.version === acpTools[cli].tried) expect(probe.warnings).toEqual([]);
    },
  );
}
