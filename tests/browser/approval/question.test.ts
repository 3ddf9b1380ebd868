import { expect, test } from 'vitest';
import { makeQuestion } from '../fake/approval-fixtures.ts';
import { soon } from '../soon.ts';
import { describeLongViewer } from '../viewer.ts';

describeLongViewer('a question of a run', (viewer) => {
  const asks = () => {
    const { world } = viewer.api;
    world.approvals = [makeQuestion()];
    world.runs = world.runs.map((run) =>
      run.id === 'run-urgent' ? { ...run, status: 'waiting', waitingFor: 'answer' } : run,
    );
  };
  const answerOf = () => viewer.api.world.approvals.find(({ id }) => id === 'question-1')?.answer;

  test('counts with the approvals, and one of its choices answers it', async () => {
    asks();
    await viewer.open('approvals');
    await soon(() => viewer.page.locator('nav .badge, nav .count').allInnerTexts()).toContain('1');
    await viewer.page.getByRole('heading', { name: 'client-manager asks you' }).waitFor();
    await viewer.page.getByRole('button', { name: 'Tuesday at two' }).click();
    await soon(() => answerOf()).toBe('Tuesday at two');
    await viewer.page.getByText('No pending approvals.').waitFor();
  });

  test('is answered in the pane of its run, in words of one’s own that outlast another page', async () => {
    asks();
    await viewer.open('runs/run-urgent');
    const field = viewer.page.getByLabel('Or in your own words');
    await field.fill('Wednesday, if he can');
    await viewer.page.evaluate(() => void (location.hash = '#/approvals'));
    await viewer.page.getByRole('heading', { name: 'client-manager asks you' }).waitFor();
    await viewer.page.evaluate(() => void (location.hash = '#/runs/run-urgent'));
    expect(await field.inputValue()).toBe('Wednesday, if he can');
    await field.press('Control+Enter');
    await soon(() => answerOf()).toBe('Wednesday, if he can');
    await field.waitFor({ state: 'detached' });
  });

  test('stands with its answer among what was decided', async () => {
    viewer.api.world.approvals = [
      makeQuestion({ status: 'answered', answer: 'Monday, but after eleven', decidedBy: 'local' }),
    ];
    await viewer.open('approvals/question-1');
    expect((await viewer.page.locator('.answer-text').innerText()).trim()).toBe('Monday, but after eleven');
    await viewer.page.getByText('The question was answered.').waitFor();
  });
});
