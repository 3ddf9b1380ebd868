import { html } from 'htm/preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ConfigState } from '../../http/api-types.ts';
import { hrefOf } from '../../shell/route.ts';
import { Empty, ErrorNotice } from '../../widget/notice.ts';
import { configLinks } from '../documents.ts';
import { BOX, COLUMNS, type ConfigMap, layoutMap, type MapNode } from './map-layout.ts';

const TITLES = {
  accounts: 'Accounts',
  filters: 'Filters',
  directors: 'Directors',
  agents: 'Agents',
  tools: 'Tools',
  apis: 'Model APIs',
} as const;

/** A drawn map of the config that runs: which account reaches which filter, director, agent, tool and model. */
export function MapScreen({ config }: { readonly config: ConfigState }) {
  useEffect(() => configLinks.reload('links'), [config.revision]);
  const { data, error } = configLinks.state.value;
  const map = useMemo(() => data && layoutMap(config.documents, data), [data, config.documents]);
  return html`<header class="head">
      <div class="title"><h1>Map</h1></div>
    </header>
    <div class="body pad map-body">
      ${error !== undefined && html`<${ErrorNotice} error=${error} />`}
      ${map !== undefined && map.nodes.length === 0 && html`<${Empty} icon="folder" title="The config has no files yet." />`}
      ${map !== undefined && map.nodes.length > 0 && html`<${Drawing} map=${map} /><${MapText} map=${map} />`}
    </div>`;
}

/** One tab stop: arrows go to the neighbours, Enter opens the file. The lines of the focused box stand out. */
function Drawing({ map }: { readonly map: ConfigMap }) {
  const { nodes, edges, width, height } = map;
  const [active, setActive] = useState(nodes[0]?.name ?? '');
  const [isShown, setShown] = useState(false);
  const svg = useRef<SVGSVGElement>(null);
  const current = nodes.some(({ name }) => name === active) ? active : (nodes[0]?.name ?? '');
  const isNear = (name: string) =>
    name === current ||
    edges.some(
      ({ from, to }) => (from.name === current && to.name === name) || (to.name === current && from.name === name),
    );
  const onKeyDown = (event: KeyboardEvent) => {
    const next = neighbour(map, current, event.key);
    if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    setActive(next.name);
    svg.current?.querySelector<SVGElement>(`[data-name="${CSS.escape(next.name)}"]`)?.focus();
  };
  return html`<div class="map-scroll">
    <svg
      ref=${svg}
      class=${`config-map${isShown ? ' focused' : ''}`}
      width=${width}
      height=${height}
      viewBox=${`0 0 ${width} ${height}`}
      role="group"
      aria-label="Map of the config. Arrow keys go to the neighbours, Enter opens a file."
      onKeyDown=${onKeyDown}
      onMouseLeave=${() => setShown(false)}
    >
      ${COLUMNS.map((column, i) => html`<text key=${column} class="column" x=${BOX.left + i * (BOX.width + BOX.gapX)} y="18">${TITLES[column]}</text>`)}
      ${edges.map(({ from, to }) => {
        const isOn = from.name === current || to.name === current;
        return html`<path
          key=${`${from.name} ${to.name}`}
          class=${`edge${isOn ? ' on' : ''}${to.x - from.x > BOX.width + BOX.gapX ? ' far' : ''}`}
          d=${curve(from, to)}
        />`;
      })}
      ${nodes.map(
        (node) =>
          html`<${Box}
            key=${node.name}
            node=${node}
            label=${describe(map, node)}
            isActive=${node.name === current}
            isNear=${isNear(node.name)}
            onActive=${() => {
              setActive(node.name);
              setShown(true);
            }}
          />`,
      )}
    </svg>
  </div>`;
}

interface BoxProps {
  readonly node: MapNode;
  readonly label: string;
  readonly isActive: boolean;
  readonly isNear: boolean;
  readonly onActive: () => void;
}

/** Longest text that fits into a box, in characters. */
const MAX_LABEL = 21;

function Box({ node, label, isActive, isNear, onActive }: BoxProps) {
  const { name, x, y, file, state } = node;
  const text = node.label.length > MAX_LABEL ? `${node.label.slice(0, MAX_LABEL - 1)}…` : node.label;
  return html`<a
    class=${`node ${state}${isActive ? ' active' : ''}${isNear ? ' near' : ''}${file === undefined ? ' built-in' : ''}`}
    href=${file === undefined ? hrefOf('config', 'map') : hrefOf('config', file)}
    tabindex=${isActive ? '0' : '-1'}
    data-name=${name}
    aria-label=${label}
    onFocus=${onActive}
    onMouseEnter=${onActive}
  >
    <title>${label}</title>
    <rect x=${x} y=${y} width=${BOX.width} height=${BOX.height} rx="6" />
    <text x=${x + 12} y=${y + BOX.height / 2 + 4}>${text}</text>
  </a>`;
}

function curve(from: MapNode, to: MapNode): string {
  const middle = BOX.height / 2;
  const [x1, y1, x2, y2] = [from.x + BOX.width, from.y + middle, to.x, to.y + middle];
  // Within a column, as a fallback of an API, the line bends out to the right.
  if (from.x === to.x) return `M${x1} ${y1}C${x1 + 40} ${y1} ${x1 + 40} ${y2} ${x1} ${y2}`;
  const bend = Math.max(26, (x2 - x1) / 2);
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}

/** The node that an arrow key leads to: above or below in its column, else the nearest in the next column, connected ones first. */
function neighbour({ nodes, edges }: ConfigMap, current: string, key: string): MapNode | undefined {
  const at = nodes.find(({ name }) => name === current);
  if (at === undefined) return undefined;
  if (key === 'Home') return nodes[0];
  if (key === 'End') return nodes.at(-1);
  if (key === 'ArrowDown') return nodes.find(({ x, y }) => x === at.x && y > at.y);
  if (key === 'ArrowUp') return nodes.findLast(({ x, y }) => x === at.x && y < at.y);
  const side = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
  if (side === 0) return undefined;
  const isLinked = (name: string) =>
    edges.some(({ from, to }) => (from === at && to.name === name) || (to === at && from.name === name));
  const beside = nodes.filter(({ x }) => (x - at.x) * side > 0);
  const linked = beside.filter(({ name }) => isLinked(name));
  const distance = (node: MapNode) => Math.abs(node.x - at.x) * 100 + Math.abs(node.y - at.y);
  return [...(linked.length > 0 ? linked : beside)].sort((a, b) => distance(a) - distance(b))[0];
}

const SINGULAR = {
  accounts: 'Account',
  filters: 'Filter',
  directors: 'Director',
  agents: 'Agent',
  tools: 'Tool',
  apis: 'Model API',
} as const;

function describe({ edges }: ConfigMap, node: MapNode): string {
  const from = edges.filter(({ to }) => to === node).map((edge) => edge.from.label);
  const to = edges.filter((edge) => edge.from === node).map((edge) => edge.to.label);
  const parts = [from.length > 0 && `from ${from.join(', ')}`, to.length > 0 && `to ${to.join(', ')}`].filter(Boolean);
  const state = node.state === 'live' ? '' : `, ${node.state}`;
  return `${SINGULAR[node.column]} ${node.label}${state}${parts.length === 0 ? '' : `: ${parts.join('; ')}`}`;
}

/** The same as a list. */
function MapText({ map }: { readonly map: ConfigMap }) {
  return html`<details class="map-text">
    <summary>The map as a list</summary>
    <ul>
      ${map.nodes.map((node) => html`<li key=${node.name}>${describe(map, node)}</li>`)}
    </ul>
  </details>`;
}
