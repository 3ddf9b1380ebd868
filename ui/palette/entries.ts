import { config } from '../config/config.ts';
import { fetcher, fetchNow, toggleFetcher } from '../shell/fetcher.ts';
import { helpShown } from '../shell/help.ts';
import { mayDo, person, signOut } from '../shell/person.ts';
import { go } from '../shell/route.ts';
import { SCREENS } from '../shell/screens.ts';
import { toggleTheme } from '../shell/theme.ts';
import type { Entry } from './entry.ts';

/** What the palette offers without asking the server: pages, commands that the person may use, directors. */
export function localEntries(): readonly Entry[] {
  return [...pages(), ...commands(), ...directors()];
}

function pages(): readonly Entry[] {
  return SCREENS.map(({ route, title, icon, key }) => ({
    ...{ key: `page:${route}`, group: 'Pages', label: title, icon, keys: `g ${key}` },
    run: () => go(route),
  }));
}

function commands(): readonly Entry[] {
  const make = (id: string, label: string, icon: string, run: () => void, keys?: string): Entry => ({
    ...{ key: `command:${id}`, group: 'Commands', label, icon, run, ...(keys !== undefined && { keys }) },
  });
  const isStopped = fetcher.state.value.data?.state === 'stopped';
  return [
    ...(mayDo('admin')
      ? [
          make('fetch', 'Fetch mail now', 'fetch', () => void fetchNow(), 'f'),
          make('fetcher', `${isStopped ? 'Start' : 'Stop'} the mail fetcher`, 'fetch', () => void toggleFetcher()),
          make('chat', 'New chat', 'plus', () => go('chats', ['new'])),
        ]
      : []),
    make('theme', 'Switch between dark and light', 'theme', toggleTheme),
    make('help', 'Keyboard shortcuts', 'help', () => (helpShown.value = true), '?'),
    ...(person.state.value.data?.email === undefined ? [] : [make('exit', 'Sign out', 'exit', () => void signOut())]),
  ];
}

/** Directors open with their file in the config. */
function directors(): readonly Entry[] {
  return (config.state.value.data?.documents ?? [])
    .filter(({ kind }) => kind === 'director')
    .map(({ id, file }) => ({
      ...{ key: `director:${id}`, group: 'Directors', label: id, detail: file, icon: 'director' },
      run: () => go('config', [file]),
    }));
}
