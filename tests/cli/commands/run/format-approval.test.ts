import { expect, test } from 'vitest';
import type { ApprovalView } from '../../../../engine/src/api/routes/run/approval-view.ts';
import { formatApproval } from '../../../../engine/src/cli/commands/run/format-approval.ts';
import { cellsOf } from '../../../../engine/src/cli/terminal/table.ts';
import { type Preview, toolPreview } from '../../../../engine/src/tool/preview.ts';

const APPROVAL: ApprovalView = {
  ...{ id: 'appr_1', runId: 'run_1', threadId: 'th_1', callId: 'c1', tool: 'x', arguments: { a: 'b\u202ec' } },
  title: { action: 'Do it', target: 'there' },
  preview: { mimeType: 'application/json', data: '{}' },
  requestedBy: { directorId: 'boss', agentId: 'helper' },
  reason: 'director boss: permissions.ask has "x"',
  status: 'pending',
  createdAt: '2026-11-21T09:00:00.000Z',
};
const shown = (over: Partial<ApprovalView>) => formatApproval({ ...APPROVAL, ...over }, 80);
const withPreview = (preview: Preview) => shown({ preview: toolPreview(preview) });

test.each<[string, Preview, RegExp[]]>([
  [
    'an event in each zone',
    {
      ...{ kind: 'event', title: 'Call', isAllDay: false, calendar: 'Work', accountId: 'jane', attendees: [] },
      times: [
        { of: ['user'], timeZone: 'Europe/Berlin', start: 'Wed 25 Nov 2026, 15:00', end: '15:30' },
        { of: ['event', 'calendar'], timeZone: 'Asia/Tokyo', start: 'Wed 25 Nov 2026, 23:00', end: '23:30' },
      ],
    },
    [
      /^ {2}When {6}Wed 25 Nov 2026, 15:00 – 15:30 Europe\/Berlin \(yours\)$/m,
      /^ {2}When {6}Wed 25 Nov 2026, 23:00 – 23:30 Asia\/Tokyo \(event, calendar\)$/m,
      /^ {2}Calendar {2}Work, account jane$/m,
      /^ {2}Invited {3}nobody$/m,
    ],
  ],
  [
    'a request',
    {
      ...{ kind: 'request', method: 'POST', url: `https://x.example/${'a'.repeat(90)}`, body: '{"a":1}' },
      headers: [{ name: 'authorization', value: 'Bearer ***' }],
    },
    [/^ {2}POST https:/m, /^ {2}authorization: Bearer \*\*\*$/m, /^ {2}\{"a":1\}$/m],
  ],
  [
    'a command with each argument as one',
    { kind: 'command', argv: ['wc', '-w', 'a b\u202e'], cwd: '.', isSandboxed: false },
    [/^ {2}\$ wc -w "a b\\u202e"$/m, /without a shell, without a sandbox/],
  ],
])('an approval shows %s', (_name, preview, expected) => {
  const text = withPreview(preview);
  for (const line of expected) expect(text).toMatch(line);
  expect(Math.max(...text.split('\n').map(cellsOf))).toBeLessThanOrEqual(80);
  expect(text).toContain('"a": "b\\u202ec"');
});

test('an approval says who asks, that it was escalated, and when it expires', () => {
  const text = shown({ escalatedAt: '2026-11-22T10:00:00.000Z', expiresAt: '2026-11-24T10:00:00.000Z' });
  expect(text).toMatch(/^Do it: there\n/);
  expect(text).toMatch(/^Asked by {3}agent helper for director boss, with x, 2026-11-21 09:00 UTC$/m);
  expect(text).toMatch(/^Escalated {2}2026-11-22 10:00 UTC$/m);
  expect(text).toMatch(/^Expires {4}2026-11-24 10:00 UTC$/m);
});

test.each([
  [
    'allowed',
    { decidedBy: 'local', remembered: 'run' as const },
    /^Status +allowed, by local, 2026-11-22 10:00 UTC, the same for the run$/m,
  ],
  ['denied', { decidedBy: 'user_1', decidedByName: 'Jane' }, /^Status +denied, by Jane, 2026-11-22 10:00 UTC$/m],
  ['lapsed', {}, /^Status +lapsed, 2026-11-22 10:00 UTC$/m],
  ['expired', {}, /^Status +expired, 2026-11-22 10:00 UTC$/m],
] as const)('an approval that is %s says who ended it and when', (status, over, expected) => {
  expect(shown({ status, decidedAt: '2026-11-22T10:00:00.000Z', ...over })).toMatch(expected);
});
