import type { Participant, Roaming } from '../../http/api-types.ts';
import type { ApiChoice, Choices, PresetParticipant } from './choices.ts';

/** A participant as a form holds it. */
export interface ParticipantDraft {
  /** Of the form, not of the server. */
  readonly key: string;
  readonly kind: 'api' | 'agent';
  /** Id of the api or agent. */
  readonly sourceId: string;
  readonly displayName: string;
  readonly persona: string;
  readonly colorHex: string;
  readonly permissions?: unknown;
  readonly roams: boolean;
  readonly workspaceDir: string;
  readonly mode: 'safe' | 'yolo';
  /** Whether the person has ticked the warning. */
  readonly isUnderstood: boolean;
}

/** Colours of new participants, in turn: those that the server takes. */
const COLORS = ['#8b5cf6', '#0891b2', '#b45309', '#15803d', '#db2777', '#3b6fe0', '#dc2626', '#64748b'] as const;

/** The colour that differs most from those of the others; the first one without others. */
function nextColor(others: readonly { readonly colorHex: string }[]): string {
  const nearest = (color: string) => Math.min(...others.map(({ colorHex }) => distance(color, colorHex)));
  return COLORS.reduce<string>((best, color) => (nearest(color) > nearest(best) ? color : best), COLORS[0]);
}

/** How much two colours differ, in red, green and blue. */
function distance(a: string, b: string): number {
  const parts = (hex: string) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  return Math.hypot(...parts(a).map((part, i) => part - (parts(b)[i] ?? 0)));
}

/** A new participant, with the first api or agent and a colour of its own. */
export function newDraft(
  { apis, agents }: Choices,
  others: readonly { readonly colorHex: string }[],
): ParticipantDraft {
  return {
    key: crypto.randomUUID(),
    kind: apis.length === 0 && agents.length > 0 ? 'agent' : 'api',
    sourceId: apis[0]?.id ?? agents[0]?.id ?? '',
    ...{ displayName: '', persona: '', colorHex: nextColor(others) },
    ...{ roams: false, workspaceDir: '', mode: 'safe', isUnderstood: false },
  };
}

/** A participant of a preset, as a form shows it. Roaming is never confirmed by a preset. */
export function draftOfPreset(
  preset: PresetParticipant,
  others: readonly ParticipantDraft[],
  known: Choices,
): ParticipantDraft {
  const start = newDraft(known, others);
  return {
    ...start,
    kind: preset.agentId === undefined ? 'api' : 'agent',
    sourceId: preset.agentId ?? preset.apiConfigId ?? start.sourceId,
    displayName: preset.displayName,
    persona: preset.persona ?? '',
    colorHex: preset.color ?? start.colorHex,
    ...(preset.permissions !== undefined && { permissions: preset.permissions }),
    ...roamingOf(preset.roaming),
  };
}

/** A participant of a chat, as a form shows it. What was confirmed stays so until folder or mode changes. */
export function draftOf(participant: Participant): ParticipantDraft {
  const { id, apiConfigId, agentId, displayName, persona, colorHex, roaming } = participant;
  return {
    key: id,
    kind: agentId === undefined ? 'api' : 'agent',
    sourceId: agentId ?? apiConfigId ?? '',
    ...{ displayName, persona, colorHex },
    ...roamingOf(roaming),
    isUnderstood: roaming.confirmedAt !== undefined,
  };
}

function roamingOf(roaming: Partial<Roaming> = {}) {
  return {
    roams: roaming.enabled === true,
    workspaceDir: roaming.workspaceDir ?? '',
    mode: roaming.mode ?? 'safe',
    isUnderstood: false,
  } as const;
}

/** Whether a participant can roam: a command-line agent is behind it. */
export function canRoam({ kind, sourceId }: ParticipantDraft, apis: readonly ApiChoice[]): boolean {
  return kind === 'api' && apis.some(({ id, provider }) => id === sourceId && provider === 'cli');
}

/** Why a form cannot be sent yet, by field. */
export function gapsOf(draft: ParticipantDraft, { apis }: Choices): Readonly<Record<string, string>> {
  const isRoaming = draft.roams && canRoam(draft, apis);
  return {
    ...(draft.displayName.trim() === '' && { displayName: 'Give the participant a name.' }),
    ...(draft.sourceId === '' && { sourceId: 'Choose who speaks.' }),
    ...(isRoaming && draft.workspaceDir.trim() === '' && { workspaceDir: 'Name the folder.' }),
    ...(isRoaming && !draft.isUnderstood && { confirmed: 'Tick the box, or switch roaming off.' }),
  };
}

/** A participant that is not in a chat yet, as the API takes it, with the roaming that the person has ticked. */
export function newBody(draft: ParticipantDraft, apis: readonly ApiChoice[]): Readonly<Record<string, unknown>> {
  const roaming = roamingBody(draft, apis);
  return { ...bodyOf(draft), ...(roaming['enabled'] === true && { roaming }) };
}

/** A participant as the API takes it, without its roaming. */
export function bodyOf(draft: ParticipantDraft): Readonly<Record<string, unknown>> {
  const { kind, sourceId, displayName, persona, colorHex, permissions } = draft;
  return {
    displayName: displayName.trim(),
    persona: persona.trim(),
    colorHex,
    ...(kind === 'agent' ? { agentId: sourceId } : { apiConfigId: sourceId }),
    ...(permissions !== undefined && { permissions }),
  };
}

/** The roaming of a participant as the API takes it, with the confirmation of the person who ticked the warning. */
export function roamingBody(draft: ParticipantDraft, apis: readonly ApiChoice[]): Readonly<Record<string, unknown>> {
  const { roams, workspaceDir, mode, isUnderstood } = draft;
  if (!roams || !canRoam(draft, apis)) return { enabled: false };
  return { enabled: true, workspaceDir: workspaceDir.trim(), mode, ...(isUnderstood && { confirmed: true }) };
}
