import type { Snapshot } from '../config/config.ts';
import type { RunTools } from './run-tools.ts';
import type { Tool } from './tool.ts';

/** The same tools, with the `remote` form of each local tool under a config that needs it. */
export function withRemoteTools(tools: RunTools): RunTools {
  const cache = new WeakMap<ReadonlyMap<string, Tool>, Map<string, ReadonlyMap<string, Tool>>>();
  return {
    ...tools,
    of(config, lists) {
      const all = tools.of(config, lists);
      const names = remoteNames(all, config);
      if (names.length === 0) return all;
      const cached = cache.get(all) ?? new Map<string, ReadonlyMap<string, Tool>>();
      cache.set(all, cached);
      const key = names.join();
      let found = cached.get(key);
      if (found === undefined)
        cached.set(key, (found = new Map([...all].map(([name, tool]) => [name, formOf(tool, names)]))));
      return found;
    },
  };
}

function remoteNames(tools: ReadonlyMap<string, Tool>, config: Snapshot): string[] {
  return [...tools.values()].flatMap((tool) =>
    'remote' in tool && tool.remote?.isUsed(config) === true ? [tool.name] : [],
  );
}

function formOf(tool: Tool, names: readonly string[]): Tool {
  return 'remote' in tool && tool.remote !== undefined && names.includes(tool.name) ? tool.remote.tool : tool;
}
