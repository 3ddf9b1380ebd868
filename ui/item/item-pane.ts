import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import { formatJson } from '../http/json.ts';
import type { WorkspaceItem, MailEntry } from '../http/api-types.ts';
import { isHeld, useReopened } from '../reply/held.ts';
import { hasReply } from '../reply/replies.ts';
import { ReplyBox } from '../reply/reply-box.ts';
import { shownRun } from '../run/runs.ts';
import { useKeys } from '../shell/keys.ts';
import { ScriptedBadge } from '../widget/chip.ts';
import { Choice } from '../widget/choice.ts';
import { copyText } from '../widget/copy.ts';
import { Icon } from '../widget/icon.ts';
import { LongText } from '../widget/long-text.ts';
import { ErrorNotice } from '../widget/notice.ts';
import { attempt, showToast } from '../widget/toast.ts';
import { Age, fullTime } from '../widget/time.ts';
import { Shown } from '../widget/visible.ts';
import { Editor } from './editor.ts';
import { drafts } from './drafts.ts';
import { History } from './history.ts';
import { deleteItem, fetchItem, itemKey, itemMail, mailLink, refreshItems, restoreItem, shownItem } from './items.ts';
import { Preview, saveItemAsFile, previewKind } from './preview.ts';

type View = 'preview' | 'source' | 'history' | 'edit' | 'reply';

/** The views that have a button in the row of tabs. */
const VIEWS = [
  ['preview', 'Preview'],
  ['source', 'Source'],
  ['history', 'History'],
] as const;

interface Props {
  readonly workspaceId: string;
  readonly itemId: string;
  /** The run under which it is shown: the one that made it, or a later one in the same workspace. */
  readonly runId: string;
  readonly scripted: boolean;
  readonly runHref: string;
  /** The address of a result of another run in the same workspace. */
  readonly itemHref: (runId: string, itemId: string) => string;
  /** The e-mail of the run, if the page has it: a text item can be sent as a reply to it. Else the pane asks for it. */
  readonly mail?: MailEntry | undefined;
  readonly onDeleted: () => void;
}

/** One result: its origin, a preview by MIME type, and its actions. */
export function ItemPane({ workspaceId, itemId, runId, scripted, runHref, itemHref, onDeleted, ...props }: Props) {
  const key = itemKey(workspaceId, itemId);
  const [view, setView] = useState<View>(
    drafts.value.has(key) ? 'edit' : hasReply(key) && !isHeld(key) ? 'reply' : 'preview',
  );
  const [takesFocus, setTakesFocus] = useState(false);
  const open = (next: 'edit' | 'reply') => {
    setView(next);
    setTakesFocus(true);
  };
  useReopened(key, () => open('reply'));
  useEffect(() => {
    shownItem.show(key);
    shownRun.show(runId);
  }, [key, runId]);

  const { key: loadedKey, data: item, error } = shownItem.state.value;
  const isText = item !== undefined && hasText(item);
  const emailId = loadedKey === key ? item?.context.email?.id : undefined;
  useEffect(() => {
    if (props.mail === undefined && emailId !== undefined) itemMail.show(emailId);
  }, [props.mail === undefined, emailId]);
  const known = itemMail.state.value;
  const mail = props.mail ?? (emailId !== undefined && known.key === emailId ? known.data : undefined);
  const remove = async () => {
    if (await removeWithUndo(key)) onDeleted();
  };
  useKeys({
    'a': () => item !== undefined && mail !== undefined && isLetter(item) && !item.deleted && open('reply'),
    'e': () => isText && !item.deleted && open('edit'),
    'c': () => isText && item.data !== undefined && copyText(item.data),
    's': () => setView((now) => (now === 'preview' ? 'source' : 'preview')),
    '#': () => item?.deleted !== true && void remove(),
  });
  if (loadedKey !== key || item === undefined) {
    return error !== undefined && loadedKey === key
      ? html`<div class="body pad"><${ErrorNotice} error=${error} /></div>`
      : html`<div class="body"></div>`;
  }

  const close = () => setView('preview');
  return html`<header class="head">
      <div class="title">
        <h1><${Shown} text=${item.label || item.mimeType} /></h1>
        <${Provenance} item=${item} runId=${runId} runHref=${runHref} scripted=${scripted} />
      </div>
      <${Actions}
        item=${item}
        view=${view}
        hasMail=${mail !== undefined}
        onView=${setView}
        onOpen=${open}
        onMail=${() => void openInMailProgram(key)}
        onDelete=${() => void remove()}
      />
    </header>
    ${
      item.deleted &&
      html`<div class="notice warn banner">
        <${Icon} name="trash" /><span class="grow">This result was deleted.</span>
        <button
          class="for-admin"
          aria-keyshortcuts="z"
          title="Restore (z)"
          onClick=${() => void restore(key, item.revision)}
        >
          Restore
        </button>
      </div>`
    }
    <div class="body">
      ${
        view === 'reply' && mail !== undefined
          ? html`<${ReplyBox} ...${replyTo(mail, item, key)} takesFocus=${takesFocus} onClose=${close} />`
          : view === 'edit'
            ? html`<${Editor} item=${item} itemKey=${key} takesFocus=${takesFocus} onClose=${close} />`
            : view === 'history'
              ? html`<${History} item=${item} itemKey=${key} itemHref=${itemHref} />`
              : bodyOf(view, item, key)
      }
    </div>`;
}

