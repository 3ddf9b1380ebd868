import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../../base/folder.ts';
import { validateFiles } from '../../../app/validate-files.ts';
import { EngineError } from '../../../base/error.ts';
import { isRecord, sha256 } from '../../../base/json.ts';
import type { Settings } from '../../../config/config.ts';
import type { DraftEdit } from '../../../run/draft-edit.ts';
import { filesOfActors, type LearnFiles, readLearnFiles } from '../../../run/learn/learn-files.ts';
import { learnMessage } from '../../../run/learn/learn-message.ts';
import { writePatch } from '../../../run/learn/patch.ts';
import { checkProposals, readProposals, type ValidateTexts } from '../../../run/learn/proposal.ts';
import type { AgentSession } from '../../../run/session/session.ts';
import { type ApiClient, path } from '../../client.ts';
import type { CommandContext } from '../../context.ts';
import { isConfirmed } from '../../terminal/confirm.ts';
import { EXIT } from '../../terminal/terminal.ts';
import { withApi } from '../../with-api.ts';
import { pages, readSince } from '../run/export.ts';
import { exitCodeOfRun, followRun, untilInterrupted } from '../run/follow.ts';
import { applyChanges, applyPatchFile } from './apply.ts';

interface LearnOptions {
  readonly since: string;
  readonly director?: string;
  readonly apply?: string;
}

/** What the agent answered, or the exit code where it did not get that far. */
type Asked = { readonly code: number } | { readonly id: string; readonly answer: string; readonly files: LearnFiles };

/**
 * `learn`: lets the agent of the settings propose changes from edited drafts; prints them as a patch and stores it in the data
 * folder. In a terminal it asks whether to apply it; else `--apply` does. Exit 0, also where there is nothing to propose; as
 * `run` where the run of the agent does not complete; 2 for proposals that are refused.
 */
export async function learn(context: CommandContext, options: LearnOptions): Promise<number> {
  const validate: ValidateTexts = (texts) => validateFiles(context, { cwd: context.terminal.cwd, paths: [], texts });
  if (options.apply !== undefined) return applyPatchFile(context, options.apply, validate);
  const since = readSince(options.since, Date.now());
  const all = await readLearnFiles(context.configDir);
  const asked = await untilAnswered(context, (client, signal) =>
    ask(context, client, { ...options, since, all, signal }),
  );
  if ('code' in asked) return asked.code;
  const { id, answer, files } = asked;
  const changes = await checkProposals(files, readProposals(answer), validate);
  if (changes.length === 0) {
    if (context.isJson) context.print({ id, files: [], patch: null });
    else context.say('the agent proposes no change');
    return EXIT.fine;
  }
  const patch = writePatch(id, changes);
  const file = await storePatch(context, id, patch);
  if (context.isJson) context.print({ id, files: changes.map(({ target }) => target.file), file, patch });
  else context.terminal.out(patch);
  if (await isConfirmed(context, 'apply these changes?')) return applyChanges(context, changes);
  context.say(`nothing is changed yet; to apply it: callsheet learn --apply ${id}\n  ${file}`);
  return EXIT.fine;
}

async function untilAnswered(
  context: CommandContext,
  work: (client: ApiClient, signal: AbortSignal) => Promise<Asked>,
): Promise<Asked> {
  let asked: Asked = { code: EXIT.interrupted };
  const code = await untilInterrupted(context, (signal) =>
    withApi(context, { isDriving: true }, async (client) => {
      asked = await work(client, signal);
      return EXIT.fine;
    }),
  );
  return code === EXIT.fine ? asked : { code };
}

interface AskOptions {
  readonly since: string;
  readonly director?: string;
  readonly all: LearnFiles;
  readonly signal: AbortSignal;
}

