import type { Objective } from './objective.ts';

/** The address of a recipient, without a name and in lower case. */
export function addressOf(recipient: string): string {
  return (/<([^<>]*)>\s*$/.exec(recipient)?.[1] ?? recipient).trim().toLowerCase();
}

/** The objective after a mail to these recipients has left on a thread. */
export function withSilent(objective: Objective, to: readonly string[], threadId: string): Objective {
  const got = to.map((recipient) => ({ address: addressOf(recipient), threadId }));
  const before = (objective.silent ?? []).filter(({ address }) => !got.some((one) => one.address === address));
  return { ...objective, silent: [...before, ...got] };
}

/** The objective after somebody has answered: the sender, and all who got the mail on that thread, are awaited no more. */
export function withAnswer(
  objective: Objective,
  { threadId, from = '' }: { readonly threadId: string | undefined; readonly from?: string | undefined },
): Objective {
  const { silent = [] } = objective;
  const sender = addressOf(from);
  const left = silent.filter((one) => one.address !== sender && (threadId === undefined || one.threadId !== threadId));
  return left.length === silent.length ? objective : { ...objective, silent: left };
}
