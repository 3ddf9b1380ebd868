import { describe, expect, test } from 'vitest';
import type { ReplayReport } from '../../../engine/src/replay/difference.ts';
import { githubAnnotations, githubSummary } from '../../../engine/src/replay/report/github-report.ts';
import { htmlReport } from '../../../engine/src/replay/report/html-report.ts';
import { textReport } from '../../../engine/src/replay/report/text-report.ts';

const REPORT: ReplayReport = {
  against: 'main',
  tiers: [{ tier: 'routing', total: 9, changed: 1, missed: 0, tookMs: 1200 }],
  summary: ['1 of 9 mails is routed differently.'],
  warnings: ['tell of director boss runs without asking now; it was "ask"'],
  changed: [
    {
      ...{ tier: 'routing', name: 'mail_1', subject: '<b>@all</b> | ::error::x\n::warning::y' },
      differences: [
        {
          kind: 'drafts',
          text: 'the item "Reply" has other words',
          words: [
            { text: 'Dear ', state: 'same' },
            { text: 'Ada', state: 'removed' },
            { text: 'Ben</pre>', state: 'added' },
          ],
        },
        { kind: 'routing', text: 'went to boss, now to nobody' },
      ],
    },
  ],
  leftOut: [{ name: 'run_2', why: 'it was a turn in a group chat' }],
};

describe('a report', () => {
  test('says the summary first, then what is permitted, then each mail by the kinds in their order', () => {
    const text = textReport(REPORT);
    const places = [
      '1 of 9 mails',
      'Permits more',
      'mail_1',
      'went to boss',
      'other words',
      'Dear [-Ada-]{+Ben</pre>+}',
      'group chat',
    ];
    expect(places.map((place) => text.indexOf(place))).toEqual(
      places.map((place) => text.indexOf(place)).sort((a, b) => a - b),
    );
    expect(places.every((place) => text.includes(place))).toBe(true);
  });

  test('shows a subject on one line, without what controls a terminal', () => {
    const [changed] = REPORT.changed;
    if (changed === undefined) throw new Error('the report has no change');
    const text = textReport({ ...REPORT, changed: [{ ...changed, subject: 'one\r\n  two \u001b[2J' }] });
    expect(text).toContain('mail_1  one two \\u001b[2J  routing\n');
  });

  test('lets no words of a mail become a command of a workflow', () => {
    const lines = githubAnnotations({ ...REPORT, summary: ['a\n::error::b'] })
      .split('\n')
      .filter((line) => line !== '');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toBe('::notice title=Replay against main::a%0A::error::b');
  });

  test('lets no words of a mail become HTML, a mention or a cell of the job summary', () => {
    const row =
      githubSummary(REPORT)
        .split('\n')
        .find((line) => line.includes('mail_1') && line.startsWith('|')) ?? '';
    expect(row).not.toContain('<b>');
    expect(row).not.toContain('@all');
    expect(row.replaceAll('\\|', '').split('|')).toHaveLength(5);
  });

  test('lets no words of a mail become HTML of the page', () => {
    const page = htmlReport(REPORT);
    expect(page).not.toMatch(/<b>|Ben<\/pre>/);
    expect(page).toContain('<del>Ada</del><ins>Ben&#60;/pre&#62;</ins>');
    expect(page).not.toMatch(/src=|href=|<script/);
  });
});
