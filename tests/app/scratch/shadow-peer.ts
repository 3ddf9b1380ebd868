import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A model and a tool of another machine, which count what reaches them. */
export interface Peer {
  readonly origin: string;
  /** Requests to the model that got an answer, and calls of the tool. */
  asked: number;
  told: number;
  /** Requests with this text are not answered before they are called. */
  heldText: string | undefined;
  held: (() => void)[];
  reset(): void;
  close(): void;
}

interface Asked {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

function answer({ messages }: Asked) {
  if (messages.some(({ role }) => role === 'tool'))
    return { role: 'assistant', content: messages[0]?.content.includes('polite') ? 'Dear Ada, done.' : 'Done.' };
  const call = { name: 'tell', arguments: '{"text":"Ada wrote"}' };
  return { role: 'assistant', content: null, tool_calls: [{ id: 'c1', type: 'function', function: call }] };
}

/** Opens a peer on a loopback port. Its model refuses the key for the model `refused`. */
export async function openPeer(): Promise<Peer> {
  const server = createServer((request, response) => {
    let body = '';
    const respond = () => {
      peer.asked++;
      const message = answer(JSON.parse(body) as Asked);
      const finish_reason = 'tool_calls' in message ? 'tool_calls' : 'stop';
      const usage = { prompt_tokens: 1000, completion_tokens: 500, total_tokens: 1500 };
      const head = { id: 'x', object: 'chat.completion', created: 1, model: 'm', usage };
      response.end(JSON.stringify({ ...head, choices: [{ index: 0, message, finish_reason }] }));
    };
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      response.setHeader('content-type', 'application/json');
      if (request.url === '/tell') {
        peer.told++;
        response.end('{"ok":true}');
      } else if (body.includes('"model":"refused"')) {
        response.statusCode = 401;
        response.end('{"error":{"message":"no"}}');
      } else if (peer.heldText !== undefined && body.includes(peer.heldText)) peer.held.push(respond);
      else respond();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const peer: Peer = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ asked: 0, told: 0, heldText: undefined, held: [] },
    reset: () => void Object.assign(peer, { asked: 0, told: 0, heldText: undefined, held: [] }),
    close: () => void server.close(),
  };
  return peer;
}
