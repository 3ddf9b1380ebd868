import { html } from 'htm/preact';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { LongText } from '../widget/long-text.ts';
import { Marks, visible } from '../widget/visible.ts';
import { type Block, blocksOf } from './blocks.ts';
import { type FindMention, type Inline, inlineOf } from './inline.ts';

/** Longer texts, and those of more elements, are shown as they are: a browser needs seconds for tens of thousands of elements. */
const MAX_CHARS = 64 * 1024;
const MAX_ELEMENTS = 3000;

interface Props {
  readonly text: string;
  /** Default: nobody is mentioned. */
  readonly findMention?: FindMention;
  /** Shows a mention; `text` is how it was written. */
  readonly mention?: (participantId: string, text: string) => ComponentChildren;
}

const NO_MENTIONS: FindMention = () => undefined;

/**
 * A Markdown text of others as elements. No HTML of the text becomes an element, images are links to them, and a link goes only to
 * http:, https: or mailto:, in a tab of its own.
 */
export function Markdown({ text, findMention = NO_MENTIONS, mention = () => null }: Props) {
  const read = useMemo(() => readMarkdown(text, findMention), [text, findMention]);
  if (read === undefined) return html`<div class="markdown"><${LongText} text=${visible(text)} /></div>`;
  const inline = (part: string) => (read.inline.get(part) ?? []).map((each, i) => elementOf(each, i, mention));
  return html`<div class="markdown" dir="auto">${read.blocks.map((block, i) => blockElement(block, i, inline))}</div>`;
}

/** A text that was read: its blocks, and the parts of each of their lines. */
interface ReadText {
  readonly blocks: readonly Block[];
  readonly inline: ReadonlyMap<string, readonly Inline[]>;
}

/** Undefined for a text with too many elements. */
function readMarkdown(text: string, findMention: FindMention): ReadText | undefined {
  if (text.length > MAX_CHARS) return undefined;
  const blocks = blocksOf(text);
  const inline = new Map<string, readonly Inline[]>();
  let left = MAX_ELEMENTS;
  const countParts = (parts: readonly Inline[]) => {
    left -= parts.length;
    for (const part of parts) if ('parts' in part) countParts(part.parts);
  };
  const countLine = (line: string) => {
    const parts = inline.get(line) ?? inlineOf(line, findMention);
    inline.set(line, parts);
    countParts(parts);
  };
  const count = (block: Block) => {
    if (left-- < 0) return;
    if (block.kind === 'paragraph' || block.kind === 'heading') countLine(block.text);
    else if (block.kind === 'quote') block.blocks.forEach(count);
    else if (block.kind === 'list') block.items.flat().forEach(count);
    else if (block.kind === 'table') for (const cell of [block.head, ...block.rows].flat()) countLine(cell);
  };
  blocks.forEach(count);
  return left < 0 ? undefined : { blocks, inline };
}

type ShowInline = (text: string) => ComponentChildren;

function blockElement(block: Block, key: number, inline: ShowInline): ComponentChildren {
  const all = (blocks: readonly Block[]) => blocks.map((each, i) => blockElement(each, i, inline));
  switch (block.kind) {
    case 'paragraph':
      return html`<p key=${key}>${inline(block.text)}</p>`;
    case 'heading':
      // No heading of the page: its level says nothing beside the messages around it.
      return html`<p key=${key} class=${`heading level-${block.level}`}>${inline(block.text)}</p>`;
    case 'code':
      return html`<pre key=${key} dir="ltr"><code>${Marks({ text: block.text })}</code></pre>`;
    case 'rule':
      return html`<hr key=${key} />`;
    case 'quote':
      return html`<blockquote key=${key}>${all(block.blocks)}</blockquote>`;
    case 'list': {
      const items = block.items.map((item, i) => html`<li key=${i}>${all(item)}</li>`);
      return block.start === undefined
        ? html`<ul key=${key}>
            ${items}
          </ul>`
        : html`<ol key=${key} start=${block.start}>
            ${items}
          </ol>`;
    }
    case 'table':
      return html`<div key=${key} class="table" tabindex="0" role="group" aria-label="Table">
        <table>
          <thead>
            <tr>
              ${block.head.map((cell, i) => html`<th key=${i}>${inline(cell)}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${block.rows.map(
              (row, i) =>
                html`<tr key=${i}>
                  ${row.map((cell, j) => html`<td key=${j}>${inline(cell)}</td>`)}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>`;
  }
}

function elementOf(part: Inline, key: number, mention: Required<Props>['mention']): ComponentChildren {
  const all = (parts: readonly Inline[]) => parts.map((each, i) => elementOf(each, i, mention));
  switch (part.kind) {
    case 'text':
      return Marks(part);
    case 'code':
      return html`<code key=${key}>${Marks(part)}</code>`;
    case 'break':
      return html`<br key=${key} />`;
    case 'strong':
      return html`<strong key=${key}>${all(part.parts)}</strong>`;
    case 'em':
      return html`<em key=${key}>${all(part.parts)}</em>`;
    case 'del':
      return html`<del key=${key}>${all(part.parts)}</del>`;
    case 'link':
      return html`<a
        key=${key}
        href=${part.href}
        title=${visible(part.href)}
        target="_blank"
        rel="noopener noreferrer"
        referrerpolicy="no-referrer"
        >${all(part.parts)}</a
      >`;
    case 'mention':
      return html`<span key=${key} class="mentioned">${mention(part.participantId, part.text)}</span>`;
  }
}
