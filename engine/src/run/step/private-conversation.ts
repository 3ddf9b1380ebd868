import { canonicalJson, sha256 } from '../../base/json.ts';
import type { EntityMap } from '../../guard/placeholder/entity-map.ts';
import { hasEntities, readRedacted, redactedChange, StoredEntities } from '../../guard/placeholder/entity-rows.ts';
import type { KnownPerson } from '../../guard/privacy/known-names.ts';
import { type PrivacyPolicy, privacyOf } from '../../guard/placeholder/policy.ts';
import { privateMentions } from '../../guard/placeholder/mentions.ts';
import { type FoundMessage, redactMessages, type UnredactedMessage } from '../../guard/placeholder/redact-message.ts';
import { findLookalikes } from '../../guard/placeholder/placeholder.ts';
import type { Restorer } from '../../guard/placeholder/restore-answer.ts';
import { redactTools } from '../../guard/placeholder/redact-tools.ts';
import type { Snapshot } from '../../config/config.ts';
import { readPeople } from '../../mail/participants.ts';
import type { JsonSchema, Message, ToolSpec } from '../../model/model.ts';
import type { Draft } from '../../store/draft.ts';
import type { Store } from '../../store/store.ts';
import type { Toolset } from '../../tool/toolset.ts';
import type { Memory } from '../../memory/memory.ts';
import { conversationOf, type Run } from '../run.ts';

/** Tools as a model gets them. */
type SentTools = Pick<Toolset, 'specs' | 'hash'>;

/**
 * The private values of a run in memory, and its messages as models got them. Messages are stored with real values; a message is
 * redacted when it is first sent, and sent in the same words from then on, also after a restart.
 */
export class PrivateConversation {
  readonly policy: PrivacyPolicy;
  readonly map: EntityMap;
  readonly #entities: StoredEntities;
  readonly #store: Store;
  readonly #run: Run;
  readonly #threads = new Map<string, Map<number, Message | null>>();
  readonly #tools = new Map<string, SentTools & { readonly version: number }>();
  #people: readonly KnownPerson[] | undefined;

  private constructor(store: Store, run: Run, policy: PrivacyPolicy, entities: StoredEntities) {
    this.#store = store;
    this.#run = run;
    this.#entities = entities;
    this.policy = policy;
    this.map = entities.map;
  }

  /** The privacy of a run; undefined where its director has none. */
  static async load(store: Store, config: Snapshot, run: Run): Promise<PrivateConversation | undefined> {
    const policy = privacyOf(config, run);
    if (policy === undefined) return undefined;
    const id = await entitiesOf(store, run);
    return new PrivateConversation(store, run, policy, await StoredEntities.read(store, id, policy.redact));
  }