/** Whether an item is text written for people: no JSON and no calendar files. */
const isLetter = (item: WorkspaceItem) => hasText(item) && /^text\/(?:plain|markdown)\b/.test(item.mimeType);

/** Whether the mail program of the user can open an item: a mail, or the text of one. */
const opensInMailProgram = (item: WorkspaceItem) =>
  !item.deleted && (/^message\/rfc822\b/i.test(item.mimeType) || isLetter(item));

/** Whether the data of an item is text, not bytes. */
const hasText = ({ encoding }: WorkspaceItem) => encoding !== 'base64' && encoding !== 'binary';

interface ActionsProps {
  readonly item: WorkspaceItem;
  readonly view: View;
  /** Whether its e-mail is known, which a reply needs. */
  readonly hasMail: boolean;
  readonly onView: (view: View) => void;
  readonly onOpen: (view: 'edit' | 'reply') => void;
  readonly onMail: () => void;
  readonly onDelete: () => void;
}

function Actions({ item, view, hasMail, onView, onOpen, onMail, onDelete }: ActionsProps) {
  // A deleted item can only be looked at and restored.
  const isText = hasText(item);
  const canEdit = isText && !item.deleted;
  const canReply = hasMail && isLetter(item) && !item.deleted;
  const pressed = (name: View) => (view === name ? 'true' : 'false');
  return html`<div class="row">
    <${Choice} label="View" nextKey="s" options=${VIEWS} value=${view} onChoose=${onView} />
    ${isText && html`<button title="Copy (c)" onClick=${() => copyText(item.data ?? '')}><${Icon} name="copy" />Copy</button>`}
    ${canEdit && html`<button class="for-admin" title="Edit (e)" aria-pressed=${pressed('edit')} onClick=${() => onOpen('edit')}><${Icon} name="edit" />Edit</button>`}
    ${canReply && html`<button class="for-admin" title="Reply (a)" aria-pressed=${pressed('reply')} onClick=${() => onOpen('reply')}><${Icon} name="mail" />Reply</button>`}
    ${opensInMailProgram(item) && html`<button aria-keyshortcuts="m" title="Open in your mail program (m)" onClick=${onMail}><${Icon} name="mail" />Open</button>`}
    <button aria-label="Download" aria-keyshortcuts="d" title="Download (d)" onClick=${() => saveItemAsFile(item)}>
      <${Icon} name="download" />
    </button>
    ${
      !item.deleted &&
      html`<button class="danger for-admin" aria-label="Delete" title="Delete (#)" onClick=${onDelete}>
        <${Icon} name="trash" />
      </button>`
    }
  </div>`;
}

