import type { ResourceUse } from './budget.ts';

/** A model request under way in this process, with its estimated use until the answer tells the real one. */
export interface Reservation {
  readonly root: string;
  /** The machine that sends the request; it has one at a time. */
  readonly machineId: string;
  /** `<turn>.<attempt>`: with the machine it identifies the request, even if another process repeats it. */
  readonly request: string;
  readonly use: ResourceUse;
  /** Machines whose budgets the request counts for. */
  readonly owners: readonly string[];
}

/** Id of a request, unique over all processes. */
export function reservationId({ machineId, request }: Reservation): string {
  return `${machineId}/${request}`;
}

/** The requests under way in this process, by machine and by run. */
export class Reservations<T extends Reservation> {
  readonly #byMachine = new Map<string, T>();
  readonly #byRoot = new Map<string, Set<T>>();

  /** Adds a request; returns the machine's replaced one. */
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

  get(machineId: string): T | undefined {
    return this.#byMachine.get(machineId);
  }

  /** Requests of one run. */
  of(root: string): readonly T[] {
    return [...(this.#byRoot.get(root) ?? [])];
  }

  /** All requests. */
  get all(): readonly T[] {
    return [...this.#byMachine.values()];
  }

  get size(): number {
    return this.#byMachine.size;
  }
}
