import { signal } from '@preact/signals';
import { html } from 'htm/preact';
import { useKeys } from '../shell/keys.ts';

interface Step {
  readonly id: number;
  readonly undo: () => void;
}

/** The steps that can be taken back, the newest at the end. */
const steps = signal<readonly Step[]>([]);
let count = 0;

/** Lets `z` take a step back as long as it is the newest one. Returns a function that ends this. */
export function offerUndo(undo: () => void): () => void {
  const id = ++count;
  steps.value = [...steps.value, { id, undo }];
  return () => (steps.value = steps.value.filter((step) => step.id !== id));
}

/** The key `z` while there is a step to take back; it is on the page once. Without one the key is that of the page. */
export function UndoKey() {
  const newest = steps.value.at(-1);
  return newest !== undefined && html`<${Key} key=${newest.id} undo=${newest.undo} />`;
}

function Key({ undo }: Pick<Step, 'undo'>) {
  useKeys({ z: undo });
  return null;
}
