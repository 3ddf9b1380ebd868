import { EngineError, errorBody } from '../../base/error.ts';
import type { RoundDriver } from '../../chat/rounds.ts';
import type { Dependencies } from '../../run/dependencies.ts';
import { DueLoop } from './loop.ts';

/** Has the rounds of group chats go on: at a start, when one of their runs or messages is new, and once a minute. */
export class DueRounds extends DueLoop {
  readonly #deps: Pick<Dependencies, 'clock' | 'log'>;
  readonly #rounds: Pick<RoundDriver, 'step' | 'openChats'>;
  /** Chats whose rounds cannot be read or stepped. They are tried again after a restart. */
  readonly #setAside = new Set<string>();

  constructor(deps: Pick<Dependencies, 'clock' | 'log'>, rounds: Pick<RoundDriver, 'step' | 'openChats'>) {
    super(deps, 'rounds of chats');
    this.#deps = deps;
    this.#rounds = rounds;
  }

  /** Always Infinity: what comes next is an event, not a time. */
  protected override async doDue(): Promise<number> {
    for (const chat of await this.#rounds.openChats())
      if (this.isActive && !this.#setAside.has(chat)) await this.#step(chat);
    return Infinity;
  }

  async #step(chat: string): Promise<void> {
    try {
      await this.#rounds.step(chat);
    } catch (error) {
      if (error instanceof EngineError && error.code === 'STORE_FAILED') throw error;
      this.#setAside.add(chat);
      this.#deps.log.error('the rounds of a chat cannot go on', { chat, ...errorBody(error) });
    }
  }
}
