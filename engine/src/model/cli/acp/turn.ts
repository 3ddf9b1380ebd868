import { setImmediate } from 'node:timers/promises';
import type {
  ClientConnection,
  InitializeResponse,
  NewSessionRequest,
  PromptResponse,
  SessionModeState,
} from '@agentclientprotocol/sdk';
import { sleep } from '../../../base/abort.ts';
import type { ModelRequest } from '../../model.ts';
import { ModelError } from '../../model-error.ts';
import type { CliContext } from '../driver.ts';
import type { CliProcess } from '../process.ts';
import { promptOf } from '../prompt.ts';
import { toolLabel, toolNameOf } from '../tool.ts';
import { connectAcp, identityOf, initialize } from './connection.ts';
import { acpTools, modeToSet, turnModeOf } from './modes.ts';
import { isAcpLost, resumeOf, type SessionChoice } from '../session.ts';
import { createPermissionGate } from './permissions.ts';
import { type AcpUpdates, createAcpUpdates } from './updates.ts';

/** Time that a tool gets to end its turn after `session/cancel`. */
const CANCEL_MS = 1000;

/** A turn on its way. */
export interface AcpTurn {
  /** Rejects where the tool fails, the connection closes, or `failure` has something. */
  readonly done: Promise<AcpResult>;
  /** What ended the turn on this side: a mode that the tool left, or an error of `onPermission`. */
  failure(): { readonly error: unknown } | undefined;
  /** Answers open permission requests with `cancelled`, then cancels the session, then ends the tool. */
  cancel(): Promise<void>;
}

/** What a turn came to. */
export interface AcpResult {
  readonly name: string | undefined;
  readonly version: string | undefined;
  readonly sessionId: string;
  readonly stopReason: PromptResponse['stopReason'];
  readonly session: SessionChoice;
  /** Whether the tool can load the session later. */
  readonly canLoad: boolean;
  readonly updates: AcpUpdates;
}

/** Runs one turn in a session of a tool that was started. Only `cancel` ends the tool. */
export function runAcpTurn(context: CliContext, request: ModelRequest, tool: CliProcess): AcpTurn {
  const failing = Promise.withResolvers<never>();
  let failure: { readonly error: unknown } | undefined;
  const fail = (error: unknown) => {
    failure ??= { error };
    failing.reject(error);
  };
  const mode = { set: undefined as string | undefined };
  const updates = createAcpUpdates({
    onText: request.onText && ((piece) => request.signal?.aborted || request.onText?.(piece)),
    onMode: (now) => {
      if (mode.set !== undefined && now !== mode.set) fail(leftMode(context, mode.set, now));
    },
  });
  const gate = createPermissionGate({
    ...{ turn: request.cli, clock: context.clock, known: updates.call, pause: tool.pause },
    onFailure: fail,
  });
  const session: { connection?: ClientConnection; id?: string } = {};
  // Whoever is asked must not decide for a tool that is gone.
  void tool.ended.then(gate.cancel);

  const talk = async (): Promise<AcpResult> => {
    const { methods } = await import('@agentclientprotocol/sdk');
    session.connection = await connectAcp(tool, {
      onUpdate: updates.take,
      onPermission: (asked, signal) => {
        updates.take({ update: { sessionUpdate: 'tool_call_update', ...asked.toolCall } });
        return gate.answer(asked, signal);
      },
    });
    const { agent } = session.connection;
    const hello = await initialize(session.connection);
    const turnMode = turnModeOf(request.cli);
    const name = toolNameOf(context.api);
    const meta = name && acpTools[name].meta?.(turnMode);
    const terms = { cwd: tool.cwd, mcpServers: [], ...(meta && { _meta: meta }) };
    const { choice, sessionId, modes } = await openSession(context, request, session.connection, hello, terms);
    // No session is ever prompted in its start mode: in most tools that mode writes without a question.
    const modeId = modeToSet(name, turnMode, modes);
    if (modeId !== undefined) {
      await agent.request(methods.agent.session.setMode, { sessionId, modeId });
      mode.set = modeId;
    }
    session.id = sessionId;
    updates.start();
    const prompt = [{ type: 'text' as const, text: choice.prompt ?? promptOf(request.messages) }];
    const { stopReason } = await agent.request<PromptResponse>(methods.agent.session.prompt, { sessionId, prompt });
    const canLoad = hello.agentCapabilities?.loadSession === true;
    return { ...identityOf(hello), sessionId, stopReason, updates, session: choice, canLoad };
  };
  const done = Promise.race([talk(), failing.promise]);
  done.catch(() => undefined);

  return {
    done,
    failure: () => failure,
    async cancel() {
      gate.cancel();
      const { connection, id } = session;
      if (connection !== undefined && id !== undefined) {
        // The answers to the permission requests are written first.
        await setImmediate();
        const { methods } = await import('@agentclientprotocol/sdk');
        await connection.agent.notify(methods.agent.session.cancel, { sessionId: id }).catch(() => undefined);
        const settled = done.then(
          () => undefined,
          () => undefined,
        );
        await Promise.race([settled, tool.ended, sleep(CANCEL_MS, { clock: context.clock })]);
      }
      await tool.stop();
    },
  };
}

/** Loads the session of an earlier turn where there is one and the tool still has it; else makes a fresh one. */
async function openSession(
  { api }: CliContext,
  { cli }: ModelRequest,
  { agent }: ClientConnection,
  { agentCapabilities }: InitializeResponse,
  terms: NewSessionRequest,
): Promise<{ choice: SessionChoice; sessionId: string; modes: SessionModeState | null | undefined }> {
  const { methods } = await import('@agentclientprotocol/sdk');
  let choice = resumeOf(api, cli, { canLoad: agentCapabilities?.loadSession === true });
  if (choice.resume !== undefined) {
    const sessionId = choice.resume;
    try {
      const { modes } = await agent.request(methods.agent.session.load, { ...terms, sessionId });
      return { choice, sessionId, modes };
    } catch (error) {
      if (!isAcpLost(error)) throw error;
      choice = { whyFresh: 'the tool has lost the session' };
    }
  }
  const { sessionId, modes } = await agent.request(methods.agent.session.new, terms);
  return { choice, sessionId, modes };
}

function leftMode({ api }: CliContext, set: string, now: string): ModelError {
  return new ModelError('MODEL_UNAVAILABLE', `"${toolLabel(api)}" left the mode ${set} for ${now}, and was ended`, {
    hint: 'install a version of the tool that was tried, or set protocol: flags',
  });
}
