import type { OpenaiApi } from '../../config/documents.gen.ts';
import { createHttpModel } from '../protocol/http-model.ts';
import { createCompletions } from './completions.ts';
import type { EmbeddingModel } from '../embedding.ts';
import { createEmbeddings } from './embeddings.ts';
import { parseReference } from '../../config/reference.ts';
import { hostOf } from '../../config/secret-uses.ts';
import { createApiKey, orAuthError } from '../http/api-key.ts';
import { createKeyCheck } from '../http/key-check.ts';
import type { Model } from '../model.ts';
import { createResponses } from './responses.ts';
import type { HttpModelDeps } from '../protocol/protocol.ts';

/**
 * A model of OpenAI, or of any server that supports OpenAI's chat completions or its Responses API (`protocol`). `stream`
 * decides whether answers are streamed. Default: true for the Responses API, for OpenAI and for Azure; false for other
 * servers, since some reject `stream_options` and some stream tool calls incorrectly. `structuredOutput` decides whether the schema of
 * an answer is sent. Default: true for OpenAI and Azure; false for other servers, since some reject it.
 *
 * The api is available if its key is set, without a request: if the provider is down, the model request fails, and only a
 * `fallback` with `on` gives the run another model. A server on this machine needs no key: it is available if it answers `GET /models`
 * with any status within a second.
 */
export function createOpenai(api: OpenaiApi, deps: HttpModelDeps): Model {
  const { hostname } = new URL(api.baseUrl);
  const isOpenai = /(^|\.)openai(\.azure)?\.com$/.test(hostname);
  const { key, keyHint, available } = createApiKey({ ...deps, api, probeUrl: modelsUrl(api.baseUrl) });
  const organization = organizationOf(api, deps);
  const structuredOutput = api.structuredOutput ?? isOpenai;
  const { limits, model, baseUrl } = api;
  const options = { ...limits, model, baseUrl, fetch: deps.fetch, organization, structuredOutput };
  return {
    ask: createHttpModel({
      ...deps,
      ...api.limits,
      apiId: api.id,
      model: api.model,
      baseUrl: api.baseUrl,
      key,
      keyHint,
      protocol:
        api.protocol === 'responses'
          ? createResponses({ ...options, stream: api.stream ?? true })
          : createCompletions({
              ...options,
              dialect: isOpenai ? 'openai' : 'compatible',
              stream: api.stream ?? isOpenai,
            }),
    }),
    available,
    checkKey: createKeyCheck({
      ...deps,
      url: modelsUrl(api.baseUrl),
      key,
      headers: (value) => {
        const name = organization();
        return { authorization: `Bearer ${value}`, ...(name !== undefined && { 'openai-organization': name }) };
      },
    }),
  };
}

/** An embedding model of OpenAI or of a compatible server. */
export function createOpenaiEmbeddings(api: OpenaiApi, model: string, deps: HttpModelDeps): EmbeddingModel {
  const { key, keyHint } = createApiKey({ ...deps, api, probeUrl: modelsUrl(api.baseUrl) });
  const organization = organizationOf(api, deps);
  const { id: apiId, baseUrl, limits } = api;
  return createEmbeddings({ ...deps, ...limits, apiId, model, baseUrl, key, keyHint, organization });
}

/** The organisation that requests of an api name: as it is written, or the current value of a reference. */
function organizationOf(
  { id, organization, baseUrl }: OpenaiApi,
  { resolve }: HttpModelDeps,
): () => string | undefined {
  return () => {
    if (organization === undefined || parseReference(organization) === undefined) return organization;
    return orAuthError(id, () => resolve(organization, [hostOf(baseUrl) ?? baseUrl]));
  };
}

function modelsUrl(baseUrl: string): string {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/models`;
  return url.toString();
}
