import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Message } from '../../engine/src/model/model.ts';
import { openDesk, type Desk } from '../../tests/api/harness.ts';
import { call, type Play } from '../../tests/run/harness.ts';
import { type Attack, type Call, type InjectionCorpus, OWNER, type UserTask } from './corpus.ts';
import { sightingOf } from './outside.ts';

const SCOPE = 'scope: { notebooks: [drive], operations: [read, create, write, delete] }\n';
const TOOLS = 'tools: [mail, calendar, todo, notebook, workspace, memory, reminder]\n';

/** A desk whose models obey every mail that they read. */
export interface AttackDesk {
  readonly desk: Desk;
  /** Messages that a model got with the text of a stranger outside an envelope. */
  readonly leaks: Message[];
  /** Ids of attacks whose text reached a model. */
  readonly reached: Set<string>;
  /** Each attack as a mail that starts a run. */
  attackByMail(attacks: readonly Attack[]): Promise<void>;
  /** A person asks for each task, and the model finds the mail on its way. */
  attackByTask(attacks: readonly Attack[]): Promise<void>;
  /** A person asks, an agent reads the mail, and both obey it. */
  attackByAgent(attacks: readonly Attack[]): Promise<void>;
  /** Runs the calls of a task of a person, one after the other, and allows what asks. */
  serve(task: UserTask): Promise<readonly Outcome[]>;
  /** What has changed outside: mails in the outbox, archived mails, events, files that are gone. */
  damage(): string[];
  /** Calls of these tools that happened, by all runs. */
  done(): Promise<readonly string[]>;
}

/** How a useful call ended. `asked`: a person had to allow it. */
export type Outcome = 'ran' | 'asked' | 'refused';

/** Opens the desk: every tool is allowed for the director and its agent. `rules` are further keys of both. */
export async function openAttackDesk(corpus: InjectionCorpus, rules = ''): Promise<AttackDesk> {
  const leaks: Message[] = [];
  const reached = new Set<string>();
  const byCase = new Map<string, Attack>();
  const tasks = new Map<string, UserTask>();
  const attackIn = (messages: readonly Message[]) => {
    const text = messages.map(({ content }) => content ?? '').join('\n');
    const id = /\[case \d+\]/.exec(text)?.[0];
    return id === undefined ? undefined : byCase.get(id);
  };
  const play: Play = (request) => {
    const { messages, turn, role } = request;
    for (const attack of byCase.values()) {
      const { isInside, outside } = sightingOf(messages, attack.payloads);
      if (isInside) reached.add(attack.id);
      if (outside !== undefined) leaks.push(outside);
    }
    const prompt = messages.find(({ role: who }) => who === 'user')?.content ?? '';
    const task = tasks.get(/^\[task [^\]]+\]/.exec(prompt)?.[0] ?? '');
    if (task !== undefined) {
      const next = task.calls[turn - 1];
      return next === undefined ? { content: 'done' } : { tool_calls: [asCall(next, turn)] };
    }
    const attack = attackIn(messages);
    if (attack === undefined) return { content: 'done' };
    const steps = stepsOf(prompt, role, attack);
    const calls = steps[turn - 1] ?? [];
    return calls.length === 0
      ? { content: `I obey: ${attack.id}` }
      : { tool_calls: calls.map((one, n) => asCall(one, turn, n)) };
  };
  const actor = `apiConfigId: main\n${TOOLS}${SCOPE}permissions: { allow: ['*'] }\n${rules}`;
  const desk = await openDesk({
    play,
    files: {
      'settings.yaml': 'roots: { drive: ./drive }\nruns: { maxOpenApprovals: 100 }\n',
      'accounts/inbox.yaml': `id: inbox\nprovider: folder\nemail: ${OWNER}\npath: ./inbox\n`,
      'directors/boss.yaml': `id: boss\nname: Boss\nagents: [helper]\n${actor}`,
      'agents/helper.yaml': `id: helper\nname: Helper\ndescription: Helps.\n${actor}`,
    },
  });
  const { root } = desk.stage;
  mkdirSync(join(root, 'drive'));
  for (const [name, content] of corpus.files) writeFileSync(join(root, 'drive', name), content);
  const begin = async (message: string) => {
    const { json } = await desk.post('/api/runs', { directorId: 'boss', message });
    await desk.rest();
    return json.id;
  };
  const beginAll = async (attacks: readonly Attack[], how: string) => {
    for (const attack of attacks) {
      learn(attack);
      const message = `${how} ${caseOf(attack)} ${attack.task}`;
      await desk.post('/api/runs', { directorId: 'boss', message });
    }
    await desk.rest();
  };
  const learn = (attack: Attack) => byCase.set(caseOf(attack), attack);
  return {
    desk,
    leaks,
    reached,
    async attackByMail(attacks) {
      attacks.forEach((attack, n) => {
        learn(attack);
        desk.drop(`attack-${n}.eml`, attack.mail);
      });
      await desk.fetch();
    },
    attackByTask: (attacks) => beginAll(attacks, FIND),
    attackByAgent: (attacks) => beginAll(attacks, DELEGATE),
    async serve(task) {
      const name = `[task ${tasks.size}]`;
      tasks.set(name, task);
      return outcomesOf(desk, await begin(`${name} ${task.prompt}`));
    },
    damage: () => damageOf(root, corpus),
    async done() {
      const rows = await desk.stage.app.deps.store.list('ledger');
      return rows
        .filter(({ state }) => state === 'done')
        .map(({ body }) => (JSON.parse(body) as { tool: string }).tool);
    },
  };
}

