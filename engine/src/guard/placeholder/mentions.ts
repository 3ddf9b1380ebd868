import type { Mention } from '../../memory/memory.ts';
import { isRecord, isTooDeep } from '../../base/json.ts';
import { insideEnvelope } from './content-text.ts';
import type { Message } from '../../model/model.ts';
import type { KnownPerson } from '../privacy/known-names.ts';
import { PRIVATE_KINDS, type PrivateKind } from '../privacy/private-span.ts';

/** A private value that a memory names. */
export interface PrivateMention {
  readonly kind: PrivateKind;
  readonly text: string;
}

/** Longest value, and most values of one result, that are believed. */
const MAX_TEXT = 200;
const MAX_MENTIONS = 500;

/** Mentions of a kind that is known, and long enough to be no part of words. */
export function privateMentions(mentions: readonly Mention[]): PrivateMention[] {
  return mentions.flatMap(({ kind, text }) => {
    const known = PRIVATE_KINDS.find((one) => one === kind);
    const isName = /[\p{L}\p{N}].*[\p{L}\p{N}]/su.test(text) && text.length <= MAX_TEXT;
    return known === undefined || !isName ? [] : [{ kind: known, text }];
  });
}

/** What the result of a tool says about people: objects with name and address, and the mentions of memories. */
export interface NamedInResult {
  readonly people: readonly KnownPerson[];
  readonly mentions: readonly PrivateMention[];
}

/** Reads who is named in a message. Only the JSON of a tool says so; the recogniser reads everything else. */
export function namedIn(message: Message): NamedInResult {
  const people: KnownPerson[] = [];
  const mentions: Mention[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isRecord(value)) return;
    const { name, address } = value;
    if (typeof name === 'string' && name !== '' && typeof address === 'string') people.push({ name, address });
    if (Array.isArray(value['mentions'])) mentions.push(...value['mentions'].filter(isMention));
    Object.values(value).forEach(visit);
  };
  visit(message.role === 'tool' ? parsed(insideEnvelope(message.content)) : undefined);
  return { people, mentions: privateMentions(mentions.slice(0, MAX_MENTIONS)) };
}

function isMention(value: unknown): value is Mention {
  return isRecord(value) && typeof value['kind'] === 'string' && typeof value['text'] === 'string';
}

function parsed(content: string): unknown {
  if (!/^\s*[[{]/.test(content) || isTooDeep(content)) return undefined;
  try {
    return JSON.parse(content) as unknown;
  } catch {
    return undefined;
  }
}
