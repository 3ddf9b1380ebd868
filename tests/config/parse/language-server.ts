import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';

const SERVER = fileURLToPath(
  new URL('../../../node_modules/yaml-language-server/bin/yaml-language-server', import.meta.url),
);

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
}

/** The real yaml-language-server over stdio, spoken to as an editor does (LSP 3.17, Content-Length frames). */
export class LanguageServer {
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;
  readonly #answers = new Map<number, (result: unknown) => void>();
  readonly #diagnostics = new Map<string, (found: readonly Diagnostic[]) => void>();
  #buffer = Buffer.alloc(0);
  #nextId = 1;

  constructor() {
    this.#process = spawn(process.execPath, [SERVER, '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#process.stdout.on('data', (chunk: Buffer) => this.#read(chunk));
  }

  /** Starts the session; `root` is the workspace folder. */
  async start(root: string): Promise<void> {
    const rootUri = pathToFileURL(root).href;
    const capabilities = {
      textDocument: { completion: { completionItem: { snippetSupport: true } }, hover: {}, publishDiagnostics: {} },
    };
    await this.request('initialize', {
      processId: process.pid,
      rootUri,
      capabilities,
      workspaceFolders: [{ uri: rootUri, name: 'root' }],
    });
    this.#send({ method: 'initialized', params: {} });
    const yaml = { validate: true, hover: true, completion: true, schemaStore: { enable: false } };
    this.#send({ method: 'workspace/didChangeConfiguration', params: { settings: { yaml } } });
  }

  /** Opens a document with this text; resolves with the first diagnostics for it. */
  open(path: string, text: string): Promise<readonly Diagnostic[]> {
    const uri = pathToFileURL(path).href;
    const found = new Promise<readonly Diagnostic[]>((resolve) => this.#diagnostics.set(uri, resolve));
    this.#send({
      method: 'textDocument/didOpen',
      params: { textDocument: { uri, languageId: 'yaml', version: 1, text } },
    });
    return found;
  }

  /** `textDocument/<feature>` at a place, lines and characters from 0. */
  at(feature: string, path: string, line: number, character: number): Promise<unknown> {
    const textDocument = { uri: pathToFileURL(path).href };
    return this.request(`textDocument/${feature}`, { textDocument, position: { line, character } });
  }

  request(method: string, params: unknown): Promise<unknown> {
    const id = this.#nextId++;
    const answer = new Promise((resolve) => this.#answers.set(id, resolve));
    this.#send({ id, method, params });
    return answer;
  }

  stop(): void {
    this.#process.kill();
  }

  #send(message: Message): void {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    this.#process.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  #read(chunk: Buffer): void {
    this.#buffer = Buffer.concat([this.#buffer, chunk]);
    for (;;) {
      const end = this.#buffer.indexOf('\r\n\r\n');
      const length = Number(/Content-Length: (\d+)/i.exec(this.#buffer.subarray(0, Math.max(0, end)).toString())?.[1]);
      if (end < 0 || this.#buffer.length < end + 4 + length) return;
      const body = this.#buffer.subarray(end + 4, end + 4 + length).toString();
      this.#buffer = this.#buffer.subarray(end + 4 + length);
      this.#take(JSON.parse(body) as Message);
    }
  }

  #take({ id, method, params, result }: Message): void {
    if (method === 'textDocument/publishDiagnostics') {
      const { uri, diagnostics } = params as { uri: string; diagnostics: readonly Diagnostic[] };
      this.#diagnostics.get(uri)?.(diagnostics);
    } else if (method !== undefined && id !== undefined) {
      // The server asks the editor for its settings, one answer an item, and for leave to register.
      const items = (params as { items?: readonly { section?: string }[] } | undefined)?.items;
      const settings = items?.map(({ section }) =>
        section === 'yaml' ? { validate: true, hover: true, completion: true, schemaStore: { enable: false } } : {},
      );
      this.#send({ id, result: settings ?? null });
    } else if (id !== undefined) this.#answers.get(id)?.(result);
  }
}

export interface Diagnostic {
  readonly message: string;
  readonly range: { readonly start: { readonly line: number; readonly character: number } };
}
