import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { AppOptions } from '../../../engine/src/app/app.ts';
import type { SimulatedClock } from '../../../engine/src/base/clock.ts';
import { silentLogger } from '../../../engine/src/base/log.ts';
import { filterQuestion } from '../../../engine/src/filter/filter-question.ts';
import { Fetcher } from '../../../engine/src/intake/fetcher.ts';
import type { FoundMail, SourceEvent } from '../../../engine/src/mail/source.ts';
import type { ModelRequest, Models } from '../../../engine/src/model/model.ts';
import { readObjective } from '../../../engine/src/run/objective/objective-rows.ts';
import type { Objective } from '../../../engine/src/run/objective/objective.ts';
import { LiveBus } from '../../../engine/src/trace/live-bus.ts';
import { mailOf } from '../../mail/fixtures.ts';
import { nextTry, PATIENCE_MS } from '../../next-try.ts';
import { playModels, setStage, type Stage } from '../harness.ts';

const DIRECTOR = `
id: autopilot
name: Autopilot
mode: objective
apiConfigId: main
agents: [intake, planner, writer]
permissions: { allow: [mail_draft, mail_read, mail_send, workspace_add_item] }
untrusted: { act: [mail_send] }
BUDGET
tools: [mail, workspace]
objective: { intake: intake, planner: planner, writer: writer, OBJECTIVE }
prompt:
  - { role: system, content: "Reach the objective of the user." }
  - { role: user, content: "{{email}}" }
`;

const FILES = {
  'settings.yaml': 'calendar: { timeZone: Europe/Berlin }\n',
  'accounts/box.yaml': 'id: box\nprovider: folder\nemail: me@example.org\npath: ./inbox\n',
  'filters/auto.yaml': 'id: auto\nfield: Label\nregex: ^Autopilot$\ndirectorId: autopilot\n',
  'agents/intake.yaml': 'id: intake\nname: Intake\nprompt: [{ role: system, content: You are intake. }]\n',
  'agents/planner.yaml': 'id: planner\nname: Planner\nprompt: [{ role: system, content: You are planner. }]\n',
  'agents/writer.yaml': 'id: writer\nname: Writer\nprompt: [{ role: system, content: You are writer. }]\n',
};

/** The director of the tests, with these keys of `objective`. */
export const director = (keys = 'sendDrafts: never', budget = '') => ({
  'directors/autopilot.yaml': DIRECTOR.replace('OBJECTIVE', keys).replace('BUDGET', budget),
});

/** What a role answers: an object as JSON, or the text of the writer. */
export type Answer = (role: string, data: string, request: ModelRequest) => object | string;

/** A stage with a director of objectives whose roles answer as the test says. */
export interface ObjectiveStage extends Stage {
  answer: Answer;
  /** What an answer waits for. Default: nothing. */
  delay: (role: string) => Promise<void>;
  /** What was sent to roles, oldest first. */
  readonly asked: { role: string; data: string; request: ModelRequest }[];
  /** One fetch of the account, whose source says this. */
  fetch(...events: readonly SourceEvent[]): Promise<void>;
  mail(id: string, given?: GivenMail): FoundMail;
  objective(id: string): Promise<Objective>;
  /** The only objective there is, once `state` holds for it. */
  reached(state: (objective: Objective) => boolean): Promise<Objective>;
}

export interface GivenMail {
  readonly thread?: string;
  readonly labels?: readonly string[];
  readonly from?: string;
  readonly to?: string;
  readonly subject?: string;
  readonly headers?: readonly string[];
  readonly text?: string;
  /** Default: made of the thread and the id. */
  readonly messageId?: string;
}

/** The role of a request, by the system message of its agent. */
function roleOf({ messages }: ModelRequest): string {
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content ?? '');
  return /You are (\w+)/.exec(system.join('\n'))?.[1] ?? 'director';
}

