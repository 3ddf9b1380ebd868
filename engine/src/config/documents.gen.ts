// Generated from schemas/*.schema.json by `npm run generate`. Do not edit.

/**
 * A model and where it is reached: a file in `apis/`. Directors and agents name it by `apiConfigId`.
 */
export type Api = OpenaiApi | AnthropicApi | OllamaApi | ScriptedApi;
/**
 * When it applies, and what is answered: a text (`say`) or tool calls (`call`).
 */
export type ScriptRule = ScriptRuleSay | ScriptRuleCall;
/**
 * One tool call, or several at once.
 */
export type ScriptCalls = ScriptCallList | ScriptCall;
export type ScriptCallList = readonly ScriptCall[];
/**
 * A mailbox: a file in `accounts/`.
 */
export type Account = FolderAccount | ImapAccount | GmailAccount | OutlookAccount;
/**
 * Which mail goes to which directors: a file in `filters/`. Either `field` with `regex`, or one of `allOf`, `anyOf`, `not`.
 */
export type Filter = FilterFieldRegex | FilterAllOf | FilterAnyOf | FilterNot;
/**
 * `field` with `regex`, or one of `allOf`, `anyOf`, `not`.
 */
export type Condition = ConditionFieldRegex | ConditionAllOf | ConditionAnyOf | ConditionNot;
/**
 * Messages, or a template: `{ use: mood, with: { language: German } }`. Without a system message one is made from name and description; without a user message the trigger (mail, message) is appended as one.
 */
export type PromptSource = PromptMessages | PromptUse;
export type PromptMessages = readonly PromptMessage[];
/**
 * Name of a tool; `*` stands for any characters.
 */
export type Glob = string;

/**
 * Settings of the engine: one file, `settings.yaml` at the root of the config folder. Everything has a default.
 */
export interface Settings {
  /**
   * A note for people.
   */
  readonly description: string;
  /**
   * Set to false to run with the defaults without deleting this file.
   */
  readonly enabled: boolean;
  /**
   * Minutes of silence after which the session of an agent expires.
   */
  readonly sessionTimeoutMinutes: number;
  /**
   * How mail is fetched.
   */
  readonly fetch: {
    /**
     * Seconds between two looks at an account.
     */
    readonly everySeconds: number;
    /**
     * Accounts that are fetched at the same time.
     */
    readonly concurrency: number;
  };
  /**
   * How runs are worked off.
   */
  readonly runs: {
    /**
     * Runs that work at the same time. Those that wait for a person do not count, nor do the agents under a run.
     */
    readonly concurrency: number;
    /**
     * Days after which a finished run is deleted with all that belongs to it: transcripts, events, entries, results. Mails stay.
     */
    readonly retainDays: number;
  };
  /**
   * Where API and viewer are served. A change takes effect at the next start.
   */
  readonly server: {
    /**
     * Address to listen on. Loopback only.
     */
    readonly host: '127.0.0.1' | '::1' | 'localhost';
    /**
     * Port to listen on; 0 takes a free one.
     */
    readonly port: number;
  };
  /**
   * What agents may send.
   */
  readonly reply: {
    /**
     * Mails that agents send in one thread on one day (UTC), whoever allows them, over all directors and processes. A person's own answers do not count. 0: agents send nothing.
     */
    readonly perThreadPerDay: number;
  };
  /**
   * The local calendar, for accounts without one of their own, and the hours in which free time is looked for.
   */
  readonly calendar: {
    /**
     * Folder of .ics files; it is made when an event is added. A relative path counts from the folder that holds the config folder. Where several processes share a store, all of them must see this folder.
     */
    readonly path: string;
    /**
     * Time zone by its IANA name, for times that name none. Left out, it is that of the machine.
     */
    readonly timeZone?: string;
    /**
     * When meetings may be. An end before the start is on the next day.
     */
    readonly workingHours: {
      /**
       * First minute, as the clocks in the time zone show it.
       */
      readonly start: string;
      /**
       * End of the last minute; 24:00 is midnight.
       */
      readonly end: string;
      /**
       * Days on which work begins.
       */
      readonly days: readonly ('mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun')[];
    };
  };
  /**
   * What all runs together may use on one UTC day. Runs wait for the next day when it is used up.
   */
  readonly budget: {
    /**
     * Tokens on one day, in and out.
     */
    readonly maxTokensPerDay?: number;
    /**
     * Cost on one day. The prices of all models in use must be known then.
     */
    readonly maxCostPerDay?: number;
  };
}
/**
 * OpenAI, or any server that speaks one of its two languages.
 */
