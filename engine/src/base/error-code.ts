/**
 * The catalogue of error codes, each with its HTTP status. Codes are part of the contract: they are stored and sent,
 * and callers match on them. Add a new code here first; never rename one.
 */
const STATUS = {
  // all rooms
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  INTERNAL: 500,
  BUSY: 503,
  USAGE: 400,
  // store
  DATA_LOCKED: 409,
  STORE_CONFLICT: 409,
  STORE_FAILED: 500,
  STORE_TOO_NEW: 500,
  STORE_LOST: 409,
  STORE_OUTDATED: 500,
  STORE_KEY_MISSING: 409,
  STORE_KEY_WRONG: 409,
  STORE_TAMPERED: 500,
  STORE_DAMAGED: 500,
  STORE_MOVED: 409,
  STORE_HALF_COPIED: 409,
  SECRET_NEEDS_KEY: 409,
  SECRET_NEW_HOST: 403,
  // config
  CONFIG_UNREADABLE: 500,
  CONFIG_LINK_OUTSIDE: 409,
  CONFIG_INVALID: 422,
  CONFIG_READ_ONLY: 409,
  CONFIG_ELSEWHERE: 409,
  CONFIG_TOO_NEW: 409,
  // mail
  MAIL_UNREADABLE: 422,
  MAIL_TOO_COSTLY: 422,
  MAIL_UNSETTLED: 409,
  MAIL_UNANSWERABLE: 422,
  MAIL_REFUSED: 422,
  MAIL_NOT_SENT: 502,
  REPLY_LOOP: 409,
  REPLY_LIMIT: 429,
  REPLY_HAS_GAPS: 422,
  ACCOUNT_FAILED: 502,
  ACCOUNT_NOT_CONNECTED: 409,
  ACCOUNT_GRANT_LOST: 409,
  ACCOUNT_SCOPE_MISSING: 403,
  // model
  MODEL_REFUSED: 502,
  MODEL_RATE_LIMIT: 502,
  MODEL_UNAVAILABLE: 502,
  MODEL_TIMEOUT: 502,
  MODEL_AUTH: 502,
  MODEL_BAD_REQUEST: 502,
  MODEL_NOT_FOUND: 502,
  MODEL_BAD_ANSWER: 502,
  MODEL_NONE_AVAILABLE: 502,
  // tool calls: each becomes a tool result for the model
  TOOL_UNKNOWN: 404,
  TOOL_ARGUMENTS: 422,
  TOOL_DENIED: 403,
  TOOL_FAILED: 500,
  TOOL_CANCELLED: 409,
  TOOL_LIMIT: 429,
  TOOL_OUTCOME_UNKNOWN: 500,
  ITEM_NOT_FOUND: 404,
  ITEM_REVISION: 409,
  SESSION_NOT_FOUND: 404,
  SESSION_EXPIRED: 409,
  SESSION_COMPLETED: 409,
  SESSION_BUSY: 409,
  // runs
  LIMIT_STEPS: 409,
  LIMIT_TIME: 409,
  RUN_NOT_ACTIVE: 409,
  RUN_NOT_FAILED: 409,
  RUN_CANCELLED: 409,
  MACHINE_VERSION: 500,
  RUN_ELSEWHERE: 409,
  APPROVAL_DECIDED: 409,
} as const;

/** A code of the catalogue. */
export type ErrorCode = keyof typeof STATUS;

/** HTTP status of a code. */
export function statusOf(code: ErrorCode): number {
  return STATUS[code];
}

/** A stored text as a code; `INTERNAL` where this version has no such code. */
export function toCode(text: string): ErrorCode {
  return Object.hasOwn(STATUS, text) ? (text as ErrorCode) : 'INTERNAL';
}
