import type { Finding } from '../problem.ts';
import type { ValidDocument } from '../validate/validate.ts';
import { chatWarnings } from './chat-warnings.ts';
import { cliWarnings } from './cli-warnings.ts';
import type { Others } from './config-view.ts';
import { type Lead, leadOf } from './exfiltration-warnings.ts';
import { gateWarnings } from './gate-warnings.ts';
import { localityWarnings } from './locality-warnings.ts';
import { promptWarnings } from './prompt-warnings.ts';
import { scopeWarnings } from './scope-warnings.ts';
import { toolWarnings } from './tool-warnings.ts';

/** In the order in which their warnings are reported. */
const CHECKS = [localityWarnings, cliWarnings, promptWarnings, chatWarnings, toolWarnings, gateWarnings];

/** The warnings about one document, and what warnings about several depend on. */
export interface DocumentNotes {
  /** What each check found whose warnings come before those about ways of text; empty if all found nothing. */
  readonly before: readonly (readonly Finding[])[];
  readonly lead: Lead | undefined;
  /** The warnings that come after those. */
  readonly after: readonly Finding[];
}

/** The warnings about one document; undefined if there are none, and it leads no unit. */
export function documentNotes(document: ValidDocument, others: Others): DocumentNotes | undefined {
  const found = CHECKS.map((check) => check(document, others));
  const before = found.some((list) => list.length > 0) ? found : [];
  const lead = leadOf(document, others);
  const after = scopeWarnings(document, others);
  return before.length === 0 && lead === undefined && after.length === 0 ? undefined : { before, lead, after };
}
