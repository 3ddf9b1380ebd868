import { Readable, Writable } from 'node:stream';
import type {
  AnyMessage,
  ClientConnection,
  InitializeResponse,
  RequestPermissionRequest,
  RequestPermissionResponse,
} from '@agentclientprotocol/sdk';
import { ModelError } from '../../model-error.ts';
import type { CliProcess } from '../process.ts';

/** Longest message of a tool, in bytes. */
const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;

/** What a tool may ask of Callsheet, and tell it. Neither files nor terminals: a tool has only its own. */
export interface AcpHandlers {
  readonly onUpdate: (params: unknown) => void;
  readonly onPermission: (request: RequestPermissionRequest, signal: AbortSignal) => Promise<RequestPermissionResponse>;
  /** The state of the sign-in, where the tool tells it by an extension of its own. */
  readonly onSignIn?: (params: unknown) => void;
}

/**
 * Connects to a tool that was started, by version 1 of the Agent Client Protocol. The connection closes when the tool ends:
 * open requests then reject. The SDK is imported here, at the first turn.
 */
export async function connectAcp(tool: CliProcess, handlers: AcpHandlers): Promise<ClientConnection> {
  const { client, methods, ndJsonStream } = await import('@agentclientprotocol/sdk');
  // The types of Node's web streams and of the global ones differ; the objects are the same.
  const input = Readable.toWeb(tool.stdout) as ReadableStream<Uint8Array>;
  const stream = ndJsonStream(Writable.toWeb(tool.stdin), input, { maxMessageBytes: MAX_MESSAGE_BYTES });
  const readable = stream.readable.pipeThrough(takeNotifications(handlers));
  return client({ name: 'callsheet' })
    .onRequest(methods.client.session.requestPermission, ({ params, signal }) => handlers.onPermission(params, signal))
    .connect({ ...stream, readable });
}

/**
 * Takes notifications before the SDK sees them: in their order, so that all updates of a turn are there before its answer, and in
 * any form. The SDK would write a line on our standard error for each update that its schema does not have.
 */
function takeNotifications({ onUpdate, onSignIn }: AcpHandlers): TransformStream<AnyMessage, AnyMessage> {
  return new TransformStream({
    transform(message, controller) {
      if (!('method' in message) || 'id' in message || message.method === '$/cancel_request')
        controller.enqueue(message);
      else if (message.method === 'session/update') onUpdate(message.params);
      else if (message.method === '_auth/status_update') onSignIn?.(message.params);
    },
  });
}

/**
 * Begins the protocol. `MODEL_UNAVAILABLE` where the tool speaks another version; rejects with the error of the tool, or of a
 * connection that closes.
 */
export async function initialize({ agent }: ClientConnection): Promise<InitializeResponse> {
  const { methods, PROTOCOL_VERSION } = await import('@agentclientprotocol/sdk');
  const hello = await agent.request(methods.agent.initialize, {
    protocolVersion: PROTOCOL_VERSION,
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
  });
  if (hello.protocolVersion === PROTOCOL_VERSION) return hello;
  throw new ModelError(
    'MODEL_UNAVAILABLE',
    `the tool speaks version ${String(hello.protocolVersion)} of the Agent Client Protocol; Callsheet speaks version ${PROTOCOL_VERSION}`,
    { hint: 'install another version of the tool, or set protocol: flags' },
  );
}

/** Name and version of a tool, as it tells them at the beginning. The scope of a package is left out. */
export function identityOf({ agentInfo }: InitializeResponse): {
  readonly name: string | undefined;
  readonly version: string | undefined;
} {
  const short = (text: string | undefined) => text?.slice(0, 100).replace(/^@[^/]+\//, '');
  return { name: short(agentInfo?.name), version: short(agentInfo?.version) };
}
