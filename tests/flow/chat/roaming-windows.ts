/** Moments at which the process of the test is killed, each by a chat of its own, and the mode in which its participant works. */
export const WINDOWS = {
  /** The turn is noted, and the worktree is not made yet. */
  begun: 'safe',
  /** The tool works. */
  working: 'safe',
  unconfined: 'yolo',
  /** The tool has answered, its worktree is removed, and the answer and the changes are about to be stored; the process dies here. */
  storing: 'safe',
  /** A person has applied the changes: they are in the files, and this is not stored yet. */
  applied: 'safe',
  /** The branch with the changes is made, and this is not stored yet. */
  kept: 'safe',
} as const;

export type Window = keyof typeof WINDOWS;
export const NAMES = Object.keys(WINDOWS) as Window[];

/** What a person decides about the changes: nothing in the other windows. */
export const DECISIONS: { readonly [W in Window]?: 'apply' | 'branch' } = {
  applied: 'apply',
  kept: 'branch',
};

/** Where the tool notes that a window is reached. */
export function reachedFile(window: Window): string {
  return `reached-${window}`;
}

/**
 * A program in place of git. While the file `hold` is there, it stops at the windows in which git works, until the process that has
 * started it is gone.
 */
export function slowGit(root: string, git: string): string {
  return `#!/bin/sh
[ -e ${root}/hold ] && [ -e window ] && read -r window < window
reach() {
  : > ${root}/reached-$window
  while kill -0 $PPID 2> /dev/null; do /bin/sleep 0.2; done
  exit 1
}
case "$window $*" in
  begun*' worktree add '*) reach ;;
  applied*' apply '*--check*) ;;
  applied*' apply '* | kept*' update-ref '*) ${git} "$@" && reach ;;
esac
exec ${git} "$@"
`;
}
