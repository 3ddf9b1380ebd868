/**
 * Puts the names of all built-in families and tools, and their aliases, as examples into the schemas that name tools:
 * editors complete examples.
 */
import { format } from 'prettier';
import { listedFamilies, builtInToolTable } from '../engine/src/app/tool-catalog.ts';
import { isRecord } from '../engine/src/base/json.ts';

/** The names that `tools` accepts, and those that `permissions` accepts. */
export function toolNames(): { readonly tools: readonly string[]; readonly permissions: readonly string[] } {
  const families = listedFamilies(builtInToolTable());
  const namesOf = (list: typeof families) =>
    list.flatMap(({ tools }) => tools.flatMap(({ name, aliases }) => [name, ...aliases]));
  const named = families.filter(({ use }) => use === 'named');
  const always = families.filter(({ use }) => use === 'always');
  return {
    tools: [...named.map(({ name }) => name), ...namesOf(named)],
    permissions: [
      ...named.map(({ name }) => `${name}_*`),
      'agent__*',
      ...namesOf(named),
      ...namesOf(always).filter((name) => !name.includes('<')),
    ],
  };
}

/** The text of a schema with these names as the examples of its `tools` and of its globs over tools. */
export async function withToolNames(text: string): Promise<string> {
  const schema: unknown = JSON.parse(text);
  const names = toolNames();
  const places = [
    { schema: at(schema, ['properties', 'tools', 'items']), examples: names.tools },
    { schema: at(schema, ['$defs', 'glob']), examples: names.permissions },
  ];
  if (places.every((place) => place.schema === undefined)) return text;
  for (const place of places) if (place.schema !== undefined) place.schema['examples'] = place.examples;
  return format(JSON.stringify(schema, null, 2), { parser: 'json', printWidth: 120 });
}

function at(value: unknown, path: readonly string[]): Record<string, unknown> | undefined {
  let found = value;
  for (const key of path) found = isRecord(found) ? found[key] : undefined;
  return isRecord(found) ? found : undefined;
}
