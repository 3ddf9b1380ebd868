import { calendarFamily } from './family/calendar.ts';
import { documentFamily } from './family/document.ts';
import { filesystemFamily } from './family/filesystem.ts';
import { mailFamily } from './family/mail.ts';
import { memoryFamily } from './family/memory.ts';
import { notificationFamily } from './family/notification.ts';
import { reminderFamily } from './family/reminder.ts';
import { notebookFamily } from './family/notebook.ts';
import { todoFamily } from './family/todo.ts';
import { workspaceFamily } from './family/workspace.ts';
import { personFamily } from './person.ts';
import type { Tool } from './tool.ts';
import type { ToolFamily, ToolServices } from './tool-family.ts';

/** Every tool family that Callsheet has, in the order in which models see the tools. A new family is one more row. */
export const FAMILIES: readonly ToolFamily[] = [
  workspaceFamily,
  mailFamily,
  calendarFamily,
  todoFamily,
  filesystemFamily,
  documentFamily,
  reminderFamily,
  notificationFamily,
  memoryFamily,
  notebookFamily,
  personFamily,
];

/** Every tool that Callsheet has. A tool calls its services when it runs, not before. */
export function builtInTools(services: ToolServices): readonly Tool[] {
  return FAMILIES.flatMap(({ tools }) => tools(services));
}

/** Other names of tools that config accepts, and the names that models see. */
export const TOOL_ALIASES: ReadonlyMap<string, string> = new Map(
  FAMILIES.flatMap(({ aliases = {} }) => Object.entries(aliases)),
);
