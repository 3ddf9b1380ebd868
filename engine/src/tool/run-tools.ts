import type { Snapshot } from '../config/config.ts';
import type { Tool } from './tool.ts';

/**
 * The tools of MCP servers that a run keeps: the hash of the list that each server had when the run began, by the id of its
 * document.
 */
export type ToolLists = Readonly<Record<string, string>>;

/** The tools that runs can use. */
export interface RunTools {
  /** The built-in tools by name. */
  readonly builtIn: ReadonlyMap<string, Tool>;
  /**
   * The tools of a config revision by name: the built-in ones, then those that its documents declare, by their `order`. The
   * family of a declared tool is the id of its document. The same snapshot gives the same map until its tools change; a new map
   * tells callers to build their toolsets again. `lists`: those that a run keeps. Default: the newest ones.
   */
  of(config: Snapshot, lists?: ToolLists): ReadonlyMap<string, Tool>;
  /** The lists that a new run keeps, of the documents that its actors name. May wait for a new server for some seconds. */
  pin(config: Snapshot, names: Iterable<string>): Promise<ToolLists>;
  /** Loads the lists that a run keeps, for `of`. */
  load(lists: ToolLists): Promise<void>;
}
