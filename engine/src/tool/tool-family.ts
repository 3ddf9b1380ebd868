import type { Agenda } from '../agenda/agenda.ts';
import type { FileService } from '../file/open-files.ts';
import type { Reminders } from '../agenda/reminders.ts';
import type { Notebooks } from '../file/notebook/notebooks.ts';
import type { MailService } from '../mail/send/mail-service.ts';
import type { MemoryService } from '../memory/open-memory.ts';
import type { Notifications } from '../notification/open-notifications.ts';
import type { Tool } from './tool.ts';

/** The services that tools work with. They are functions, since the app opens the services after the tools. */
export interface ToolServices {
  readonly agenda: () => Agenda;
  readonly mailService: () => MailService;
  readonly files: () => FileService;
  readonly memory: () => MemoryService;
  readonly reminders: () => Reminders;
  readonly notifications: () => Notifications;
  readonly notebooks: () => Notebooks;
}

/** A group of tools that `tools:` of a director or an agent can name as a whole. */
export interface ToolFamily {
  /** The `family` of each of its tools. */
  readonly name: string;
  readonly tools: (services: ToolServices) => readonly Tool[];
  /** Names of earlier designs (seed 003) that config accepts, and the names that models see. */
  readonly aliases?: Readonly<Record<string, string>>;
}
