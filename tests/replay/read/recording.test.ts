import { afterEach, describe, expect, test } from 'vitest';
import { recordingSource } from '../../../engine/src/app/scratch/recording-source.ts';
import type { Recording } from '../../../engine/src/replay/replay.ts';
import { recordRun } from '../../../engine/src/replay/read/recording.ts';
import { call, type Play, playModels, setStage, type Stage } from '../../run/harness.ts';

let stage: Stage;
afterEach(() => stage.close());

const THINKS: Play = ({ messages, role }) => {
  if (role === 'agent') return { content: 'helped' };
  return messages.some((message) => message.role === 'tool')
    ? { content: 'Done.' }
    : {
        tool_calls: [
          call('c1', 'agent__helper', { input: 'help' }),
          call('c2', 'workspace_add_item', { label: 'a', data: 'x' }),
        ],
      };
};

async function record(): Promise<Recording> {
  stage = await setStage({
    models: playModels(THINKS),
    files: {
      'directors/boss.yaml': 'id: boss\nname: Boss\napiConfigId: main\nagents: [helper]\ntools: [workspace]\n',
    },
  });
  const { id } = await stage.ended(await stage.begin());
  return recordRun(recordingSource(stage.app), id);
}

describe('the recording of a stored run', () => {
  test('has the answers of models, and what the run did', async () => {
    const { cassette, expected, stimulus } = await record();
    expect(stimulus).toEqual({ kind: 'message', directorId: 'boss', message: 'do it' });
    expect(cassette.answers.map(({ agentId, answer }) => [agentId, answer?.stop])).toEqual([
      ['', 'tool_calls'],
      ['helper', 'stop'],
      ['', 'stop'],
    ]);
    expect(expected?.runs).toMatchObject([
      {
        ...{ directorId: 'boss', status: 'completed', answer: 'Done.', turns: 3 },
        calls: [
          { agentId: '', tool: 'agent__helper', state: 'done', asked: false },
          {
            agentId: '',
            tool: 'workspace_add_item',
            arguments: { label: 'a', data: 'x' },
            effects: 'none',
            state: 'done',
          },
        ],
        items: [{ label: 'a', data: 'x' }],
      },
    ]);
  });

  test('has no call that the engine answers by itself', async () => {
    expect((await record()).cassette.calls).toEqual([]);
  });

  test('is refused where there is no such run', async () => {
    await record();
    await expect(recordRun(recordingSource(stage.app), 'run_none')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
