import type { Api } from '../config/config.ts';
import type { Usage } from './model.ts';

/** US dollars for a million tokens. */
export interface Price {
  readonly inputPerMillion: number;
  readonly outputPerMillion: number;
  /** Default: that of other input. */
  readonly cachedInputPerMillion?: number;
  /** Longest request, in tokens, that this price is for; longer ones cost more, and how much is not known here. */
  readonly upToInputTokens?: number;
}

/**
 * Date of the newest text that the table below was taken from: search results, of which most of Anthropic's rows stand in
 * excerpts of its own page, and of OpenAI's only `gpt-5-nano`. The pages themselves were not read; whoever relies on
 * `maxCost` sets `price` on the api. Of models that are not in the table the price is unknown.
 */
export const PRICES_AS_OF = '2026-11-05';

/** Where the makers state their prices. Of batch, priority and regional surcharges nothing is known here. */
export const PRICE_SOURCES = {
  openai: 'https://developers.openai.com/api/docs/pricing',
  anthropic: 'https://platform.claude.com/docs/en/about-claude/pricing',
} as const;

type Row = readonly [name: string, input: number, cachedInput: number, output: number, upToInputTokens?: number];

const OPENAI: readonly Row[] = [
  ['gpt-5.1', 1.25, 0.125, 10],
  ['gpt-5', 1.25, 0.125, 10],
  ['gpt-5-mini', 0.25, 0.025, 2],
  ['gpt-5-nano', 0.05, 0.005, 0.4],
  ['gpt-4.1', 2, 0.5, 8],
  ['gpt-4.1-mini', 0.4, 0.1, 1.6],
  ['gpt-4.1-nano', 0.1, 0.025, 0.4],
  ['gpt-4o', 2.5, 1.25, 10],
  ['gpt-4o-mini', 0.15, 0.075, 0.6],
];

const ANTHROPIC: readonly Row[] = [
  ['claude-opus-5', 5, 0.5, 25],
  ['claude-opus-4-8', 5, 0.5, 25],
  ['claude-opus-4-7', 5, 0.5, 25],
  ['claude-opus-4-6', 5, 0.5, 25],
  ['claude-opus-4-5', 5, 0.5, 25],
  ['claude-sonnet-5', 2, 0.2, 10],
  ['claude-sonnet-4-6', 3, 0.3, 15],
  ['claude-sonnet-4-5', 3, 0.3, 15, 200_000],
  ['claude-haiku-4-5', 1, 0.1, 5],
];

const TABLES = { openai: read(OPENAI), anthropic: read(ANTHROPIC) };
/** The prices are those of the makers' own servers; a model of the same name elsewhere costs something else. */
const HOSTS = { openai: /^([a-z]+\.)?api\.openai\.com$/, anthropic: /^api\.anthropic\.com$/ };
/** A version of a model costs what its family does: `gpt-5-mini-2025-08-07`, `claude-haiku-4-5-20251001`. */
const VERSION = /-(\d{4}-\d{2}-\d{2}|\d{8}|latest)$/;
const FREE: Price = { inputPerMillion: 0, outputPerMillion: 0 };

/**
 * What a model costs: the `price` of its api document, else the table's, for the makers' own servers. `model` is the one
 * that answered, if it is known. Null where the price is not known, which is never to be read as 0. Scripted answers
 * cost nothing.
 */
export function priceOf(api: Api, model?: string): Price | null {
  if (api.provider === 'scripted') return FREE;
  if (api.price !== undefined) return api.price;
  if (api.provider === 'ollama') return null;
  if (!HOSTS[api.provider].test(hostOf(api))) return null;
  const table = TABLES[api.provider];
  const find = (name: string) => table.get(name) ?? table.get(name.replace(VERSION, ''));
  return (model === undefined ? undefined : find(model)) ?? find(api.model) ?? null;
}

/** Name of the model that an api asks; `scripted` for an api of rules. */
export function modelName(api: Api): string {
  return api.provider === 'scripted' ? 'scripted' : api.model;
}

/** By document: to parse an address costs as much as all else here, and is asked for twice a turn. */
const hosts = new WeakMap<Api, string>();

function hostOf(api: Api & { readonly baseUrl: string }): string {
  let host = hosts.get(api);
  if (host === undefined) hosts.set(api, (host = new URL(api.baseUrl).hostname));
  return host;
}

/** US dollars for this use; null where usage or price is not known. */
export function costOf(usage: Usage | undefined, price: Price | null): number | null {
  if (usage === undefined || price === null) return null;
  const { inputTokens, outputTokens } = usage;
  if (price.upToInputTokens !== undefined && inputTokens > price.upToInputTokens) return null;
  const cached = Math.min(usage.cachedInputTokens ?? 0, inputTokens);
  const { inputPerMillion, outputPerMillion, cachedInputPerMillion = inputPerMillion } = price;
  const millionths =
    (inputTokens - cached) * inputPerMillion + cached * cachedInputPerMillion + outputTokens * outputPerMillion;
  return millionths / 1_000_000;
}

function read(rows: readonly Row[]): ReadonlyMap<string, Price> {
  return new Map(
    rows.map(([name, inputPerMillion, cachedInputPerMillion, outputPerMillion, upToInputTokens]) => [
      name,
      {
        inputPerMillion,
        outputPerMillion,
        cachedInputPerMillion,
        ...(upToInputTokens !== undefined && { upToInputTokens }),
      },
    ]),
  );
}