/** Beginnings of the messages of a person that tell the model how it comes upon the mail. */
const FIND = 'Find out:';
const DELEGATE = 'Have it found out:';

function caseOf({ mail }: Attack): string {
  const subject = /^Subject: =\?utf-8\?B\?(.*)\?=/m.exec(mail)?.[1] ?? '';
  return /\[case \d+\]/.exec(Buffer.from(subject, 'base64').toString())?.[0] ?? '';
}

/** What an obeying model calls in each turn. */
function stepsOf(prompt: string, role: 'director' | 'agent', attack: Attack): readonly (readonly Call[])[] {
  const search: Call = ['mail_search', { subject: caseOf(attack).slice(1, -1) }];
  const pass: Call = ['agent__helper', { input: `Obey ${caseOf(attack)}: ${attack.payloads.join('\n')}` }];
  if (prompt.includes(FIND)) return [[search], attack.forbidden];
  if (role === 'agent' && prompt.includes('Read ')) return [[search], []];
  if (prompt.includes(DELEGATE))
    return [[['agent__helper', { input: `Read ${caseOf(attack)}` }]], attack.forbidden, [pass]];
  // The run is about the mail itself, or an agent was told to obey it.
  return role === 'director' ? [[...attack.forbidden, pass]] : [attack.forbidden];
}

function asCall([tool, args]: Call, turn: number, n = 0) {
  return call(`c${turn}x${n}`, tool, args);
}

async function outcomesOf(desk: Desk, runId: string): Promise<readonly Outcome[]> {
  const asked = new Set<string>();
  for (;;) {
    await desk.rest();
    const { json } = await desk.get(`/api/approvals?runId=${runId}&limit=100`);
    const open = json.items.filter((one) => one['runId'] === runId && one.status === 'pending');
    for (const { id } of open) {
      asked.add(id);
      await desk.post(`/api/approvals/${id}`, { decision: 'allow' });
    }
    if (open.length === 0) break;
  }
  const rows = await desk.stage.app.deps.store.list('ledger', { where: [['machine', '=', runId]] });
  const run = await desk.stage.run(runId);
  const results = (await desk.stage.messages(run.dirThreadId)).flatMap((message) =>
    message.role === 'tool' ? [message] : [],
  );
  return results.map(({ tool_call_id: callId }) => {
    const row = rows.find(({ body }) => (JSON.parse(body) as { callId: string }).callId === callId);
    const { approvalId } = row === undefined ? {} : (JSON.parse(row.body) as { approvalId?: string });
    if (approvalId !== undefined) return 'asked';
    return row === undefined || row.state === 'denied' ? 'refused' : 'ran';
  });
}

function damageOf(root: string, { files }: InjectionCorpus): string[] {
  const list = (name: string) => (existsSync(join(root, name)) ? readdirSync(join(root, name)) : []);
  const drive = new Set(list('drive'));
  return [
    ...list('outbox').map((name) => `sent ${name}`),
    ...list('archive').map((name) => `archived ${name}`),
    ...list('calendar').map((name) => `event ${name}`),
    ...[...files.keys()].filter((name) => !drive.has(name)).map((name) => `deleted ${name}`),
    ...[...drive].filter((name) => !files.has(name)).map((name) => `created ${name}`),
  ];
}
