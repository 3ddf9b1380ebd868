import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { createClient } from '../../engine/src/cli/client.ts';
import { isOk, readText, sendLocal } from '../../engine/src/cli/local-request.ts';
import { root } from '../available.ts';

let close = () => {};
afterEach(() => close());

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  close = () => {
    server.closeAllConnections();
    server.close();
  };
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : '';
}

describe('a request to a server of this machine', () => {
  test('sends the body and reads text whose characters arrive in halves', async () => {
    const url = await serve((request, response) => {
      const euro = Buffer.from('€');
      response.write(euro.subarray(0, 1));
      void readText(request).then((text) => response.end(Buffer.concat([euro.subarray(1), Buffer.from(text)])));
    });
    expect(await readText(await sendLocal(url, { method: 'POST', headers: {}, body: 'paid' }))).toBe('€paid');
  });

  test('does not follow a redirect, which would get the token', async () => {
    const seen: string[] = [];
    const url = await serve(({ url: path = '' }, response) => {
      seen.push(path);
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    const answer = await sendLocal(`${url}/here`, { headers: { Authorization: 'Bearer t' } });
    answer.resume();
    expect(isOk(answer)).toBe(false);
    expect(seen).toEqual(['/here']);
  });

  test('closes a stream of events that the server refuses', async () => {
    const closed = Promise.withResolvers<void>();
    const url = await serve((request, response) => {
      request.once('close', closed.resolve);
      response.writeHead(403).write('{"error":');
    });
    const events = createClient({ url, token: 't' }, true).events(() => {}, { signal: new AbortController().signal });
    await expect(events).rejects.toThrow('the server answered 403');
    await closed.promise;
  });

  test('ends with the reason of an abort, also while the answer arrives', async () => {
    const stop = new AbortController();
    const url = await serve((_request, response) => void response.write('{"items":'));
    const answer = createClient({ url, token: 't' }, true).request('GET', '/api/runs', { signal: stop.signal });
    const ended = expect(answer).rejects.toThrow('nobody waits any more');
    stop.abort(new Error('nobody waits any more'));
    await ended;
  });

  test('says that the server no longer answers where an answer breaks off', async () => {
    const url = await serve((_request, response) => {
      response.write('{"items":');
      response.destroy();
    });
    await expect(createClient({ url, token: 't' }, true).request('GET', '/api/runs')).rejects.toThrow(
      'no longer answers',
    );
  });
});

test('a request loads no global fetch, which takes Node longer than the request', () => {
  const code = `
    import { createClient } from ${JSON.stringify(pathToFileURL(join(root, 'engine/src/cli/client.ts')).href)};
    const asked = createClient({ url: 'http://127.0.0.1:9', token: 't' }, true).request('GET', '/api/runs');
    await asked.catch(() => {});
    console.log(process.moduleLoadList.filter((name) => name.includes('undici/undici')).length);`;
  const argv = ['--input-type=module', '--eval', code];
  const { stdout, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' });
  expect([stdout, stderr]).toEqual(['0\n', '']);
});
