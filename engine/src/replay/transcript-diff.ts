import { EngineError } from '../base/error.ts';
import { canonicalJson } from '../base/json.ts';
import type { Message } from '../model/model.ts';
import type { Recording } from './recording.ts';

/** Ids as `base/id.ts` makes them. */
const ID = /\b([a-z]{2,8})_[0-9a-hjkmnp-tv-z]{22}\b/g;
/** Times as `isoTime` writes them. */
const TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

/**
 * Which id of a run played again stands for which id of the recorded one. The engine makes new ids for runs, sessions and
 * items, and other times; so two texts are alike when they are equal but for those, and every id is always answered by the
 * same other one.
 */
export class TranscriptDiff {
  readonly #toNew = new Map<string, string>();
  readonly #toOld = new Map<string, string>();

  /** Takes the ids of two messages as pairs; says what differs, or undefined where the messages are alike. */
  compare(recorded: Message, played: Message): string | undefined {
    const before = canonicalJson(recorded);
    const now = canonicalJson(played);
    if (shapeOf(before) !== shapeOf(now)) return `recorded ${cut(before)}, now ${cut(now)}`;
    const olds = before.match(ID) ?? [];
    const news = now.match(ID) ?? [];
    for (const [i, old] of olds.entries()) {
      const fresh = news[i] ?? '';
      if ((this.#toNew.get(old) ?? fresh) !== fresh || (this.#toOld.get(fresh) ?? old) !== old)
        return `${old} was ${this.#toNew.get(old) ?? 'unknown'} and is ${fresh} now`;
      this.#toNew.set(old, fresh);
      this.#toOld.set(fresh, old);
    }
    return undefined;
  }

  /** A recorded value with the ids of the run that is played. */
  translate<T>(value: T): T {
    return JSON.parse(JSON.stringify(value).replace(ID, (id) => this.#toNew.get(id) ?? id)) as T;
  }
}

/** What differs between the transcripts of two runs, thread by thread; empty where they are alike. */
export function compareTranscripts(recorded: Recording, played: Recording): string[] {
  const likeness = new TranscriptDiff();
  const faults: string[] = [];
  if (recorded.threads.length !== played.threads.length)
    faults.push(`${recorded.threads.length} threads were recorded, ${played.threads.length} were played`);
  for (const [t, thread] of recorded.threads.entries()) {
    const other = played.threads[t]?.messages ?? [];
    const name = thread.agentId === '' ? 'director' : thread.agentId;
    if (thread.messages.length !== other.length)
      faults.push(`${name}: ${thread.messages.length} messages were recorded, ${other.length} were played`);
    for (const [i, { message }] of thread.messages.entries()) {
      const now = other[i]?.message;
      const fault = now === undefined ? undefined : likeness.compare(message, now);
      if (fault !== undefined) faults.push(`${name}, message ${i + 1}: ${fault}`);
    }
  }
  return faults;
}

/** The error of a run that goes another way than the recorded one. */
export function diverged(what: string): EngineError {
  return new EngineError('CONFLICT', `the run goes another way than the recorded one: ${what}`, {
    hint: 'play it with the config revision and the tools that it ran with',
  });
}

function shapeOf(text: string): string {
  return text.replace(ID, '<$1>').replace(TIME, '<time>');
}

function cut(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