export interface OpenaiApi {
  /**
   * Id of this API. Equals the file name.
   */
  readonly id: string;
  /**
   * A note for people.
   */
  readonly description: string;
  /**
   * Set to false to switch this api off without deleting its file.
   */
  readonly enabled: boolean;
  /**
   * Place among the APIs, lowest number first, then by id. Those without a number come last.
   */
  readonly order?: number;
  /**
   * `openai`: OpenAI or a compatible server.
   */
  readonly provider: 'openai';
  /**
   * Name of the model, as the provider spells it.
   */
  readonly model: string;
  /**
   * Where the key is: `${env:NAME}` or `${secret:NAME}`. A reference, never the key itself.
   */
  readonly apiKey: string;
  /**
   * Address of the server, with the version part.
   */
  readonly baseUrl: string;
  /**
   * Which of OpenAI's languages the server is asked in. `chat`: chat completions, which nearly every server knows. `responses`: the Responses API, where a reasoning model goes on with its own thinking from call to call; nothing is stored there (`store: false`).
   */
  readonly protocol: 'chat' | 'responses';
  /**
   * Whether answers are streamed, so that it is known what an answer has cost that is cancelled half-way. Default: true at OpenAI and Azure themselves and with `protocol: responses`, false at other servers, which do not all take it.
   */
  readonly stream?: boolean;
  /**
   * Limits of the requests to this API.
   */
  readonly limits: {
    /**
     * Seconds until a request is given up.
     */
    readonly timeoutSeconds: number;
    /**
     * Requests at the same time.
     */
    readonly concurrency: number;
    /**
     * Requests in any minute; further ones wait. Kept across a restart.
     */
    readonly requestsPerMinute?: number;
    /**
     * Requests in any hour; further ones wait.
     */
    readonly requestsPerHour?: number;
    /**
     * Tokens in any minute, in and out; requests wait until their estimate fits.
     */
    readonly tokensPerMinute?: number;
    /**
     * Longest answer that is asked for.
     */
    readonly maxTokensPerRequest?: number;
  };
  /**
   * How requests are repeated after 429, 5xx and lost connections. Retry-After is honoured.
   */
  readonly retry: {
    /**
     * Attempts in all, the first one included.
     */
    readonly attempts: number;
    /**
     * Seconds before the second attempt; doubled for each one after it.
     */
    readonly backoffSeconds: number;
  };
  /**
   * What the model costs, in US dollars for a million tokens. Default: the engine's table of prices, for OpenAI's and Anthropic's own servers; where neither says it, costs are shown as unknown.
   */
  readonly price?: {
    /**
     * A million tokens of input.
     */
    readonly inputPerMillion: number;
    /**
     * A million tokens of output.
     */
    readonly outputPerMillion: number;
    /**
     * A million tokens of input that the provider had in its cache. Default: as other input.
     */
    readonly cachedInputPerMillion?: number;
  };
  /**
   * `local`: what is sent here stays on machines of yours; it is your word, checked only by the look of the address. A run of a director with `locality: local` asks no other api, fallbacks included.
   */
  readonly locality: 'any' | 'local';
  /**
   * APIs that are tried in this order at the start of a run when this one is not available (no key, or the server does not answer).
   *
   * Items: Id of an API, a file in `apis/`.
   */
  readonly fallback: readonly string[];
}
/**
 * Anthropic, or a server that speaks its Messages API.
 */
