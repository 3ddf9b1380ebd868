import type { gmail_v1 } from '@googleapis/gmail';
import type { Abortable } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import { googleProblem } from '../../account/google/google-error.ts';
import { scopesFor } from '../../account/scopes.ts';
import type { GmailClient } from './client.ts';
import { UNITS } from './quota.ts';

interface Book {
  readonly names: ReadonlyMap<string, string>;
  /** By name in small letters: Gmail does not tell `To do` from `to do`. */
  readonly ids: ReadonlyMap<string, string>;
  readonly atMs: number;
}

/** A label that somebody renames is known by its new name after so long. */
const FRESH_MS = 10 * 60_000;

/** Names that Gmail gives for a name that is taken; emulators say it with another status. */
const TAKEN = new Set([400, 409]);

/**
 * The labels of an account. To us a label that a person made is its name (`Callsheet/To do`) and one of Gmail's own its id
 * (`INBOX`, `UNREAD`, `CATEGORY_PROMOTIONS`), which is the same in every language. When a label is renamed, Gmail tells of no
 * change to its mails: those that were taken keep the old name until their next change.
 */
export class GmailLabels {
  readonly #client: GmailClient;
  readonly #clock: Clock;
  #book: Book | undefined;
  #loading: Promise<Book> | undefined;

  constructor(client: GmailClient, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  /** What mails with these label ids have. A label that was deleted in between is left out. */
  async namesOf(ids: readonly string[], { signal }: Abortable = {}): Promise<readonly string[]> {
    let book = await this.#open({ signal });
    if (ids.some((id) => isMade(id) && !book.names.has(id))) book = await this.#load({ signal });
    return ids.flatMap((id) => book.names.get(id) ?? (isMade(id) ? [] : [id]));
  }

  /** The id of a label by its name, in any case; `promotions` is `CATEGORY_PROMOTIONS`. Undefined where there is none. */
  async idOf(name: string, { signal }: Abortable = {}): Promise<string | undefined> {
    const find = ({ ids }: Book) => ids.get(name.toLowerCase()) ?? ids.get(`category_${name.toLowerCase()}`);
    return find(await this.#open({ signal })) ?? find(await this.#load({ signal }));
  }

  /** The id of a label, which is made where there is none. `BAD_REQUEST` where Gmail does not take the name. */
  async ensure(name: string, { signal }: Abortable = {}): Promise<string> {
    const known = await this.idOf(name, { signal });
    if (known !== undefined) return known;
    try {
      const { id } = await this.#client.request(
        {
          units: UNITS.makeLabel,
          scopes: scopesFor('gmail', ['label']),
          send: (api, how) => {
            const requestBody = { name, labelListVisibility: 'labelShow', messageListVisibility: 'show' };
            return api.users.labels.create({ userId: 'me', requestBody }, how);
          },
        },
        { signal },
      );
      this.invalidate();
      if (id) return id;
    } catch (error) {
      if (!TAKEN.has(googleProblem(error)?.status ?? 0)) throw error;
    }
    // Somebody else has just made it, or Gmail keeps the name to itself.
    this.invalidate();
    const made = await this.idOf(name, { signal });
    if (made !== undefined) return made;
    throw new EngineError('BAD_REQUEST', `account ${this.#client.accountId}: Gmail does not take "${name}" as a label`);
  }

  /** Has them read anew the next time. */
  invalidate(): void {
    this.#book = undefined;
  }

  async #open({ signal }: Abortable): Promise<Book> {
    const book = this.#book;
    return book !== undefined && this.#clock.now() - book.atMs < FRESH_MS ? book : this.#load({ signal });
  }

  #load({ signal }: Abortable): Promise<Book> {
    // Who waits for somebody else's request is not to fail by that one's abort: it asks again.
    const loading = this.#loading;
    if (loading !== undefined) return loading.catch(() => this.#load({ signal }));
    const mine = this.#read({ signal }).finally(() => (this.#loading = undefined));
    this.#loading = mine;
    return mine;
  }

  async #read({ signal }: Abortable): Promise<Book> {
    const { labels = [] } = await this.#client.request(
      {
        units: UNITS.labels,
        scopes: scopesFor('gmail', ['read']),
        send: (api, how) => api.users.labels.list({ userId: 'me' }, how),
      },
      { signal },
    );
    const known = labels.flatMap((label) => entryOf(label));
    const book = {
      names: new Map(known.map(({ id, name }) => [id, name])),
      ids: new Map(known.map(({ id, name }) => [name.toLowerCase(), id])),
      atMs: this.#clock.now(),
    };
    this.#book = book;
    return book;
  }
}

function entryOf({ id, name, type }: gmail_v1.Schema$Label): { id: string; name: string }[] {
  if (!id) return [];
  return [{ id, name: type === 'user' && name ? name : id }];
}

/** Labels that people make; Gmail's own are words in capitals. */
function isMade(id: string): boolean {
  return id.startsWith('Label_');
}
