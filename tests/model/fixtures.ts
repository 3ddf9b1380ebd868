import type { Clock } from '../../engine/src/base/clock.ts';
import { systemClock } from '../../engine/src/base/clock.ts';
import { silentLogger } from '../../engine/src/base/log.ts';
import { createRedactor } from '../../engine/src/base/redact.ts';
import type { Api } from '../../engine/src/config/config.ts';
import type { ModelTarget } from '../../engine/src/model/protocol/classify-error.ts';
import type { Message, ModelRequest, Models, ToolSpec } from '../../engine/src/model/model.ts';
import { createModels } from '../../engine/src/model/models.ts';

export const KEY = 'sk-test-0123456789';

/** Adapters whose keys come from `keys`: both are set unless told otherwise. */
export function testModels({
  keys = { OPENAI_API_KEY: KEY, ANTHROPIC_API_KEY: KEY },
  clock = systemClock,
}: { keys?: Record<string, string | undefined>; clock?: Clock } = {}): Models {
  return createModels({
    resolve: (reference) => keys[reference.slice('${env:'.length, -1)],
    redactor: createRedactor(),
    clock,
    log: silentLogger,
  });
}

const common = {
  description: '',
  enabled: true,
  limits: { timeoutSeconds: 20, concurrency: 8 },
  retry: { attempts: 4, backoffSeconds: 1, maxWaitSeconds: 3600 },
  fallback: [],
  locality: 'any',
} as const;

export function openaiApi(
  baseUrl: string,
  more: Partial<Extract<Api, { provider: 'openai' }>> = {},
): Extract<Api, { provider: 'openai' }> {
  return {
    ...common,
    id: 'main',
    provider: 'openai',
    model: 'test-model',
    apiKey: '${env:OPENAI_API_KEY}',
    baseUrl,
    protocol: 'chat',
    ...more,
  };
}

export function anthropicApi(
  more: Partial<Extract<Api, { provider: 'anthropic' }>> = {},
): Extract<Api, { provider: 'anthropic' }> {
  return {
    ...common,
    id: 'claude',
    provider: 'anthropic',
    model: 'claude-test',
    apiKey: '${env:ANTHROPIC_API_KEY}',
    baseUrl: 'https://api.anthropic.com',
    stream: true,
    maxTokens: 8192,
    ...more,
  };
}

export function ollamaApi(
  baseUrl: string,
  more: Partial<Extract<Api, { provider: 'ollama' }>> = {},
): Extract<Api, { provider: 'ollama' }> {
  return {
    ...common,
    id: 'local',
    provider: 'ollama',
    model: 'qwen3:8b',
    baseUrl,
    stream: true,
    contextTokens: 16_384,
    ...more,
  };
}

export function scriptedApi(script: Extract<Api, { provider: 'scripted' }>['script'], fallback: string[] = []): Api {
  return { id: 'offline', description: '', enabled: true, provider: 'scripted', script, fallback, locality: 'local' };
}

export const lookUp: ToolSpec = {
  type: 'function',
  function: {
    name: 'look_up',
    description: 'Looks a word up.',
    parameters: { type: 'object', properties: { word: { type: 'string' } } },
  },
};

/** A first request of a director. */
export function request(more: Partial<ModelRequest> = {}): ModelRequest {
  const messages: Message[] = [
    { role: 'system', content: 'You are the desk.' },
    { role: 'user', content: 'Hello' },
  ];
  return { messages, tools: [], role: 'director', actorId: 'desk', turn: 1, ...more };
}

export const target: ModelTarget = {
  apiId: 'main',
  model: 'test-model',
  server: 'https://models.test',
  keyHint: 'Set ${env:OPENAI_API_KEY} to a valid key.',
  now: () => Date.UTC(2026, 0, 1),
  clean: (text) => text,
};
