/** What one line of the command palette opens or does. */
export interface Entry {
  /** Unique and stable, because recently used entries are stored by it: `page:runs`. */
  readonly key: string;
  /** The heading that it stands under. */
  readonly group: 'Pages' | 'Commands' | 'Directors' | 'E-mails' | 'Runs';
  readonly label: string;
  /** More about it, in grey. It is searched too. */
  readonly detail?: string;
  readonly icon: string;
  /** The keys that do the same without the palette, as they are typed: `g r`. */
  readonly keys?: string;
  readonly run: () => void;
}

/** Entries whose label or detail has all words of the text. Recently used ones come first, then labels that begin with the text. */
export function matching(entries: readonly Entry[], text: string, recent: readonly string[]): readonly Entry[] {
  const wanted = text.trim().toLowerCase();
  const words = wanted.split(/\s+/);
  const rank = ({ key, label }: Entry) => {
    const used = recent.indexOf(key);
    if (used >= 0) return used - recent.length;
    return label.toLowerCase().startsWith(wanted) ? 0 : 1;
  };
  return entries
    .filter(({ label, detail = '' }) => {
      const all = `${label} ${detail}`.toLowerCase();
      return words.every((word) => all.includes(word));
    })
    .sort((a, b) => rank(a) - rank(b));
}

const NAME = 'callsheet.recent';
const MAX_RECENT = 12;

/** Keys of the entries that were used last in this browser, newest first. */
export function recentKeys(): readonly string[] {
  return (localStorage.getItem(NAME) ?? '').split('\n').filter((key) => key !== '');
}

/** Stores that an entry was used: its key only, never a subject. */
export function noteUse(key: string): void {
  const keys = [key, ...recentKeys().filter((other) => other !== key)];
  localStorage.setItem(NAME, keys.slice(0, MAX_RECENT).join('\n'));
}
