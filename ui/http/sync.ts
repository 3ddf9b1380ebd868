import { refreshApprovals } from '../approval/approvals.ts';
import { config } from '../config/config.ts';
import { connections } from '../config/connections.ts';
import { loadTraces } from '../diagnostics/traces.ts';
import { item, workspaceItems } from '../item/items.ts';
import { loadMails, mailOfRun, refreshMails } from '../mail/mails.ts';
import { loadRuns, refreshTranscripts, run } from '../run/runs.ts';
import { fetcher } from '../shell/fetcher.ts';
import { isUnsaved } from '../shell/unsaved.ts';
import { refreshTodos } from '../todo/todos.ts';
import { showToast } from '../widget/toast.ts';
import { isPlaintext, startLive } from './live.ts';

/** Events of one burst (a run's step touches mail, run and items) are answered with one round of requests. */
const GATHER_MS = 100;

const reloadRuns = () => void loadRuns();
const reloadTraces = () => void loadTraces();

/** Fetches what the first screen needs, then keeps it in step with the server. Returns what stops it. */
export function startSync(): () => void {
  let version = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  const mailIds = new Set<string>();
  const jobs = new Set<() => void>();

  const flush = () => {
    timer = undefined;
    if (mailIds.size > 0) void refreshMails([...mailIds]);
    mailIds.clear();
    for (const job of jobs) job();
    jobs.clear();
  };
  const later = (...changed: (() => void)[]) => {
    for (const job of changed) jobs.add(job);
    timer ??= setTimeout(flush, GATHER_MS);
  };
  const mailChanged = (id: string | undefined) => {
    if (id !== undefined) mailIds.add(id);
    later();
  };

  const loadAll = () => {
    void loadMails();
    void refreshApprovals();
    refreshTodos();
    void loadRuns();
    void loadTraces();
    config.reload('config');
    connections.reload('connections');
    fetcher.reload('fetcher');
    for (const resource of [item, workspaceItems, run]) resource.refresh();
    refreshTranscripts();
  };
  return startLive({
    missed: loadAll,
    reset: loadAll,
    hello(event) {
      if (version !== '' && version !== event.version) reload();
      version = event.version;
      isPlaintext.value = event.storage === 'plaintext';
    },
    mail: (event) => mailChanged(event.id),
    run(event) {
      mailChanged(event.emailId ?? mailOfRun.value.get(event.id));
      later(reloadRuns, reloadTraces);
      if (event.id === run.state.value.key) later(run.refresh, refreshTranscripts);
    },
    item(event) {
      mailChanged(mailOfRun.value.get(event.workspaceId));
      if (item.state.value.key === `${event.workspaceId}/${event.id}`) later(item.refresh);
      if (workspaceItems.state.value.key.split(' ').includes(event.workspaceId)) later(workspaceItems.refresh);
    },
    approval: () => later(refreshApprovals),
    todo: () => later(refreshTodos),
    config: () => later(config.refresh, connections.refresh),
    fetcher: () => later(fetcher.refresh, connections.refresh),
  });
}

/** The page of the old version may not fit the new server. What somebody is writing is not thrown away for that. */
function reload(): void {
  if (isUnsaved()) showToast('Callsheet was updated. Save what you are writing, then reload this page.', 'warn');
  else location.reload();
}
