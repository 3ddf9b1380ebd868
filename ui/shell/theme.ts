const NAME = 'callsheet.theme';

/** Puts back the colours chosen last; without a choice the system's hold. */
export function restoreTheme(): void {
  const stored = localStorage.getItem(NAME);
  if (stored === 'dark' || stored === 'light') document.documentElement.dataset['theme'] = stored;
}

/** Changes between dark and light, for good. */
export function toggleTheme(): void {
  const root = document.documentElement;
  const isDark =
    (root.dataset['theme'] ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';
  root.dataset['theme'] = isDark ? 'light' : 'dark';
  localStorage.setItem(NAME, root.dataset['theme']);
}
