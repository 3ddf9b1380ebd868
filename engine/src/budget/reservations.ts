import type { ResourceUse } from './budget.ts';

/** A model request under way in this process, and what it may take until its answer says what it took. */
export interface Reservation {
  readonly root: string;
  /** What makes the request; it has one at a time. */
  readonly machineId: string;
  /** `<turn>.<attempt>`: with the machine it names the request, also where another process makes it again. */
  readonly request: string;
  readonly use: ResourceUse;
  /** Machines whose budgets it counts for. */
  readonly owners: readonly string[];
}

/** Names a request over all processes. */
export function reservationId({ machineId, request }: Reservation): string {
  return `${machineId}/${request}`;
}

/** The requests under way in this process, by machine and by run. */
export class Reservations<T extends Reservation> {
  readonly #byMachine = new Map<string, T>();
  readonly #byRoot = new Map<string, Set<T>>();

  /** Adds one, in place of the machine's last one, which is returned. */
  add(reservation: T): T | undefined {
    const before = this.remove(reservation.machineId);
    this.#byMachine.set(reservation.machineId, reservation);
    const others = this.#byRoot.get(reservation.root);
    if (others === undefined) this.#byRoot.set(reservation.root, new Set([reservation]));
    else others.add(reservation);
    return before;
  }

  /** Takes one out; undefined where there is none. */
  remove(machineId: string): T | undefined {
    const found = this.#byMachine.get(machineId);
    if (found === undefined) return undefined;
    this.#byMachine.delete(machineId);
    const others = this.#byRoot.get(found.root);
    others?.delete(found);
    if (others?.size === 0) this.#byRoot.delete(found.root);
    return found;
  }

  /** Those of one run. */
  of(root: string): readonly T[] {
    return [...(this.#byRoot.get(root) ?? [])];
  }

  /** All of them. */
  get all(): readonly T[] {
    return [...this.#byMachine.values()];
  }

  get size(): number {
    return this.#byMachine.size;
  }
}
