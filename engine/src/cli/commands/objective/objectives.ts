import type { Page } from '../../../api/http/paging.ts';
import type { ServedObjective } from '../../../run/objective/objective.ts';
import { type ApiClient, path } from '../../client.ts';
import type { CommandContext } from '../../context.ts';
import { findId } from '../../find-id.ts';
import { shortIds } from '../../terminal/short-ids.ts';
import { type Column, formatTable, oneLine } from '../../terminal/table.ts';
import { EXIT, widthOf } from '../../terminal/terminal.ts';
import { withApi, withRows } from '../../with-api.ts';

interface ListOptions {
  readonly status?: string;
  readonly director?: string;
  readonly limit: string;
}

const COLUMNS: readonly Column[] = [
  { head: 'ID' },
  { head: 'STATE', cut: 2, min: 16 },
  { head: 'DIRECTOR', cut: 1 },
  { head: 'NEXT (UTC)' },
  { head: 'WHAT', cut: 3, min: 20 },
];

/** `objectives list`: prints objectives, newest first; with `--json` the page of the API. */
export async function listObjectives(
  context: CommandContext,
  { status, director, limit }: ListOptions,
): Promise<number> {
  const query = new URLSearchParams({
    limit,
    ...(status !== undefined && { status }),
    ...(director !== undefined && { directorId: director }),
  });
  const page = await withRows(context, (client) =>
    client.request<Page<ServedObjective>>('GET', `/api/objectives?${query}`),
  );
  if (context.isJson) context.print(page);
  else if (page.items.length === 0) context.say('no objectives');
  else context.terminal.out(formatObjectives(page.items, widthOf(context.terminal)));
  return EXIT.fine;
}

function formatObjectives(objectives: readonly ServedObjective[], width: number): string {
  const ids = shortIds(objectives.map(({ id }) => id));
  const rows = objectives.map((objective) => [
    ids.get(objective.id) ?? objective.id,
    stateOf(objective),
    objective.directorId,
    minute(objective.followUp.nextAt),
    oneLine(objective.userQuery || (objective.question ?? '')),
  ]);
  return formatTable(COLUMNS, rows, width);
}

/** `objectives show <id>`: prints an objective and its story. */
export async function showObjective(
  context: CommandContext,
  _options: object,
  [given = '']: readonly string[],
): Promise<number> {
  const objective = await withApi(context, { isDriving: false }, (client) => read(client, given));
  if (context.isJson) context.print(objective);
  else context.terminal.out(formatObjective(objective));
  return EXIT.fine;
}

function formatObjective(objective: ServedObjective): string {
  const { id, directorId, userQuery, summary, constraints, question, followUp, error, follows, history } = objective;
  const names = Object.keys(constraints);
  const facts = [
    `objective ${id} of ${directorId}: ${stateOf(objective)}`,
    `  wanted: ${oneLine(userQuery || 'not known yet')}`,
    ...(summary === null ? [] : [`  so far: ${oneLine(summary)}`]),
    ...(names.length === 0 ? [] : [`  constraints: ${oneLine(JSON.stringify(constraints))}`]),
    ...(question === null ? [] : [`  asks you: ${oneLine(question)}`, `    callsheet runs answer ${id}`]),
    ...(followUp.nextAt === null ? [] : [`  next follow-up: ${minute(followUp.nextAt)} UTC`]),
    `  follow-ups: ${followUp.sent} of ${followUp.max}`,
    ...(follows === undefined ? [] : [`  follows: ${follows}`]),
    ...(error === undefined ? [] : [`  ${error.code}: ${oneLine(error.message)}`]),
  ];
  const story = history.map(({ at, text }) => `${minute(at)}  ${oneLine(text)}`);
  return `${[...facts, '', ...story].join('\n')}\n`;
}

/** `objectives pause <id>` */
export const pauseObjective = order('pause');
/** `objectives resume <id>` */
export const resumeObjective = order('resume');
/** `objectives finish <id>` */
export const finishObjective = order('finish');

function order(name: 'pause' | 'resume' | 'finish') {
  return async (context: CommandContext, _options: object, [given = '']: readonly string[]): Promise<number> => {
    const objective = await withApi(context, { isDriving: false }, async (client) =>
      client.request<ServedObjective>(
        'POST',
        path`/api/objectives/${await findId(client, 'objective', given)}/${name}`,
      ),
    );
    if (context.isJson) context.print(objective);
    else context.say(`objective ${objective.id}: ${stateOf(objective)}`);
    return EXIT.fine;
  };
}

async function read(client: ApiClient, given: string): Promise<ServedObjective> {
  return client.request('GET', path`/api/objectives/${await findId(client, 'objective', given)}`);
}

function stateOf({ status, waitingFor, paused, outcome }: ServedObjective): string {
  const state = outcome ?? (waitingFor === null ? status.replace('_', ' ') : `waits: ${waitingFor}`);
  return paused && outcome === null ? `paused (${state})` : state;
}

function minute(at: string | null): string {
  return at === null ? '' : at.slice(0, 16).replace('T', ' ');
}
