import { didYouMean, listOf } from '../base/did-you-mean.ts';
import { EngineError } from '../base/error.ts';
import type { Api, Snapshot } from '../config/config.ts';
import { PARTICIPANT_TYPES, type Participant, type ParticipantType, type Roaming } from './chat.ts';

/** What a person says of a participant. */
export interface GivenParticipant {
  readonly displayName?: string | undefined;
  readonly apiConfigId?: string | undefined;
  readonly agentId?: string | undefined;
  readonly persona?: string | undefined;
  /** `#rrggbb`; `color` is what presets call it. */
  readonly colorHex?: string | undefined;
  readonly color?: string | undefined;
  readonly permissions?: Participant['permissions'] | undefined;
  readonly roaming?: GivenRoaming | undefined;
}

/** Where a participant is to roam. `confirmed`: a person has read the warning. */
export interface GivenRoaming {
  readonly enabled?: boolean | undefined;
  readonly workspaceDir?: string | undefined;
  readonly mode?: Roaming['mode'] | undefined;
  readonly confirmed?: boolean | undefined;
}

/** What a participant is made with. */
export interface ParticipantContext {
  readonly config: Snapshot;
  /** Id of the person who asks. */
  readonly by: string;
  /** The other participants of the chat. */
  readonly others: readonly Participant[];
  /** Judges where it is to roam, and whether a person has confirmed it. */
  readonly confirm: (
    sent: GivenRoaming & { readonly enabled: boolean },
    subject: {
      readonly name: string;
      readonly apiConfigId: string | undefined;
      readonly before: Roaming;
      readonly by: string;
    },
  ) => Promise<Roaming>;
}

/** Colours of new participants: each has a contrast of 3:1 and more on the light and on the dark pages of the viewer. */
export const COLORS = [
  ...['#8b5cf6', '#0891b2', '#b45309', '#15803d', '#db2777', '#3b6fe0', '#dc2626', '#64748b'],
] as const;

const MOST = { name: 60, handle: 40, persona: 20_000 } as const;

/** A new participant. Errors as in `withChanges`. */
export async function newParticipant(
  id: string,
  given: GivenParticipant,
  context: ParticipantContext,
): Promise<Participant> {
  const { others } = context;
  const displayName = nameOf(given.displayName ?? '');
  const taken = new Set(others.flatMap((other) => [other.handle, other.displayName.toLowerCase()]));
  return withChanges(
    {
      ...{ id, type: 'api', displayName, handle: freeHandle(displayName, taken), colorHex: nextColor(others) },
      ...{ persona: '', roaming: { enabled: false } },
    },
    given,
    context,
  );
}

/**
 * A participant with other values; its id and handle stay, and so do the names in its old messages. `BAD_REQUEST`; `NOT_FOUND` where
 * its API or agent is not there; for where it roams the errors of `confirmRoaming`.
 */
export async function withChanges(
  before: Participant,
  given: GivenParticipant,
  context: ParticipantContext,
): Promise<Participant> {
  const { apiConfigId: apiBefore, agentId: agentBefore, permissions: rulesBefore, ...kept } = before;
  const isNewSpeaker = given.apiConfigId !== undefined || given.agentId !== undefined;
  const speaker = isNewSpeaker ? given : { apiConfigId: apiBefore, agentId: agentBefore };
  const permissions = given.permissions ?? rulesBefore;
  const persona = (given.persona ?? before.persona).trim();
  if (persona.length > MOST.persona)
    throw badRequest('persona', `"persona" must have at most ${MOST.persona} characters`);
  const next: Participant = {
    ...kept,
    ...speakerOf(speaker, before.displayName, context.config),
    displayName: given.displayName === undefined ? before.displayName : nameOf(given.displayName),
    colorHex: colorOf(given.colorHex ?? given.color ?? before.colorHex),
    persona,
    ...(permissions !== undefined && { permissions }),
  };
  return { ...next, roaming: await roamingOf(before, next, given.roaming, context) };
}

/**
 * The handle of a name: its letters in small, without accents, and digits; all else becomes hyphens. A name without such letters
 * becomes `participant`. A number follows where the handle is taken.
 */
