import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ErrorBody } from '../../../engine/src/base/error.ts';
import { errorBody } from '../../../engine/src/base/error.ts';
import { type Fields, silentLogger } from '../../../engine/src/base/log.ts';
import type { Caller, WorldTool } from '../../../engine/src/tool/tool.ts';
import { playModels, setStage, type Stage } from '../../run/harness.ts';

/** Content of a file outside the root. */
export const SECRET = 'SECRET that no tool may read';

/** An app with a root of files and a mail with attachments. */
export interface FileDesk {
  readonly stage: Stage;
  /** Warnings of the log since it was asked last: message and fields. */
  log(): readonly (readonly [string, Fields])[];
  /** Calls a tool as a run about the mail does; an error is `{ error }`. */
  call(tool: string, args: object, caller?: Caller): Promise<Readonly<Record<string, unknown>> & { error?: ErrorBody }>;
  /** The caller of a run about the mail. */
  readonly caller: Caller;
  close(): Promise<void>;
}

interface DeskOptions {
  /** Files below the root, by path. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Name and content of each attachment. */
  readonly attachments?: readonly (readonly [name: string, type: string, content: string | Uint8Array])[];
  readonly settings?: string;
}

/** Opens a desk for one test; closes it when the test is finished. */
export async function openFileDesk(options: DeskOptions = {}): Promise<FileDesk> {
  const desk = await startFileDesk(options);
  onTestFinished(() => desk.close());
  return desk;
}

/** Opens a desk that several tests share. */
export async function startFileDesk({ files = {}, attachments = [], settings }: DeskOptions = {}): Promise<FileDesk> {
  const log: (readonly [string, Fields])[] = [];
  const stage = await setStage({
    files: {
      'settings.yaml': settings ?? 'virtualRoot: ./documents\n',
      'accounts/inbox.yaml': 'id: inbox\nprovider: folder\nemail: me@example.org\npath: ./inbox\n',
    },
    models: playModels(async () => ({ content: 'Done.' })),
    log: { ...silentLogger, warn: (message, fields = {}) => void log.push([message, fields]) },
  });
  const root = join(stage.root, 'documents');
  mkdirSync(root);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  writeFileSync(join(stage.root, 'secret.txt'), SECRET);
  symlinkSync('../secret.txt', join(root, 'out.txt'));
  symlinkSync('..', join(root, 'up'));
  const caller = await takeMail(stage, attachments);
  log.length = 0;
  return {
    stage,
    log: () => log.splice(0),
    close: () => stage.close(),
    caller,
    async call(name, args, by = caller) {
      const tool = stage.app.deps.tools.builtIn.get(name) as WorldTool;
      const checked = await stage.app.deps.checker.check(args, tool.parameters).catch((error: unknown) => error);
      if (checked instanceof Error) return { error: errorBody(checked) };
      const context = { caller: by, key: 'k', signal: new AbortController().signal };
      try {
        return (await tool.run(checked as never, context)) as Readonly<Record<string, unknown>>;
      } catch (error) {
        return { error: errorBody(error) };
      }
    },
  };
}

async function takeMail(stage: Stage, attachments: NonNullable<DeskOptions['attachments']>): Promise<Caller> {
  const parts = attachments.map(
    ([name, type, content]) =>
      `--b\r\nContent-Type: ${type}; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(content).toString('base64')}\r\n`,
  );
  const mail = `From: ada@example.org\r\nTo: me@example.org\r\nSubject: Files\r\nMessage-ID: <1@example.org>\r\nDate: Sat, 21 Nov 2026 10:00:00 +0000\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nHello\r\n${parts.join('')}--b--\r\n`;
  const file = join(stage.root, 'inbox', 'a.eml');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, mail);
  utimesSync(file, new Date(0), new Date(0));
  await stage.app.fetcher.fetch();
  const [row] = await stage.app.deps.store.list('mail', { limit: 1 });
  const email = { id: row?.id ?? '', subject: 'Files', from: 'ada@example.org', date: '2026-11-21T10:00:00.000Z' };
  return {
    ...{ runId: 'run_1', workspaceId: 'run_1', threadId: 'th_1' },
    origin: { director: { id: 'boss', name: 'Boss' }, agent: { id: 'helper', name: 'Helper' }, email },
  };
}
