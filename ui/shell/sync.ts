import { isOfShownTalk, refreshAsk } from '../ask/talks.ts';
import { chatChanged } from '../chat/chats.ts';
import { allItems, filteredItems, refreshItems, runItems, shownItem } from '../item/items.ts';
import { isPlaintext, type LiveEventName, type LiveHandlers, startLive } from '../http/live.ts';
import { loadMails, mailIdOfRun, refreshMails } from '../mail/mails.ts';
import { addPiece, dropAnswers } from '../run/live-answer.ts';
import { refreshTranscripts, shownRun } from '../run/runs.ts';
import { isWatching } from '../notification/browser-notices.ts';
import { showToast } from '../widget/toast.ts';
import { fetcher } from './fetcher.ts';
import { person } from './person.ts';
import { SCREENS } from './screens.ts';
import { isUnsaved } from './unsaved.ts';

/** Events within this time cause one round of requests: one step of a run changes mail, run and items. */
const GATHER_MS = 100;

type Job = () => void;

/** Loads the data of all screens and updates them on each event of the server. Returns a function that stops it. */
export function startSync(): () => void {
  let version = '';
  const { later, mailChanged, itemsChanged } = createBatch();
  const handlers: LiveHandlers = {
    missed: loadAll,
    reset: loadAll,
    answer(piece) {
      addPiece(piece);
      if (piece.done === true && piece.runId === shownRun.state.value.key) later(refreshTranscripts);
      if (piece.done === true && isOfShownTalk(piece.runId)) later(refreshAsk);
    },
    hello(event) {
      dropAnswers();
      if (version !== '' && version !== event.version) reload();
      version = event.version;
      isPlaintext.value = event.storage === 'plaintext';
    },
    mail: (event) => mailChanged(event.id),
    run(event) {
      mailChanged(event.emailId ?? mailIdOfRun(event.id));
      if (event.id === shownRun.state.value.key) later(shownRun.refresh, refreshTranscripts);
    },
    item(event) {
      mailChanged(mailIdOfRun(event.workspaceId));
      if (shownItem.state.value.key === `${event.workspaceId}/${event.id}`) later(shownItem.refresh);
      itemsChanged(event.workspaceId);
    },
    chat: (event) => later(...chatChanged(event)),
    fetcher: () => later(fetcher.refresh),
    // The settings may have changed the role.
    config: () => later(person.refresh),
    any: (name) => later(...jobsOf(name)),
  };
  return startLive(handlers, isWatching);
}

/** The jobs of all screens for an event. */
function jobsOf(name: LiveEventName | 'missed'): readonly Job[] {
  return SCREENS.flatMap(({ live }) => live?.[name] ?? []);
}

function loadAll(): void {
  void loadMails();
  fetcher.reload('fetcher');
  person.reload('person');
  for (const job of jobsOf('missed')) job();
  for (const resource of [shownItem, runItems, allItems, filteredItems, shownRun]) resource.refresh();
  refreshTranscripts();
}

/** Gathers jobs and ids of changed mails for `GATHER_MS`, then runs each job once. */
function createBatch(): {
  later: (...jobs: readonly Job[]) => void;
  mailChanged: (id: string | undefined) => void;
  itemsChanged: (workspaceId: string) => void;
} {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const mailIds = new Set<string>();
  const workspaceIds = new Set<string>();
  const jobs = new Set<Job>();
  const flush = () => {
    timer = undefined;
    if (mailIds.size > 0) void refreshMails([...mailIds]);
    mailIds.clear();
    for (const id of workspaceIds) refreshItems(id);
    workspaceIds.clear();
    for (const job of jobs) job();
    jobs.clear();
  };
  const later = (...added: readonly Job[]) => {
    if (added.length + mailIds.size + workspaceIds.size === 0) return;
    for (const job of added) jobs.add(job);
    timer ??= setTimeout(flush, GATHER_MS);
  };
  return {
    later,
    mailChanged(id) {
      if (id !== undefined) mailIds.add(id);
      later();
    },
    itemsChanged(workspaceId) {
      workspaceIds.add(workspaceId);
      later();
    },
  };
}

/** Reloads the page after an update of the server, unless unsaved text would be lost. */
function reload(): void {
  if (isUnsaved()) showToast('Callsheet was updated. Save your text, then reload this page.', 'warn');
  else location.reload();
}