export interface AnthropicApi {
  /**
   * Id of this API. Equals the file name.
   */
  readonly id: string;
  /**
   * A note for people.
   */
  readonly description: string;
  /**
   * Set to false to switch this api off without deleting its file.
   */
  readonly enabled: boolean;
  /**
   * Place among the APIs, lowest number first, then by id. Those without a number come last.
   */
  readonly order?: number;
  /**
   * `anthropic`: Anthropic, by its Messages API.
   */
  readonly provider: 'anthropic';
  /**
   * Name of the model, as the provider spells it.
   */
  readonly model: string;
  /**
   * Where the key is: `${env:NAME}` or `${secret:NAME}`. A reference, never the key itself.
   */
  readonly apiKey: string;
  /**
   * Address of the server, without the version part.
   */
  readonly baseUrl: string;
  /**
   * Whether answers are streamed, so that it is known what an answer has cost that is cancelled half-way.
   */
  readonly stream: boolean;
  /**
   * Longest answer; Anthropic insists on a limit.
   */
  readonly maxTokens: number;
  /**
   * Limits of the requests to this API.
   */
  readonly limits: {
    /**
     * Seconds until a request is given up.
     */
    readonly timeoutSeconds: number;
    /**
     * Requests at the same time.
     */
    readonly concurrency: number;
    /**
     * Requests in any minute; further ones wait. Kept across a restart.
     */
    readonly requestsPerMinute?: number;
    /**
     * Requests in any hour; further ones wait.
     */
    readonly requestsPerHour?: number;
    /**
     * Tokens in any minute, in and out; requests wait until their estimate fits.
     */
    readonly tokensPerMinute?: number;
    /**
     * Longest answer that is asked for.
     */
    readonly maxTokensPerRequest?: number;
  };
  /**
   * How requests are repeated after 429, 5xx and lost connections. Retry-After is honoured.
   */
  readonly retry: {
    /**
     * Attempts in all, the first one included.
     */
    readonly attempts: number;
    /**
     * Seconds before the second attempt; doubled for each one after it.
     */
    readonly backoffSeconds: number;
  };
  /**
   * What the model costs, in US dollars for a million tokens. Default: the engine's table of prices, for OpenAI's and Anthropic's own servers; where neither says it, costs are shown as unknown.
   */
  readonly price?: {
    /**
     * A million tokens of input.
     */
    readonly inputPerMillion: number;
    /**
     * A million tokens of output.
     */
    readonly outputPerMillion: number;
    /**
     * A million tokens of input that the provider had in its cache. Default: as other input.
     */
    readonly cachedInputPerMillion?: number;
  };
  /**
   * `local`: what is sent here stays on machines of yours; it is your word, checked only by the look of the address. A run of a director with `locality: local` asks no other api, fallbacks included.
   */
  readonly locality: 'any' | 'local';
  /**
   * APIs that are tried in this order at the start of a run when this one is not available (no key, or the server does not answer).
   *
   * Items: Id of an API, a file in `apis/`.
   */
  readonly fallback: readonly string[];
}
/**
 * A model on an Ollama server.
 */
export interface OllamaApi {
  /**
   * Id of this API. Equals the file name.
   */
  readonly id: string;
  /**
   * A note for people.
   */
  readonly description: string;
  /**
   * Set to false to switch this api off without deleting its file.
   */
  readonly enabled: boolean;
  /**
   * Place among the APIs, lowest number first, then by id. Those without a number come last.
   */
  readonly order?: number;
  /**
   * `ollama`: an Ollama server.
   */
  readonly provider: 'ollama';
  /**
   * Name of the model, as the provider spells it.
   */
  readonly model: string;
  /**
   * Address of the Ollama server. With `/v1` at its end, its likeness of OpenAI's API is used.
   */
  readonly baseUrl: string;
  /**
   * Whether answers are streamed, so that it is known what an answer has used up that is cancelled half-way.
   */
  readonly stream: boolean;
  /**
   * How much the model may read and write at once. More takes more memory; what does not fit is cut by Ollama without a word. Not sent where `baseUrl` ends in `/v1`, which does not take it.
   */
  readonly contextTokens: number;
  /**
   * Limits of the requests to this API.
   */
  readonly limits: {
    /**
     * Seconds until a request is given up.
     */
    readonly timeoutSeconds: number;
    /**
     * Requests at the same time.
     */
    readonly concurrency: number;
    /**
     * Requests in any minute; further ones wait. Kept across a restart.
     */
    readonly requestsPerMinute?: number;
    /**
     * Requests in any hour; further ones wait.
     */
    readonly requestsPerHour?: number;
    /**
     * Tokens in any minute, in and out; requests wait until their estimate fits.
     */
    readonly tokensPerMinute?: number;
    /**
     * Longest answer that is asked for.
     */
    readonly maxTokensPerRequest?: number;
  };
  /**
   * How requests are repeated after 429, 5xx and lost connections. Retry-After is honoured.
   */
  readonly retry: {
    /**
     * Attempts in all, the first one included.
     */
    readonly attempts: number;
    /**
     * Seconds before the second attempt; doubled for each one after it.
     */
    readonly backoffSeconds: number;
  };
  /**
   * What the model costs, in US dollars for a million tokens. Default: the engine's table of prices, for OpenAI's and Anthropic's own servers; where neither says it, costs are shown as unknown.
   */
  readonly price?: {
    /**
     * A million tokens of input.
     */
    readonly inputPerMillion: number;
    /**
     * A million tokens of output.
     */
    readonly outputPerMillion: number;
    /**
     * A million tokens of input that the provider had in its cache. Default: as other input.
     */
    readonly cachedInputPerMillion?: number;
  };
  /**
   * `local`: what is sent here stays on machines of yours; it is your word, checked only by the look of the address. A run of a director with `locality: local` asks no other api, fallbacks included.
   */
  readonly locality: 'any' | 'local';
  /**
   * APIs that are tried in this order at the start of a run when this one is not available (no key, or the server does not answer).
   *
   * Items: Id of an API, a file in `apis/`.
   */
  readonly fallback: readonly string[];
}
/**
 * No AI: answers come from rules. For first steps, tests and dry runs.
 */
