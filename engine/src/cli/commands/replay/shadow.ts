import { checkOutConfig } from '../../../app/scratch/config-of-ref.ts';
import { EngineError } from '../../../base/error.ts';
import { PLAIN, textReport } from '../../../replay/report/text-report.ts';
import type { ShadowView } from '../../../replay/shadow/shadow.ts';
import type { CommandContext } from '../../context.ts';
import { findServer } from '../../server-file.ts';
import { EXIT } from '../../terminal/terminal.ts';
import { withApi } from '../../with-api.ts';
import { reportMarks } from './marks.ts';

const PATH = '/api/shadow';

interface StartOptions {
  readonly percent: string;
  readonly maxCostPerDay: string;
}

/** `shadow start <ref>`: begins a shadow; with `--json` prints it as `GET /api/shadow` serves it. */
export async function startShadow(
  context: CommandContext,
  { percent, maxCostPerDay }: StartOptions,
  [ref = '']: readonly string[],
): Promise<number> {
  const body = {
    ref,
    percent: numberOf('--percent', percent),
    maxCostPerDay: numberOf('--max-cost-per-day', maxCostPerDay),
  };
  const view = await withApi(context, { isDriving: false }, (client) =>
    client.request<ShadowView>('POST', PATH, { body }),
  );
  if (context.isJson) context.print(view);
  for (const warning of view.shadow?.warnings ?? []) context.say(warning);
  const isServed = (await findServer(context.dataDir)) !== undefined;
  context.say(
    isServed
      ? `new mail is also run under ${ref} from now on; callsheet shadow status shows what differs`
      : `new mail is also run under ${ref} while callsheet start runs`,
  );
  return EXIT.fine;
}

/** `shadow status`: prints the comparison so far. */
export async function showShadow(context: CommandContext): Promise<number> {
  const { shadow, report } = await read(context);
  if (context.isJson) context.print({ shadow, ...(report && { report }) });
  else if (shadow === null || report === undefined) context.say('no shadow');
  else {
    const { ref, percent, startedAt, mails, spentToday, maxCostPerDay, isFull, problem } = shadow;
    const lines = [
      `Shadow of ${ref}: ${percent} % of new mail since ${startedAt.slice(0, 16).replace('T', ' ')} UTC`,
      `  ${mails} mails${isFull ? ', the most that it takes' : ''}; $${spentToday.toFixed(4)} of $${maxCostPerDay} spent today`,
      ...(problem === undefined ? [] : [`  it cannot try mail: ${problem}`]),
    ];
    const marks = context.hasColor.out ? reportMarks : PLAIN;
    context.terminal.out(`${lines.join('\n')}\n\n${textReport(report, marks)}`);
  }
  return EXIT.fine;
}

/** `shadow promote`: makes the config folder that of the ref. `NOT_FOUND` without a shadow; errors as of `checkOutConfig`. */
export async function promoteShadow(context: CommandContext): Promise<number> {
  const { shadow } = await read(context);
  if (shadow === null)
    throw new EngineError('NOT_FOUND', 'there is no shadow', { hint: 'callsheet shadow start begins one' });
  const { ref, commit } = shadow;
  await checkOutConfig(context.configDir, commit);
  if (context.isJson) context.print({ ref, commit, configDir: context.configDir });
  context.say(
    `${context.configDir} is now as at ${ref} (${commit.slice(0, 8)}); a running server takes it over by itself\n` +
      `next: git commit -m "Take over the config of ${ref}", then callsheet shadow drop`,
  );
  return EXIT.fine;
}

/** `shadow drop`: ends the shadow and deletes its results. `NOT_FOUND` where there is none. */
export async function dropShadow(context: CommandContext): Promise<number> {
  await withApi(context, { isDriving: false }, (client) => client.request('DELETE', PATH));
  context.say('the shadow has ended, and its results are deleted');
  return EXIT.fine;
}

function read(context: CommandContext): Promise<ShadowView> {
  return withApi(context, { isDriving: false }, (client) => client.request<ShadowView>('GET', PATH));
}

function numberOf(name: string, text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value)) return value;
  throw new EngineError('USAGE', `${name} takes a number, not "${text}"`);
}
