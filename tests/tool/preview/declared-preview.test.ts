import { expect, test } from 'vitest';
import { readPreview } from '../../../engine/src/tool/preview.ts';
import type { WorldTool } from '../../../engine/src/tool/tool.ts';
import { CALLER, run, serve, toolOf } from '../declared/declared-harness.ts';

const previewOf = async (tool: WorldTool, args: object) => {
  const preview = await tool.preview?.(args as Readonly<Record<string, unknown>>, CALLER, {});
  return preview && readPreview(preview);
};

test('the preview of an HTTP tool is the request that it sends, with the values of secrets left out', async () => {
  const { origin, got } = await serve((response) => response.end());
  const resolve = (reference: string) => (reference === '${secret:KEY}' ? 'hush-hush' : undefined);
  const parameters = { type: 'object', properties: { id: { type: 'string' }, note: { type: 'string' } } };
  const tool = toolOf(
    {
      ...{
        kind: 'http',
        effects: 'write',
        allowHosts: ['127.0.0.1'],
        idempotencyHeader: 'Idempotency-Key',
        parameters,
      },
      request: {
        method: 'POST',
        url: `${origin}/v1/notes/{{id}}`,
        query: { token: '${secret:KEY}', lang: 'de' },
        headers: { 'Authorization': 'Bearer ${secret:KEY}', 'X-Note': '{{id}}' },
        json: { note: '{{note}}', key: '${secret:KEY}' },
      },
    },
    { resolve },
  );
  const args = { id: 'a b', note: 'grüße' };
  const preview = await previewOf(tool, args);
  expect(preview).toEqual({
    kind: 'request',
    method: 'POST',
    url: `${origin}/v1/notes/a%20b?token=***&lang=de`,
    headers: [
      { name: 'content-type', value: 'application/json' },
      { name: 'authorization', value: 'Bearer ***' },
      { name: 'x-note', value: 'a b' },
      { name: 'idempotency-key', value: '***' },
    ],
    body: '{"note":"grüße","key":"***"}',
  });
  expect(JSON.stringify(preview)).not.toContain('hush');
  await run(tool, args);
  const [sent] = got;
  const masked = JSON.stringify([sent?.url, sent?.headers.authorization, sent?.body]).replaceAll('hush-hush', '***');
  expect(JSON.parse(masked)).toEqual([
    '/v1/notes/a%20b?token=***&lang=de',
    'Bearer ***',
    '{"note":"grüße","key":"***"}',
  ]);
});

test('the preview of a command is its argument list, each argument as one', async () => {
  const parameters = { type: 'object', properties: { a: { type: 'string' } } };
  const tool = toolOf({
    ...{ kind: 'command', effects: 'write', parameters, cwd: 'work' },
    argv: ['du', '-sh', '--', '{{a}}'],
  });
  expect(await previewOf(tool, { a: 'my "folder"; rm -rf /' })).toEqual({
    ...{ kind: 'command', argv: ['du', '-sh', '--', 'my "folder"; rm -rf /'], cwd: 'work', isSandboxed: false },
  });
});
