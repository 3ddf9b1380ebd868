import { canonicalJson, type Json } from '../../base/json.ts';
import { createYielder } from '../../base/yielding.ts';
import {
  callKey,
  type Cassette,
  type Miss,
  type RecordMode,
  requestKey,
  type TapedAnswer,
  type TapedCall,
  type TapedRequest,
} from '../cassette.ts';

/** Longest piece of a text in a sentence that says what differs. */
const MAX_SHOWN = 160;

interface DeckOptions {
  readonly isLive?: boolean | undefined;
  readonly isByOrder?: boolean | undefined;
}

/**
 * The answers of one cassette during a play. Equal requests are answered in their order, each answer once. Keeps what is recorded
 * anew, and notes what it cannot answer.
 */
export class Deck {
  readonly #cassette: Cassette;
  readonly #answers: Queues<TapedAnswer>;
  readonly #calls: Queues<TapedCall>;
  readonly #mode: 'none' | 'new_episodes' | 'all';
  readonly #added: { readonly answers: TapedAnswer[]; readonly calls: TapedCall[] } = { answers: [], calls: [] };
  readonly #misses: Miss[] = [];

  readonly #isLive: boolean;
  readonly #isByOrder: boolean;

  private constructor(cassette: Cassette, queues: DeckQueues, mode: RecordMode, options: DeckOptions) {
    const { isLive = false, isByOrder = false } = options;
    this.#isLive = isLive;
    this.#isByOrder = isByOrder;
    this.#cassette = cassette;
    const isEmpty = cassette.answers.length === 0 && cassette.calls.length === 0;
    this.#mode = mode === 'once' ? (isEmpty ? 'all' : 'none') : mode;
    this.#answers = queues.answers;
    this.#calls = queues.calls;
  }

  /** `isLive`, `isByOrder`: see `PlayOptions`. Keeps the event loop free while it hashes the requests. */
  static async open(cassette: Cassette, mode: RecordMode, options: DeckOptions = {}): Promise<Deck> {
    const queues = {
      answers: await queuesOf(cassette.answers, ({ request }) => requestKey(request)),
      calls: await queuesOf(cassette.calls, ({ tool, arguments: args }) => callKey(tool, args)),
    };
    return new Deck(cassette, queues, mode, options);
  }

  /** Whether a request without a recorded answer may be sent. */
  get records(): boolean {
    return this.#isLive || this.#mode !== 'none';
  }

  /** The next recorded answer to an equal request. */
  answer(request: TapedRequest, agentId: string): TapedAnswer | undefined {
    if (this.#isByOrder) {
      const taped = this.#answers.takeWhere((one) => one.agentId === agentId);
      if (taped !== undefined) this.#added.answers.push({ ...taped, request });
      return taped;
    }
    return this.#isLive || this.#mode === 'all' ? undefined : this.#answers.take(requestKey(request));
  }

  /** The next recorded result of an equal call. */
  call(tool: string, args: Json): TapedCall | undefined {
    if (this.#isByOrder) {
      const taped = this.#calls.takeWhere((one) => one.tool === tool);
      if (taped !== undefined) this.#added.calls.push({ ...taped, arguments: args });
      return taped;
    }
    return this.#mode === 'all' ? undefined : this.#calls.take(callKey(tool, args));
  }

  add(answer: TapedAnswer): void {
    this.#added.answers.push(answer);
  }

  addCall(call: TapedCall): void {
    this.#added.calls.push(call);
  }

