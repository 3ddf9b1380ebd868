import { expect, test } from 'vitest';
import type { ApprovalView } from '../../../../engine/src/api/routes/run/approval-view.ts';
import type { ApiClient } from '../../../../engine/src/cli/client.ts';
import { askPerson } from '../../../../engine/src/cli/commands/chat/ask-person.ts';
import type { LineReader } from '../../../../engine/src/cli/terminal/line-reader.ts';
import { makeApproval } from '../../../browser/fake/approval-fixtures.ts';

/** Answers the approval with these lines; returns what was shown, and what was sent. */
async function answer(approval: ApprovalView, typed: string[]) {
  const said: string[] = [];
  const sent: unknown[] = [];
  const request = (method: string, address: string, options?: { readonly body?: unknown }) => {
    if (method === 'POST') sent.push([address, options?.body]);
    return Promise.resolve({ items: [approval] });
  };
  const next = (prompt: string) => {
    said.push(prompt);
    return Promise.resolve({ kind: 'line', text: typed.shift() ?? 'no' });
  };
  const client = { request } as unknown as ApiClient;
  const lines = { next, isInteractive: false } as unknown as LineReader;
  await askPerson({ client, lines, say: (text) => void said.push(text), width: 80, mark: '>' }, approval.runId);
  return { said: said.join('\n'), sent };
}

test('the call of a command-line agent is allowed or denied, and not edited', async () => {
  const approval = makeApproval({ kind: 'permission', tool: 'cli_execute', canRemember: [] });
  const { said, sent } = await answer(approval, ['e {"command": "ls"}', 'y']);
  expect(said).toContain('[y]es, [n]o >');
  expect(said).toContain('Type y to allow the call, n to deny it (n and a reason).');
  expect(said).not.toContain('change it');
  expect(sent).toEqual([['/api/approvals/approval-1', { decision: 'allow' }]]);
});

test('any other call can be edited', async () => {
  expect((await answer(makeApproval(), ['no'])).said).toContain('[y]es, [n]o, [e]dit >');
});
