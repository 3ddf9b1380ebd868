import type { Marks } from '../../../replay/report/text-report.ts';
import { plain } from '../../terminal/table.ts';

const paint = (code: number) => (text: string) => `\u001b[${code}m${plain(text)}\u001b[0m`;

/** Marks of a report on a terminal with colours. */
export const reportMarks: Marks = { strong: paint(1), warn: paint(33), added: paint(32), removed: paint(31) };