/** Opens a mail or a text in the user's mail program, which sends nothing by itself. What no link can hold has to be downloaded. */
async function openInMailProgram(key: string): Promise<void> {
  await attempt(async () => {
    const { link, reason = 'no link can hold it' } = await mailLink(key);
    if (link === undefined) showToast(`Download it instead: ${reason}.`);
    else Object.assign(document.createElement('a'), { href: link }).click();
  });
}

async function restore(key: string, revision: number): Promise<void> {
  await attempt(async () => {
    await restoreItem(key, revision);
    showToast('Restored.');
  });
  shownItem.refresh();
}

/** Deletes an item, with a way back. */
async function removeWithUndo(key: string): Promise<boolean> {
  const isDone = await attempt(async () => void (await deleteItem(key)));
  if (isDone) showToast('Deleted.', 'info', { label: 'Undo', run: () => void undoDelete(key) });
  return isDone;
}

async function undoDelete(key: string): Promise<void> {
  await attempt(async () => {
    await restoreItem(key, (await fetchItem(key)).revision);
    showToast('Restored.');
  });
  refreshItems(key.split('/')[0] ?? '');
  shownItem.refresh();
}

/** A reply that begins with the text of the item. */
const replyTo = (mail: MailEntry, item: WorkspaceItem, key: string) => ({
  mail,
  draftKey: key,
  text: item.data ?? '',
  isMarkdown: item.mimeType.startsWith('text/markdown'),
  itemId: item.id,
});

function bodyOf(view: View, item: WorkspaceItem, key: string) {
  if (view !== 'source') return html`<${Preview} item=${item} itemKey=${key} />`;
  const data = item.data ?? '';
  return html`<${LongText} className="source" text=${previewKind(item) === 'json' ? formatJson(data) : data} />`;
}

/** The api and the model that made an item; those of its run for an item of an older version, none for a person's. */
function makersOf(
  { context: { createdBy, apiId, model } }: WorkspaceItem,
  ofRun: readonly { readonly id: string; readonly model?: string }[],
): readonly { readonly id: string; readonly model?: string | undefined }[] {
  if (apiId !== undefined) return [{ id: apiId, model }];
  return createdBy === 'user' ? [] : ofRun;
}

interface ProvenanceProps extends Pick<Props, 'runId' | 'runHref' | 'scripted'> {
  readonly item: WorkspaceItem;
}

function Provenance({ item, runId, runHref, scripted }: ProvenanceProps) {
  const { director, agent, createdBy } = item.context;
  const maker =
    createdBy === 'agent' ? (agent?.name ?? agent?.id ?? 'agent') : createdBy === 'user' ? 'you' : undefined;
  const now = shownRun.state.value.key === runId ? shownRun.state.value.data : undefined;
  const apis = makersOf(item, now?.apis ?? []);
  const isScripted = scripted || now?.scripted === true;
  return html`<p class="sub">
    <span class="mono">${item.mimeType}</span>
    <span>
      ${maker !== undefined && html`<${Icon} name=${createdBy === 'agent' ? 'agent' : 'edit'} />${maker} · `}
      <a href=${runHref}>${director.name ?? director.id}</a>
    </span>
    <span title=${`Created ${fullTime(item.created)}`}>revision ${item.revision}, <${Age} at=${item.updated} /></span>
    ${apis.map((api) => html`<span key=${api.id} title=${`API ${api.id}`}>${api.model ? `${api.id} · ${api.model}` : api.id}</span>`)}
    ${(item.tags ?? []).map((tag) => html`<span key=${tag} class="chip quiet"><${Shown} text=${tag} /></span>`)}
    ${isScripted && html`<${ScriptedBadge} />`}
  </p>`;
}
