import type { gmail_v1 } from '@googleapis/gmail';
import type { Abortable } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import { googleProblem } from '../../account/google/google-error.ts';
import { scopesFor } from '../../account/scopes.ts';
import type { GmailClient } from './client.ts';
import { UNITS } from './quota.ts';

interface LabelIndex {
  readonly names: ReadonlyMap<string, string>;
  /** By name in lower case: Gmail treats `To do` and `to do` as one label. */
  readonly ids: ReadonlyMap<string, string>;
  readonly atMs: number;
}

/** How long the label list is used before it is read again, which notices renamed labels. */
const FRESH_MS = 10 * 60_000;

/** Status of Gmail for a name that exists; emulators use another one. */
const NAME_EXISTS = new Set([400, 409]);

/**
 * The labels of an account. A label that a person created is named by its name (`Callsheet/To do`), and one of Gmail's
 * own by its id (`INBOX`, `UNREAD`, `CATEGORY_PROMOTIONS`), which is the same in every language. Gmail reports no
 * change of a mail when its label is renamed: ingested mails keep the old name until their next change.
 */
export class GmailLabels {
  readonly #client: GmailClient;
  readonly #clock: Clock;
  #index: LabelIndex | undefined;
  #loading: Promise<LabelIndex> | undefined;

  constructor(client: GmailClient, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  /** The names of label ids. A label that was deleted in between is left out. */
  async namesOf(ids: readonly string[], { signal }: Abortable = {}): Promise<readonly string[]> {
    let index = await this.#open({ signal });
    if (ids.some((id) => isUserLabel(id) && !index.names.has(id))) index = await this.#load({ signal });
    return ids.flatMap((id) => index.names.get(id) ?? (isUserLabel(id) ? [] : [id]));
  }

  /**
   * The id of a label by its name, in any case; `promotions` is `CATEGORY_PROMOTIONS`. Undefined where the label does
   * not exist.
   */
  async idOf(name: string, { signal }: Abortable = {}): Promise<string | undefined> {
    const find = ({ ids }: LabelIndex) => ids.get(name.toLowerCase()) ?? ids.get(`category_${name.toLowerCase()}`);
    return find(await this.#open({ signal })) ?? find(await this.#load({ signal }));
  }

  /** The id of a label, created where it does not exist. `BAD_REQUEST` where Gmail refuses the name. */
  async ensure(name: string, { signal }: Abortable = {}): Promise<string> {
    const known = await this.idOf(name, { signal });
    if (known !== undefined) return known;
    try {
      const { id } = await this.#client.request(
        {
          units: UNITS.makeLabel,
          scopes: scopesFor('gmail', ['label']),
          send: (api, options) => {
            const requestBody = { name, labelListVisibility: 'labelShow', messageListVisibility: 'show' };
            return api.users.labels.create({ userId: 'me', requestBody }, options);
          },
        },
        { signal },
      );
      this.invalidate();
      if (id) return id;
    } catch (error) {
      if (!NAME_EXISTS.has(googleProblem(error)?.status ?? 0)) throw error;
    }
    // Another program has just created it, or Gmail reserves the name.
    this.invalidate();
    const made = await this.idOf(name, { signal });
    if (made !== undefined) return made;
    throw new EngineError(
      'BAD_REQUEST',
      `account ${this.#client.accountId}: Gmail does not accept "${name}" as a label`,
    );
  }

  /** Makes the next call read the labels again. */
  invalidate(): void {
    this.#index = undefined;
  }

  async #open({ signal }: Abortable): Promise<LabelIndex> {
    const index = this.#index;
    return index !== undefined && this.#clock.now() - index.atMs < FRESH_MS ? index : this.#load({ signal });
  }

  #load({ signal }: Abortable): Promise<LabelIndex> {
    // Where the shared request fails, for example by the abort of its caller, this caller sends its own.
    const loading = this.#loading;
    if (loading !== undefined) return loading.catch(() => this.#load({ signal }));
    const own = this.#read({ signal }).finally(() => (this.#loading = undefined));
    this.#loading = own;
    return own;
  }

  async #read({ signal }: Abortable): Promise<LabelIndex> {
    const { labels = [] } = await this.#client.request(
      {
        units: UNITS.labels,
        scopes: scopesFor('gmail', ['read']),
        send: (api, options) => api.users.labels.list({ userId: 'me' }, options),
      },
      { signal },
    );
    const known = labels.flatMap((label) => entryOf(label));
    const index = {
      names: new Map(known.map(({ id, name }) => [id, name])),
      ids: new Map(known.map(({ id, name }) => [name.toLowerCase(), id])),
      atMs: this.#clock.now(),
    };
    this.#index = index;
    return index;
  }
}

function entryOf({ id, name, type }: gmail_v1.Schema$Label): { id: string; name: string }[] {
  if (!id) return [];
  return [{ id, name: type === 'user' && name ? name : id }];
}

/** Whether a person created the label; Gmail's own ids are words in capitals. */
function isUserLabel(id: string): boolean {
  return id.startsWith('Label_');
}
