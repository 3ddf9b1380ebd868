import { computed } from '@preact/signals';
import { html } from 'htm/preact';
import type { ComponentChildren } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { type BlockMemory, ListBlock } from '../widget/list-block.ts';
import { Tree } from '../widget/tree.ts';
import { isSameRow, type Row, rowKey } from './tree-rows.ts';
import { MailTreeRow } from './tree-row.ts';
import { marked, rows, selectedKey, shownMails, treeModel } from './tree-state.ts';

/** About the height of a row in pixels, as in `list.css`. */
const MAIL_PX = 67;
const OTHER_PX = 27;

/** Mails of a block, whose rows are drawn together, and of a group: of 100,000 mails, 100 groups and the blocks of one or two are elements. */
const BLOCK = 50;
const GROUP = 1000;

/** The tree of e-mails, their runs and their items. */
export function MailTree() {
  const groups = partsOf(shownMails.value.length, GROUP);
  // The same elements as long as there are as many: what changes draws only the blocks that show it.
  const drawn = useMemo(() => groupsOf(groups), [groups]);
  return html`<${Tree} model=${treeModel} label="E-mails and their results" selected=${selectedKey.value}>
    ${drawn}
  <//>`;
}

const partsOf = (mails: number, size: number) => Math.ceil(mails / size);

const groupsOf = (count: number) =>
  Array.from({ length: count }, (_group, n) => html`<${MailGroup} key=${n} first=${n * GROUP} />`);

/** The blocks of some mails, the first of which has this place in the list. */
function MailGroup({ first }: { first: number }) {
  const count = partsOf(Math.min(GROUP, shownMails.value.length - first), BLOCK);
  const memories = useRef<BlockMemory[]>([]);
  const draw = () =>
    Array.from(
      { length: count },
      (_block, n) => html`<${MailBlock} key=${n} first=${first + n * BLOCK} memory=${(memories.current[n] ??= {})} />`,
    );
  return html`<${Part} first=${first} mails=${GROUP} draw=${draw} />`;
}

interface DrawnRow {
  readonly row: Row;
  readonly index: number;
  readonly isSelected: boolean;
  readonly isMarked: boolean;
  readonly element: ComponentChildren;
}

function MailBlock({ first, memory }: { first: number; memory: BlockMemory }) {
  // Rows that did not change keep their elements, which are then not compared either.
  const known = useRef<ReadonlyMap<string, DrawnRow>>(new Map());
  const draw = ({ from, to, selected }: Span) => {
    const drawn = rows.value.slice(from, to).map((row, i): DrawnRow => {
      const index = from + i;
      const now = { row, index, isSelected: index === selected, isMarked: marked.value.has(row.mail.id) };
      const before = known.current.get(rowKey(row.ids));
      if (before !== undefined && isSameDrawn(before, now)) return before;
      return { ...now, element: html`<${MailTreeRow} key=${rowKey(row.ids)} ...${now} />` };
    });
    known.current = new Map(drawn.map((entry) => [rowKey(entry.row.ids), entry]));
    return drawn.map(({ element }) => element);
  };
  return html`<${Part} first=${first} mails=${BLOCK} memory=${memory} draw=${draw} />`;
}

function isSameDrawn(a: Omit<DrawnRow, 'element'>, b: Omit<DrawnRow, 'element'>): boolean {
  return a.index === b.index && a.isSelected === b.isSelected && a.isMarked === b.isMarked && isSameRow(a.row, b.row);
}

/** The rows of some mails, and the index of the selected one among all rows; -1 when it is not here. */
interface Span {
  readonly from: number;
  readonly to: number;
  readonly selected: number;
}

interface PartProps {
  readonly first: number;
  readonly mails: number;
  readonly memory?: BlockMemory;
  readonly draw: (span: Span) => ComponentChildren;
}

/** A part of the list that is drawn while it is near. */
function Part({ first, mails, memory, draw }: PartProps) {
  const own = useMemo(
    () =>
      computed(() => {
        const from = rows.value.ofMail(first);
        const to = rows.value.ofMail(first + mails);
        const index = treeModel.index.value;
        return [from, to, index >= from && index < to ? index : -1].join(' ');
      }),
    [first, mails],
  );
  const [from = 0, to = 0, selected = -1] = own.value.split(' ').map(Number);
  const count = Math.max(0, Math.min(mails, shownMails.value.length - first));
  return html`<${ListBlock}
    estimate=${count * MAIL_PX + (to - from - count) * OTHER_PX}
    isFirst=${first === 0}
    isKept=${selected >= 0}
    memory=${memory}
    draw=${() => draw({ from, to, selected })}
  />`;
}