export interface ScriptedApi {
  /**
   * Id of this API. Equals the file name.
   */
  readonly id: string;
  /**
   * A note for people.
   */
  readonly description: string;
  /**
   * Set to false to switch this api off without deleting its file.
   */
  readonly enabled: boolean;
  /**
   * Place among the APIs, lowest number first, then by id. Those without a number come last.
   */
  readonly order?: number;
  /**
   * `scripted`: no AI, answers from rules.
   */
  readonly provider: 'scripted';
  /**
   * Rules; the first one that matches answers. When none matches, the answer is empty.
   */
  readonly script: readonly ScriptRule[];
  /**
   * Rules ask nobody: `local` unless you say otherwise, so that a director with `locality: local` may use them.
   */
  readonly locality: 'any' | 'local';
  /**
   * APIs that are tried in this order at the start of a run when this one is not available (no key, or the server does not answer).
   *
   * Items: Id of an API, a file in `apis/`.
   */
  readonly fallback: readonly string[];
}
export interface ScriptRuleSay {
  readonly when: ScriptWhen;
  /**
   * The answer. Templates: `{{subject}}`, `{{from}}`, `{{language}}`, `{{lastUserText}}`, `{{lastToolResult}}`, and a path into a JSON result: `{{lastToolResult.output}}`.
   */
  readonly say: string;
}
/**
 * All that is named must hold.
 */
export interface ScriptWhen {
  /**
   * Always holds.
   */
  readonly any?: true;
  /**
   * Who asks: a director or an agent.
   */
  readonly role?: 'director' | 'agent';
  /**
   * Id of the director or agent that asks.
   */
  readonly id?: string;
  /**
   * Which request it is, counted from 1 in each run and each ask.
   */
  readonly turn?: number;
  /**
   * The last message is the result of this tool.
   */
  readonly tool?: string;
  /**
   * A regular expression that the last user message matches. Case counts unless it starts with `(?i)`.
   */
  readonly text?: string;
}
export interface ScriptRuleCall {
  readonly when: ScriptWhen;
  readonly call: ScriptCalls;
}
/**
 * A tool call.
 */
export interface ScriptCall {
  /**
   * Name of the tool.
   */
  readonly tool: string;
  /**
   * Arguments of the call. Templates, as in `say`, are filled in within its texts.
   */
  readonly arguments: {
    readonly [k: string]: unknown;
  };
}
/**
 * A folder of .eml files or a Maildir; what is dropped in is fetched.
 */
export interface FolderAccount {
  /**
   * Id of this account, or its address. Equals the file name.
   */
  readonly id: string;
  /**
   * A note for people.
   */
  readonly description: string;
  /**
   * Set to false to switch this account off without deleting its file.
   */
  readonly enabled: boolean;
  /**
   * Place among the accounts, lowest number first, then by id. Those without a number come last.
   */
  readonly order?: number;
  /**
   * `folder`: a folder on this machine.
   */
  readonly provider: 'folder';
  /**
   * Address of the mailbox. Mail from it counts as own mail.
   */
  readonly email: string;
  /**
   * The folder. A relative path counts from the folder that holds the config folder.
   */
  readonly path: string;
  /**
   * What lies in the folder: .eml files (`eml`), a Maildir with cur and new (`maildir`), or see for yourself (`auto`).
   */
  readonly format: 'auto' | 'eml' | 'maildir';
  /**
   * Put under what is written for this account. Plain text.
   */
  readonly signature?: string;
}
/**
 * A mailbox on an IMAP server; fetching changes nothing there.
 */
export interface ImapAccount {
  /**
   * Id of this account, or its address. Equals the file name.
   */
  readonly id: string;
  /**
   * A note for people.
   */
  readonly description: string;
  /**
   * Set to false to switch this account off without deleting its file.
   */
  readonly enabled: boolean;
  /**
   * Place among the accounts, lowest number first, then by id. Those without a number come last.
   */
  readonly order?: number;
  /**
   * `imap`: a mailbox on any IMAP server.
   */
  readonly provider: 'imap';
  /**
   * Address of the mailbox. Mail from it counts as own mail.
   */
  readonly email: string;
  readonly imap: ImapServer;
  readonly auth: ImapLogin;
  readonly smtp?: SmtpServer;
  /**
   * The mailbox that is fetched, as the server spells it. What lies below it is not.
   */
  readonly mailbox: string;
  /**
   * Put under what is written for this account. Plain text.
   */
  readonly signature?: string;
}
/**
 * The server.
 */
