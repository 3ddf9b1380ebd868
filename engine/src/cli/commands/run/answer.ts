import type { Page } from '../../../api/http/paging.ts';
import type { Approval } from '../../../guard/approval.ts';
import type { ServedRun } from '../../../run/run.ts';
import { EngineError } from '../../../base/error.ts';
import { type ApiClient, path } from '../../client.ts';
import type { CommandContext } from '../../context.ts';
import { findId } from '../../find-id.ts';
import { oneLine } from '../../terminal/table.ts';
import { EXIT } from '../../terminal/terminal.ts';
import { withApi } from '../../with-api.ts';
import { stateOf } from './facts.ts';
import { formatQuestion } from './format-question.ts';

/**
 * `runs answer <run> [text…]`: answers the question of a run. Without a text it prints the question, and exits with 3. `RUN_NOT_ASKING`
 * where the run asks nothing, and its mode takes no words.
 */
export async function answerRun(
  context: CommandContext,
  _options: object,
  [given = '', ...words]: readonly string[],
): Promise<number> {
  const message = words.join(' ').trim();
  return withApi(context, { isDriving: false }, async (client) => {
    const id = await findId(client, 'run', given);
    if (message === '') return showQuestion(context, client, id);
    const run = await client.request<ServedRun>('POST', path`/api/runs/${id}/message`, { body: { message } });
    if (context.isJson) context.print(run);
    else context.say(`run ${id} has your answer${client.isLive ? '' : '; it continues after callsheet start'}`);
    return EXIT.fine;
  });
}

async function showQuestion(context: CommandContext, client: ApiClient, id: string): Promise<number> {
  const question = await readQuestion(client, id);
  if (question === undefined) {
    const run = await client.request<ServedRun>('GET', path`/api/runs/${id}`);
    throw new EngineError('RUN_NOT_ASKING', `run ${id} is ${stateOf(run)} and asks nothing`);
  }
  if (context.isJson) context.print(question);
  else context.terminal.out(`${formatQuestion(question)}\n`);
  context.say(`callsheet runs answer ${oneLine(id)} "…"`);
  return EXIT.person;
}

/** The open question of a run; undefined where there is none. */
async function readQuestion(client: ApiClient, runId: string): Promise<Approval | undefined> {
  const query = new URLSearchParams({ status: 'pending', runId, limit: '200' });
  const { items } = await client.request<Page<Approval>>('GET', `/api/approvals?${query}`);
  return items.find(({ kind }) => kind === 'question');
}
