import { describe, expect, test } from 'vitest';
import { type PlanSituation, ruledPlan } from '../../../engine/src/run/plan/plan-rules.ts';
import type { ProposedPlan } from '../../../engine/src/run/plan/plan-output.ts';

const ALL = ['calendar_free_slots', 'calendar_read', 'calendar_add', 'mail_draft', 'web_research', 'ask_user'];
const situation = (more: Partial<PlanSituation> = {}): PlanSituation => ({
  maxSteps: 10,
  tools: new Set(ALL),
  research: new Set(['web_research']),
  lackTime: new Set(),
  ...more,
});
const proposed = (tools: readonly string[], needsOutside = false): ProposedPlan => ({
  language: 'en',
  needsOutside,
  wantsSeveralFiles: false,
  preferences: [],
  steps: tools.map((tool, n) => ({ title: `Step ${n + 1}`, task: 'Do it.', ...(tool !== '' && { tool }) })),
});
const lackTime = new Set(['calendar_add']);
const rule = (plan: ProposedPlan, more: Partial<PlanSituation> = {}) => ruledPlan(plan, situation(more));
const toolsOf = (plan: ReturnType<typeof rule>) => plan.steps.map(({ tool = '' }) => tool);

describe('the rules of plans', () => {
  test('leave a plan alone that keeps to them', () => {
    const plan = rule(proposed(['calendar_add', 'mail_draft', '']));
    expect(toolsOf(plan)).toEqual(['calendar_add', 'mail_draft', '']);
    expect(plan.notes).toEqual([]);
    expect(plan.steps.map(({ number }) => number)).toEqual([1, 2, 3]);
  });

  test('put the calendar and a question before a plan that only schedules, where the user named no time', () => {
    const plan = rule(proposed(['calendar_add']), { lackTime });
    expect(toolsOf(plan)).toEqual(['calendar_free_slots', 'ask_user', 'calendar_add']);
    expect(plan.steps.map(({ plannedBy }) => plannedBy)).toEqual(['engine', 'engine', 'planner']);
    expect(plan.notes).toHaveLength(1);
  });

  test('put them right before the step that schedules', () => {
    const plan = rule(proposed(['mail_draft', 'calendar_add', 'mail_draft']), { lackTime });
    expect(toolsOf(plan)).toEqual(['mail_draft', 'calendar_free_slots', 'ask_user', 'calendar_add', 'mail_draft']);
  });

  test('add only what the planner has forgotten', () => {
    const plan = rule(proposed(['calendar_read', 'calendar_add']), { lackTime });
    expect(toolsOf(plan)).toEqual(['calendar_read', 'ask_user', 'calendar_add']);
    const full = rule(proposed(['calendar_read', 'ask_user', 'calendar_add']), { lackTime });
    expect(toolsOf(full)).toEqual(['calendar_read', 'ask_user', 'calendar_add']);
  });

  test('take no question after the scheduling for one before it', () => {
    const plan = rule(proposed(['calendar_add', 'ask_user']), { lackTime });
    expect(toolsOf(plan)).toEqual(['calendar_free_slots', 'ask_user', 'calendar_add', 'ask_user']);
  });

  test('skip what needs a time where nobody can be asked', () => {
    const plan = rule(proposed(['calendar_add', 'mail_draft']), {
      lackTime,
      tools: new Set(ALL.filter((name) => name !== 'ask_user')),
    });
    expect(plan.steps.map(({ tool, status }) => [tool, status])).toEqual([
      ['calendar_free_slots', 'pending'],
      ['calendar_add', 'skipped'],
      ['mail_draft', 'pending'],
    ]);
  });

  test('leave out a search that the wish does not need, and say so', () => {
    const plan = rule(proposed(['web_research', 'mail_draft']));
    expect(toolsOf(plan)).toEqual(['mail_draft']);
    expect(plan.notes).toEqual(['"Step 1" was left out: the wish needs no information from outside.']);
  });

  test('leave a search in that the wish needs', () => {
    expect(toolsOf(rule(proposed(['web_research', 'mail_draft'], true)))).toEqual(['web_research', 'mail_draft']);
  });

  test('keep a step where the search was the whole plan', () => {
    expect(toolsOf(rule(proposed(['web_research'])))).toEqual(['']);
  });

  test('keep to the limit of steps also with the steps that they add', () => {
    const plan = rule(proposed(['calendar_add', 'mail_draft', 'mail_draft']), { lackTime, maxSteps: 4 });
    expect(toolsOf(plan)).toEqual(['calendar_free_slots', 'ask_user', 'calendar_add', 'mail_draft']);
    expect(plan.notes.at(-1)).toBe('"Step 3" was left out: a plan has at most 4 steps.');
  });

  test('let another step go, and say so, where the steps that they add would cut off the scheduling', () => {
    const plan = rule(proposed([...Array<string>(9).fill('mail_draft'), 'calendar_add']), { lackTime });
    const drafts = Array<string>(7).fill('mail_draft');
    expect(toolsOf(plan)).toEqual([...drafts, 'calendar_free_slots', 'ask_user', 'calendar_add']);
    expect(plan.notes.slice(-2)).toEqual([
      '"Step 8" was left out: a plan has at most 10 steps.',
      '"Step 9" was left out: a plan has at most 10 steps.',
    ]);
    expect(plan.leftOut).toEqual(['Step 8', 'Step 9']);
  });

  test('schedule nothing without the question where the limit has no room for both', () => {
    const plan = rule(proposed(['mail_draft', 'calendar_add']), { lackTime, maxSteps: 2 });
    expect(toolsOf(plan)).toEqual(['calendar_free_slots', 'ask_user']);
  });
});