export interface ImapServer {
  /**
   * Name or address of the server.
   */
  readonly host: string;
  /**
   * Its port.
   */
  readonly port: number;
  /**
   * True: TLS from the first byte on, with a certificate that is checked. False: it begins in plain text and goes over to TLS (STARTTLS); a server that does not offer that is not asked, unless it is on this machine.
   */
  readonly secure: boolean;
}
/**
 * Who signs in.
 */
export interface ImapLogin {
  /**
   * User name; with most providers the address.
   */
  readonly user: string;
  /**
   * Where the password is: `${env:NAME}` or `${secret:NAME}`. A reference, never the password itself.
   */
  readonly pass: string;
}
/**
 * The server that sends. Left out, this account drafts but does not send.
 */
export interface SmtpServer {
  /**
   * Name or address of the server.
   */
  readonly host: string;
  /**
   * Its port: 465 with `secure: true`, 587 with `secure: false`.
   */
  readonly port: number;
  /**
   * True: TLS from the first byte on, with a certificate that is checked. False: it begins in plain text and goes over to TLS (STARTTLS); a server that does not offer that is sent nothing, unless it is on this machine.
   */
  readonly secure: boolean;
  readonly auth?: SmtpLogin;
  /**
   * True where the server itself puts what is sent into Sent. Gmail is known to; it need not be said.
   */
  readonly savesSent: boolean;
}
/**
 * Who signs in, where it differs from `auth` of the account.
 */
export interface SmtpLogin {
  /**
   * User name.
   */
  readonly user: string;
  /**
   * Where the password is: `${env:NAME}` or `${secret:NAME}`. A reference, never the password itself.
   */
  readonly pass: string;
}
/**
 * A Gmail mailbox. Its tokens are never here: somebody signs in once, and they are kept in the store.
 */
export interface GmailAccount {
  /**
   * Id of this account, or its address. Equals the file name.
   */
  readonly id: string;
  /**
   * A note for people.
   */
  readonly description: string;
  /**
   * Set to false to switch this account off without deleting its file.
   */
  readonly enabled: boolean;
  /**
   * Place among the accounts, lowest number first, then by id. Those without a number come last.
   */
  readonly order?: number;
  /**
   * `gmail`: a mailbox at Google.
   */
  readonly provider: 'gmail';
  /**
   * Address of the mailbox: whoever signs in must sign in as this one. Mail from it counts as own mail.
   */
  readonly email: string;
  /**
   * Put under what is written for this account, in place of the one that is set in Gmail. Plain text.
   */
  readonly signature?: string;
  readonly oauth: GoogleClient;
  readonly endpoints?: GoogleEndpoints;
  /**
   * Mail with one of these labels is fetched, as Gmail shows their names.
   */
  readonly labels: readonly string[];
  /**
   * True: people reply from the viewer through this account, so sign-in also asks for drafts and sending. Directors and agents that have the tools for it need no `true` here.
   */
  readonly replies: boolean;
}
/**
 * The OAuth client that somebody made in the Google Cloud console.
 */
export interface GoogleClient {
  /**
   * Id of the client. It is no secret, but a reference is fine.
   */
  readonly clientId: string;
  /**
   * Where the secret of the client is: `${env:NAME}` or `${secret:NAME}`. Google gives one to desktop clients too.
   */
  readonly clientSecret: string;
}
/**
 * Where Google is reached, for emulators and proxies. What is left out is Google itself.
 */
export interface GoogleEndpoints {
  /**
   * Where a person signs in: the address before `/o/oauth2/v2/auth`.
   */
  readonly auth?: string;
  /**
   * Where tokens are given out: the address before `/token`.
   */
  readonly token?: string;
  /**
   * Where Gmail, Calendar and Tasks are: the address before `/gmail/v1`.
   */
  readonly api?: string;
}
/**
 * An Outlook or Microsoft 365 mailbox; its Inbox is fetched. Its tokens are never here: somebody signs in once, and they are kept in the store.
 */
