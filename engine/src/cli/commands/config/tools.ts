import { didYouMean } from '../../../base/did-you-mean.ts';
import { EngineError } from '../../../base/error.ts';
import type { ServerStatus } from '../../../tool/mcp/link-options.ts';
import type { ListedFamily, ListedTool } from '../../../tool/catalog.ts';
import { listParameters } from '../../../tool/parameter-list.ts';
import type { CommandContext } from '../../context.ts';
import { formatTable, oneLine } from '../../terminal/table.ts';
import { EXIT, widthOf } from '../../terminal/terminal.ts';
import { withApi } from '../../with-api.ts';

interface Catalog {
  readonly families: readonly ListedFamily[];
  readonly servers: readonly ServerStatus[];
}

/** `tools [name]`: lists all tools, or shows the parameters of a tool, of an alias, or of a family. */
export async function showTools(context: CommandContext, _options: object, [name]: readonly string[]): Promise<number> {
  const catalog = await withApi(context, { isDriving: false }, (client) =>
    client.request<Catalog>('GET', '/api/tools/catalog'),
  );
  const { families } = catalog;
  const width = widthOf(context.terminal);
  if (name === undefined) {
    if (context.isJson) context.print(catalog);
    else context.terminal.out(formatFamilies(families, width) + formatServers(catalog.servers, width));
    return EXIT.fine;
  }
  const found = find(families, name);
  if (context.isJson) context.print(found);
  else context.terminal.out(found.map(([family, tool]) => formatTool(family, tool, width)).join('\n'));
  return EXIT.fine;
}

type Found = readonly [family: string, tool: ListedTool];

function find(families: readonly ListedFamily[], name: string): readonly Found[] {
  const all = families.flatMap(({ name: family, tools }) => tools.map((tool): Found => [family, tool]));
  const one = all.filter(([, tool]) => tool.name === name || tool.aliases.includes(name));
  const found = one.length > 0 ? one : all.filter(([family]) => family === name);
  if (found.length > 0) return found;
  const names = [...families.map((family) => family.name), ...all.flatMap(([, tool]) => [tool.name, ...tool.aliases])];
  throw new EngineError('NOT_FOUND', `there is no tool and no family "${name}"${didYouMean(name, names)}`, {
    hint: '`callsheet tools` lists them',
  });
}

function formatFamilies(families: readonly ListedFamily[], width: number): string {
  const rows = families.flatMap(({ name: family, tools }) =>
    tools.map(({ name, effects, permission, description }) => [
      oneLine(name),
      oneLine(family),
      effects,
      permission,
      oneLine(description),
    ]),
  );
  const columns = [
    { head: 'TOOL', cut: 1, min: 20 },
    { head: 'FAMILY', cut: 2, min: 10 },
    ...['EFFECTS', 'DEFAULT'],
    { head: 'DESCRIPTION', cut: 3, min: 16 },
  ];
  return formatTable(columns, rows, width);
}

/** A table of the MCP servers; nothing where there are none. */
function formatServers(servers: readonly ServerStatus[], width: number): string {
  if (servers.length === 0) return '';
  const rows = servers.map(({ id, state, tools, name = '', error = '' }) => [
    oneLine(id),
    state,
    String(tools),
    oneLine(error === '' ? name : error),
  ]);
  const columns = [{ head: 'MCP SERVER', cut: 1, min: 12 }, 'STATE', 'TOOLS', { head: '', cut: 2, min: 16 }];
  return `\n${formatTable(columns, rows, width)}`;
}

function formatTool(family: string, tool: ListedTool, width: number): string {
  const { name, description, effects, reach, permission, permissionWithRules, aliases, parameters } = tool;
  const facts: readonly (readonly [string, string])[] = [
    ['family', family],
    ['effects', effects],
    ['reach', reach ?? 'none'],
    ['default', `${permission}; with permissions and no rule for it: ${permissionWithRules}`],
    ['aliases', aliases.length === 0 ? 'none' : aliases.join(', ')],
  ];
  const listed = listParameters(parameters);
  return [
    oneLine(name),
    ...wrap(oneLine(description), width, '  '),
    '',
    ...facts.map(([key, value]) => `  ${key.padEnd(10)}${oneLine(value)}`),
    '',
    listed.length === 0 ? '  no parameters' : '  parameters',
    ...listed.flatMap(({ name: key, type, required, description: text }) => [
      ...wrap(`${oneLine(key)} (${oneLine(type)}${required ? ', required' : ''})`, width, '    '),
      ...wrap(oneLine(text), width, '      '),
    ]),
    '',
  ].join('\n');
}

/** The words of a text in lines of at most `width`; a longer word has a line of its own. None for an empty text. */
function wrap(text: string, width: number, indent: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else if (word !== '') lines.push(indent + word);
  }
  return lines;
}
