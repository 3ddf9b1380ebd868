import type { Api, Snapshot } from '../../config/config.ts';
import { hasEmbeddings, modelName } from '../../model/models.ts';

/** How memories are embedded: by the model of an api, by the local one, or not at all, and then why. */
export type EmbeddingChoice =
  | { readonly kind: 'api'; readonly api: Exclude<Api, { readonly provider: 'scripted' }>; readonly model: string }
  | { readonly kind: 'local' }
  | { readonly kind: 'words'; readonly why: string; readonly isMistake: boolean };

/** The embeddings of a config. `isInstalled`: the packages of the local model are there. */
export function chooseEmbeddings(
  { settings, apis }: Pick<Snapshot, 'settings' | 'apis'>,
  isInstalled: () => boolean,
): EmbeddingChoice {
  const { apiConfigId, model, local } = settings.memory.embeddings;
  if (apiConfigId !== undefined) {
    const api = apis.get(apiConfigId);
    const words = (why: string) => ({ kind: 'words', why: `api "${apiConfigId}" ${why}`, isMistake: true }) as const;
    if (api === undefined) return words('does not exist or is disabled');
    if (api.provider === 'scripted' || !hasEmbeddings(api)) return words(`has no embeddings (${api.provider})`);
    return { kind: 'api', api, model: model ?? modelName(api) };
  }
  if (!local) return { kind: 'words', why: 'memory.embeddings.local is false', isMistake: false };
  if (isInstalled()) return { kind: 'local' };
  return { kind: 'words', why: 'the packages of the local model are not installed', isMistake: false };
}