export interface OutlookAccount {
  /**
   * Id of this account, or its address. Equals the file name.
   */
  readonly id: string;
  /**
   * A note for people.
   */
  readonly description: string;
  /**
   * Set to false to switch this account off without deleting its file.
   */
  readonly enabled: boolean;
  /**
   * Place among the accounts, lowest number first, then by id. Those without a number come last.
   */
  readonly order?: number;
  /**
   * `outlook`: a mailbox at Microsoft, personal or of an organisation.
   */
  readonly provider: 'outlook';
  /**
   * Address of the mailbox: whoever signs in must sign in as this one. Mail from it counts as own mail.
   */
  readonly email: string;
  /**
   * Put under what is written for this account. Plain text.
   */
  readonly signature?: string;
  readonly oauth: MicrosoftClient;
  readonly endpoints?: MicrosoftEndpoints;
  /**
   * True: people reply from the viewer through this account, so sign-in also asks for drafts and sending. Directors and agents that have the tools for it need no `true` here.
   */
  readonly replies: boolean;
}
/**
 * The app registration that somebody made in the Microsoft Entra admin center.
 */
export interface MicrosoftClient {
  /**
   * Application (client) id. It is no secret, but a reference is fine.
   */
  readonly clientId: string;
  /**
   * Where the secret of the client is: `${env:NAME}` or `${secret:NAME}`. Only for the platform Web; Mobile and desktop applications have none.
   */
  readonly clientSecret?: string;
  /**
   * Who may sign in: `common` for everybody, `organizations` for work and school, `consumers` for personal accounts, or the id or domain of one organisation.
   */
  readonly tenant: string;
}
/**
 * Where Microsoft is reached, for national clouds, emulators and proxies. What is left out is the worldwide cloud.
 */
export interface MicrosoftEndpoints {
  /**
   * Where a person signs in: the address before the tenant.
   */
  readonly auth?: string;
  /**
   * Where tokens are given out: the address before the tenant. Default: as `auth`.
   */
  readonly token?: string;
  /**
   * Where Microsoft Graph is: the address before `/v1.0`.
   */
  readonly api?: string;
}
export interface FilterFieldRegex {
  /**
   * Id of this filter. Equals the file name.
   */
  readonly id: string;
  /**
   * A note for people.
   */
  readonly description: string;
  /**
   * Set to false to switch this filter off without deleting its file.
   */
  readonly enabled: boolean;
  /**
   * Place among the filters, lowest number first, then by id. Those without a number come last.
   */
  readonly order?: number;
  /**
   * Part of the mail: `From`, `To`, `CC`, `BCC` (each bare address and each `name <address>`), `Subject`, `Body` (the text, else the text of the HTML; its first 256 KB), `Date` (ISO 8601, UTC), `Label` (each), or `Header:<name>` (each header of that name).
   */
  readonly field: string;
  /**
   * Regular expression, RE2 syntax, that must match somewhere in the field. Case counts unless it starts with `(?i)`.
   */
  readonly regex: string;
  /**
   * The director that takes the mail, or several.
   */
  readonly directorId: string | readonly string[];
  /**
   * Accounts whose mail this filter looks at. Default: all of them.
   *
   * Items: Id of an account, a file in `accounts/`.
   */
  readonly accountIds?: readonly string[];
  /**
   * Set to true to ask no further filter once this one has matched.
   */
  readonly stop: boolean;
}
export interface FilterAllOf {
  /**
   * Id of this filter. Equals the file name.
   */
  readonly id: string;
  /**
   * A note for people.
   */
  readonly description: string;
  /**
   * Set to false to switch this filter off without deleting its file.
   */
  readonly enabled: boolean;
  /**
   * Place among the filters, lowest number first, then by id. Those without a number come last.
   */
  readonly order?: number;
  /**
   * Conditions that all match.
   */
  readonly allOf: readonly Condition[];
  /**
   * The director that takes the mail, or several.
   */
  readonly directorId: string | readonly string[];
  /**
   * Accounts whose mail this filter looks at. Default: all of them.
   *
   * Items: Id of an account, a file in `accounts/`.
   */
  readonly accountIds?: readonly string[];
  /**
   * Set to true to ask no further filter once this one has matched.
   */
  readonly stop: boolean;
}
export interface ConditionFieldRegex {
  /**
   * Part of the mail: `From`, `To`, `CC`, `BCC` (each bare address and each `name <address>`), `Subject`, `Body` (the text, else the text of the HTML; its first 256 KB), `Date` (ISO 8601, UTC), `Label` (each), or `Header:<name>` (each header of that name).
   */
  readonly field: string;
  /**
   * Regular expression, RE2 syntax, that must match somewhere in the field. Case counts unless it starts with `(?i)`.
   */
  readonly regex: string;
}
export interface ConditionAllOf {
  /**
   * Conditions that all match.
   */
  readonly allOf: readonly Condition[];
}
export interface ConditionAnyOf {
  /**
   * Conditions of which at least one matches.
   */
  readonly anyOf: readonly Condition[];
}
export interface ConditionNot {
  readonly not: Condition;
}
export interface FilterAnyOf {
  /**
   * Id of this filter. Equals the file name.
   */
  readonly id: string;
  /**
   * A note for people.
   */
  readonly description: string;
  /**
   * Set to false to switch this filter off without deleting its file.
   */
  readonly enabled: boolean;
  /**
   * Place among the filters, lowest number first, then by id. Those without a number come last.
   */
  readonly order?: number;
  /**
   * Conditions of which at least one matches.
   */
  readonly anyOf: readonly Condition[];
  /**
   * The director that takes the mail, or several.
   */
  readonly directorId: string | readonly string[];
  /**
   * Accounts whose mail this filter looks at. Default: all of them.
   *
   * Items: Id of an account, a file in `accounts/`.
   */
  readonly accountIds?: readonly string[];
  /**
   * Set to true to ask no further filter once this one has matched.
   */
  readonly stop: boolean;
}
export interface FilterNot {
  /**
   * Id of this filter. Equals the file name.
   */
  readonly id: string;
  /**
   * A note for people.
   */
  readonly description: string;
  /**
   * Set to false to switch this filter off without deleting its file.
   */
  readonly enabled: boolean;
  /**
   * Place among the filters, lowest number first, then by id. Those without a number come last.
   */
  readonly order?: number;
  readonly not: Condition;
  /**
   * The director that takes the mail, or several.
   */
  readonly directorId: string | readonly string[];
  /**
   * Accounts whose mail this filter looks at. Default: all of them.
   *
   * Items: Id of an account, a file in `accounts/`.
   */
  readonly accountIds?: readonly string[];
  /**
   * Set to true to ask no further filter once this one has matched.
   */
  readonly stop: boolean;
}
/**
 * A director takes a mail or a message, asks agents, uses tools and leaves results in its workspace: a file in `directors/`.
 */
