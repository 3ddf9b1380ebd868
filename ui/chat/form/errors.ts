import type { ErrorBody } from '../../../engine/src/base/error.ts';

/** Where an error of the server belongs in a form. */
export interface FieldErrors {
  /** Texts by field of the chat. */
  readonly chat: Readonly<Record<string, string>>;
  /** Texts by field, by position of the participant. */
  readonly participants: ReadonlyMap<number, Readonly<Record<string, string>>>;
  /** The error where it belongs to no field. */
  readonly rest: ErrorBody | undefined;
}

/** The field of an error that names no place. */
const FIELD_OF_CODE: Readonly<Record<string, string>> = {
  FILE_DENIED: 'workspaceDir',
  ROAMING_UNCONFIRMED: 'confirmed',
};

export const NO_ERRORS: FieldErrors = { chat: {}, participants: new Map(), rest: undefined };

/** Puts an error at its field: `where.path` names it, such as `/participants/0/displayName` or `/title`. `fields`: those that the form shows. */
export function errorsByField(error: ErrorBody | undefined, fields: readonly string[]): FieldErrors {
  if (error === undefined) return NO_ERRORS;
  const steps = (error.where?.path ?? '').split(/[/.]/).filter((step) => step !== '');
  const index = steps[0] === 'participants' ? Number(steps[1]) : Number.NaN;
  const field = steps.findLast((step) => fields.includes(step)) ?? FIELD_OF_CODE[error.code];
  const { message, hint = '' } = error;
  const text = hint === '' ? message : `${message}. ${hint[0]?.toUpperCase()}${hint.slice(1)}`;
  if (field === undefined || !fields.includes(field)) return { ...NO_ERRORS, rest: error };
  if (Number.isInteger(index)) return { ...NO_ERRORS, participants: new Map([[index, { [field]: text }]]) };
  return { ...NO_ERRORS, chat: { [field]: text } };
}

/** The fields of a participant. */
export const PARTICIPANT_FIELDS = [
  ...['displayName', 'persona', 'colorHex', 'apiConfigId', 'agentId', 'workspaceDir', 'mode', 'confirmed', 'roaming'],
] as const;

/** The fields of a chat. */
export const CHAT_FIELDS = ['title', 'context', 'maxRounds', 'files', 'summaryApiConfigId'] as const;
