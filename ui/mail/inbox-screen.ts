import { html } from 'htm/preact';
import { useEffect, useMemo } from 'preact/hooks';
import { AddItem } from '../item/add-item.ts';
import { withoutItemFilter } from '../item/item-filter.ts';
import { ItemPane } from '../item/item-pane.ts';
import { RunPane } from '../run/run-pane.ts';
import { useKeys } from '../shell/keys.ts';
import { amend, go, hrefOf, route, routeQuery } from '../shell/route.ts';
import { Icon } from '../widget/icon.ts';
import { Empty } from '../widget/notice.ts';
import { Split } from '../widget/split.ts';
import { MailList } from './list.ts';
import { MailPane } from './mail-pane.ts';
import { allMails, loadMails, mailsLoading } from './mails.ts';
import { Original } from './original.ts';
import { fetchMail } from './search.ts';
import { filter, filterQuery, readFilter } from './state/filter.ts';
import { SnoozeDialog } from './state/snooze-dialog.ts';
import { hasResults } from './tree-rows.ts';
import { setOpen, shownMails } from './tree-state.ts';

/** The tree of e-mails, runs and results on the left, details of the selected row on the right. */
export function InboxScreen() {
  const [mailId, runId, itemId] = route.value.ids;
  const mail = allMails.value.find((entry) => entry.id === mailId);
  const first = shownMails.value.find(hasResults) ?? shownMails.value[0];
  const isNarrow = matchMedia('(max-width: 760px)').matches;
  useEffect(() => {
    // Without an id in the address the newest e-mail with results opens. A narrow screen starts with the list.
    if (mailId !== undefined || first === undefined || isNarrow) return;
    setOpen([first.id], true);
    amend('inbox', [first.id]);
  }, [mailId, first?.id]);
  useEffect(() => {
    // A link may lead to a row whose parents are closed.
    if (mailId !== undefined && runId !== undefined) setOpen([mailId], true);
    if (mailId !== undefined && runId !== undefined && itemId !== undefined) setOpen([mailId, runId], true);
  }, [mailId, runId, itemId]);
  useEffect(() => {
    // A link may lead to an e-mail below the loaded pages.
    if (mailId !== undefined && mail === undefined && !mailsLoading.value) void fetchMail(mailId);
  }, [mailId, mail === undefined, mailsLoading.value]);
  const query = withoutItemFilter(routeQuery.value);
  // Before the list first loads: an address may name a view.
  useMemo(() => {
    if (query !== '' && query !== filterQuery(filter.value)) filter.value = readFilter(query);
  }, [query]);
  useKeys({ r: () => void loadMails() });

  const right =
    mailId === undefined
      ? html`<${Empty} icon="mail" title="Select an e-mail to see its results" />`
      : html`<button class="back bare" title="All e-mails (u)" onClick=${() => go('inbox')}>
            <${Icon} name="back" />All e-mails
          </button>
          <${Detail} mailId=${mailId} runId=${runId} itemId=${itemId} />
          <${Original} key=${`original ${mailId}`} mailId=${mailId} summary=${mail} isBeside=${runId === undefined} />`;
  return html`<${Split}
      label="E-mails"
      detail=${mailId !== undefined}
      left=${html`<${MailList} />`}
      right=${right}
    /><${SnoozeDialog} /><${AddItem} />`;
}

/** Details of the selected mail, run or item. */
function Detail({ mailId, runId, itemId }: { mailId: string; runId: string | undefined; itemId: string | undefined }) {
  const mail = allMails.value.find((entry) => entry.id === mailId);
  if (runId === undefined) return html`<${MailPane} key=${mailId} mailId=${mailId} mail=${mail} />`;
  if (itemId === undefined) {
    const itemHref = (id: string) => hrefOf('inbox', mailId, runId, id);
    const runHref = (id: string) => hrefOf('inbox', mailId, id);
    return html`<${RunPane} key=${runId} runId=${runId} itemHref=${itemHref} runHref=${runHref} />`;
  }
  const run = mail?.runs.find((entry) => entry.id === runId);
  return html`<${ItemPane}
    key=${itemId}
    workspaceId=${run?.workspaceId ?? runId}
    itemId=${itemId}
    runId=${runId}
    scripted=${run?.scripted ?? false}
    runHref=${hrefOf('inbox', mailId, runId)}
    itemHref=${(ofRun: string, id: string) => hrefOf('inbox', mailId, ofRun, id)}
    mail=${mail}
    onDeleted=${() => go('inbox', [mailId, runId], { replace: true })}
  />`;
}
