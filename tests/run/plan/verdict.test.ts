import { expect, test } from 'vitest';
import { quickVerdict, SHORT_OUTPUT, type StepEnd } from '../../../engine/src/run/plan/verdict.ts';

const error = (code: string) => ({ code, message: 'no' });

test.each<{ name: string; end: Partial<StepEnd>; verdict: string }>([
  { name: 'an output that says [ERROR] has failed', end: { output: 'Sorry: [ERROR] no such mail' }, verdict: 'failed' },
  { name: 'a short output without an error has passed', end: { output: 'Found two mails.' }, verdict: 'passed' },
  { name: 'an output at the limit has passed', end: { output: 'x'.repeat(SHORT_OUTPUT) }, verdict: 'passed' },
  { name: 'a longer one is unclear', end: { output: 'x'.repeat(SHORT_OUTPUT + 1) }, verdict: 'unclear' },
  { name: 'no output has failed', end: { output: ' \n' }, verdict: 'failed' },
  { name: 'a step that used up its rounds is unclear', end: { output: '', isCut: true }, verdict: 'unclear' },
  {
    name: 'a tool whose last call failed is a failure, however short the output',
    end: { calls: [{ tool: 'mail_read', error: error('NOT_FOUND') }] },
    verdict: 'failed',
  },
  {
    name: 'a tool that worked at the second call is none',
    end: { calls: [{ tool: 'mail_read', error: error('NOT_FOUND') }, { tool: 'mail_read' }] },
    verdict: 'passed',
  },
  {
    name: 'a tool that failed after another had worked is one',
    end: { calls: [{ tool: 'mail_read' }, { tool: 'mail_draft', error: error('TOOL_FAILED') }] },
    verdict: 'failed',
  },
  {
    name: 'a call that a person denied is hopeless',
    end: { calls: [{ tool: 'mail_draft', error: error('TOOL_DENIED') }] },
    verdict: 'hopeless',
  },
  {
    name: 'a write that may have been done is hopeless, also where the output says [ERROR]',
    end: { output: '[ERROR] unknown', calls: [{ tool: 'mail_send', error: error('TOOL_OUTCOME_UNKNOWN') }] },
    verdict: 'hopeless',
  },
  {
    name: 'a call that a person denied is hopeless after another that only failed',
    end: {
      calls: [
        { tool: 'mail_read', error: error('NOT_FOUND') },
        { tool: 'mail_draft', error: error('TOOL_DENIED') },
      ],
    },
    verdict: 'hopeless',
  },
  {
    name: 'a call without a time of the user is hopeless',
    end: { calls: [{ tool: 'calendar_add', error: error('TOOL_NEEDS_TIME') }], isCut: true },
    verdict: 'hopeless',
  },
])('$name', ({ end, verdict }) => {
  expect(quickVerdict({ output: 'Done.', calls: [], isCut: false, ...end }).verdict).toBe(verdict);
});
