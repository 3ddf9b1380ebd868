import type { ConfigLinks } from '../../../engine/src/api/routes/config/config-links.ts';
import type { DocumentState } from '../../../engine/src/config/config.ts';
import { nameOf } from '../uses.ts';

/** The columns of the map, from where a mail arrives to the model that answers. */
export const COLUMNS = ['accounts', 'filters', 'directors', 'agents', 'tools', 'apis'] as const;

/** A column of the map. */
export type Column = (typeof COLUMNS)[number];

/** A box of the map: a document, or a family of built-in tools. */
export interface MapNode {
  /** Folder and id: `agents/reply`; `tools/mail` for a family. */
  readonly name: string;
  readonly column: Column;
  readonly label: string;
  readonly state: DocumentState['state'];
  /** Its file; undefined for built-in tools. */
  readonly file: string | undefined;
  readonly x: number;
  readonly y: number;
}

/** A line of the map, from left to right. */
export interface MapEdge {
  readonly from: MapNode;
  readonly to: MapNode;
}

/** The map with its size in pixels. */
export interface ConfigMap {
  readonly nodes: readonly MapNode[];
  readonly edges: readonly MapEdge[];
  readonly width: number;
  readonly height: number;
}

/** Width and height of a box, and the space around it, in pixels. */
export const BOX = { width: 158, height: 30, gapX: 58, gapY: 10, top: 34, left: 14 } as const;

/** Places the documents in columns and connects them. Rows follow the mean of what leads to them, so that few lines cross. */
export function layoutMap(documents: readonly DocumentState[], links: ConfigLinks): ConfigMap {
  const boxes = [...documents.flatMap(boxOf), ...builtInTools(documents, links)];
  const known = new Set(boxes.map(({ name }) => name));
  const pairs = pairsOf(boxes, links).filter(([from, to]) => known.has(from) && known.has(to));
  const rows = new Map<string, number>();
  for (const column of COLUMNS) {
    const own = boxes.filter((box) => box.column === column);
    const ranked = own.map((box, i) => ({ box, i, rank: meanRow(box.name, pairs, rows) ?? i }));
    ranked.sort((a, b) => a.rank - b.rank || a.i - b.i);
    ranked.forEach(({ box }, row) => rows.set(box.name, row));
  }
  const nodes = boxes.map((box): MapNode => {
    const column = COLUMNS.indexOf(box.column);
    const row = rows.get(box.name) ?? 0;
    return { ...box, x: BOX.left + column * (BOX.width + BOX.gapX), y: BOX.top + row * (BOX.height + BOX.gapY) };
  });
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const edges = pairs.flatMap(([a, b]): MapEdge[] => {
    const [from, to] = [byName.get(a), byName.get(b)];
    return from === undefined || to === undefined ? [] : [{ from, to }];
  });
  return {
    nodes: nodes.sort((a, b) => a.x - b.x || a.y - b.y),
    edges,
    width: BOX.left + COLUMNS.length * (BOX.width + BOX.gapX) - BOX.gapX + BOX.left,
    height: Math.max(0, ...nodes.map(({ y }) => y)) + BOX.height + BOX.left,
  };
}

type Box = Omit<MapNode, 'x' | 'y'>;

function boxOf(document: DocumentState): Box[] {
  const name = nameOf(document);
  const column = COLUMNS.find((one) => name.startsWith(`${one}/`));
  const { id: label, state, file } = document;
  return column === undefined ? [] : [{ name, column, label, state, file }];
}

function builtInTools(documents: readonly DocumentState[], { tools }: ConfigLinks): Box[] {
  const declared = new Set(documents.map(nameOf));
  const names = [...new Set(tools.map(({ name }) => name))].filter((name) => !declared.has(toolName(name, declared)));
  return names
    .sort()
    .map((label) => ({ name: `tools/${label}`, column: 'tools', label, state: 'live', file: undefined }));
}

/** The document of a declared tool, whose tools are named `<id>__<tool>`, or the built-in tool. */
function toolName(name: string, declared: ReadonlySet<string>): string {
  const [id = ''] = name.split('__');
  return declared.has(`tools/${id}`) ? `tools/${id}` : `tools/${name}`;
}

/** Pairs of names, each from left to right, without doubles. */
function pairsOf(
  boxes: readonly Box[],
  { items, tools, openFilters }: ConfigLinks,
): readonly (readonly [string, string])[] {
  const declared = new Set(boxes.filter(({ column }) => column === 'tools').map(({ name }) => name));
  const accounts = boxes.filter(({ name }) => name.startsWith('accounts/')).map(({ name }) => name);
  const columnOf = (name: string) => COLUMNS.findIndex((column) => name.startsWith(`${column}/`));
  const pairs = [
    // A director that takes the mail of some accounts gets it through filters: the map does not show it.
    ...items
      .filter(({ from, to }) => !(from.startsWith('directors/') && to.startsWith('accounts/')))
      .map(({ from, to }) => [from, to]),
    ...tools.map(({ from, name }) => [from, toolName(name, declared)]),
    ...openFilters.flatMap((filter) => accounts.map((account) => [account, filter])),
  ].map(([from = '', to = '']): readonly [string, string] =>
    columnOf(from) <= columnOf(to) ? [from, to] : [to, from],
  );
  return [...new Map(pairs.map((pair) => [pair.join(' '), pair])).values()];
}

function meanRow(
  name: string,
  pairs: readonly (readonly [string, string])[],
  rows: ReadonlyMap<string, number>,
): number | undefined {
  const before = pairs.flatMap(([from, to]) => (to === name && rows.has(from) ? [rows.get(from) ?? 0] : []));
  return before.length === 0 ? undefined : before.reduce((sum, row) => sum + row, 0) / before.length;
}
