import { signal } from '@preact/signals';
import { html } from 'htm/preact';
import { useEffect, useRef } from 'preact/hooks';
import { SCREENS } from './screens.ts';

/** Whether the help dialog is open. */
export const helpShown = signal(false);

const KEYS: readonly (readonly [keys: string, what: string])[] = [
  ['Ctrl+K ⌘K', 'find a page, e-mail, run, director or command'],
  ['j k', 'next, previous'],
  ['o Enter', 'open or close'],
  ['u', 'up one level'],
  ['/', 'search'],
  ['x', 'mark an e-mail or entry'],
  ['#', 'delete the selection'],
  ['1 2 3 4', 'an e-mail needs me, waits, is replied to, is done'],
  ['0', 'let Callsheet set the state of an e-mail'],
  ['e b U', 'archive, snooze, mark an e-mail as unread or read'],
  ['v w', 'show the original e-mail, show why it went this route'],
  ['a', 'reply to an e-mail, or with a result'],
  ['Ctrl+Enter', 'the main button of a form or dialog: send (z takes it back), save, add'],
  ['Esc', 'close the reply or the edit, and keep its text'],
  ['m e', 'write a message in a chat or to an agent, rename the chat'],
  ['n Esc', 'on Ask: a new question, cancel the work on a question'],
  ['@', 'mention a participant, while a message is written'],
  ['c e s', 'copy, edit, or show the source of a result'],
  ['y n', 'allow or deny a tool call'],
  ['p d', 'pause or resume, finish an objective'],
  ['z', 'undo the last step'],
  ['p b v', 'spend: next period, table, measure'],
  ['x c R T X', 'on Runs: mark, compare two marked runs, run again, save as test, cancel'],
  ['n X', 'on Changes: compare, cancel the comparison'],
  ['1 … 6 c Esc', 'on Diagnostics: choose a tab, copy the command, close'],
  ['n', 'new objective or task, a result of your own on an e-mail'],
  ['+ - R', 'raise or lower the priority of a task, try it again'],
  ['L N', 'load more, clear the marks'],
  ['A O S', 'on Inbox: mark all, open or close all, save the search'],
  ['d m z', 'download a result, open it in the mail program, restore it'],
  ['n E A', 'new chat, edit or archive the open one'],
  ['S A', 'allow the same for a run, always allow'],
  ['D F', 'dark or light, start or stop the mail fetcher'],
  ['r', 'refresh'],
  ['f', 'fetch mail now'],
  ...SCREENS.map(({ key, title }) => [`g then ${key}`, `go to ${title.toLowerCase()}`] as const),
  ['V', 'the next view or filter of a page'],
  ['g q', 'sign out'],
  ['?', 'this help'],
];

/** The help dialog: a list of the keys. */
export function Help() {
  const dialog = useRef<HTMLDialogElement>(null);
  const isShown = helpShown.value;
  useEffect(() => {
    if (isShown) dialog.current?.showModal();
  }, [isShown]);
  if (!isShown) return null;
  return html`<dialog ref=${dialog} aria-labelledby="help-title" onClose=${() => (helpShown.value = false)}>
    <h2 id="help-title">Keyboard shortcuts</h2>
    <dl class="keys">
      ${KEYS.map(
        ([keys, what]) =>
          html`<div key=${keys}>
            <dt>${keys.split(' ').map((key) => (key === 'then' ? 'then' : html`<kbd key=${key}>${key}</kbd>`))}</dt>
            <dd>${what}</dd>
          </div>`,
      )}
    </dl>
    <div class="row end">
      <button autofocus title="Close (Esc)" onClick=${() => dialog.current?.close()}>Close</button>
    </div>
  </dialog>`;
}
