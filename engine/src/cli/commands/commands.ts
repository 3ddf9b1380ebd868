import type { DeclareCommand } from '../command.ts';
import { addRecord, addReplay, addShadow } from './replay/commands.ts';
import { addDoctor } from '../doctor/commands.ts';
import { addChat } from './chat/commands.ts';
import { addChats } from './chats/commands.ts';
import { addFiles } from './file/commands.ts';
import { addPermissions, addSecrets, addTools, addValidate } from './config/commands.ts';
import { addAccounts, addFilters, addReminders, addTodos } from './mail/commands.ts';
import { addMemory } from './memory/commands.ts';
import { addLearn } from './learn/commands.ts';
import { addObjectives } from './objective/commands.ts';
import { addMcp } from './mcp/commands.ts';
import { addApprovals, addAudit, addExport, addRun, addRuns, addSpend } from './run/commands.ts';
import { addSessions, addStart, addWorker } from './server/commands.ts';
import { addKey, addMigrate } from './store/commands.ts';
import { addTest } from './test/commands.ts';
import { addTasks } from './task/commands.ts';

/** All commands, in the order of `callsheet --help`. */
export const COMMANDS: readonly DeclareCommand[] = [
  addStart,
  addWorker,
  addValidate,
  addTest,
  addTools,
  addPermissions,
  addRun,
  addChat,
  addChats,
  addFilters,
  addRuns,
  addReplay,
  addRecord,
  addShadow,
  addTasks,
  addObjectives,
  addSpend,
  addAccounts,
  addApprovals,
  addAudit,
  addTodos,
  addReminders,
  addMemory,
  addFiles,
  addLearn,
  addSessions,
  addExport,
  addMcp,
  addMigrate,
  addDoctor,
  addSecrets,
  addKey,
];
