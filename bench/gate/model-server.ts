import { createServer } from 'node:http';

const ARGUMENTS = JSON.stringify({
  kind: 'note',
  title: 'Follow-up on the quote',
  body: 'The supplier confirmed the delivery window and asks for the signed order form before Friday. '.repeat(3),
});

/** A model on loopback: it calls the tool until the conversation has as many results as its mail says, then answers. */
export async function openModelServer(): Promise<{ baseURL: string; close: () => void }> {
  let asked = 0;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const text = Buffer.concat(parts).toString();
      const wanted = Number(/turns=(\d+);/.exec(text)?.[1]);
      const results = text.split('"role":"tool"').length - 1;
      const id = String(asked++);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(answerOf(id, results < wanted)));
    });
  });
  // Each loop pauses while the other one works; a connection that closes meanwhile would fail a run.
  Object.assign(server, { keepAliveTimeout: 0, requestTimeout: 0, headersTimeout: 0, timeout: 0 });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the model has no port');
  return {
    baseURL: `http://127.0.0.1:${address.port}/v1`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function answerOf(id: string, isCall: boolean): object {
  const call = { id: `call_${id}`, type: 'function', function: { name: 'workspace_add_item', arguments: ARGUMENTS } };
  const message = { role: 'assistant', content: isCall ? null : 'Done.', ...(isCall && { tool_calls: [call] }) };
  return {
    ...{ id: `chatcmpl-${id}`, object: 'chat.completion', created: 1_790_000_000, model: 'scripted' },
    choices: [{ index: 0, message, finish_reason: isCall ? 'tool_calls' : 'stop', logprobs: null }],
    usage: { prompt_tokens: 900, completion_tokens: 90, total_tokens: 990 },
  };
}
