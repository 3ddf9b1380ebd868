import type { Snapshot } from '../config/config.ts';
import type { RunTools } from './run-tools.ts';
import type { Tool } from './tool.ts';

type ToolMap = ReadonlyMap<string, Tool>;

/** The same tools, with the `remote` form of each local tool under a config that needs it. */
export function withRemoteTools(tools: RunTools): RunTools {
  // Every step asks, so each form is found at once; runs of all configs with the same form share it.
  const cache = new WeakMap<ToolMap, { byConfig: WeakMap<Snapshot, ToolMap>; byNames: Map<string, ToolMap> }>();
  return {
    ...tools,
    of(config, lists) {
      const all = tools.of(config, lists);
      let cached = cache.get(all);
      if (cached === undefined) cache.set(all, (cached = { byConfig: new WeakMap(), byNames: new Map() }));
      let found = cached.byConfig.get(config);
      if (found === undefined) {
        const names = remoteNames(all, config);
        const key = names.join();
        found = cached.byNames.get(key) ?? withForms(all, names);
        cached.byNames.set(key, found);
        cached.byConfig.set(config, found);
      }
      return found;
    },
  };
}

function withForms(tools: ToolMap, names: readonly string[]): ToolMap {
  return names.length === 0 ? tools : new Map([...tools].map(([name, tool]) => [name, formOf(tool, names)]));
}

function remoteNames(tools: ToolMap, config: Snapshot): string[] {
  return [...tools.values()].flatMap((tool) =>
    'remote' in tool && tool.remote?.isUsed(config) === true ? [tool.name] : [],
  );
}

function formOf(tool: Tool, names: readonly string[]): Tool {
  return 'remote' in tool && tool.remote !== undefined && names.includes(tool.name) ? tool.remote.tool : tool;
}
