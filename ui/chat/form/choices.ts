import type { Page } from '../../http/api-types.ts';
import { path, request } from '../../http/request.ts';
import { createResource } from '../../http/resource.ts';

/** A document of `GET /api/apis`, `/api/agents` or `/api/chat-presets`, as far as a form needs it. */
interface Listed {
  readonly id: string;
  readonly name?: string;
  readonly description?: string;
  readonly enabled?: boolean;
}

/** An api that can speak in a chat. */
export interface ApiChoice extends Listed {
  readonly provider: string;
  readonly model?: string;
}

/** A participant of a preset. */
export interface PresetParticipant {
  readonly displayName: string;
  readonly apiConfigId?: string;
  readonly agentId?: string;
  readonly persona?: string;
  readonly color?: string;
  readonly permissions?: unknown;
  readonly roaming?: { readonly enabled?: boolean; readonly workspaceDir?: string; readonly mode?: 'safe' | 'yolo' };
}

/** A preset: a new chat copies it. */
export interface Preset extends Listed {
  readonly title?: string;
  readonly context?: string;
  readonly maxRounds?: number;
  readonly files?: readonly string[];
  readonly mentions?: { readonly caseSensitive?: boolean };
  readonly summaryApiConfigId?: string;
  readonly participants?: readonly PresetParticipant[];
}

/** What a form offers. */
export interface Choices {
  readonly apis: readonly ApiChoice[];
  readonly agents: readonly Listed[];
  readonly presets: readonly Preset[];
}

/** The choices of the forms. */
export const choices = createResource(async (_key, signal): Promise<Choices> => {
  const [apis, agents, presets] = await Promise.all([
    all<ApiChoice>('apis', signal),
    all<Listed>('agents', signal),
    all<Preset>('chat-presets', signal),
  ]);
  return { apis, agents, presets };
});

/** The usable documents of a kind. */
async function all<T extends Listed>(kind: string, signal: AbortSignal): Promise<readonly T[]> {
  const { items } = await request<Page<T>>('GET', `${path`/api/${kind}`}?limit=200`, { signal });
  return items.filter(({ enabled }) => enabled !== false);
}
