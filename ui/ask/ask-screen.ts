import { html } from 'htm/preact';
import { useEffect } from 'preact/hooks';
import { AlwaysDialog } from '../approval/always-dialog.ts';
import { useKeys } from '../shell/keys.ts';
import { go, route } from '../shell/route.ts';
import { Icon } from '../widget/icon.ts';
import { ErrorNotice } from '../widget/notice.ts';
import { Split } from '../widget/split.ts';
import { attempt } from '../widget/toast.ts';
import { Activity } from './activity.ts';
import { AskField } from './ask-field.ts';
import { NewTalk } from './new-talk.ts';
import { NotebookFiles } from './notebook-files.ts';
import { isOpen, type Talk } from './talk.ts';
import { TalkHead } from './talk-head.ts';
import { talkEntries, TalkList } from './talk-list.ts';
import { TalkTurns } from './talk-turns.ts';
import { askable, cancelTurn, loadTalks, refreshAsk, shownTalk } from './talks.ts';

/** First words of an address that show a talk; `new`, `director/<id>` and `agent/<id>` begin one. */
const TALKS: readonly string[] = ['conversation', 'session'];
const FILES = 'files';
const ACTIVITY = 'activity';

/**
 * Questions of a person to a director or an agent: the earlier talks on the left; on the right the open one, or a new one.
 * `#/ask/agent/<id>/files/<notebook>/<path>` shows the files that an agent may read,
 * `#/ask/agent/<id>/activity` its tool calls.
 */
export function AskScreen() {
  const [kind, id, part, ...rest] = route.value.ids;
  useEffect(() => {
    askable.reload('all');
    void loadTalks();
  }, []);
  const move = (step: number) => {
    const all = talkEntries();
    const from = all.findIndex((talk) => talk.kind === kind && talk.id === id);
    const next = all[from < 0 ? 0 : Math.min(all.length - 1, Math.max(0, from + step))];
    if (next !== undefined) go('ask', [next.kind, next.id], { replace: true });
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    n: () => go('ask', ['new']),
    u: () =>
      go('ask', (part === FILES || part === ACTIVITY) && kind !== undefined && id !== undefined ? [kind, id] : []),
    r: refreshAsk,
  });
  const back = html`<button class="back bare" title="All questions (u)" onClick=${() => go('ask')}>
    <${Icon} name="back" />All questions
  </button>`;
  return html`<${Split}
      label="Questions"
      detail=${kind !== undefined}
      left=${html`${kind === undefined && html`<h1 class="sr">Ask</h1>`}<${TalkList} selected=${`${kind ?? ''}/${id ?? ''}`} />`}
      right=${html`${kind !== undefined && back}${rightOf(kind, id, part, rest)}`}
    />
    <${AlwaysDialog} />`;
}

function rightOf(kind: string | undefined, id: string | undefined, part: string | undefined, files: readonly string[]) {
  if (kind !== undefined && id !== undefined && TALKS.includes(kind))
    return html`<${OpenTalk} key=${`${kind}/${id}`} place=${`${kind}/${id}`} />`;
  if ((kind !== 'director' && kind !== 'agent') || id === undefined) return html`<${NewTalk} asked=${undefined} />`;
  if (part === ACTIVITY) return html`<${Activity} key=${`${kind}/${id}`} asked=${{ kind, id }} />`;
  if (kind === 'agent' && part === FILES)
    return html`<${NotebookFiles} key=${id} agentId=${id} notebook=${files[0]} path=${files[1] ?? '/'} />`;
  return html`<${NewTalk} key=${`${kind}/${id}`} asked=${{ kind, id }} />`;
}

function OpenTalk({ place }: { readonly place: string }) {
  useEffect(() => shownTalk.reload(place), [place]);
  const { key, data, error } = shownTalk.state.value;
  if (key !== place || data === undefined)
    return key === place && error !== undefined
      ? html`<div class="body pad"><${ErrorNotice} error=${error} /></div>`
      : html`<div class="body"></div>`;
  return html`<${CancelKey} talk=${data} />
    <${TalkHead} asked=${data.asked} name=${data.name} talk=${data} />
    <${TalkTurns} talk=${data} />
    <${AskField} asked=${data.asked} talk=${data} />`;
}

/** Escape cancels the work on a question. In a field it only leaves the field. */
function CancelKey({ talk }: { readonly talk: Talk }) {
  useKeys(isOpen(talk.turns.at(-1)) ? { Escape: () => void attempt(() => cancelTurn(talk)) } : {});
  return null;
}