export interface Director {
  /**
   * Id of this director. Equals the file name.
   */
  readonly id: string;
  /**
   * What this director is for. Part of the system message that is made where the prompt has none.
   */
  readonly description: string;
  /**
   * Set to false to switch this director off without deleting its file.
   */
  readonly enabled: boolean;
  /**
   * Place among the directors, lowest number first, then by id. Those without a number come last.
   */
  readonly order?: number;
  /**
   * Name for people. Default: the id.
   */
  readonly name: string;
  /**
   * How it works. `orchestrate`: one loop of model and tools for each trigger.
   */
  readonly mode: 'orchestrate';
  /**
   * The API that it thinks with, a file in `apis/`.
   */
  readonly apiConfigId: string;
  /**
   * `local`: mail and results never reach an api that is not marked `locality: local`, neither through agents nor through fallbacks.
   */
  readonly locality: 'any' | 'local';
  /**
   * Accounts whose mail it takes; a filter that sends it mail of another account is passed over, and it is said. Default: all of them.
   *
   * Items: Id of an account, a file in `accounts/`.
   */
  readonly accountIds?: readonly string[];
  /**
   * Agents that it may ask, each through the tool `agent__<id>`.
   *
   * Items: Id of an agent, a file in `agents/`.
   */
  readonly agents: readonly string[];
  /**
   * What the model is shown: names of tool families (`workspace`) or of single tools (`workspace_add_item`).
   *
   * Items: A family or a tool.
   */
  readonly tools: readonly string[];
  /**
   * A standing character or memory. It becomes a system message after those of the prompt. Variables as in `prompt`, without those of the mail.
   */
  readonly imprint?: string;
  readonly prompt?: PromptSource;
  readonly permissions?: Permissions;
  /**
   * Limits of one run. What is reached ends it; the results so far stay.
   */
  readonly budget: {
    /**
     * Most requests to the model.
     */
    readonly maxIterations: number;
    /**
     * Most minutes of work. Time spent waiting for a person does not count.
     */
    readonly maxMinutes: number;
    /**
     * Tokens in and out, those of agents under it included. A request that may not fit ends the run; what is there stays.
     */
    readonly maxTokens?: number;
    /**
     * Cost, that of agents under it included. The price of the model must be known.
     */
    readonly maxCost?: number;
  };
}
/**
 * One message, as in the chat format of OpenAI.
 */
