import { roundCost } from '../budget/budget.ts';
import type { Usage } from './model.ts';

/** US dollars per million tokens. */
export interface Price {
  readonly inputPerMillion: number;
  readonly outputPerMillion: number;
  /** Price of input that the provider read from its cache. Default: `inputPerMillion`. */
  readonly cachedInputPerMillion?: number;
  /** Longest request in tokens that this price covers. A longer request costs more, and its price is unknown. */
  readonly upToInputTokens?: number;
}

/** One model of a price list: its name, three prices in US dollars per million tokens, and the longest request. */
export type PriceRow = readonly [
  name: string,
  input: number,
  cachedInput: number,
  output: number,
  upToInputTokens?: number,
];

/** Looks up the price of a model; null where the list does not have it. */
export type PriceList = (api: PricedApi, answeredBy?: string) => Price | null;

/** The keys of an api document that a price list needs. */
interface PricedApi {
  readonly baseUrl: string;
  readonly model: string;
}

/** A dated version costs what its family costs: `gpt-5-mini-2025-08-07`, `claude-haiku-4-5-20251001`. */
const VERSION = /-(\d{4}-\d{2}-\d{2}|\d{8}|latest)$/;

/**
 * The price list of one maker. It applies only to the maker's own servers, whose host name matches `host`: another
 * server may charge another price for a model of the same name. The model that answered is looked up first, then the
 * model of the api document.
 */
export function createPriceList({ host, rows }: { host: RegExp; rows: readonly PriceRow[] }): PriceList {
  const prices = new Map(rows.map((row) => [row[0], priceOfRow(row)]));
  const find = (name: string) => prices.get(name) ?? prices.get(name.replace(VERSION, ''));
  return (api, answeredBy) => {
    if (!host.test(hostOf(api))) return null;
    return (answeredBy === undefined ? undefined : find(answeredBy)) ?? find(api.model) ?? null;
  };
}

function priceOfRow([, inputPerMillion, cachedInputPerMillion, outputPerMillion, upToInputTokens]: PriceRow): Price {
  return {
    inputPerMillion,
    outputPerMillion,
    cachedInputPerMillion,
    ...(upToInputTokens !== undefined && { upToInputTokens }),
  };
}

/** Host name by api document. Parsing the URL takes longer than the rest of the lookup, which runs twice per turn. */
const hosts = new WeakMap<PricedApi, string>();

function hostOf(api: PricedApi): string {
  let host = hosts.get(api);
  if (host === undefined) hosts.set(api, (host = new URL(api.baseUrl).hostname));
  return host;
}

/** US dollars for this usage, in whole billionths; null where the usage or the price is unknown. Null never means 0. */
export function costOf(usage: Usage | undefined, price: Price | null): number | null {
  if (usage === undefined || price === null) return null;
  const { inputTokens, outputTokens } = usage;
  if (price.upToInputTokens !== undefined && inputTokens > price.upToInputTokens) return null;
  const cached = Math.min(usage.cachedInputTokens ?? 0, inputTokens);
  const { inputPerMillion, outputPerMillion, cachedInputPerMillion = inputPerMillion } = price;
  const millionths =
    (inputTokens - cached) * inputPerMillion + cached * cachedInputPerMillion + outputTokens * outputPerMillion;
  return roundCost(millionths / 1_000_000);
}
