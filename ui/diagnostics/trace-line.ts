import { html } from 'htm/preact';
import type { NodeLevel, UnifiedNode } from '../http/api-types.ts';
import { go } from '../shell/route.ts';
import { Icon } from '../widget/icon.ts';
import { duration, short } from '../widget/number.ts';
import { TreeArrow, TreeItem, TreeMark } from '../widget/tree.ts';
import { Shown, visible } from '../widget/visible.ts';
import { barOf, entryIds, type TraceRow } from './trace-rows.ts';
import { setOpen, times, toggleMarks } from './traces.ts';

/** Colour, icon and name of the levels that get an icon. */
const SIGNS: Readonly<Partial<Record<NodeLevel, readonly [tone: string, icon: string, word: string]>>> = {
  error: ['bad', 'alert', 'error'],
  warn: ['wait', 'info', 'warning'],
};

/** Letters of title and figures that have room in two lines on a narrow screen. */
const NARROW_CHARS = 76;

interface Props {
  readonly index: number;
  readonly row: TraceRow;
  readonly isSelected: boolean;
  readonly isMarked: boolean;
}

/** One row of the tree: name, start, duration, and a bar for its share of the run. */
export function TraceLine({ index, row, isSelected, isMarked }: Props) {
  const { node, isOpen, isLeaf, level } = row;
  const sign = SIGNS[node.level];
  const facts = factsOf(row);
  const className = `trace-row depth-${Math.min(level, 5)} ${node.level}${isMarked ? ' marked' : ''}`;
  const onClick = () => {
    if (!isLeaf) setOpen(node.id, isSelected ? !isOpen : true);
    go('diagnostics', [node.id]);
  };
  return html`<${TreeItem}
    index=${index}
    entry=${row}
    isSelected=${isSelected}
    className=${className}
    onClick=${onClick}
  >
    <${TreeArrow} isOpen=${isOpen} isEmpty=${isLeaf} onToggle=${() => setOpen(node.id, !isOpen)} />
    <${TreeMark}
      label=${`Mark ${visible(node.title)}`}
      isMarked=${isMarked}
      onMark=${() => toggleMarks(entryIds(node))}
    />
    <${Icon} name=${iconOf(node)} className="muted" />
    <span class="trace-text">
      <span class="label" title=${visible(labelOf(node))}
        ><${Label} text=${labelOf(node)} room=${NARROW_CHARS - facts.length}
      /></span>
      <span class="hint">${facts}</span>
    </span>
    ${sign !== undefined && html`<span class=${`dot ${sign[0]}`} role="img" aria-label=${sign[2]} title=${visible(node.error?.message ?? sign[2])}><${Icon} name=${sign[1]} /></span>`}
    <${Bar} row=${row} />
  <//>`;
}

/** The title of a row. On a narrow screen, the middle of a title without room in two lines is an ellipsis: the end has the sender. */
function Label({ text, room }: { text: string; room: number }) {
  const shown = visible(text);
  if (shown.length <= room) return html`<${Shown} text=${text} />`;
  const wanted = Math.floor(room / 3);
  const head = shown.slice(0, wholeAt(shown, room - wanted - 1));
  const tail = shown.slice(wholeAt(shown, shown.length - wanted));
  const middle = shown.slice(head.length, shown.length - tail.length);
  return html`${head}<span class="middle">${middle}</span>${tail}`;
}

/** The place, or the one before it where it is between the halves of a letter such as an emoji. */
const wholeAt = (text: string, at: number) => (/[\udc00-\udfff]/.test(text[at] ?? '') ? at - 1 : at);

/** The time of a row within its run. Sets properties on the element: the page's CSP forbids style attributes. */
function Bar({ row }: { row: TraceRow }) {
  const bar = barOf(row, Date.now());
  // Rows of a run without a duration keep the place free, so that all bars are in one column.
  if (bar === undefined) return row.run !== undefined && row.run !== row.node && html`<span class="bar-room"></span>`;
  const setPosition = (element: HTMLElement | null) => {
    element?.style.setProperty('--from', `${bar.from}%`);
    element?.style.setProperty('--size', `${bar.size}%`);
  };
  return html`<span class="bar-room" aria-hidden="true"
    ><span
      class=${`time-bar kind-${row.node.kind}${row.node.status === 'failed' ? ' failed' : ''}`}
      ref=${setPosition}
    ></span
  ></span>`;
}

/** The title of a node without its parents. */
export function labelOf({ kind, title, phase, children = [], startedAt }: UnifiedNode): string {
  if (kind === 'cycle') {
    const at = new Date(startedAt).toLocaleTimeString();
    return `Fetch ${at} · ${children.length} ${children.length === 1 ? 'run' : 'runs'}`;
  }
  return kind === 'event' && phase === 'request' ? `${title} · request` : title;
}

function iconOf({ kind, phase }: UnifiedNode): string {
  if (kind === 'cycle') return 'fetch';
  if (kind === 'director' || kind === 'agent') return kind;
  if (kind === 'event') return 'spark';
  return phase === 'tool' ? 'tool' : 'list';
}

function factsOf({ node, run }: TraceRow): string {
  const { durationMs, usage, kind } = node;
  const parts: string[] = [];
  if (kind !== 'cycle' && times.value === 'clock') parts.push(new Date(node.timestamp).toLocaleTimeString());
  else if (run !== undefined && node !== run && (durationMs ?? 0) === 0)
    parts.push(`+${duration(Math.max(0, Date.parse(node.startedAt) - Date.parse(run.startedAt)))}`);
  if (durationMs !== undefined && durationMs > 0) parts.push(duration(durationMs));
  if (usage !== undefined && usage.inputTokens + usage.outputTokens > 0)
    parts.push(`${short(usage.inputTokens)}→${short(usage.outputTokens)}`);
  if (usage?.cost !== undefined && usage.cost !== 0)
    parts.push(usage.cost === null ? '$?' : `$${usage.cost.toFixed(4)}`);
  return parts.join(' · ');
}
