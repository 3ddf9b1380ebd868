import type { Client, Transport } from '@modelcontextprotocol/client';

/** Time limit of the start of a server. `npx` may have to load a package first. */
const CONNECT_MS = 60_000;
/** Time limit of the question which protocol a server speaks. */
const PROBE_MS = 5000;
/** The first protocol without a handshake. */
const MODERN = '2026-07-28';

/** What a connection is made from. */
export interface ConnectOptions {
  readonly transport: Transport;
  /** Version of Callsheet, which the server may log. */
  readonly version: string;
  /** `ask`: the server is asked for its protocol first. Over stdio, old servers may break at that question. */
  readonly protocol: 'ask' | 'old' | 'new';
  readonly signal: AbortSignal;
  readonly onChanged: (client: Client) => void;
  readonly onError: (error: Error) => void;
  readonly onClose: () => void;
}

/** Connects to a server. It offers the server nothing: no model, no folders, no questions to people. */
export async function connectClient(options: ConnectOptions): Promise<Client> {
  const { transport, version, protocol, signal, onChanged, onError, onClose } = options;
  const { Client: SdkClient } = await import('@modelcontextprotocol/client');
  const mode = protocol === 'ask' ? 'auto' : protocol === 'old' ? 'legacy' : { pin: MODERN };
  const client: Client = new SdkClient(
    { name: 'callsheet', version },
    {
      versionNegotiation: { mode, probe: { timeoutMs: PROBE_MS } },
      listChanged: { tools: { autoRefresh: false, onChanged: () => onChanged(client) } },
      // A server's schemas of its own results check nothing that matters here, and could cost much.
      jsonSchemaValidator: {
        getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
      },
    },
  );
  client.onclose = onClose;
  client.onerror = onError;
  const stop = () => void transport.close();
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    await client.connect(transport, { timeout: CONNECT_MS });
    return client;
  } catch (error) {
    await transport.close().catch(() => {});
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Whether a server refused the old protocol, because it speaks only the new one. */
export async function speaksOnlyNew(error: unknown): Promise<boolean> {
  const { UnsupportedProtocolVersionError } = await import('@modelcontextprotocol/client');
  return error instanceof UnsupportedProtocolVersionError;
}