export interface PromptMessage {
  /**
   * Who speaks. Mail and other untrusted text may stand in role `user` only.
   */
  readonly role: 'system' | 'user' | 'assistant';
  /**
   * The text. Variables: `{{email}}` (the mail as a marked envelope), `{{email.subject}}`, `{{email.from}}`, `{{email.to}}`, `{{email.cc}}`, `{{email.date}}`, `{{email.text}}`, `{{email.id}}`, `{{message}}` (what the person, director or task asks), `{{thread}}` (earlier mails of the thread), `{{date}}` (now, ISO 8601), `{{account}}`, `{{director}}`, `{{director.id}}`, `{{director.name}}`, `{{director.description}}`, `{{agent}}`, `{{agent.id}}`, `{{agent.name}}`, `{{agent.description}}`, `{{agents}}` (the agents that the director may ask), `{{scope}}`, and a template's own. `email…`, `message` and `thread` come from outside and may be used in role `user` only.
   */
  readonly content: string;
}
/**
 * A template from `prompts/`, with values for its variables.
 */
export interface PromptUse {
  /**
   * Id of the template, a file in `prompts/`.
   */
  readonly use: string;
  /**
   * Values for the variables of the template; those left out keep the default of the template. Values are literal text: variables in them are not filled in.
   */
  readonly with: {
    readonly [k: string]: string;
  };
}
/**
 * What happens when a tool is called: deny is looked at first, then ask, then allow. Names may hold `*`. Discovery, the workspace tools and `agent__<id>` of the listed agents are allowed unless denied. With `permissions`, a tool that no rule names is denied; without, it asks.
 */
export interface Permissions {
  /**
   * Tools that run without asking.
   */
  readonly allow: readonly Glob[];
  /**
   * Tools that wait for the answer of a person.
   */
  readonly ask: readonly Glob[];
  /**
   * Tools that are refused, and not shown to the model.
   */
  readonly deny: readonly Glob[];
}
/**
 * An agent does one kind of work when a director asks: a file in `agents/`. It sees its prompt and what it is asked, not the mail.
 */
export interface Agent {
  /**
   * Id of this agent. Equals the file name.
   */
  readonly id: string;
  /**
   * What this agent is good for. Directors see it when they choose whom to ask.
   */
  readonly description: string;
  /**
   * Set to false to switch this agent off without deleting its file.
   */
  readonly enabled: boolean;
  /**
   * Place among the agents, lowest number first, then by id. Those without a number come last.
   */
  readonly order?: number;
  /**
   * Name for people. Default: the id.
   */
  readonly name: string;
  /**
   * The API that it thinks with, a file in `apis/`. Default: that of the director who asks; in a session with a person, that of the directors who may ask it, if they share one.
   */
  readonly apiConfigId?: string;
  /**
   * What the model is shown: names of tool families (`workspace`) or of single tools (`workspace_add_item`).
   *
   * Items: A family or a tool.
   */
  readonly tools: readonly string[];
  /**
   * A standing character or memory. It becomes a system message after those of the prompt. Variables as in `prompt`, without those of the mail.
   */
  readonly imprint?: string;
  readonly prompt?: PromptSource;
  readonly permissions?: Permissions;
  /**
   * Limits of one ask. What is reached ends it; the results so far stay.
   */
  readonly budget: {
    /**
     * Most requests to the model.
     */
    readonly maxIterations: number;
    /**
     * Most minutes of work. Time spent waiting for a person does not count.
     */
    readonly maxMinutes: number;
    /**
     * Tokens in and out, those of agents under it included. A request that may not fit ends the run; what is there stays.
     */
    readonly maxTokens?: number;
    /**
     * Cost, that of agents under it included. The price of the model must be known.
     */
    readonly maxCost?: number;
  };
  /**
   * Limits of this agent over all runs. Where one is reached the run waits until it opens; nothing is lost.
   */
  readonly limits?: {
    /**
     * Model requests in any hour.
     */
    readonly requestsPerHour?: number;
    /**
     * Longest answer.
     */
    readonly maxTokensPerRequest?: number;
  };
}
/**
 * A template that directors and agents use: a file in `prompts/`, taken by `prompt: { use: <id>, with: { … } }`.
 */
export interface Prompt {
  /**
   * Id of this template. Equals the file name.
   */
  readonly id: string;
  /**
   * A note for people.
   */
  readonly description: string;
  /**
   * Set to false to switch this prompt off without deleting its file.
   */
  readonly enabled: boolean;
  /**
   * Place among the templates, lowest number first, then by id. Those without a number come last.
   */
  readonly order?: number;
  /**
   * Variables of this template with their defaults; `with` overrides them.
   */
  readonly variables: {
    readonly [k: string]: string;
  };
  /**
   * The messages.
   */
  readonly messages: readonly PromptMessage[];
}