export function freeHandle(displayName: string, taken: ReadonlySet<string>): string {
  const slug = displayName
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MOST.handle)
    .replace(/^-+|-+$/g, '');
  const handle = slug === '' ? 'participant' : slug;
  if (!taken.has(handle)) return handle;
  let n = 2;
  while (taken.has(`${handle}-${n}`)) n++;
  return `${handle}-${n}`;
}

/** The first colour that no other participant has; where all are taken, one after the other again. */
function nextColor(others: readonly Participant[]): string {
  const free = COLORS.find((color) => !others.some(({ colorHex }) => colorHex === color));
  return free ?? COLORS[others.length % COLORS.length] ?? COLORS[0];
}

function nameOf(given: string): string {
  const name = given.replace(/\s+/g, ' ').trim();
  if (name !== '' && name.length <= MOST.name && !/[@\p{Cc}]/u.test(name)) return name;
  throw badRequest('displayName', `"displayName" must have 1 to ${MOST.name} characters, without @`);
}

function colorOf(given: string): string {
  if (/^#[0-9a-f]{6}$/i.test(given)) return given.toLowerCase();
  throw badRequest(
    'colorHex',
    `"colorHex" must be a colour such as #7c3aed, not ${JSON.stringify(given.slice(0, 30))}`,
  );
}

/** Who speaks for a participant: exactly one of an API and an agent. */
function speakerOf(
  { apiConfigId, agentId }: Pick<GivenParticipant, 'apiConfigId' | 'agentId'>,
  name: string,
  { apis, agents }: Snapshot,
): { readonly type: ParticipantType; readonly apiConfigId?: string; readonly agentId?: string } {
  if (agentId !== undefined && apiConfigId !== undefined)
    throw badRequest('agentId', `"${name}" has an apiConfigId and an agentId`, 'send one of the two');
  if (agentId !== undefined) {
    if (!agents.has(agentId)) throw notFound('agent', agentId, agents.keys());
    return { type: 'agent', agentId };
  }
  if (apiConfigId === undefined)
    throw badRequest('apiConfigId', `nothing speaks for "${name}"`, 'send apiConfigId or agentId');
  const api = apis.get(apiConfigId);
  if (api === undefined) throw notFound('api', apiConfigId, apis.keys());
  return { type: typeOf(api), apiConfigId };
}

function typeOf(api: Api): ParticipantType {
  if (!('cli' in api)) return 'api';
  return PARTICIPANT_TYPES.find((type) => type === api.cli) ?? 'cli';
}

/** The roaming of a participant. With another api it is off until a person has confirmed it again. */
function roamingOf(
  before: Participant,
  { displayName: name, apiConfigId, roaming }: Participant,
  given: GivenRoaming | undefined,
  { confirm, by }: ParticipantContext,
): Promise<Roaming> {
  const isSame = before.apiConfigId === apiConfigId;
  if (given === undefined && (isSame || !roaming.enabled)) return Promise.resolve(roaming);
  const { confirmedBy: _by, confirmedAt: _at, confirmedReach: _reach, ...unconfirmed } = roaming;
  const known = isSame ? roaming : unconfirmed;
  const sent = given === undefined ? { enabled: false } : { ...given, enabled: given.enabled ?? roaming.enabled };
  return confirm(sent, { name, apiConfigId, before: known, by });
}

function notFound(kind: string, id: string, known: Iterable<string>): EngineError {
  const ids = [...known].sort();
  return new EngineError('NOT_FOUND', `there is no ${kind} "${id.slice(0, 100)}"${didYouMean(id, ids)}`, {
    hint: ids.length === 0 ? `create one in ${kind}s/` : `${kind}s: ${listOf(ids)}`,
    where: { path: kind === 'agent' ? '/agentId' : '/apiConfigId' },
  });
}

/** `path`: the member of the body that is wrong, for forms. */
function badRequest(path: string, message: string, hint?: string): EngineError {
  return new EngineError('BAD_REQUEST', message, { where: { path: `/${path}` }, hint });
}
