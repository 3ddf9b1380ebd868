import type { Approval } from '../../../guard/approval.ts';
import { oneLine, plain } from '../../terminal/table.ts';

/** A question of a run with its choices, one a line. Hidden characters are escaped. */
export function formatQuestion({ arguments: { question, choices } }: Pick<Approval, 'arguments'>): string {
  const options = Array.isArray(choices) ? choices.map((choice) => `  - ${oneLine(String(choice))}`) : [];
  return [plain(String(question)), ...options].join('\n');
}
