import { html } from 'htm/preact';
import type { RunStatus } from '../http/api-types.ts';
import { go, hrefOf } from '../shell/route.ts';
import { StatusChip, StatusDot } from '../widget/chip.ts';
import { Icon } from '../widget/icon.ts';
import { Empty, ErrorNotice } from '../widget/notice.ts';
import { Age } from '../widget/time.ts';
import { Shown } from '../widget/visible.ts';
import { conversations, sessions } from './talks.ts';

/** A talk in the list. */
interface Entry {
  readonly kind: 'conversation' | 'session';
  readonly id: string;
  readonly title: string;
  readonly name: string;
  readonly at: string;
  readonly status: RunStatus;
  readonly waitingFor?: string | undefined;
}

/** Conversations and sessions that were fetched, the last active first. */
export function talkEntries(): readonly Entry[] {
  const asked = conversations.items.value.map(({ id, title, directorName, lastActiveAt, status, waitingFor }) => ({
    ...{ kind: 'conversation' as const, id, title, name: directorName, at: lastActiveAt, status, waitingFor },
  }));
  const opened = sessions.items.value.map(({ id, agentName, lastActiveAt, run, waitingFor }) => ({
    ...{ kind: 'session' as const, id, title: run?.trigger.message ?? 'Nothing asked yet', name: agentName },
    ...{ at: lastActiveAt, status: run?.status ?? ('completed' as const), waitingFor },
  }));
  return [...asked, ...opened].sort((a, b) => b.at.localeCompare(a.at));
}

/** The earlier talks, and the button that begins a new one. */
export function TalkList({ selected }: { readonly selected: string }) {
  const entries = talkEntries();
  const error = conversations.error.value ?? sessions.error.value;
  const lists = [conversations, sessions].filter(({ nextCursor }) => nextCursor.value !== null);
  return html`<div class="list-head chats">
      <button class="primary for-approver" title="New question (n)" onClick=${() => go('ask', ['new'])}>
        <${Icon} name="plus" />New question
      </button>
    </div>
    ${error !== undefined && html`<${ErrorNotice} error=${error} />`}
    <div class="scroll">
      ${
        entries.length === 0 &&
        error === undefined &&
        html`<${Empty} icon="help" title="Nothing asked yet."
          ><p>Ask a director or an agent: the answer stays here.</p><//
        >`
      }
      <nav class="chat-list" aria-label="Earlier questions">
        ${entries.map((entry) => html`<${Row} key=${entry.id} entry=${entry} isSelected=${`${entry.kind}/${entry.id}` === selected} />`)}
      </nav>
      ${
        lists.length > 0 &&
        html`<div class="more">
          <button
            aria-keyshortcuts="L"
            title="Load more (L)"
            onClick=${() => lists.forEach((list) => void list.load({ more: true }))}
          >
            Load more
          </button>
        </div>`
      }
    </div>`;
}

function Row({ entry, isSelected }: { readonly entry: Entry; readonly isSelected: boolean }) {
  const { kind, id, title, name, at, status, waitingFor } = entry;
  return html`<a
    class="tree-row chat-row"
    href=${hrefOf('ask', kind, id)}
    aria-current=${isSelected ? 'true' : undefined}
  >
    <div class="mail-line">
      <div class="line">
        <span class="from"><${Shown} text=${title} /></span><${Age} at=${at} />
      </div>
      <div class="line">
        <span class="snippet"
          ><${Icon} name=${kind === 'session' ? 'agent' : 'director'} /> <${Shown} text=${name}
        /></span>
        ${
          status === 'waiting' || status === 'failed'
            ? html`<${StatusChip} status=${status} waitingFor=${waitingFor} />`
            : html`<${StatusDot} status=${status} />`
        }
      </div>
    </div>
  </a>`;
}