  /** The messages of a thread that no model has seen yet. `summary`: the text that stands for the first ones, or `''`. */
  async unredacted(threadId: string, messages: readonly Message[], summary: string): Promise<UnredactedMessage[]> {
    const known = await this.#redacted(threadId);
    const found: UnredactedMessage[] = [];
    if (summary !== '' && !known.has(0))
      found.push({ seq: 0, message: { role: 'user', content: summary }, isUserWords: false });
    for (const [n, message] of messages.entries())
      if (!known.has(n + 1))
        found.push({ seq: n + 1, message, isUserWords: message.role === 'user' && this.#isUsers(threadId) });
    return found;
  }

  /** The messages of a thread as models see them. All of them were redacted before. */
  async shown(threadId: string, messages: readonly Message[]): Promise<Message[]> {
    const known = await this.#redacted(threadId);
    return messages.map((message, n) => known.get(n + 1) ?? message);
  }

  /** The summary of a thread as models see it. */
  async shownSummary(threadId: string, text: string): Promise<string> {
    return (await this.#redacted(threadId)).get(0)?.content ?? text;
  }

  /** People whose names are known: of the mails of the thread, and those found before. */
  async known(): Promise<KnownPerson[]> {
    const people = (this.#people ??= await readPeople(this.#store, this.#run.emailId));
    const found = this.map.entities.filter(({ kind }) => kind === 'person');
    return [...people, ...found.map(({ value }) => ({ name: value }))];
  }

  /** Redacts messages of a thread in which a recogniser has found private values. */
  async redact(draft: Draft, threadId: string, found: readonly FoundMessage[]): Promise<void> {
    const known = await this.#redacted(threadId);
    const open = found.filter(({ seq }) => !known.has(seq));
    for (const [n, message] of redactMessages(this.map, open).entries()) {
      const { seq = 0, message: real } = open[n] ?? {};
      this.#keep(draft, threadId, { seq, known }, isSame(message, real) ? null : message);
    }
    draft.append(...this.#entities.changes());
  }

  /** Keeps a message as a model wrote it. `real` is what is stored of it in the thread. */
  async keepAnswer(draft: Draft, threadId: string, seq: number, sent: Message, real: Message): Promise<void> {
    const known = await this.#redacted(threadId);
    this.#keep(draft, threadId, { seq, known }, isSame(sent, real) ? null : sent);
  }

  /**
   * Takes the messages of another thread of the conversation over as models saw them: `count` messages after number `after`,
   * as those after `behind` of the new thread, and the summary.
   */
  async takeOver(
    draft: Draft,
    { from, after, count, to }: { from: string; after: number; count: number; to: string },
    behind: number,
  ): Promise<void> {
    const before = await readRedacted(this.#store, from);
    const known = await this.#redacted(to);
    const summary = before.get(0);
    if (summary !== undefined) this.#keep(draft, to, { seq: 0, known }, summary);
    for (let n = 1; n <= count; n++) {
      const message = before.get(after + n);
      if (message !== undefined) this.#keep(draft, to, { seq: behind + n, known }, message);
    }
  }

  /** Adds the private values that recalled memories name. */
  learn(draft: Draft, memories: readonly Pick<Memory, 'mentions'>[]): void {
    for (const { kind, text } of privateMentions(memories.flatMap(({ mentions = [] }) => mentions)))
      if (this.map.hides(kind)) this.map.assign(kind, text);
    draft.append(...this.#entities.changes());
  }

  /** The tools as models get them. What is new in the map is stored with the step. */
  tools(draft: Draft, { specs, hash }: SentTools): SentTools {
    const before = this.#tools.get(hash);
    if (before?.version === this.map.version) return before;
    const redacted = redactTools(this.map, specs, this.policy.redact);
    draft.append(...this.#entities.changes());
    const next = redacted === specs ? { specs, hash } : withHash(redacted);
    const sent = { ...(next.hash === before?.hash ? before : next), version: this.map.version };
    this.#tools.set(hash, sent);
    return sent;
  }

  /** The schema of an answer as a model gets it. What is new in the map is stored with the step. */
  schema(draft: Draft, schema: JsonSchema): JsonSchema {
    const spec = specOf(schema);
    const [redacted = spec] = redactTools(this.map, [spec], this.policy.redact);
    draft.append(...this.#entities.changes());
    return { ...redacted.function.parameters };
  }

  /**
   * What restores an answer in a thread with the messages `real`. The map of a chat also has the values of other agents: there, only
   * what this agent was shown is restored, in the thread, the tools or the schema of its answer.
   */
  async restorer(
    { threadId, real }: { readonly threadId: string; readonly real: readonly Message[] },
    specs: readonly ToolSpec[],
    schema: JsonSchema | undefined,
  ): Promise<Restorer> {
    if (this.#run.trigger.kind !== 'chat') return this.map;
    const sent = await this.#redacted(threadId);
    const all = schema === undefined ? specs : [...specs, specOf(schema)];
    const shown = new Set([
      ...real.flatMap((message, n) => placeholdersGiven(sent.get(n + 1), message)),
      ...placeholdersIn(redactTools(this.map, all, this.policy.redact)),
    ]);
    return { restore: (text) => this.map.restore(text, (placeholder) => shown.has(placeholder)) };
  }

  #keep(
    draft: Draft,
    threadId: string,
    { seq, known }: { readonly seq: number; readonly known: Map<number, Message | null> },
    message: Message | null,
  ): void {
    known.set(seq, message);
    draft.append(redactedChange(threadId, seq, message));
  }

  async #redacted(threadId: string): Promise<Map<number, Message | null>> {
    let known = this.#threads.get(threadId);
    if (known === undefined) this.#threads.set(threadId, (known = await readRedacted(this.#store, threadId)));
    return known;
  }

  /** Whether the user messages of a thread are a person's: not a mail, and not what a director asks. */
  #isUsers(threadId: string): boolean {
    const { emailId, dirThreadId, sessionId } = this.#run;
    return emailId === undefined && threadId === (sessionId ?? dirThreadId);
  }
}

/**
 * The conversation whose private values a run goes on with. A turn of a chat that began before chats had a map for all turns has its
 * own, in which its placeholders are.
 */
async function entitiesOf(store: Store, run: Run): Promise<string> {
  const id = conversationOf(run);
  const own = run.sessionId;
  return own !== undefined && own !== id && (await hasEntities(store, own)) ? own : id;
}

/** The schema of an answer, as of a tool. */
function specOf(schema: JsonSchema): ToolSpec {
  return { type: 'function', function: { name: 'output', description: '', parameters: schema } };
}

/** The placeholders that a model was shown in a message. In an answer, those that were not restored are its own invention. */
function placeholdersGiven(sent: Message | null | undefined, real: Message): string[] {
  const found = placeholdersIn(sent);
  if (found.length === 0 || real.role !== 'assistant') return found;
  const invented = new Set(placeholdersIn(real));
  return found.filter((placeholder) => !invented.has(placeholder));
}

/** What looks like a placeholder in a value. */
function placeholdersIn(value: unknown): string[] {
  const text = JSON.stringify(value ?? null);
  return findLookalikes(text).map(({ start, end }) => text.slice(start, end));
}

function withHash(specs: readonly ToolSpec[]): SentTools {
  return { specs, hash: sha256(canonicalJson(specs)) };
}

function isSame(a: Message, b: Message | undefined): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
