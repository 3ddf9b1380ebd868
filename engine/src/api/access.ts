/** Where the server listens, by which address browsers reach it, and which proxy it believes. */
export interface Access {
  /** Addresses to listen on; 127.0.0.1 is one of them, or covered by one, so that the command line reaches the server. */
  readonly addresses: readonly string[];
  /** `https://desk.example.org`; undefined for a server that answers to the names of this machine only. */
  readonly publicOrigin: string | undefined;
  /** Whether the public address is https: `Secure` cookies, a redirect from plain HTTP, HSTS, and trust in the proxy. */
  readonly isProduction: boolean;
  /** Whether an IP address is that of the reverse proxy. */
  readonly isProxy: (address: string) => boolean;
}

/** What a person may do; each role may also do what those before it may. */
export const ROLES = ['viewer', 'approver', 'admin'] as const;

/** `viewer` reads, `approver` also answers approvals and talks with agents, also in group chats, `admin` does everything. */
export type Role = (typeof ROLES)[number];

/** Who asks: a person who signed in, or whoever holds the token. */
export interface Person {
  /** `local` for whoever holds the token. */
  readonly id: string;
  readonly name: string;
  /** Absent for whoever holds the token. */
  readonly email?: string;
  readonly role: Role;
}

/** What an identity provider says of a person. */
export interface Identity {
  /** The provider and its id of the person: it stays when the address changes. */
  readonly subject: string;
  /** An address that the provider has verified. */
  readonly email: string;
  readonly name: string;
}

/** The people who signed in, and what the settings let each of them do now. */
export interface Users {
  /** Stores a sign-in. `LOGIN_REFUSED` if the settings do not name the address. */
  signIn(identity: Identity): Promise<Person>;
  /** The person of a session; undefined if the settings do not name them any more. */
  find(id: string): Promise<Person | undefined>;
  /** The same, for a person whom this process has found before. */
  known(id: string): Person | undefined;
  /** The name of whoever did something; undefined for programs. */
  nameOf(id: string): Promise<string | undefined>;
}

/** A sign-in that a browser has begun. */
export interface BegunLogin {
  /** Where the browser goes. */
  readonly authorizeUrl: string;
  /** What the browser keeps until it returns: sealed, so that nobody reads or changes it. */
  readonly ticket: string;
}

/** The sign-in with Google (OpenID Connect). Everything about an unfinished sign-in is in its ticket: the server holds nothing. */
export interface GoogleLogin {
  /** Begins a sign-in. `place` is where the viewer goes afterwards. `LOGIN_FAILED` if Google does not answer. */
  begin(request: { readonly redirectUri: string; readonly place: string }): Promise<BegunLogin>;
  /**
   * Finishes a sign-in with the address to which the browser returned. `LOGIN_REFUSED` if it is not the answer to this ticket,
   * if the person refused, or if the address is not verified; `LOGIN_FAILED` if Google does not answer.
   */
  finish(returned: URL, ticket: string): Promise<{ readonly identity: Identity; readonly place: string }>;
}

/** Limits the sign-ins of each client. */
export interface LoginLimit {
  /** Counts a step of a sign-in. `LOGIN_LIMIT` above 20 in a minute. */
  take(client: string): void;
}
