import { signal } from '@preact/signals';

/** True while somebody has typed what is not saved yet. */
export const unsaved = signal(false);