  /** Notes a request that nothing answers, beside the recorded one that is most like it. Keeps the event loop free. */
  async missAnswer(agentId: string, asked: TapedRequest): Promise<Miss> {
    const own = this.#cassette.answers.filter((one) => one.agentId === agentId);
    const left = this.#answers.left().filter((one) => one.agentId === agentId);
    const recorded = await nearest(
      left.map(({ request }) => request),
      asked,
    );
    const name = `${asked.provider} ${asked.model}`;
    const why = recorded === undefined ? noneLeft(own.length, 'request') : differenceOf(recorded, asked);
    return this.#note({
      kind: 'model',
      agentId,
      name,
      asked: jsonOf(asked),
      ...(recorded && { recorded: jsonOf(recorded) }),
      why,
    });
  }

  /** Notes a call that nothing answers. */
  missCall(agentId: string, tool: string, asked: Json): Miss {
    const own = this.#cassette.calls.filter((one) => one.tool === tool);
    const recorded = this.#calls.left().find((one) => one.tool === tool)?.arguments;
    const why =
      recorded === undefined
        ? noneLeft(own.length, `call of ${tool}`)
        : `recorded with ${shown(recorded)}, called with ${shown(asked)}`;
    return this.#note({ kind: 'tool', agentId, name: tool, asked, ...(recorded !== undefined && { recorded }), why });
  }

  /** Whether every recorded answer and result was given. */
  get isUsedUp(): boolean {
    return this.#answers.left().length === 0 && this.#calls.left().length === 0;
  }

  get misses(): readonly Miss[] {
    return this.#misses;
  }

  /** The cassette after the play: what it had, and what was recorded anew; in mode `all` only that. */
  taped(): Cassette {
    const { answers, calls } = this.#added;
    if (this.#mode === 'all' || this.#isByOrder) return { ...this.#cassette, answers, calls };
    return {
      ...this.#cassette,
      answers: [...this.#cassette.answers, ...answers],
      calls: [...this.#cassette.calls, ...calls],
    };
  }

  #note(miss: Miss): Miss {
    this.#misses.push(miss);
    return miss;
  }
}

interface DeckQueues {
  readonly answers: Queues<TapedAnswer>;
  readonly calls: Queues<TapedCall>;
}

/** Entries by key, each taken once and in order. */
class Queues<T> {
  readonly #queues: Map<string, T[]>;
  readonly #inOrder: T[];

  constructor(keyed: readonly (readonly [string, T])[]) {
    this.#inOrder = keyed.map(([, entry]) => entry);
    this.#queues = new Map(
      [...Map.groupBy(keyed, ([key]) => key)].map(([key, own]) => [key, own.map(([, entry]) => entry)]),
    );
  }

  take(key: string): T | undefined {
    return this.#queues.get(key)?.shift();
  }

  /** The first entry, in the order of the recording, for which `test` holds. */
  takeWhere(test: (entry: T) => boolean): T | undefined {
    const at = this.#inOrder.findIndex(test);
    return at < 0 ? undefined : this.#inOrder.splice(at, 1)[0];
  }

  left(): T[] {
    return [...this.#queues.values()].flat();
  }
}

async function queuesOf<T>(entries: readonly T[], keyOf: (entry: T) => string): Promise<Queues<T>> {
  const breathe = createYielder();
  const keyed: [string, T][] = [];
  for (const entry of entries) {
    await breathe();
    keyed.push([keyOf(entry), entry]);
  }
  return new Queues(keyed);
}

function noneLeft(recorded: number, what: string): string {
  return recorded === 0 ? `the recording has no ${what}` : `one ${what} more than the ${recorded} of the recording`;
}

/** The recorded request with the most messages in common with the one that is asked. */
async function nearest(recorded: readonly TapedRequest[], asked: TapedRequest): Promise<TapedRequest | undefined> {
  const own = new Set(asked.messages.map((message) => canonicalJson(message)));
  const likeness = ({ messages }: TapedRequest) =>
    messages.filter((message) => own.has(canonicalJson(message))).length * 2 -
    Math.abs(messages.length - asked.messages.length);
  const breathe = createYielder();
  let best: { readonly request: TapedRequest; readonly likeness: number } | undefined;
  for (const request of recorded) {
    await breathe();
    const found = likeness(request);
    if (best === undefined || found > best.likeness) best = { request, likeness: found };
  }
  return best?.request;
}

function differenceOf(recorded: TapedRequest, asked: TapedRequest): string {
  const names = ['provider', 'model', 'parameters', 'tools', 'messages'] as const;
  const name = names.find((one) => canonicalJson(recorded[one]) !== canonicalJson(asked[one]));
  if (name === undefined) return 'the recorded answer to this request was used already';
  if (name === 'tools') return toolsDifference(recorded, asked);
  if (name !== 'messages') return `${name}: recorded ${shown(recorded[name])}, now ${shown(asked[name])}`;
  const at = asked.messages.findIndex(
    (message, n) => canonicalJson(message) !== canonicalJson(recorded.messages[n] ?? null),
  );
  if (at < 0) return `the recorded request has ${recorded.messages.length} messages, this one ${asked.messages.length}`;
  const [before, now] = [recorded.messages[at], asked.messages[at]];
  const role = now?.role ?? 'missing';
  return `message ${at + 1} (${role}): recorded ${before === undefined ? 'nothing' : aside(before, now)}, now ${aside(now, before)}`;
}

function toolsDifference(recorded: TapedRequest, asked: TapedRequest): string {
  const names = ({ tools }: TapedRequest) => tools.map((tool) => tool.function.name);
  const gone = names(recorded).filter((name) => !names(asked).includes(name));
  const added = names(asked).filter((name) => !names(recorded).includes(name));
  const parts = [
    ...(gone.length > 0 ? [`without ${gone.join(', ')}`] : []),
    ...(added.length > 0 ? [`with ${added.join(', ')}`] : []),
  ];
  return `tools: ${parts.join(', ') || 'the description or the parameters of a tool changed'}`;
}

/** A message from where it differs from another one. */
function aside(message: unknown, other: unknown): string {
  const [text, beside] = [JSON.stringify(message) ?? '', JSON.stringify(other) ?? ''];
  let at = 0;
  while (at < text.length && text[at] === beside[at]) at++;
  const start = Math.max(0, at - 20);
  return shown(text.slice(start), start > 0 ? '…' : '');
}

function shown(value: unknown, before = ''): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return before + (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN).toWellFormed()}…` : text);
}

function jsonOf(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}
