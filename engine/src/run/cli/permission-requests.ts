import { EngineError } from '../../base/error.ts';
import { type ApprovalRecord, readApproval } from '../../guard/approval.ts';
import type { CliPermission } from '../../model/model.ts';
import { readPatiently } from '../../store/outage.ts';
import type { CliWork } from '../cli-work.ts';
import type { Dependencies } from '../dependencies.ts';
import type { ModelEffect } from '../step/effect.ts';
import type { Step } from '../step/step.ts';
import { checkRequest } from './check-request.ts';
import {
  askForPermission,
  endPermission,
  notePermission,
  PERMISSION_MS,
  type PermissionCall,
  type PermissionEnd,
} from './permission.ts';

/** Commits steps of a run, as `PersistentSteps`. */
export interface Settle {
  settle(root: string, work: (step: Step) => Promise<void>): Promise<boolean>;
}

/** How often an open request is looked up, in milliseconds: the news of an answer in another process may be lost. */
const LOOK_MS = 2000;

/** Answers the permission requests of one turn of a command-line agent. */
export class PermissionRequests {
  readonly #deps: Dependencies;
  readonly #steps: Settle;
  readonly #effect: ModelEffect;
  readonly #work: CliWork;
  /** Requests that wait for a person, and since when the first of them does. */
  #open = 0;
  #since = 0;

  constructor(deps: Dependencies, steps: Settle, effect: ModelEffect, work: CliWork) {
    this.#deps = deps;
    this.#steps = steps;
    this.#effect = effect;
    this.#work = work;
  }

  /**
   * Judges a request by the rules, or waits for a person for at most 30 minutes; the time limits of the run stop meanwhile. Each answer
   * leaves an entry and an audit line. A request that cannot be stored is denied. Rejects with the signal's reason on abort.
   */
  async ask(
    request: CliPermission,
    { signal }: { readonly signal?: AbortSignal | undefined },
  ): Promise<'allow' | 'deny'> {
    signal?.throwIfAborted();
    const { dir } = this.#work;
    const ruled = checkRequest(await this.#rules(signal), request, dir);
    const { permission, reason } = ruled;
    if (permission !== 'ask') return this.#settle(request, { answer: permission, why: reason });
    let approvalId: string | undefined;
    let refused: string | undefined;
    await this.#step(request, async (step, call) => {
      try {
        approvalId = await askForPermission(step, call, ruled);
        if (this.#open === 0) await this.#stopTime(step);
      } catch (error) {
        if (!(error instanceof EngineError) || error.code !== 'TOOL_LIMIT') throw error;
        refused = error.message;
      }
    });
    if (refused !== undefined) return this.#settle(request, { answer: 'deny', why: refused });
    if (approvalId === undefined) return 'deny';
    if (this.#open++ === 0) this.#since = this.#deps.clock.now();
    try {
      return await this.#answerTo(request, approvalId, signal);
    } finally {
      if (--this.#open === 0) await this.#startTime();
    }
  }

  async #answerTo(
    request: CliPermission,
    approvalId: string,
    signal: AbortSignal | undefined,
  ): Promise<'allow' | 'deny'> {
    const approval = await this.#waitForEnd(approvalId, signal);
    const { status, decidedBy: by, decisionReason } = approval;
    const end = { by, approvalId };
    if (status !== 'allowed') {
      const why =
        status === 'denied' ? `${by ?? 'a person'} denied it` : (decisionReason ?? `the approval is ${status}`);
      return this.#settle(request, { ...end, answer: 'deny', why });
    }
    // A rule may have become stricter while the person read.
    const { permission, reason } = checkRequest(await this.#rules(signal), request, this.#work.dir);
    if (permission === 'deny') return this.#settle(request, { ...end, answer: 'deny', why: reason });
    return this.#settle(request, { ...end, answer: 'allow', why: `${by ?? 'a person'} allowed it` });
  }

  #rules(signal: AbortSignal | undefined): ReturnType<CliWork['rules']> {
    return readPatiently(() => this.#work.rules(), { clock: this.#deps.clock, signal });
  }

  /** The approval once it has ended: by an answer, after its time, or because the signal aborts. */
  async #waitForEnd(id: string, signal: AbortSignal | undefined): Promise<ApprovalRecord> {
    const { clock, store, live } = this.#deps;
    const until = clock.now() + PERMISSION_MS;
    for (;;) {
      const approval = await readPatiently(() => readApproval(store, id), { clock, signal });
      if (approval === undefined) throw new EngineError('APPROVAL_LAPSED', 'the run that asked was deleted');
      if (approval.status !== 'pending') {
        signal?.throwIfAborted();
        return approval;
      }
      if (signal?.aborted === true || clock.now() >= until) {
        const [status, why] =
          signal?.aborted === true
            ? (['lapsed', 'the tool that asked was stopped'] as const)
            : (['expired', 'nobody answered within 30 minutes'] as const);
        const isOnDisk = await this.#steps.settle(this.#effect.root, async (step) => {
          const open = await readApproval(step.draft, id);
          if (open !== undefined) await endPermission(step, open, status, why);
        });
        if (signal?.aborted === true) throw signal.reason;
        if (!isOnDisk) return { ...approval, status };
        continue;
      }
      await new Promise<void>((resolve) => {
        const done = () => {
          stop();
          unsubscribe();
          signal?.removeEventListener('abort', done);
          resolve();
        };
        const stop = clock.delay(done, Math.min(LOOK_MS, until - clock.now()));
        const unsubscribe = live.subscribe(({ name, data }) => {
          if (name === 'reset' || (name === 'approval' && data['id'] === id)) done();
        });
        signal?.addEventListener('abort', done, { once: true });
      });
    }
  }

  /** Notes an answer; `deny` where it cannot be stored. */
  async #settle(request: CliPermission, end: PermissionEnd): Promise<'allow' | 'deny'> {
    let isNoted = false;
    await this.#step(request, (step, call) => {
      notePermission(step, call, end);
      isNoted = true;
      return Promise.resolve();
    });
    return isNoted ? end.answer : 'deny';
  }

  async #step(request: CliPermission, work: (step: Step, call: PermissionCall) => Promise<void>): Promise<void> {
    const { root, machine: id } = this.#effect;
    const { dir, isSandboxed } = this.#work;
    await this.#steps.settle(root, async (step) => {
      const machine = await step.machine(id);
      if (machine?.snapshot.status === 'active') await work(step, { machine, request, dir, isSandboxed });
    });
  }

  /** Puts off the time limits of the run: none may end it while a person reads. */
  async #stopTime(step: Step): Promise<void> {
    for (const { machine, name, due } of await this.#deadlines(step))
      await step.draft.add({ op: 'update', table: 'timer', key: { machine, name }, set: { due: due + PERMISSION_MS } });
  }

  /** Gives back the time for which the run has waited. */
  async #startTime(): Promise<void> {
    const byMs = this.#deps.clock.now() - this.#since;
    await this.#steps.settle(this.#effect.root, async (step) => {
      for (const { machine } of await this.#deadlines(step))
        await step.send(machine, { type: 'TIME_SHIFTED', at: step.now, byMs: Math.max(1, byMs) });
    });
  }

  async #deadlines(step: Step) {
    const timers = await step.draft.list('timer', { where: [['root', '=', this.#effect.root]], bodies: false });
    return timers.filter(({ name }) => name === 'deadline');
  }
}