/** Sends the agent of the settings the edits and the present files, and waits for its answer. */
async function ask(context: CommandContext, client: ApiClient, options: AskOptions): Promise<Asked> {
  const { since, director, all, signal } = options;
  const agent = await agentOf(client, all);
  const query = new URLSearchParams({ since, limit: '200', ...(director !== undefined && { directorId: director }) });
  const edits: DraftEdit[] = [];
  for await (const edit of pages<DraftEdit>(client, `/api/learn/edits?${query}`)) edits.push(edit);
  if (edits.length === 0) {
    context.say(`nobody has edited a draft since ${since}${director === undefined ? '' : ` of director ${director}`}`);
    if (context.isJson) context.print({ files: [], patch: null });
    return { code: EXIT.fine };
  }
  const directors = new Set(edits.map(({ directorId }) => directorId));
  const agents = new Set(edits.flatMap(({ agentId }) => (agentId === undefined ? [] : [agentId])));
  const session = await client.request<AgentSession>('POST', path`/api/agents/${agent}/sessions`, { body: {} });
  // The id of the session is random and younger than every text inside, so no sender of a mail knows the mark.
  const message = learnMessage(edits, filesOfActors(all, { directors, agents }), sha256(session.id).slice(0, 12));
  if (message.leftOut > 0) context.say(`${message.leftOut} of ${edits.length} edits do not fit and are left out`);
  const sent = await client.request<AgentSession>('POST', path`/api/sessions/${session.id}/message`, {
    body: { content: message.content, waitSeconds: 0 },
  });
  return answerOf(context, client, { sent, files: message.files, signal });
}

/** `USAGE` where the settings name no agent, `NOT_FOUND` where there is no such agent, `TOOL_DENIED` where it has tools. */
async function agentOf(client: ApiClient, { files }: LearnFiles): Promise<string> {
  const { agent } = (await client.request<Settings>('GET', '/api/settings')).learn;
  if (agent === undefined)
    throw new EngineError('USAGE', 'the settings name no agent for learning', {
      hint: 'write learn: { agent: <id> } in settings.yaml; docs/learning.md has an example',
    });
  const document = [...files.values()].find((one) => one.kind === 'agent' && one.id === agent);
  const tools = document?.kind === 'agent' && isRecord(document.value) ? document.value['tools'] : undefined;
  if (Array.isArray(tools) && tools.length > 0)
    throw new EngineError('TOOL_DENIED', `agent "${agent}" has tools, and an agent for learning may have none`, {
      hint: 'it reads texts of mails: remove tools from it, or name another agent',
    });
  return agent;
}

async function answerOf(
  context: CommandContext,
  client: ApiClient,
  { sent, files, signal }: { readonly sent: AgentSession; readonly files: LearnFiles; readonly signal: AbortSignal },
): Promise<Asked> {
  const id = sent.run?.id;
  if (id === undefined) throw new EngineError('INTERNAL', `session ${sent.id} has no run`);
  const print = context.isJson || context.isQuiet ? () => {} : context.terminal.err;
  const view = { color: context.hasColor.err, isBrief: true, stopsAtWait: true };
  if (!(await followRun(context, client, { id, signal, print, ...view }))) return { code: EXIT.interrupted };
  const { run, messages = [] } = await client.request<AgentSession>('GET', path`/api/sessions/${sent.id}`);
  if (run === undefined || run.status !== 'completed') {
    context.say(`the agent did not answer: run ${id} ${run?.status ?? 'is deleted'}\n  callsheet runs show ${id}`);
    return { code: run === undefined ? EXIT.warning : exitCodeOfRun(run) };
  }
  const answer = messages.findLast(({ role }) => role === 'assistant')?.content ?? '';
  return { id, answer, files };
}

/** Stores the patch in the data folder, for its owner alone. */
async function storePatch({ dataDir }: CommandContext, id: string, patch: string): Promise<string> {
  const folder = join(dataDir, 'learn');
  await makeFolder(folder, 0o700);
  const file = join(folder, `${id}.patch`);
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(patch);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return file;
}
