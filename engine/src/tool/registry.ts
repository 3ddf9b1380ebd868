import type { Agenda } from '../agenda/agenda.ts';
import type { MailService } from '../mail/send/mail-service.ts';
import { calendarTools } from './family/calendar.ts';
import { mailTools } from './family/mail.ts';
import { todoTools } from './family/todo.ts';
import type { Tool } from './tool.ts';
import { workspaceTools } from './family/workspace.ts';

/** Every tool that Callsheet brings. `agenda` and `office` are asked for when a tool is called. */
export function builtInTools(agenda: () => Agenda, mailService: () => MailService): readonly Tool[] {
  return [...workspaceTools, ...mailTools(mailService), ...calendarTools(agenda), ...todoTools(agenda)];
}

/** Names of earlier designs (seed 003), accepted in config, and the names that models see. */
export const TOOL_ALIASES: ReadonlyMap<string, string> = new Map([
  ['list_events', 'calendar_read'],
  ['create_event', 'calendar_add'],
  ['list_emails', 'mail_search'],
  ['read_email', 'mail_read'],
  ['draft_reply', 'mail_draft'],
]);
