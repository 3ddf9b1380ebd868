import { leftOut } from './available.ts';

/** Says once, before the first test, what this run leaves out, so that a green run is not mistaken for a full one. */
export default function announce(): void {
  for (const line of leftOut()) process.stderr.write(`left out: ${line}\n`);
}
