const NAME = 'callsheet.theme';

/** Restores the chosen theme; without a choice the theme of the system applies. */
export function restoreTheme(): void {
  const stored = localStorage.getItem(NAME);
  if (stored === 'dark' || stored === 'light') document.documentElement.dataset['theme'] = stored;
}

/** Switches between dark and light, and stores the choice. */
export function toggleTheme(): void {
  const root = document.documentElement;
  const isDark =
    (root.dataset['theme'] ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';
  root.dataset['theme'] = isDark ? 'light' : 'dark';
  localStorage.setItem(NAME, root.dataset['theme']);
}