export async function objectiveStage(
  keys?: string,
  options: Partial<AppOptions> & { files?: Readonly<Record<string, string>> } = {},
  wrap: (models: Models) => Models = (models) => models,
): Promise<ObjectiveStage> {
  const asked: ObjectiveStage['asked'] = [];
  const models = playModels(async (request) => {
    const role = roleOf(request);
    const data = request.messages.findLast((message) => message.role === 'user')?.content ?? '';
    asked.push({ role, data, request });
    const { answer } = stage;
    await stage.delay(role);
    const said = answer(role, data, request);
    return { content: typeof said === 'string' ? said : JSON.stringify(said) };
  });
  const plain = await setStage({
    models: wrap(models),
    ...options,
    files: { ...FILES, ...director(keys), ...options.files },
  });
  mkdirSync(join(plain.root, 'inbox'), { recursive: true });
  const mail = (id: string, given: GivenMail = {}): FoundMail => {
    const { labels = [], from = 'ann@example.com', to = 'me@example.org', subject = 'Offer', headers = [] } = given;
    const { thread: threadId = 'thread1', text = 'Hello', messageId = `<${threadId}-${id}@example.com>` } = given;
    return {
      ...{ kind: 'mail', name: `${threadId}-${id}`, providerId: `${threadId}-${id}`, labels },
      read(about) {
        const head = [`From: ${from}`, `To: ${to}`, `Subject: ${subject}`, `Message-ID: ${messageId}`];
        const bytes = mailOf(...head, ...headers, '', text);
        const facts = {
          accountId: 'box',
          ownAddresses: ['me@example.org'],
          labels,
          readsLabelHeaders: false,
          threadId,
        };
        return plain.app.mailWorkers.parse({ kind: 'bytes', bytes }, { ...about, ...facts });
      },
    };
  };
  const objective = async (id: string) => {
    const found = await readObjective(plain.app.deps.store, id);
    if (found === undefined) throw new Error(`no objective ${id}`);
    return found;
  };
  const stage: ObjectiveStage = Object.assign(Object.create(plain) as Stage, {
    answer: (() => ({})) as Answer,
    delay: () => Promise.resolve(),
    ...{ asked, mail, objective },
    async fetch(...events: readonly SourceEvent[]) {
      const { app } = plain;
      const fetcher = new Fetcher(
        { ...app.deps, log: silentLogger, live: new LiveBus() },
        {
          openSource: () => ({
            async *list() {
              yield* events;
            },
            watch: async () => async () => {},
          }),
          routeMail: (subject, snapshot, added) => app.filterPool.decide(filterQuestion(subject, snapshot, added)),
          onNewMail: () => app.engine.queued(),
          onRunsStarted: () => app.engine.queued(),
        },
      );
      const { failed } = await fetcher.fetch();
      if (failed > 0) throw new Error(`${failed} mails failed`);
      await fetcher.close();
    },
    async reached(state: (one: Objective) => boolean) {
      const [row] = await plain.app.deps.store.list('objective', { order: [['id', 'desc']], limit: 1 });
      if (row === undefined) throw new Error('there is no objective');
      let found = await objective(row.id);
      await plain.until(row.id, () => true);
      await plain.until(row.id, (run) => {
        if (run.status === 'failed' && found.status === 'error' && !state(found))
          throw new Error(JSON.stringify(run.error));
        void objective(row.id).then((one) => (found = one));
        return state(found);
      });
      return found;
    },
  });
  return stage;
}

/** The newest objective, once `state` holds for it; what is due on the clock happens meanwhile. */
export async function untilMoved(
  stage: ObjectiveStage,
  clock: SimulatedClock,
  state: (objective: Objective) => boolean,
): Promise<Objective> {
  for (let tries = 0, began = Date.now(); ; tries++) {
    clock.advance(1);
    const [row] = await stage.app.deps.store.list('objective', { order: [['id', 'desc']], limit: 1 });
    const found = row && (await stage.objective(row.id));
    if (found !== undefined && state(found)) return found;
    if (Date.now() - began > PATIENCE_MS) throw new Error(JSON.stringify(found));
    await nextTry(tries);
  }
}
