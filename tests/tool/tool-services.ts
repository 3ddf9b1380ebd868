import type { ToolServices } from '../../engine/src/tool/tool-family.ts';

/** Services for tools of which a test uses these alone. Another one throws when a tool asks for it. */
export function toolServices(used: Partial<ToolServices> = {}): ToolServices {
  const none = () => {
    throw new Error('no tool of this test uses this service');
  };
  // The list of services grows with each family; a test names those that it needs.
  return new Proxy(used, { get: (target, key) => Reflect.get(target, key) ?? none }) as ToolServices;
}
