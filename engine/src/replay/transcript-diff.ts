import { EngineError } from '../base/error.ts';
import { canonicalJson } from '../base/json.ts';
import type { Message } from '../model/model.ts';
import type { Recording } from './recording.ts';

/** Ids as `base/id.ts` generates them, and marks of envelopes. */
const ID = /(?:\b([a-z]{2,8})_[0-9a-hjkmnp-tv-z]{22}|(?<![A-Z])([A-Z]{3,8}-)[0-9a-f]{12})\b/g;
/** Times as `isoTime` formats them. */
const TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

/**
 * Compares transcripts, and translates ids from the recorded run to the replayed one. The engine generates new ids for
 * runs, sessions and items, and other times. Two texts are alike when they differ in nothing else, and each recorded id
 * always corresponds to the same new id.
 */
export class TranscriptDiff {
  readonly #toNew = new Map<string, string>();
  readonly #toOld = new Map<string, string>();

  /** Compares two messages and pairs their ids; returns the difference, or undefined where they are alike. */
  compare(recorded: Message, played: Message): string | undefined {
    const before = canonicalJson(recorded);
    const now = canonicalJson(played);
    if (shapeOf(before) !== shapeOf(now)) return `recorded ${cut(before)}, replayed ${cut(now)}`;
    const olds = before.match(ID) ?? [];
    const news = now.match(ID) ?? [];
    for (const [i, old] of olds.entries()) {
      const fresh = news[i] ?? '';
      if ((this.#toNew.get(old) ?? fresh) !== fresh || (this.#toOld.get(fresh) ?? old) !== old)
        return `${old} corresponds to ${this.#toNew.get(old) ?? 'no id'} so far, and to ${fresh} here`;
      this.#toNew.set(old, fresh);
      this.#toOld.set(fresh, old);
    }
    return undefined;
  }

  /** A copy of a recorded value with the ids of the replayed run. */
  translate<T>(value: T): T {
    return JSON.parse(JSON.stringify(value).replace(ID, (id) => this.#toNew.get(id) ?? id)) as T;
  }
}

/** The differences between the transcripts of two runs, by thread; empty where they are alike. */
export function compareTranscripts(recorded: Recording, played: Recording): string[] {
  const diff = new TranscriptDiff();
  const faults: string[] = [];
  if (recorded.threads.length !== played.threads.length)
    faults.push(`${recorded.threads.length} threads were recorded, the replay has ${played.threads.length}`);
  for (const [t, thread] of recorded.threads.entries()) {
    const other = played.threads[t]?.messages ?? [];
    const name = thread.agentId === '' ? 'director' : thread.agentId;
    if (thread.messages.length !== other.length)
      faults.push(`${name}: ${thread.messages.length} messages were recorded, the replay has ${other.length}`);
    for (const [i, { message }] of thread.messages.entries()) {
      const now = other[i]?.message;
      const fault = now === undefined ? undefined : diff.compare(message, now);
      if (fault !== undefined) faults.push(`${name}, message ${i + 1}: ${fault}`);
    }
  }
  return faults;
}

/** The error `CONFLICT`: the replayed run differs from the recorded one. */
export function diverged(what: string): EngineError {
  return new EngineError('CONFLICT', `the replayed run differs from the recorded one: ${what}`, {
    hint: 'replay it with the config revision and the tools of the recorded run',
  });
}

function shapeOf(text: string): string {
  return text.replace(ID, '<$1$2>').replace(TIME, '<time>');
}

function cut(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
