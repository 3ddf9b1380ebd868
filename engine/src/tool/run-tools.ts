import type { Snapshot } from '../config/config.ts';
import type { Tool } from './tool.ts';

/** The tools that runs can use. */
export interface RunTools {
  /** The built-in tools by name. */
  readonly builtIn: ReadonlyMap<string, Tool>;
  /**
   * The tools of a config revision by name: the built-in ones, then those that its documents declare, by their `order`. The
   * family of a declared tool is the id of its document. The same snapshot gives the same map until its tools change; a new map
   * tells callers to build their toolsets again.
   */
  of(config: Snapshot): ReadonlyMap<string, Tool>;
}
