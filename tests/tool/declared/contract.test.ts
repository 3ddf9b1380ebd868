import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { stringify } from 'yaml';
import { describeTools } from '../../contracts/tool.ts';
import type { Stage } from '../../run/harness.ts';
import { toolOf } from './declared-harness.ts';

/** Keys of the requests that wrote, as the far side has them. */
const written: (string | undefined)[] = [];
const server = createServer((request, response) => {
  if (request.method === 'POST') written.push(String(request.headers['idempotency-key']));
  response.setHeader('content-type', 'text/plain');
  response.end('seen');
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
afterAll(() => new Promise((resolve) => void server.close(resolve)));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;

const parameters = {
  ...{ type: 'object', additionalProperties: false, required: ['text'] },
  properties: { text: { type: 'string', description: 'What to look for.' } },
};
const allowHosts = ['127.0.0.1'];
const lines = ({ root }: Stage) => {
  try {
    return readFileSync(join(root, 'notes.txt'), 'utf8').split('\n').length;
  } catch {
    return 0;
  }
};

/** Documents by id. */
const DOCUMENTS = {
  look: {
    ...{ kind: 'http', effects: 'read', description: 'Looks.', parameters, allowHosts },
    request: { url, query: { q: '{{text}}' } },
  },
  post: {
    ...{ kind: 'http', effects: 'write', description: 'Posts.', parameters, allowHosts },
    request: { method: 'POST', url, json: { text: '{{text}}' } },
  },
  say: {
    ...{ kind: 'command', effects: 'read', description: 'Says.', parameters },
    argv: [process.execPath, '-e', 'console.log(process.argv[1])', '--', '{{text}}'],
  },
  note: {
    ...{ kind: 'command', effects: 'write', description: 'Notes.', parameters },
    argv: [process.execPath, '-e', 'fs.appendFileSync("notes.txt", process.argv[1] + "\\n")', '--', '{{text}}'],
  },
};

const ids = Object.keys(DOCUMENTS);
const args = { text: 'tea' };
const read = { effects: 'read', reach: 'outward', repeat: 'free', args } as const;
const write = { effects: 'write', reach: 'outward', repeat: 'once', args } as const;

describeTools(
  'declared tools',
  ids,
  Object.entries(DOCUMENTS).map(([id, keys]) => toolOf({ id, ...keys })),
  {
    files: Object.fromEntries(
      Object.entries(DOCUMENTS).map(([id, keys]) => [`tools/${id}.yaml`, stringify({ id, ...keys })]),
    ),
    tools: { look: read, post: { ...write, count: () => written.length }, say: read, note: { ...write, count: lines } },
  },
);
