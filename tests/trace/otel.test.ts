import {
  type Attributes,
  type Context,
  type Span,
  type SpanOptions,
  type SpanStatus,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import { afterEach, describe, expect, test } from 'vitest';
import { ModelError } from '../../engine/src/model/model-error.ts';
import { openSession } from '../../engine/src/run/session/session.ts';
import { acceptMessage } from '../../engine/src/run/session/take-message.ts';
import { createTelemetry, ATTRIBUTES } from '../../engine/src/trace/otel.ts';
import { call, playModels, setStage, type Stage, type Play } from '../run/harness.ts';

/** A span as a test sees it. */
interface Kept {
  readonly name: string;
  readonly parent: string | undefined;
  readonly attributes: Attributes;
  readonly events: string[];
  status?: SpanStatus;
  start: number;
  end?: number;
}

/** A tracer that keeps all spans in memory. */
function memoryTracer(): { tracer: Tracer; spans: Kept[] } {
  const spans: Kept[] = [];
  const bySpan = new WeakMap<object, Kept>();
  const startSpan = (name: string, options: SpanOptions = {}, context?: Context): Span => {
    const parent = context === undefined ? undefined : trace.getSpan(context);
    const kept: Kept = {
      name,
      parent: parent === undefined ? undefined : bySpan.get(parent)?.name,
      attributes: { ...options.attributes },
      events: [],
      start: Number(options.startTime),
    };
    spans.push(kept);
    const span: Span = {
      spanContext: () => ({ traceId: '0'.repeat(32), spanId: '0'.repeat(16), traceFlags: 1 }),
      setAttribute: (key, value) => ((kept.attributes[key] = value), span),
      setAttributes: (more) => (Object.assign(kept.attributes, more), span),
      addEvent: (event) => (kept.events.push(event), span),
      addLink: () => span,
      addLinks: () => span,
      setStatus: (status) => ((kept.status = status), span),
      updateName: () => span,
      end: (time) => void (kept.end = Number(time)),
      isRecording: () => true,
      recordException: () => {},
    };
    bySpan.set(span, kept);
    return span;
  };
  return { tracer: { startSpan, startActiveSpan: () => undefined as never }, spans };
}

let stage: Stage;
afterEach(() => stage.close());

const FILES = {
  'directors/boss.yaml': 'id: boss\nname: Boss\napiConfigId: main\nagents: [helper]\ntools: [workspace]\n',
};
const SECRET = 'nightingale';
const play: Play = ({ role, turn }) => {
  if (role === 'agent') return { content: `the ${SECRET} sings` };
  if (turn === 1) return { tool_calls: [call('a', 'agent__helper', { input: SECRET })] };
  if (turn === 2) return { tool_calls: [call('b', 'workspace_get_item', { id: 'none' })] };
  return { content: SECRET };
};

async function traced(played: Play, hasContent = false) {
  const { tracer, spans } = memoryTracer();
  const errors: unknown[] = [];
  stage = await setStage({
    models: playModels(played),
    files: FILES,
    telemetry: createTelemetry({ tracer, hasContent, onError: (error) => errors.push(error) }),
  });
  const run = await stage.ended(await stage.begin('boss', SECRET));
  expect(errors).toEqual([]);
  return { run, spans };
}

describe('spans', () => {
  test('are one per run, with model requests, tool calls and agents below it', async () => {
    const { run, spans } = await traced(play);
    expect(spans.map(({ name, parent }) => [name, parent])).toEqual([
      ['invoke_agent Boss', undefined],
      ['chat test', 'invoke_agent Boss'],
      ['invoke_agent Helper', 'invoke_agent Boss'],
      ['chat test', 'invoke_agent Helper'],
      ['execute_tool agent__helper', 'invoke_agent Boss'],
      ['chat test', 'invoke_agent Boss'],
      ['execute_tool workspace_get_item', 'invoke_agent Boss'],
      ['chat test', 'invoke_agent Boss'],
    ]);
    expect(spans[0]?.attributes).toMatchObject({
      [ATTRIBUTES.run]: run.id,
      [ATTRIBUTES.conversation]: run.dirThreadId,
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'Boss',
    });
    for (const span of spans)
      expect([span.name, span.end !== undefined && span.end >= span.start]).toEqual([span.name, true]);
  });

  test('are one per message of a person, named after the agent that answers it', async () => {
    const { tracer, spans } = memoryTracer();
    const agent = 'id: helper\nname: Helper\napiConfigId: main\n';
    stage = await setStage({
      models: playModels(({ turn }) =>
        turn === 1 ? { tool_calls: [call('a', 'workspace_list_items', {})] } : { content: 'Done.' },
      ),
      files: { 'agents/helper.yaml': agent },
      telemetry: createTelemetry({ tracer, hasContent: false }),
    });
    const { id } = await openSession(stage.app.deps, 'helper', 'jane');
    const run = await acceptMessage(stage.app.deps, id, { content: 'hello', by: 'jane' });
    stage.app.engine.queued();
    await stage.ended(run.id);
    expect(spans.map(({ name, parent }) => [name, parent])).toEqual([
      ['invoke_agent Helper', undefined],
      ['chat test', 'invoke_agent Helper'],
      ['execute_tool workspace_list_items', 'invoke_agent Helper'],
      ['chat test', 'invoke_agent Helper'],
    ]);
    expect(spans[0]?.attributes).toMatchObject({
      [ATTRIBUTES.run]: run.id,
      [ATTRIBUTES.conversation]: id,
      [ATTRIBUTES.agentId]: 'helper',
    });
    for (const span of spans) expect([span.name, span.end !== undefined]).toEqual([span.name, true]);
  });

  test('carry the attributes of the conventions', async () => {
    const { spans } = await traced(play);
    expect(spans[1]?.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'test',
      'gen_ai.response.model': 'test',
      'gen_ai.response.finish_reasons': ['tool_calls'],
      'gen_ai.usage.input_tokens': 10,
      'gen_ai.usage.output_tokens': 1,
    });
    expect(spans.find(({ name }) => name.startsWith('execute_tool workspace'))).toMatchObject({
      attributes: {
        'gen_ai.tool.name': 'workspace_get_item',
        'gen_ai.tool.call.id': 'b',
        'error.type': 'ITEM_NOT_FOUND',
      },
      status: { code: 2 },
    });
  });

  test('contain no content by default', async () => {
    const { spans } = await traced(play);
    expect(JSON.stringify(spans)).not.toContain(SECRET);
  });

  test('contain messages, arguments and results if the option is set', async () => {
    const { spans } = await traced(play, true);
    const requests = spans.filter(({ name }) => name.startsWith('chat'));
    const input = JSON.parse(String(requests.at(-1)?.attributes[ATTRIBUTES.inputMessages])) as { role: string }[];
    expect(input.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'tool']);
    expect(requests.at(-1)?.attributes[ATTRIBUTES.outputMessages]).toBe(
      JSON.stringify([{ role: 'assistant', parts: [{ type: 'text', content: SECRET }] }]),
    );
    expect(spans.find(({ name }) => name === 'execute_tool agent__helper')?.attributes[ATTRIBUTES.toolArguments]).toBe(
      JSON.stringify({ input: SECRET }),
    );
  });

  test('of failed operations carry the error code', async () => {
    const { spans } = await traced(() => {
      throw new ModelError('MODEL_AUTH', `the key ${SECRET} is wrong`);
    });
    expect(spans).toMatchObject([
      { name: 'invoke_agent Boss', status: { code: 2 }, attributes: { 'error.type': 'MODEL_AUTH' } },
      { name: 'chat test', status: { code: 2 }, attributes: { 'error.type': 'MODEL_AUTH' } },
    ]);
    expect(JSON.stringify(spans)).not.toContain(SECRET);
  });

  test('that are open when the process ends are closed', async () => {
    const { tracer, spans } = memoryTracer();
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => (asked = resolve));
    stage = await setStage({
      models: playModels(() => new Promise(() => asked())),
      telemetry: createTelemetry({ tracer, hasContent: false }),
    });
    await stage.begin();
    await isAsked;
    await stage.restart({ telemetry: createTelemetry({ tracer: memoryTracer().tracer, hasContent: false }) });
    expect(spans.map(({ end }) => end !== undefined)).toEqual([true, true]);
  });

  test('an error of the tracer does not fail a run', async () => {
    const broken: Tracer = {
      startSpan: () => {
        throw new Error('no exporter');
      },
      startActiveSpan: () => undefined as never,
    };
    stage = await setStage({
      models: playModels(play),
      telemetry: createTelemetry({ tracer: broken, hasContent: true }),
    });
    expect(await stage.ended(await stage.begin())).toMatchObject({ status: 'completed' });
  });

  test('without an SDK, the OpenTelemetry API is not loaded', async () => {
    stage = await setStage({ models: playModels(play) });
    expect(stage.app.deps.telemetry).toBeUndefined();
  });
});
