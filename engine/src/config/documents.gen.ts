// Generated from schemas/*.schema.json by `npm run generate`. Do not edit.

/**
 * A model and how to reach it: a file in `apis/`. Directors and agents name it in `apiConfigId`.
 */
export type Api = OpenaiApi | AnthropicApi | OllamaApi | CliApi | ScriptedApi;
/**
 * A condition (`when`) and an answer: a text (`say`) or tool calls (`call`).
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
 * Messages, or a template: `{ use: mood, with: { language: German } }`. Without a system message, Callsheet writes one from name and description. It appends the mail, message or ask that no variable places as the last user message.
 */
export type PromptSource = PromptMessages | PromptUse;
export type PromptMessages = readonly PromptMessage[];
/**
 * Name of a tool; `*` stands for any characters. Patterns for arguments stand in parentheses: `mail_send(to=*@company.com)`; several need quotes in YAML: `'mail_send(to=*@company.com, cc=*@company.com)'`. All of them must match, and of a list every element; a missing argument never matches. In `ask` and `deny` one element is enough. Addresses match without their display name; in paths and URLs `*` stops at `/`, and `**` does not.
 */
export type Glob = string;
/**
 * A tool that is declared as a file in `tools/`: an HTTP request, a command, or the tools of an MCP server. Directors and agents name its id in `tools`.
 */
export type DeclaredTool = HttpTool | CommandTool | McpTool;
/**
 * The tools of an MCP server: either a program (`command`) or an address (`url`). The model sees each as `<id>__<tool>`.
 */
export type McpTool = McpToolCommand | McpToolUrl;
/**
 * What a tool returns.
 */
export type ToolAnswer =
  | {
      /**
       * The result of the call: any value.
       */
      readonly returns: {
        readonly [k: string]: unknown;
      };
    }
  | readonly TestToolRule[];
/**
 * What must hold once the run is over, or waits for a person.
 */
export type Asserts = readonly TestAssertion[];
/**
 * One test: what arrives, and what must hold.
 */
export type TestCase = TestCaseMail | TestCaseMessage | TestCaseCase;

/**
 * Settings of the engine: one file, `settings.yaml` in the config folder. Every key has a default.
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
   * Time without messages after which the session of an agent expires.
   */
  readonly sessionTimeoutMinutes: number;
  /**
   * Notebooks: folders with files that the notebook tools work on, by name. `scope` of an agent names them. A path counts from the folder that contains the config folder. A root must not be, contain or lie in the config folder or the data folder. Templates for new files lie in the folder `templates/` of a root.
   */
  readonly roots: {
    /**
     * Path of the folder.
     */
    readonly [k: string]: string;
  };
  /**
   * Folders in which command-line agents may work, by name. A participant of a chat may work in one of them or in a folder below, once a person has confirmed it. A path counts from the folder that contains the config folder. A workspace must not be, contain or lie in the config folder or the data folder.
   */
  readonly workspaces: {
    /**
     * Path of the folder.
     */
    readonly [k: string]: string;
  };
  /**
   * Fetching of mail.
   */
  readonly fetch: {
    /**
     * Time between two checks of an account.
     */
    readonly everySeconds: number;
    /**
     * Maximum number of accounts that are fetched at the same time.
     */
    readonly concurrency: number;
  };
  /**
   * Processing of runs.
   */
  readonly runs: {
    /**
     * Maximum number of runs that work at the same time. Runs that wait for a person and agents of a run do not count.
     */
    readonly concurrency: number;
    /**
     * Maximum number of tool calls that are made of one answer of a model. The model reads an error for each further call, and can make it again in its next answer.
     */
    readonly maxCallsPerAnswer: number;
    /**
     * Maximum number of calls of one run, with its agents, that wait for a person at the same time. The model reads an error for each further call that needs a person.
     */
    readonly maxOpenApprovals: number;
    /**
     * Time after which a finished run is deleted with its transcripts, events, entries and results, and so are its share of `spend` and to-dos that are done. Mails and open to-dos stay.
     */
    readonly retainDays: number;
  };
  /**
   * Address of the API and the viewer. A change takes effect at the next start.
   */
  readonly server: {
    /**
     * Address to listen on, beside 127.0.0.1: an IP address of this machine, `0.0.0.0` or `::` for all of them, or `localhost`. Any address but loopback requires `publicUrl`, and a sign-in with Google or `CALLSHEET_TOKEN` (docs/deploy/reverse-proxy.md).
     */
    readonly host: string;
    /**
     * Port to listen on; 0 chooses a free port.
     */
    readonly port: number;
    /**
     * Address at which browsers reach Callsheet, without a path. Requests with another `Host` or `Origin` are refused. With https, Callsheet stands behind a reverse proxy: cookies are `Secure`, plain HTTP is redirected, and HSTS is sent. Without it, Callsheet answers to the names of this machine only.
     */
    readonly publicUrl?: string;
    /**
     * IP addresses and networks of the reverse proxy. Only these are believed about who asks and by which protocol (`X-Forwarded-For`, `X-Forwarded-Proto`), and only if `publicUrl` is https.
     *
     * Items: An IP address, or a network.
     */
    readonly proxies: readonly string[];
  };
  /**
   * Who may sign in with Google. This needs an OAuth client for the sign-in in `GOOGLE_LOGIN_CLIENT_ID` and `GOOGLE_LOGIN_CLIENT_SECRET`; without it, browsers sign in with the link that `callsheet start` prints. Whoever holds the token of the server is an admin. A change takes effect at once, also for people who are signed in.
   */
  readonly login: {
    /**
     * The people who may sign in. An address that is listed twice has the lesser role.
     *
     * Items: A person.
     */
    readonly users: {
      /**
       * Address of the Google account, in any case.
       */
      readonly email: string;
      /**
       * `viewer` reads everything. `approver` also answers approvals and talks with agents in sessions. `admin` may do everything.
       */
      readonly role: 'viewer' | 'approver' | 'admin';
    }[];
  };
  /**
   * Limits of the mails that agents send.
   */
  readonly reply: {
    /**
     * Maximum number of mails that agents send in one thread per day (UTC), with or without approval, over all directors and processes. Replies that a person writes do not count. 0: agents send nothing.
     */
    readonly perThreadPerDay: number;
  };
  /**
   * What programs may do that use Callsheet as their tool.
   */
  readonly clients: {
    /**
     * What MCP clients, such as Claude Code and Codex, may do through `callsheet mcp`. A change takes effect at the next call.
     */
    readonly mcp: {
      /**
       * The only tools that clients may call. Without this key: every tool that only reads, so all but `run_start`.
       */
      readonly allow?: readonly (
        | 'mail_search'
        | 'mail_read'
        | 'runs_list'
        | 'run_start'
        | 'run_answer'
        | 'items_list'
        | 'item_read'
        | 'approvals_list'
      )[];
      /**
       * Tools that clients may not call, whatever `allow` names.
       */
      readonly deny: readonly (
        | 'mail_search'
        | 'mail_read'
        | 'runs_list'
        | 'run_start'
        | 'run_answer'
        | 'items_list'
        | 'item_read'
        | 'approvals_list'
      )[];
    };
  };
  /**
   * Learning from the changes that people make to drafts: `callsheet learn`.
   */
  readonly learn: {
    /**
     * Id of the agent that proposes changes of prompts and memories, a file in `agents/`. It reads texts of mails, so it must have no tools. Without this key `callsheet learn` does nothing.
     */
    readonly agent?: string;
  };
  /**
   * What becomes a notification, beside the calls of the tool `notify`: a run that ended well (`complete`) or failed (`failure`), a call or a question that waits for a person (`approval`), a reminder that is due (`reminder`). The viewer lists notifications, and shows them through the browser where a person has allowed that.
   *
   * Items: A kind of event.
   */
  readonly notifications: readonly ('complete' | 'failure' | 'approval' | 'reminder')[];
  /**
   * What `callsheet test` works with.
   */
  readonly test: {
    /**
     * Id of the API that judges `llm-rubric`, a file in `apis/`. Its verdicts are recorded beside the answers, so that a later test needs no key. Without one such an assertion could not run.
     */
    readonly judge?: string;
  };
  /**
   * Where notifications are sent beside the viewer.
   */
  readonly notify: {
    /**
     * Address that gets each notification by POST as JSON (`id`, `kind`, `title`, `text`, `at`, `runId`, …), with the header `Idempotency-Key`. Or a reference to the address: `${env:NAME}` or `${secret:NAME}`. Failed requests are repeated for seven hours.
     */
    readonly webhook?: string;
    /**
     * Sends each notification as a mail, once. A run about mail that a program or the user has sent causes no such mail, so that no loop arises.
     */
    readonly mail?: {
      /**
       * Account that sends the mail, a file in `accounts/`.
       */
      readonly accountId: string;
      /**
       * Address that gets the mail.
       */
      readonly to: string;
    };
  };
  readonly approvals?: ApprovalSettings;
  /**
   * The local calendar, for accounts without their own calendar, and the working hours for finding free time.
   */
  readonly calendar: {
    /**
     * Folder of .ics files; created with the first event. Relative paths start at the parent of the config folder. If several processes share a store, all of them must see this folder.
     */
    readonly path: string;
    /**
     * IANA name of the time zone for times without one. Default: the time zone of the machine.
     */
    readonly timeZone?: string;
    /**
     * Hours for meetings. An end before the start is on the next day.
     */
    readonly workingHours: {
      /**
       * First minute, in the local time of the time zone.
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
   * How private data is found, for all directors with `privacy`.
   */
  readonly privacy: {
    /**
     * A recogniser service on this machine that is asked as well, in the shape of Presidio's `analyze`. What it finds is redacted besides what Callsheet finds. If it does not answer, nothing is sent to a model: the run waits and then fails.
     */
    readonly recognizer?: {
      /**
       * Address of the service. Only an address of this machine, since the service reads everything.
       */
      readonly url: string;
      /**
       * Languages that the service knows. It is asked once for each.
       *
       * Items: Code of a language.
       */
      readonly languages: readonly string[];
    };
  };
  /**
   * What directors and agents remember.
   */
  readonly memory: {
    /**
     * Whether a finished run leaves a short log: its summary as a memory of its director with the tag `run`, kept as long as the run.
     */
    readonly runs: boolean;
    /**
     * Whether directors and agents may remember preferences (tag `preference`) from what a person writes to them. Mail never leaves preferences.
     */
    readonly preferences: boolean;
    /**
     * Recent messages that a model gets word for word in a long session. Older ones are summarised by a request to the model; the work on the newest message is always sent whole. The transcript keeps every message.
     */
    readonly window: number;
    /**
     * How memories are found by meaning. Without an API, a small local model does it if its optional packages are installed (docs/memory.md); else memories are found by words alone.
     */
    readonly embeddings: {
      /**
       * Id of the API that makes embeddings, a file in `apis/` of provider `openai` or `ollama`. The texts of memories and of searches are sent to it, except those of directors with `locality: local`, unless the API has `locality: local` too.
       */
      readonly apiConfigId?: string;
      /**
       * Name of the embedding model, as the provider spells it. Default: the `model` of the API. After a change, memories are found by words until they have vectors of the new model.
       */
      readonly model?: string;
      /**
       * Whether to use the local model where no API is named.
       */
      readonly local: boolean;
    };
  };
  /**
   * The only folder that the filesystem and document tools open. Relative paths start at the parent of the config folder. It cannot contain, be or lie in the config folder or the data folder. Without it these tools open no files. If several processes share a store, all of them must see this folder.
   */
  readonly virtualRoot?: string;
  /**
   * Maximum that all runs together may use per UTC day. When it is used up, runs wait for the next day.
   */
  readonly budget: {
    /**
     * Maximum of input and output tokens per day.
     */
    readonly maxTokensPerDay?: number;
    /**
     * Maximum cost per day. The prices of all models in use must be known.
     */
    readonly maxCostPerDay?: number;
  };
}
/**
 * Calls that wait for a person: when they expire, and who is told. A director may have its own; each key that it leaves out is that of the settings.
 */
export interface ApprovalSettings {
  /**
   * Time after which a call that nobody has answered expires. It is not made, and the model is told that it expired, which is no denial. A change holds for calls that ask from then on. Without it a call waits for ever.
   */
  readonly expireAfterDays?: number;
  /**
   * Who else is told, once, of a call that nobody has answered in time. Without `webhook` and `mail`, those who are told of each call are told again.
   */
  readonly escalateTo?: {
    /**
     * Time without an answer after which they are told.
     */
    readonly afterHours: number;
    /**
     * Address that is told, as `notify.webhook` of the settings. Or a reference to it: `${env:NAME}` or `${secret:NAME}`.
     */
    readonly webhook?: string;
    /**
     * Who is told by mail.
     */
    readonly mail?: {
      /**
       * Account that sends the mail, a file in `accounts/`.
       */
      readonly accountId: string;
      /**
       * Address that gets the mail.
       */
      readonly to: string;
    };
    /**
     * Whether the mail has a link to a page that answers this one call without a sign-in. Whoever has the mail can answer. The link holds for three days, and for one answer. Other machines can open it only with `server.publicUrl`. Without it, mails have no link.
     */
    readonly link?: boolean;
  };
  /**
   * Who is told of each call that waits, where `notifications` of the settings has `approval`. What it leaves out, `notify` of the settings has.
   */
  readonly notify?: {
    /**
     * Address that is told, as `notify.webhook` of the settings. Or a reference to it: `${env:NAME}` or `${secret:NAME}`.
     */
    readonly webhook?: string;
    /**
     * Who is told by mail.
     */
    readonly mail?: {
      /**
       * Account that sends the mail, a file in `accounts/`.
       */
      readonly accountId: string;
      /**
       * Address that gets the mail.
       */
      readonly to: string;
    };
    /**
     * Whether the mail has a link to a page that answers this one call without a sign-in. Whoever has the mail can answer. The link holds for three days, and for one answer. Other machines can open it only with `server.publicUrl`. Without it, mails have no link.
     */
    readonly link?: boolean;
  };
}
/**
 * OpenAI, or any server that supports its chat completions or its Responses API.
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
   * Set to false to disable this API without deleting its file.
   */
  readonly enabled: boolean;
  /**
   * Position among the APIs: lowest number first, then by id. APIs without a number come last.
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
   * Reference to the key: `${env:NAME}` or `${secret:NAME}`. Never the key itself.
   */
  readonly apiKey: string;
  /**
   * Organisation that requests are counted for, sent as the header `OpenAI-Organization`: its id, or a reference `${env:NAME}` or `${secret:NAME}`.
   */
  readonly organization?: string;
  /**
   * Address of the server, with the version part.
   */
  readonly baseUrl: string;
  /**
   * The API of the server. `chat`: chat completions, which nearly every server supports. `responses`: the Responses API, which lets a reasoning model keep its reasoning from call to call; the server stores nothing (`store: false`).
   */
  readonly protocol: 'chat' | 'responses';
  /**
   * Whether an answer that must be JSON (`output` of a director or an agent) is asked for with its schema, so that the server keeps to it. The engine checks every such answer in any case. Default: true for OpenAI and Azure; false for other servers, since some refuse it.
   */
  readonly structuredOutput?: boolean;
  /**
   * Whether to stream answers. Streaming shows the cost of an answer that is cancelled half-way. Default: true for OpenAI, Azure and `protocol: responses`; false for other servers, since not all support it.
   */
  readonly stream?: boolean;
  /**
   * Limits of the requests to this API.
   */
  readonly limits: {
    /**
     * Time limit of a request.
     */
    readonly timeoutSeconds: number;
    /**
     * Maximum number of requests at the same time.
     */
    readonly concurrency: number;
    /**
     * Maximum number of requests within any minute; further requests wait. The count survives a restart.
     */
    readonly requestsPerMinute?: number;
    /**
     * Maximum number of requests within any hour; further requests wait.
     */
    readonly requestsPerHour?: number;
    /**
     * Maximum of input and output tokens within any minute; requests wait until their estimate fits.
     */
    readonly tokensPerMinute?: number;
    /**
     * Longest answer that a request allows.
     */
    readonly maxTokensPerRequest?: number;
  };
  /**
   * Retries after 429, 5xx and lost connections. Retry-After is respected, up to `maxWaitSeconds`.
   */
  readonly retry: {
    /**
     * Maximum number of attempts, including the first.
     */
    readonly attempts: number;
    /**
     * Pause before the second attempt; doubled for each further attempt.
     */
    readonly backoffSeconds: number;
    /**
     * Longest Retry-After that is waited for, after any status. The run waits without using up its time or a place of `runs.concurrency`. If the server asks for more, the run fails.
     */
    readonly maxWaitSeconds: number;
  };
  /**
   * Price of the model in US dollars per million tokens. Default: the engine's price list, for OpenAI's and Anthropic's own servers. Otherwise costs are unknown.
   */
  readonly price?: {
    /**
     * Price of a million input tokens.
     */
    readonly inputPerMillion: number;
    /**
     * Price of a million output tokens.
     */
    readonly outputPerMillion: number;
    /**
     * Price of a million input tokens that the provider read from its cache. Default: `inputPerMillion`.
     */
    readonly cachedInputPerMillion?: number;
  };
  /**
   * `local`: requests stay on machines of yours. Callsheet trusts this setting and only warns if the address looks public. Runs of a director with `locality: local` use only such APIs, fallbacks included.
   */
  readonly locality: 'any' | 'local';
  /**
   * APIs that stand in for this one. A list: they are tried in this order at the start of a run if this API is not available (no key, or the server does not answer). With `to` and `on`, the next of them also takes over during a run, where a request has failed and its retries are used up; never one with rules of a script, and after an API with `locality: local` only others with it.
   */
  readonly fallback:
    | readonly string[]
    | {
        /**
         * The APIs, in order.
         *
         * Items: Id of an API, a file in `apis/`.
         */
        readonly to: readonly string[];
        /**
         * Failures after which the next API takes over during a run. `unavailable`: the server does not answer, or answers with an error of its own. `rateLimit`: its limit is reached for longer than `retry` allows, or the account has no credit.
         *
         * Items: A failure.
         */
        readonly on: readonly ('unavailable' | 'rateLimit')[];
      };
}
/**
 * Anthropic, or a server that supports its Messages API.
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
   * Set to false to disable this API without deleting its file.
   */
  readonly enabled: boolean;
  /**
   * Position among the APIs: lowest number first, then by id. APIs without a number come last.
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
   * Reference to the key: `${env:NAME}` or `${secret:NAME}`. Never the key itself.
   */
  readonly apiKey: string;
  /**
   * Address of the server, without the version part.
   */
  readonly baseUrl: string;
  /**
   * Whether an answer that must be JSON (`output` of a director or an agent) is asked for with its schema, so that the server keeps to it. The engine checks every such answer in any case. Default: true. Some older models refuse it.
   */
  readonly structuredOutput?: boolean;
  /**
   * Whether to stream answers. Streaming shows the cost of an answer that is cancelled half-way.
   */
  readonly stream: boolean;
  /**
   * Longest answer. Anthropic requires a limit.
   */
  readonly maxTokens: number;
  /**
   * Limits of the requests to this API.
   */
  readonly limits: {
    /**
     * Time limit of a request.
     */
    readonly timeoutSeconds: number;
    /**
     * Maximum number of requests at the same time.
     */
    readonly concurrency: number;
    /**
     * Maximum number of requests within any minute; further requests wait. The count survives a restart.
     */
    readonly requestsPerMinute?: number;
    /**
     * Maximum number of requests within any hour; further requests wait.
     */
    readonly requestsPerHour?: number;
    /**
     * Maximum of input and output tokens within any minute; requests wait until their estimate fits.
     */
    readonly tokensPerMinute?: number;
    /**
     * Longest answer that a request allows.
     */
    readonly maxTokensPerRequest?: number;
  };
  /**
   * Retries after 429, 5xx and lost connections. Retry-After is respected, up to `maxWaitSeconds`.
   */
  readonly retry: {
    /**
     * Maximum number of attempts, including the first.
     */
    readonly attempts: number;
    /**
     * Pause before the second attempt; doubled for each further attempt.
     */
    readonly backoffSeconds: number;
    /**
     * Longest Retry-After that is waited for, after any status. The run waits without using up its time or a place of `runs.concurrency`. If the server asks for more, the run fails.
     */
    readonly maxWaitSeconds: number;
  };
  /**
   * Price of the model in US dollars per million tokens. Default: the engine's price list, for OpenAI's and Anthropic's own servers. Otherwise costs are unknown.
   */
  readonly price?: {
    /**
     * Price of a million input tokens.
     */
    readonly inputPerMillion: number;
    /**
     * Price of a million output tokens.
     */
    readonly outputPerMillion: number;
    /**
     * Price of a million input tokens that the provider read from its cache. Default: `inputPerMillion`.
     */
    readonly cachedInputPerMillion?: number;
  };
  /**
   * `local`: requests stay on machines of yours. Callsheet trusts this setting and only warns if the address looks public. Runs of a director with `locality: local` use only such APIs, fallbacks included.
   */
  readonly locality: 'any' | 'local';
  /**
   * APIs that stand in for this one. A list: they are tried in this order at the start of a run if this API is not available (no key, or the server does not answer). With `to` and `on`, the next of them also takes over during a run, where a request has failed and its retries are used up; never one with rules of a script, and after an API with `locality: local` only others with it.
   */
  readonly fallback:
    | readonly string[]
    | {
        /**
         * The APIs, in order.
         *
         * Items: Id of an API, a file in `apis/`.
         */
        readonly to: readonly string[];
        /**
         * Failures after which the next API takes over during a run. `unavailable`: the server does not answer, or answers with an error of its own. `rateLimit`: its limit is reached for longer than `retry` allows, or the account has no credit.
         *
         * Items: A failure.
         */
        readonly on: readonly ('unavailable' | 'rateLimit')[];
      };
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
   * Set to false to disable this API without deleting its file.
   */
  readonly enabled: boolean;
  /**
   * Position among the APIs: lowest number first, then by id. APIs without a number come last.
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
   * Address of the Ollama server. An address that ends in `/v1` selects the OpenAI-compatible API.
   */
  readonly baseUrl: string;
  /**
   * Whether an answer that must be JSON (`output` of a director or an agent) is asked for with its schema, so that the server keeps to it. The engine checks every such answer in any case. Default: true. It is left out of requests with tools, since the model could then call none.
   */
  readonly structuredOutput?: boolean;
  /**
   * Whether to stream answers. Streaming shows the token count of an answer that is cancelled half-way.
   */
  readonly stream: boolean;
  /**
   * Size of the context, input and output together. A larger context takes more memory. Ollama cuts what does not fit, without an error. Not sent if `baseUrl` ends in `/v1`, which does not support it.
   */
  readonly contextTokens: number;
  /**
   * Limits of the requests to this API.
   */
  readonly limits: {
    /**
     * Time limit of a request.
     */
    readonly timeoutSeconds: number;
    /**
     * Maximum number of requests at the same time.
     */
    readonly concurrency: number;
    /**
     * Maximum number of requests within any minute; further requests wait. The count survives a restart.
     */
    readonly requestsPerMinute?: number;
    /**
     * Maximum number of requests within any hour; further requests wait.
     */
    readonly requestsPerHour?: number;
    /**
     * Maximum of input and output tokens within any minute; requests wait until their estimate fits.
     */
    readonly tokensPerMinute?: number;
    /**
     * Longest answer that a request allows.
     */
    readonly maxTokensPerRequest?: number;
  };
  /**
   * Retries after 429, 5xx and lost connections. Retry-After is respected, up to `maxWaitSeconds`.
   */
  readonly retry: {
    /**
     * Maximum number of attempts, including the first.
     */
    readonly attempts: number;
    /**
     * Pause before the second attempt; doubled for each further attempt.
     */
    readonly backoffSeconds: number;
    /**
     * Longest Retry-After that is waited for, after any status. The run waits without using up its time or a place of `runs.concurrency`. If the server asks for more, the run fails.
     */
    readonly maxWaitSeconds: number;
  };
  /**
   * Price of the model in US dollars per million tokens. Default: the engine's price list, for OpenAI's and Anthropic's own servers. Otherwise costs are unknown.
   */
  readonly price?: {
    /**
     * Price of a million input tokens.
     */
    readonly inputPerMillion: number;
    /**
     * Price of a million output tokens.
     */
    readonly outputPerMillion: number;
    /**
     * Price of a million input tokens that the provider read from its cache. Default: `inputPerMillion`.
     */
    readonly cachedInputPerMillion?: number;
  };
  /**
   * `local`: requests stay on machines of yours. Callsheet trusts this setting and only warns if the address looks public. Runs of a director with `locality: local` use only such APIs, fallbacks included.
   */
  readonly locality: 'any' | 'local';
  /**
   * APIs that stand in for this one. A list: they are tried in this order at the start of a run if this API is not available (no key, or the server does not answer). With `to` and `on`, the next of them also takes over during a run, where a request has failed and its retries are used up; never one with rules of a script, and after an API with `locality: local` only others with it.
   */
  readonly fallback:
    | readonly string[]
    | {
        /**
         * The APIs, in order.
         *
         * Items: Id of an API, a file in `apis/`.
         */
        readonly to: readonly string[];
        /**
         * Failures after which the next API takes over during a run. `unavailable`: the server does not answer, or answers with an error of its own. `rateLimit`: its limit is reached for longer than `retry` allows, or the account has no credit.
         *
         * Items: A failure.
         */
        readonly on: readonly ('unavailable' | 'rateLimit')[];
      };
}
/**
 * A command-line agent on this machine, such as Codex, Claude Code or Gemini CLI, or a command of your own. It answers with text; `tools` of a director or an agent are not offered to it.
 */
export interface CliApi {
  /**
   * Id of this API. Equals the file name.
   */
  readonly id: string;
  /**
   * A note for people.
   */
  readonly description: string;
  /**
   * Set to false to disable this API without deleting its file.
   */
  readonly enabled: boolean;
  /**
   * Position among the APIs: lowest number first, then by id. APIs without a number come last.
   */
  readonly order?: number;
  /**
   * `cli`: a command-line agent.
   */
  readonly provider: 'cli';
  /**
   * The tool: `codex`, `claude` or `gemini`, which you install and sign in to yourself, or a command of your own.
   */
  readonly cli:
    | string
    | {
        /**
         * The program and its arguments; no shell reads them. A program without a slash is found by `PATH`. `{{prompt}}` stands for the prompt with `input: argument`, `{{sessionId}}` for a fresh UUID, or with `sessions: resume` for that of the last turn.
         *
         * Items: The program, or one argument.
         */
        readonly argv: readonly string[];
        /**
         * How the tool gets the prompt. `argument`: in place of `{{prompt}}`, or as the last argument; other programs of this machine can then see it.
         */
        readonly input: 'stdin' | 'argument';
        /**
         * `text`: standard output is the message. `jsonl`: standard output has a JSON object in each line; the message is the `text` of all lines together. Where no line has one, standard output is the message.
         */
        readonly output: 'text' | 'jsonl';
        /**
         * With `output: jsonl`: the key of the text in a line, with dots between keys.
         */
        readonly text: string;
        /**
         * With `output: jsonl`: the key of the tool's session id in a line. The id is kept in the trace. Without it, the trace has the id that stands in place of `{{sessionId}}`.
         */
        readonly sessionId?: string;
      };
  /**
   * The program of the tool, where `PATH` does not have it, with arguments that always come first. Default: the name of the tool. Not used with a command of your own.
   *
   * Items: The program, or one argument.
   */
  readonly command?: readonly string[];
  /**
   * The program that speaks the Agent Client Protocol for the tool, with its arguments. Default: `claude-agent-acp`, `codex-acp` or `gemini --acp`, found by `PATH`. A command of your own has it only if it is set here.
   *
   * Items: The program, or one argument.
   */
  readonly acpCommand?: readonly string[];
  /**
   * How Callsheet talks to the tool. `acp`: by the Agent Client Protocol, in which the tool asks before it acts. `flags`: one process for each turn, by command-line arguments. `auto`: `acp` where its program is found, else `flags`.
   */
  readonly protocol: 'auto' | 'acp' | 'flags';
  /**
   * Whether a participant of a group chat goes on in the tool's session of its last turn. `fresh`: each turn is a new session that reads the whole transcript. `resume`: the tool loads its session and reads what is new, where it can and nothing has changed; else the session is fresh, and the trace says why.
   */
  readonly sessions: 'fresh' | 'resume';
  /**
   * Time limit of a turn. The time in which a person decides on a permission does not count. The tool and all processes that it started are then ended.
   */
  readonly timeoutSeconds: number;
  /**
   * Names of variables that the tool gets from the environment of Callsheet, besides `PATH`, `HOME`, `USER`, `LANG`, `LC_*` and `TMPDIR`. On Windows it also gets those that programs need there.
   *
   * Items: Name of a variable.
   */
  readonly env: readonly string[];
  /**
   * Limits of the turns of this tool.
   */
  readonly limits: {
    /**
     * Maximum number of turns at the same time, each with a process of its own.
     */
    readonly concurrency: number;
    /**
     * Maximum number of turns within any minute; further turns wait. The count survives a restart.
     */
    readonly requestsPerMinute?: number;
    /**
     * Maximum number of turns within any hour; further turns wait.
     */
    readonly requestsPerHour?: number;
  };
  /**
   * `local`: the tool and its model stay on machines of yours. Callsheet trusts this setting. Runs of a director with `locality: local` use only such APIs, fallbacks included.
   */
  readonly locality: 'any' | 'local';
  /**
   * APIs that stand in for this one. A list: they are tried in this order at the start of a run if this API is not available (no key, or the server does not answer). With `to` and `on`, the next of them also takes over during a run, where a request has failed and its retries are used up; never one with rules of a script, and after an API with `locality: local` only others with it.
   */
  readonly fallback:
    | readonly string[]
    | {
        /**
         * The APIs, in order.
         *
         * Items: Id of an API, a file in `apis/`.
         */
        readonly to: readonly string[];
        /**
         * Failures after which the next API takes over during a run. `unavailable`: the server does not answer, or answers with an error of its own. `rateLimit`: its limit is reached for longer than `retry` allows, or the account has no credit.
         *
         * Items: A failure.
         */
        readonly on: readonly ('unavailable' | 'rateLimit')[];
      };
}
/**
 * No AI: rules give the answers. For first steps, tests and dry runs.
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
   * Set to false to disable this API without deleting its file.
   */
  readonly enabled: boolean;
  /**
   * Position among the APIs: lowest number first, then by id. APIs without a number come last.
   */
  readonly order?: number;
  /**
   * `scripted`: no AI; rules give the answers.
   */
  readonly provider: 'scripted';
  /**
   * Rules; the first rule that matches answers. If none matches, the answer says so.
   */
  readonly script: readonly ScriptRule[];
  /**
   * Rules send no requests, so the default is `local`: directors with `locality: local` may use them.
   */
  readonly locality: 'any' | 'local';
  /**
   * APIs to try in this order at the start of a run if this one is not available (no key, or the server does not answer).
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
 * The conditions of the rule. All of them must match.
 */
export interface ScriptWhen {
  /**
   * Matches every request.
   */
  readonly any?: true;
  /**
   * Kind of the actor that asks: a director or an agent.
   */
  readonly role?: 'director' | 'agent';
  /**
   * Id of the director or agent that asks.
   */
  readonly id?: string;
  /**
   * Number of the request, from 1 in each run and each ask.
   */
  readonly turn?: number;
  /**
   * The last message is the result of this tool.
   */
  readonly tool?: string;
  /**
   * A regular expression that the last user message matches. Case-sensitive unless it starts with `(?i)`.
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
   * Arguments of the call. Templates in its texts are replaced as in `say`.
   */
  readonly arguments: {
    readonly [k: string]: unknown;
  };
}
/**
 * A folder of .eml files or a Maildir. Callsheet fetches each file that is put into it.
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
   * Set to false to disable this account without deleting its file.
   */
  readonly enabled: boolean;
  /**
   * Position among the accounts: lowest number first, then by id. Accounts without a number come last.
   */
  readonly order?: number;
  /**
   * `folder`: a folder on this machine.
   */
  readonly provider: 'folder';
  /**
   * Address of the mailbox. Mail from this address counts as own mail.
   */
  readonly email: string;
  /**
   * The folder. Relative paths start at the parent of the config folder.
   */
  readonly path: string;
  /**
   * Format of the folder: .eml files (`eml`), a Maildir with cur and new (`maildir`), or detected (`auto`).
   */
  readonly format: 'auto' | 'eml' | 'maildir';
  /**
   * Signature of mails that are written for this account. Plain text.
   */
  readonly signature?: string;
}
/**
 * A mailbox on an IMAP server. Fetching does not change it.
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
   * Set to false to disable this account without deleting its file.
   */
  readonly enabled: boolean;
  /**
   * Position among the accounts: lowest number first, then by id. Accounts without a number come last.
   */
  readonly order?: number;
  /**
   * `imap`: a mailbox on any IMAP server.
   */
  readonly provider: 'imap';
  /**
   * Address of the mailbox. Mail from this address counts as own mail.
   */
  readonly email: string;
  readonly imap: ImapServer;
  readonly auth: ImapLogin;
  readonly smtp?: SmtpServer;
  /**
   * The mailbox to fetch, as the server spells it. Mailboxes below it are not fetched.
   */
  readonly mailbox: string;
  /**
   * Signature of mails that are written for this account. Plain text.
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
   * Port of the server.
   */
  readonly port: number;
  /**
   * True: TLS from the first byte, with a verified certificate. False: STARTTLS; a server without STARTTLS is not used, unless it is on this machine.
   */
  readonly secure: boolean;
}
/**
 * The login.
 */
export interface ImapLogin {
  /**
   * User name; for most providers the mail address.
   */
  readonly user: string;
  /**
   * Reference to the password: `${env:NAME}` or `${secret:NAME}`. Never the password itself.
   */
  readonly pass: string;
}
/**
 * The SMTP server. Without it, this account can write drafts but cannot send.
 */
export interface SmtpServer {
  /**
   * Name or address of the server.
   */
  readonly host: string;
  /**
   * Port of the server: 465 with `secure: true`, 587 with `secure: false`.
   */
  readonly port: number;
  /**
   * True: TLS from the first byte, with a verified certificate. False: STARTTLS; nothing is sent to a server without STARTTLS, unless it is on this machine.
   */
  readonly secure: boolean;
  readonly auth?: SmtpLogin;
  /**
   * True if the server itself stores sent mails in the Sent folder. Not needed for Gmail, which is known to do so.
   */
  readonly savesSent: boolean;
}
/**
 * The login, if it differs from `auth` of the account.
 */
export interface SmtpLogin {
  /**
   * User name.
   */
  readonly user: string;
  /**
   * Reference to the password: `${env:NAME}` or `${secret:NAME}`. Never the password itself.
   */
  readonly pass: string;
}
/**
 * A Gmail mailbox. A person signs in once, and the store keeps the tokens; they never stand in this file.
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
   * Set to false to disable this account without deleting its file.
   */
  readonly enabled: boolean;
  /**
   * Position among the accounts: lowest number first, then by id. Accounts without a number come last.
   */
  readonly order?: number;
  /**
   * `gmail`: a mailbox at Google.
   */
  readonly provider: 'gmail';
  /**
   * Address of the mailbox. The sign-in must be for this address. Mail from it counts as own mail.
   */
  readonly email: string;
  /**
   * Signature of mails that are written for this account. Replaces the signature set in Gmail. Plain text.
   */
  readonly signature?: string;
  readonly oauth: GoogleClient;
  readonly endpoints?: GoogleEndpoints;
  /**
   * Callsheet fetches mail with one of these labels, named as Gmail shows them.
   */
  readonly labels: readonly string[];
  /**
   * True: people reply from the viewer through this account, so the sign-in also requests drafts and sending. Not needed for directors and agents with mail tools.
   */
  readonly replies: boolean;
}
/**
 * The OAuth client, created in the Google Cloud console.
 */
export interface GoogleClient {
  /**
   * Id of the client. It is not secret, but may be a reference.
   */
  readonly clientId: string;
  /**
   * Reference to the client secret: `${env:NAME}` or `${secret:NAME}`. Google issues one for desktop clients, too.
   */
  readonly clientSecret: string;
}
/**
 * Addresses of Google, for emulators and proxies. Default: Google itself.
 */
export interface GoogleEndpoints {
  /**
   * Sign-in page: the address before `/o/oauth2/v2/auth`.
   */
  readonly auth?: string;
  /**
   * Token endpoint: the address before `/token`.
   */
  readonly token?: string;
  /**
   * Gmail, Calendar and Tasks: the address before `/gmail/v1`.
   */
  readonly api?: string;
}
/**
 * An Outlook or Microsoft 365 mailbox; Callsheet fetches its Inbox. A person signs in once, and the store keeps the tokens; they never stand in this file.
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
   * Set to false to disable this account without deleting its file.
   */
  readonly enabled: boolean;
  /**
   * Position among the accounts: lowest number first, then by id. Accounts without a number come last.
   */
  readonly order?: number;
  /**
   * `outlook`: a mailbox at Microsoft, personal or of an organisation.
   */
  readonly provider: 'outlook';
  /**
   * Address of the mailbox. The sign-in must be for this address. Mail from it counts as own mail.
   */
  readonly email: string;
  /**
   * Signature of mails that are written for this account. Plain text.
   */
  readonly signature?: string;
  readonly oauth: MicrosoftClient;
  readonly endpoints?: MicrosoftEndpoints;
  /**
   * True: people reply from the viewer through this account, so the sign-in also requests drafts and sending. Not needed for directors and agents with mail tools.
   */
  readonly replies: boolean;
}
/**
 * The app registration, created in the Microsoft Entra admin center.
 */
export interface MicrosoftClient {
  /**
   * Application (client) id. It is not secret, but may be a reference.
   */
  readonly clientId: string;
  /**
   * Reference to the client secret: `${env:NAME}` or `${secret:NAME}`. Only for the platform Web; Mobile and desktop applications have none.
   */
  readonly clientSecret?: string;
  /**
   * Accounts that may sign in: `common` for all, `organizations` for work and school, `consumers` for personal accounts, or the id or domain of one organisation.
   */
  readonly tenant: string;
}
/**
 * Addresses of Microsoft, for national clouds, emulators and proxies. Default: the worldwide cloud.
 */
export interface MicrosoftEndpoints {
  /**
   * Sign-in page: the address before the tenant.
   */
  readonly auth?: string;
  /**
   * Token endpoint: the address before the tenant. Default: `auth`.
   */
  readonly token?: string;
  /**
   * Microsoft Graph: the address before `/v1.0`.
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
   * Set to false to disable this filter without deleting its file.
   */
  readonly enabled: boolean;
  /**
   * Position among the filters: lowest number first, then by id. Filters without a number come last.
   */
  readonly order?: number;
  /**
   * Part of the mail: `From`, `To`, `CC`, `BCC` (each bare address and each `name <address>`), `Subject`, `Body` (the text, else the text of the HTML; its first 256 KB), `Date` (ISO 8601, UTC), `Label` (each), or `Header:<name>` (each header of that name).
   */
  readonly field: string;
  /**
   * Regular expression in RE2 syntax that must match somewhere in the field. Case-sensitive unless it starts with `(?i)`.
   */
  readonly regex: string;
  /**
   * The director or directors that get the mail.
   */
  readonly directorId: string | readonly string[];
  /**
   * Accounts whose mail this filter checks. Default: all accounts.
   *
   * Items: Id of an account, a file in `accounts/`.
   */
  readonly accountIds?: readonly string[];
  /**
   * Set to true to check no further filter after a match of this one.
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
   * Set to false to disable this filter without deleting its file.
   */
  readonly enabled: boolean;
  /**
   * Position among the filters: lowest number first, then by id. Filters without a number come last.
   */
  readonly order?: number;
  /**
   * Conditions that all match.
   */
  readonly allOf: readonly Condition[];
  /**
   * The director or directors that get the mail.
   */
  readonly directorId: string | readonly string[];
  /**
   * Accounts whose mail this filter checks. Default: all accounts.
   *
   * Items: Id of an account, a file in `accounts/`.
   */
  readonly accountIds?: readonly string[];
  /**
   * Set to true to check no further filter after a match of this one.
   */
  readonly stop: boolean;
}
export interface ConditionFieldRegex {
  /**
   * Part of the mail: `From`, `To`, `CC`, `BCC` (each bare address and each `name <address>`), `Subject`, `Body` (the text, else the text of the HTML; its first 256 KB), `Date` (ISO 8601, UTC), `Label` (each), or `Header:<name>` (each header of that name).
   */
  readonly field: string;
  /**
   * Regular expression in RE2 syntax that must match somewhere in the field. Case-sensitive unless it starts with `(?i)`.
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
   * Set to false to disable this filter without deleting its file.
   */
  readonly enabled: boolean;
  /**
   * Position among the filters: lowest number first, then by id. Filters without a number come last.
   */
  readonly order?: number;
  /**
   * Conditions of which at least one matches.
   */
  readonly anyOf: readonly Condition[];
  /**
   * The director or directors that get the mail.
   */
  readonly directorId: string | readonly string[];
  /**
   * Accounts whose mail this filter checks. Default: all accounts.
   *
   * Items: Id of an account, a file in `accounts/`.
   */
  readonly accountIds?: readonly string[];
  /**
   * Set to true to check no further filter after a match of this one.
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
   * Set to false to disable this filter without deleting its file.
   */
  readonly enabled: boolean;
  /**
   * Position among the filters: lowest number first, then by id. Filters without a number come last.
   */
  readonly order?: number;
  readonly not: Condition;
  /**
   * The director or directors that get the mail.
   */
  readonly directorId: string | readonly string[];
  /**
   * Accounts whose mail this filter checks. Default: all accounts.
   *
   * Items: Id of an account, a file in `accounts/`.
   */
  readonly accountIds?: readonly string[];
  /**
   * Set to true to check no further filter after a match of this one.
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
   * The purpose of this director. Part of the system message that Callsheet writes if the prompt has none.
   */
  readonly description: string;
  /**
   * Set to false to disable this director without deleting its file.
   */
  readonly enabled: boolean;
  /**
   * Position among the directors: lowest number first, then by id. Directors without a number come last.
   */
  readonly order?: number;
  /**
   * Name for people. Default: the id.
   */
  readonly name: string;
  /**
   * Mode of work. `orchestrate`: one loop of model and tools for each trigger. `plan`: a plan of steps is made, each is worked on and evaluated, and their results become one answer. `objective`: pursues one wish on threads of mails for weeks, with drafts, waits and follow-ups.
   */
  readonly mode: 'orchestrate' | 'plan' | 'objective';
  /**
   * What a director with `mode: objective` works with.
   */
  readonly objective: {
    /**
     * The agent that sums up the threads and finds constraints; one of `agents`. Default: the director itself.
     */
    readonly intake?: string;
    /**
     * The agent that decides the next action; one of `agents`. Default: the director itself.
     */
    readonly planner?: string;
    /**
     * The agent that writes the drafts; one of `agents`. Default: the director itself.
     */
    readonly writer?: string;
    /**
     * When nobody answers.
     */
    readonly followUp: {
      /**
       * How long a reply is awaited after the last mail of the user, before the planner is asked again.
       */
      readonly afterHours: number;
      /**
       * Most follow-ups of one objective. After the last one the planner asks the user, or ends the objective.
       */
      readonly max: number;
      /**
       * Most follow-ups that one recipient gets within 24 hours, from all objectives together.
       */
      readonly perRecipientPerDay: number;
      /**
       * Hours in which follow-ups leave, in place of `calendar.workingHours` of the settings. Default: those of the settings.
       */
      readonly workingHours?: {
        /**
         * First minute, in the local time of the time zone.
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
     * `never`: drafts lie in Drafts, and the user sends them. `ask`: a person is asked as well, and may send the draft from Callsheet. `allow`: drafts are sent, where the permissions and `untrusted.act` allow `mail_send`.
     */
    readonly sendDrafts: 'never' | 'ask' | 'allow';
    /**
     * How often an objective wakes at most. One that would wake more often fails.
     */
    readonly maxWakes: number;
    /**
     * Most cost of one objective over its whole life; `budget` counts for each wake. Default: no limit.
     */
    readonly maxCost?: number;
    /**
     * Longest life of an objective. One that is not reached by then fails.
     */
    readonly maxDays: number;
  };
  /**
   * Limits of a director with `mode: plan`.
   */
  readonly plan: {
    /**
     * Most steps of a plan, those that the engine adds included.
     */
    readonly maxSteps: number;
    /**
     * Most rounds of tool calls in one try of a step. A step that uses them up goes to the evaluator with what it has.
     */
    readonly maxRoundsPerStep: number;
    /**
     * Most further tries of a step that failed. After the last one the plan goes on without the step, and the answer says what failed.
     */
    readonly maxRetriesPerStep: number;
  };
  /**
   * The API that this director uses, a file in `apis/`.
   */
  readonly apiConfigId: string;
  /**
   * `local`: mail and results never reach an api that is not marked `locality: local`, neither through agents nor through fallbacks.
   */
  readonly locality: 'any' | 'local';
  /**
   * Starts this director at set times, with a message. A start that was missed, because no process ran, is made up for once.
   */
  readonly schedule?: {
    /**
     * Cron expression of five fields: minute, hour, day of month, month, day of week. A time that the clocks skip counts at the change; one that occurs twice counts once.
     */
    readonly cron: string;
    /**
     * IANA name of the time zone of `cron`. Default: `calendar.timeZone` of the settings.
     */
    readonly timeZone?: string;
    /**
     * Message to the director at each start.
     */
    readonly message: string;
  };
  /**
   * Accounts whose mail this director accepts. A match of a filter with mail of another account is skipped and reported. Default: all accounts.
   *
   * Items: Id of an account, a file in `accounts/`.
   */
  readonly accountIds?: readonly string[];
  /**
   * Agents that this director may ask, each through the tool `agent__<id>`.
   *
   * Items: Id of an agent, a file in `agents/`.
   */
  readonly agents: readonly string[];
  /**
   * Tools that the model sees: names of tool families (`workspace`) or of single tools (`workspace_add_item`).
   *
   * Items: A family or a tool.
   */
  readonly tools: readonly string[];
  /**
   * A folder with memories of this director as Markdown files, for example from `callsheet memory export`. A changed file counts at the next lookup; tools do not change these files. Relative paths start at the parent of the config folder. It cannot contain, be or lie in the config folder or the data folder.
   */
  readonly memory?: string;
  /**
   * Agents whose local memories this director may read, besides its own, those that it shares and the global ones. It cannot change them.
   *
   * Items: Id of an agent, a file in `agents/`.
   */
  readonly memoryAccess: readonly string[];
  /**
   * A fixed character or memory. It becomes a system message after those of the prompt. Variables as in `prompt`, without those of the mail.
   */
  readonly imprint?: string;
  readonly prompt?: PromptSource;
  readonly permissions?: Permissions;
  readonly untrusted?: Untrusted;
  /**
   * Keeps private data from models: the director and its agents see placeholders such as `<PERSON_1>` in its place, the same one for the same value in the whole run. People see the real values, and so do the tools that `restoreIn` names. See docs/privacy.md. Default: models see everything.
   */
  readonly privacy?: {
    /**
     * Kinds of private data that models do not see.
     *
     * Items: A kind of private data: names of persons, phone numbers, e-mail addresses, IBANs, numbers of payment cards.
     */
    readonly redact: readonly ('person' | 'phone' | 'email' | 'iban' | 'card')[];
    /**
     * Kinds of words that stay, even where they look like the name of a person or a number.
     *
     * Items: A kind of words that stays.
     */
    readonly keep: readonly ('company' | 'date' | 'location' | 'role')[];
    /**
     * Tools that get the real values in place of placeholders, besides those that only search what is the user's own (mail, calendar, to-dos, files, memory) and the workspace, memory and notification tools. Every other tool, such as a web search, gets the placeholder. Names may contain `*`.
     *
     * Items: Name of a tool; `*` stands for any characters.
     */
    readonly restoreIn: readonly string[];
    /**
     * A recogniser service on this machine that is asked as well, in the shape of Presidio's `analyze`. What it finds is redacted besides what Callsheet finds. If it does not answer, nothing is sent to a model: the run waits and then fails. Default: the one of the settings.
     */
    readonly recognizer?: {
      /**
       * Address of the service. Only an address of this machine, since the service reads everything.
       */
      readonly url: string;
      /**
       * Languages that the service knows. It is asked once for each.
       *
       * Items: Code of a language.
       */
      readonly languages: readonly string[];
    };
  };
  readonly approvals?: ApprovalSettings;
  readonly scope?: Scope;
  /**
   * Gates before calls of tools, for this director and its agents, that no prompt can pass.
   */
  readonly guards: readonly GateRule[];
  /**
   * The form of the final answer, where it must be JSON. It is also stored as an item of type `application/json`. The model may correct an answer of another form twice; then the run fails with `OUTPUT_INVALID`.
   */
  readonly output?: {
    /**
     * JSON Schema (draft 2020-12) of the answer. Models see it. Providers with a strict mode keep to it, where it describes an object with named properties: `additionalProperties` is false or left out.
     */
    readonly schema: {
      readonly [k: string]: unknown;
    };
  };
  /**
   * Checks of the final answer, before anybody sees it.
   */
  readonly checks: readonly AnswerCheck[];
  /**
   * Limits of one run. A run that reaches a limit ends; its results so far stay.
   */
  readonly budget: {
    /**
     * Maximum number of requests to the model, those of its agents included. The last one is for the director itself.
     */
    readonly maxIterations: number;
    /**
     * Maximum working time. Waiting for a person does not count.
     */
    readonly maxMinutes: number;
    /**
     * Maximum of input and output tokens, including those of its agents. A request that may exceed it ends the run; its results so far stay.
     */
    readonly maxTokens?: number;
    /**
     * Maximum cost, including that of its agents. The price of the model must be known.
     */
    readonly maxCost?: number;
  };
}
/**
 * One message in OpenAI's chat format.
 */
export interface PromptMessage {
  /**
   * Role of the message. Mail and other untrusted text are allowed only in role `user`. Role `tool` is an example of a tool's result; Callsheet adds the call before it.
   */
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  /**
   * The text. Variables: `{{email}}` (the mail as a marked envelope), `{{email.subject}}`, `{{email.from}}`, `{{email.to}}`, `{{email.cc}}`, `{{email.date}}`, `{{email.text}}`, `{{email.id}}`, `{{message}}` (what the person, director or task asks), `{{thread}}` (the stored mails of the thread before this one, oldest first: the newest 30 of them, up to 10,000 characters of each and 60,000 in all), `{{memories}}` (what the director or agent remembers that matches the mail or the message: at most 10 memories and 4,000 characters, each with its scope and date), `{{date}}` (now, ISO 8601), `{{account}}`, `{{director}}`, `{{director.id}}`, `{{director.name}}`, `{{director.description}}`, `{{agent}}`, `{{agent.id}}`, `{{agent.name}}`, `{{agent.description}}`, `{{agents}}` (the agents that the director may ask), `{{scope}}` (the notebooks, folders, file types and operations of `scope`, in words), and a template's own. `email…`, `message`, `thread` and `memories` come from outside and may be used in role `user` only.
   */
  readonly content: string;
  /**
   * In role `tool`: the name of the tool that was called.
   */
  readonly name?: string;
  /**
   * In role `tool`: the arguments of the call. They are literal: variables are not replaced.
   */
  readonly arguments?: {
    readonly [k: string]: unknown;
  };
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
   * Values for the variables of the template. Other variables keep the default of the template. Values are literal text: variables in them are not replaced.
   */
  readonly with: {
    readonly [k: string]: string;
  };
}
/**
 * Rules for tool calls: `deny` is checked first, then `ask`, then `allow`. Names may contain `*`, and entries patterns for arguments. A call that an entry of `allow` names with other arguments asks. Discovery, the workspace and memory tools and `agent__<id>` of the listed agents are allowed unless denied. With `permissions`, a tool that no rule names is denied; without, it asks.
 */
export interface Permissions {
  /**
   * Tools that run without approval. A mail goes to others than those of its thread only where a pattern lists them, such as `mail_send(to=*@company.com)`.
   */
  readonly allow: readonly Glob[];
  /**
   * Tools that wait for the approval of a person.
   */
  readonly ask: readonly Glob[];
  /**
   * Tools that are refused. The model does not see them, unless the entry has patterns for arguments.
   */
  readonly deny: readonly Glob[];
}
/**
 * What may happen without a person after text of strangers was read: a mail, an attachment, the result of a tool that reads elsewhere, an untrusted memory. From then on every call that writes to the world, or sends its arguments outward, waits for a person, whatever `permissions.allow` says. The workspace, memories, reminders, drafts, to-dos and questions to agents do not. For the calls of its agents, the file of the director decides; in a session that a person opened with an agent, the file of the agent. See docs/injection.md.
 */
export interface Untrusted {
  /**
   * Tools that run all the same where `permissions` allow them. Entries are as in `permissions`; the pattern `@thread` stands for the addresses of all who wrote or got a mail of the thread of the run's mail.
   */
  readonly act: readonly Glob[];
}
/**
 * Which files of which notebooks the notebook tools may touch, and what they may do. A notebook is a folder that `roots` of the settings names. Without `scope`, no notebook is open. The scope of a director holds for its own calls, that of an agent for the agent's calls. A call is checked in this order: operation, notebook, folder, file type.
 */
export interface Scope {
  /**
   * Names of notebooks, as in `roots` of the settings; `*` stands for all of them.
   *
   * Items: Name of a notebook, or `*`.
   */
  readonly notebooks: readonly string[];
  /**
   * Folders and files inside the notebooks, as patterns of .gitignore, compared with the path from the root of the notebook: a leading `/` binds the pattern to the root, `*` stays inside one folder, `**` crosses folders, and a folder that matches includes everything below it. Upper and lower case differ. Default: every folder.
   *
   * Items: A pattern as in .gitignore, without `!`.
   */
  readonly folders: readonly string[];
  /**
   * Patterns for the name of a file, whatever its folder. Default: every name.
   *
   * Items: A pattern for the name alone, such as `*.md`.
   */
  readonly fileTypes: readonly string[];
  /**
   * What the tools may do: `read` (read, list and search), `write` (change files and their properties), `create` (new files), `delete`. A tool whose operation is not listed is not offered.
   *
   * Items: An operation.
   */
  readonly operations: readonly ('read' | 'write' | 'create' | 'delete')[];
}
/**
 * A gate.
 */
export interface GateRule {
  /**
   * `needsTime`: a call is refused until the user has named a day or a time in their own words; in a run without words of a user, such as on a mail, a person is asked.
   */
  readonly kind: 'needsTime';
  /**
   * Tools behind the gate.
   *
   * Items: Name of a tool; `*` stands for any characters.
   */
  readonly tools: readonly string[];
}
/**
 * A check of the final answer.
 */
export interface AnswerCheck {
  /**
   * `claims`: a sentence that says that something was done is removed, unless a call did it in this run, or in a run of the same session.
   */
  readonly kind: 'claims';
  /**
   * The claim: a meeting is in the calendar, a reminder is set, a mail was sent, or a file was written. Found in English, German, French and Spanish.
   */
  readonly claim: 'meeting-scheduled' | 'reminder-set' | 'mail-sent' | 'file-written';
  /**
   * The tool, or tools, one of which must have been called with success. Default: `calendar_add`, `reminder_create`, `mail_send`, or `notebook_write_file` and `notebook_create_file`, by claim.
   */
  readonly needs?: string | readonly string[];
  /**
   * What stands in the answer instead. `say-so`: a sentence that says that it was not done. `offer-free-times`: also free times of the next days from the calendar (for `meeting-scheduled`). `remove`: nothing, unless nothing else is left of the answer.
   */
  readonly otherwise: 'say-so' | 'offer-free-times' | 'remove';
}
/**
 * An agent does one kind of work for directors: a file in `agents/`. It sees its prompt and the question, not the mail.
 */
export interface Agent {
  /**
   * Id of this agent. Equals the file name.
   */
  readonly id: string;
  /**
   * The purpose of this agent. Directors read it when they choose an agent.
   */
  readonly description: string;
  /**
   * Set to false to disable this agent without deleting its file.
   */
  readonly enabled: boolean;
  /**
   * Position among the agents: lowest number first, then by id. Agents without a number come last.
   */
  readonly order?: number;
  /**
   * Name for people. Default: the id.
   */
  readonly name: string;
  /**
   * The API that this agent uses, a file in `apis/`. Default: the API of the director that asks; in a session with a person, the API of the directors that may ask it, if they share one.
   */
  readonly apiConfigId?: string;
  /**
   * Keys of this agent, which go before those of its API: of `apiConfigId`, else of the API of the directors that may ask it. A fallback never gets them. `POST /api/agents/:id/credentials` stores a value and writes the reference here.
   */
  readonly credentials?: {
    /**
     * Reference to the key: `${env:NAME}` or `${secret:NAME}`. Never the key itself.
     */
    readonly apiKey?: string;
    /**
     * Reference to the organisation of an `openai` API, sent as `OpenAI-Organization`: `${env:NAME}` or `${secret:NAME}`.
     */
    readonly organization?: string;
  };
  /**
   * Tools that the model sees: names of tool families (`workspace`) or of single tools (`workspace_add_item`).
   *
   * Items: A family or a tool.
   */
  readonly tools: readonly string[];
  /**
   * Agents whose local memories this agent may read, besides its own, those that it shares and the global ones. It cannot change them.
   *
   * Items: Id of an agent, a file in `agents/`.
   */
  readonly memoryAccess: readonly string[];
  /**
   * A fixed character or memory. It becomes a system message after those of the prompt. Variables as in `prompt`, without those of the mail.
   */
  readonly imprint?: string;
  readonly prompt?: PromptSource;
  readonly permissions?: Permissions;
  readonly untrusted?: Untrusted;
  /**
   * Keeps private data from models, as `privacy` of a director: where a person talks with this agent, in sessions, tasks and group chats, and in the runs of all directors that may ask it. Where several rules hold, what one of them redacts is redacted, and a tool gets real values only if all of them name it. See docs/privacy.md. Default: only `privacy` of directors holds.
   */
  readonly privacy?: {
    /**
     * Kinds of private data that models do not see.
     *
     * Items: A kind of private data: names of persons, phone numbers, e-mail addresses, IBANs, numbers of payment cards.
     */
    readonly redact: readonly ('person' | 'phone' | 'email' | 'iban' | 'card')[];
    /**
     * Kinds of words that stay, even where they look like the name of a person or a number.
     *
     * Items: A kind of words that stays.
     */
    readonly keep: readonly ('company' | 'date' | 'location' | 'role')[];
    /**
     * Tools that get the real values in place of placeholders, besides those that only search what is the user's own (mail, calendar, to-dos, files, memory) and the workspace, memory and notification tools. Every other tool, such as a web search, gets the placeholder. Names may contain `*`.
     *
     * Items: Name of a tool; `*` stands for any characters.
     */
    readonly restoreIn: readonly string[];
    /**
     * A recogniser service on this machine that is asked as well, in the shape of Presidio's `analyze`. What it finds is redacted besides what Callsheet finds. If it does not answer, nothing is sent to a model: the run waits and then fails. Default: the one of the settings.
     */
    readonly recognizer?: {
      /**
       * Address of the service. Only an address of this machine, since the service reads everything.
       */
      readonly url: string;
      /**
       * Languages that the service knows. It is asked once for each.
       *
       * Items: Code of a language.
       */
      readonly languages: readonly string[];
    };
  };
  /**
   * The form of the final answer, where it must be JSON. It is also stored as an item of type `application/json`, and a director that asks gets it as a value. The model may correct an answer of another form twice; then the work fails with `OUTPUT_INVALID`.
   */
  readonly output?: {
    /**
     * JSON Schema (draft 2020-12) of the answer. Models see it. Providers with a strict mode keep to it, where it describes an object with named properties: `additionalProperties` is false or left out.
     */
    readonly schema: {
      readonly [k: string]: unknown;
    };
  };
  readonly scope?: Scope;
  /**
   * Limits of one ask. An ask that reaches a limit ends; its results so far stay.
   */
  readonly budget: {
    /**
     * Maximum number of requests to the model for one ask, within what the director has left.
     */
    readonly maxIterations: number;
    /**
     * Maximum working time. Waiting for a person does not count.
     */
    readonly maxMinutes: number;
    /**
     * Maximum of input and output tokens, including those of its agents. A request that may exceed it ends the run; its results so far stay.
     */
    readonly maxTokens?: number;
    /**
     * Maximum cost, including that of its agents. The price of the model must be known.
     */
    readonly maxCost?: number;
  };
  /**
   * Limits of this agent over all runs. At a limit the run waits until requests are allowed again.
   */
  readonly limits?: {
    /**
     * Maximum number of model requests within any hour.
     */
    readonly requestsPerHour?: number;
    /**
     * Longest answer of the model.
     */
    readonly maxTokensPerRequest?: number;
  };
}
/**
 * A template for directors and agents: a file in `prompts/`, used by `prompt: { use: <id>, with: { … } }`.
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
   * Set to false to disable this template without deleting its file.
   */
  readonly enabled: boolean;
  /**
   * Position among the templates: lowest number first, then by id. Templates without a number come last.
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
/**
 * A tool that sends one HTTP request to a fixed host.
 */
export interface HttpTool {
  /**
   * Id of this tool, and the name that `tools` and `permissions` use. Equals the file name. It is not the name of a built-in tool, alias or family, and contains no `__`.
   */
  readonly id: string;
  /**
   * Set to false to disable this tool without deleting its file. Runs that have already started lose it at once.
   */
  readonly enabled: boolean;
  /**
   * Position among the declared tools: lowest number first, then by id. Tools without a number come last.
   */
  readonly order?: number;
  /**
   * `http`: one HTTP request.
   */
  readonly kind: 'http';
  /**
   * What the tool does, for the model.
   */
  readonly description: string;
  /**
   * JSON Schema of the arguments, of type object. The engine checks the arguments of each call against it, and the model sees it. Each placeholder `{{name}}` names one of its properties.
   */
  readonly parameters: {
    readonly [k: string]: unknown;
  };
  /**
   * The request. `{{name}}` in a text stands for an argument, encoded for its place; `${env:NAME}` and `${secret:NAME}` stand for values that are never stored in a document.
   */
  readonly request: {
    /**
     * Method of the request.
     */
    readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
    /**
     * Address. Scheme, host and port are fixed; `{{name}}` may stand in the path and in values of the query, and cannot leave its segment or value.
     */
    readonly url: string;
    /**
     * Query of the address by name. A value that is only `{{name}}` is left out if the argument is missing.
     */
    readonly query: {
      readonly [k: string]: string;
    };
    /**
     * Headers by name. Values with a reference go only to the host of `url`.
     */
    readonly headers: {
      readonly [k: string]: string;
    };
    /**
     * Body as JSON. A text that is only `{{name}}` becomes the argument with its type; a key whose argument is missing is left out.
     */
    readonly json?: {
      readonly [k: string]: unknown;
    };
    /**
     * Body as an HTML form (application/x-www-form-urlencoded), by name.
     */
    readonly form?: {
      readonly [k: string]: string;
    };
  };
  /**
   * Hosts that the tool may reach beside public addresses: a host with a private, loopback or link-local address, or a host that a redirect may lead to. Redirects to the same host need no entry.
   *
   * Items: A host name or an address; with a port if it is not the default.
   */
  readonly allowHosts: readonly string[];
  /**
   * Header in which the server takes a key that marks a repeated write, such as `Idempotency-Key`. With it a write whose outcome is unknown is sent again under the same key; without it the write is sent at most once.
   */
  readonly idempotencyHeader?: string;
  /**
   * Time limit of a call, with its retries.
   */
  readonly timeoutSeconds: number;
  /**
   * Longest response that is read, after it is decompressed. A longer one is cut, and the result says so.
   */
  readonly maxBytes: number;
  /**
   * `read`: may be repeated, and is allowed unless a rule denies it. `write`: changes something, so the engine records the call before it is made, never repeats it, and asks a person unless a rule allows it.
   */
  readonly effects: 'read' | 'write';
  /**
   * Whether the result may carry instructions of other people. `untrusted`: the result is marked as data for the model.
   */
  readonly trust: 'untrusted' | 'trusted';
}
/**
 * A tool that runs a program, without a shell. It asks a person unless a rule names it.
 */
export interface CommandTool {
  /**
   * Id of this tool, and the name that `tools` and `permissions` use. Equals the file name. It is not the name of a built-in tool, alias or family, and contains no `__`.
   */
  readonly id: string;
  /**
   * Set to false to disable this tool without deleting its file. Runs that have already started lose it at once.
   */
  readonly enabled: boolean;
  /**
   * Position among the declared tools: lowest number first, then by id. Tools without a number come last.
   */
  readonly order?: number;
  /**
   * `command`: a program on this machine.
   */
  readonly kind: 'command';
  /**
   * What the tool does, for the model.
   */
  readonly description: string;
  /**
   * JSON Schema of the arguments, of type object. The engine checks the arguments of each call against it, and the model sees it. Each placeholder `{{name}}` names one of its properties.
   */
  readonly parameters: {
    readonly [k: string]: unknown;
  };
  /**
   * The program and its arguments. `{{name}}` stands for an argument and always stays one argument. A value that begins with `-` is refused before `'--'`.
   *
   * Items: The program, or one argument.
   */
  readonly argv: readonly string[];
  /**
   * Folder in which the program runs. Relative to the folder that contains `config/`.
   */
  readonly cwd: string;
  /**
   * Variables of the program. It gets these, `PATH`, `LANG` and `HOME`, and nothing else of the environment.
   */
  readonly env: {
    readonly [k: string]: string;
  };
  /**
   * Run the program under bubblewrap: without network, and with nothing of the disk but the system's programs and libraries (read only), `cwd` and `folders`. Refused where bubblewrap is missing.
   */
  readonly sandbox: boolean;
  /**
   * With `sandbox`: further folders that the program sees, read only unless `write` is true. Relative to the folder that contains `config/`.
   */
  readonly folders: {
    /**
     * The folder.
     */
    readonly path: string;
    /**
     * Whether the program may change the folder.
     */
    readonly write: boolean;
  }[];
  /**
   * Time limit of a call. The program and all processes that it started are then killed.
   */
  readonly timeoutSeconds: number;
  /**
   * Longest output that is kept, of each of standard output and standard error. The rest is dropped, and the result says so.
   */
  readonly maxBytes: number;
  /**
   * `read`: may be repeated after a crash. `write`: is run at most once. Either asks a person unless a rule names the tool.
   */
  readonly effects: 'read' | 'write';
  /**
   * Whether the result may carry instructions of other people. `untrusted`: the result is marked as data for the model.
   */
  readonly trust: 'untrusted' | 'trusted';
}
export interface McpToolCommand {
  /**
   * Id of this tool, and the name that `tools` and `permissions` use. Equals the file name. It is not the name of a built-in tool, alias or family, and contains no `__`.
   */
  readonly id: string;
  /**
   * Set to false to disable this tool without deleting its file. Runs that have already started lose it at once.
   */
  readonly enabled: boolean;
  /**
   * Position among the declared tools: lowest number first, then by id. Tools without a number come last.
   */
  readonly order?: number;
  /**
   * `mcp`: the tools of an MCP server.
   */
  readonly kind: 'mcp';
  /**
   * A note for people. The model sees the descriptions of the server.
   */
  readonly description: string;
  /**
   * Program of the server, which speaks MCP over stdio.
   */
  readonly command: string;
  /**
   * Arguments of the program.
   *
   * Items: One argument.
   */
  readonly args?: readonly string[];
  /**
   * Variables of the program. It gets these, `PATH`, `LANG` and `HOME`, and nothing else of the environment.
   */
  readonly env?: {
    readonly [k: string]: string;
  };
  /**
   * Folder in which the program runs. Relative to the folder that contains `config/`, which is the default.
   */
  readonly cwd?: string;
  /**
   * Headers of each request to `url`, by name.
   */
  readonly headers?: {
    readonly [k: string]: string;
  };
  /**
   * Hosts with a private, loopback or link-local address that `url` may have. Without it, the server must be on the internet.
   *
   * Items: A host name or an address; with a port if it is not the default.
   */
  readonly allowHosts?: readonly string[];
  /**
   * Names of the server's tools that may be offered, as the server spells them; `*` stands for any characters.
   *
   * Items: A tool of the server.
   */
  readonly allow: readonly string[];
  /**
   * What the tools do: `read` or `write`. What the server says about its tools is only a hint, and can make a tool stricter, never laxer.
   */
  readonly effects: 'read' | 'write';
  /**
   * Time limit of a call.
   */
  readonly timeoutSeconds: number;
  /**
   * Longest result that is kept. A longer one is cut, and the result says so.
   */
  readonly maxBytes: number;
  /**
   * Whether the result may carry instructions of other people. `untrusted`: the result is marked as data for the model.
   */
  readonly trust: 'untrusted' | 'trusted';
}
export interface McpToolUrl {
  /**
   * Id of this tool, and the name that `tools` and `permissions` use. Equals the file name. It is not the name of a built-in tool, alias or family, and contains no `__`.
   */
  readonly id: string;
  /**
   * Set to false to disable this tool without deleting its file. Runs that have already started lose it at once.
   */
  readonly enabled: boolean;
  /**
   * Position among the declared tools: lowest number first, then by id. Tools without a number come last.
   */
  readonly order?: number;
  /**
   * `mcp`: the tools of an MCP server.
   */
  readonly kind: 'mcp';
  /**
   * A note for people. The model sees the descriptions of the server.
   */
  readonly description: string;
  /**
   * Arguments of the program.
   *
   * Items: One argument.
   */
  readonly args?: readonly string[];
  /**
   * Variables of the program. It gets these, `PATH`, `LANG` and `HOME`, and nothing else of the environment.
   */
  readonly env?: {
    readonly [k: string]: string;
  };
  /**
   * Folder in which the program runs. Relative to the folder that contains `config/`, which is the default.
   */
  readonly cwd?: string;
  /**
   * Address of the server, which speaks MCP over streamable HTTP.
   */
  readonly url: string;
  /**
   * Headers of each request to `url`, by name.
   */
  readonly headers?: {
    readonly [k: string]: string;
  };
  /**
   * Hosts with a private, loopback or link-local address that `url` may have. Without it, the server must be on the internet.
   *
   * Items: A host name or an address; with a port if it is not the default.
   */
  readonly allowHosts?: readonly string[];
  /**
   * Names of the server's tools that may be offered, as the server spells them; `*` stands for any characters.
   *
   * Items: A tool of the server.
   */
  readonly allow: readonly string[];
  /**
   * What the tools do: `read` or `write`. What the server says about its tools is only a hint, and can make a tool stricter, never laxer.
   */
  readonly effects: 'read' | 'write';
  /**
   * Time limit of a call.
   */
  readonly timeoutSeconds: number;
  /**
   * Longest result that is kept. A longer one is cut, and the result says so.
   */
  readonly maxBytes: number;
  /**
   * Whether the result may carry instructions of other people. `untrusted`: the result is marked as data for the model.
   */
  readonly trust: 'untrusted' | 'trusted';
}
/**
 * A preset of group chats: a file in `chats/`. A new chat copies it, so a later change of the file changes no chat.
 */
export interface ChatPreset {
  /**
   * Id of this preset. Equals the file name.
   */
  readonly id: string;
  /**
   * A note for people.
   */
  readonly description: string;
  /**
   * Set to false to disable this preset without deleting its file.
   */
  readonly enabled: boolean;
  /**
   * Position among the presets: lowest number first, then by id. Presets without a number come last.
   */
  readonly order?: number;
  /**
   * Title of a new chat. Default: `New chat` and the day.
   */
  readonly title?: string;
  /**
   * What the chat is about: part of each prompt.
   */
  readonly context: string;
  /**
   * Rounds of mentions after one message of a person. A person's next message starts again from the first.
   */
  readonly maxRounds: number;
  /**
   * How mentions are found in messages.
   */
  readonly mentions: {
    /**
     * Whether the names of `@DisplayName` must be written in the same case.
     */
    readonly caseSensitive: boolean;
  };
  /**
   * The API that writes the summary of what a long chat has before the messages that participants read word for word: a file in `apis/`. Default: the API of a participant who speaks then. It gets placeholders for what `privacy` of any agent of the chat hides.
   */
  readonly summaryApiConfigId?: string;
  /**
   * Files whose content is part of each prompt: at most 20, 256 KB together. They lie in folders of `roots` in `settings.yaml`: `lab:/plan.md` names the notebook `lab`, any other path counts from the folder that contains the config folder.
   *
   * Items: Path of a file.
   */
  readonly files: readonly string[];
  /**
   * Who takes part besides the person.
   */
  readonly participants: readonly PresetParticipant[];
}
/**
 * A participant of the chat: a model or command-line agent (`apiConfigId`), or an agent of `agents/` (`agentId`).
 */
export interface PresetParticipant {
  /**
   * Name in the chat. `@` and the name, or its handle, mentions the participant.
   */
  readonly displayName: string;
  /**
   * The API that speaks for the participant, a file in `apis/`. Either this or `agentId`.
   */
  readonly apiConfigId?: string;
  /**
   * The agent that speaks, with its tools, scope, permissions and budget: a file in `agents/`. Either this or `apiConfigId`.
   */
  readonly agentId?: string;
  /**
   * Role and instructions of the participant, in its prompt.
   */
  readonly persona: string;
  /**
   * Colour of the name and the messages. Default: the next of eight colours that are readable in light and dark.
   */
  readonly color?: string;
  /**
   * Judges the permission requests of a command-line agent while it works in a folder, by names such as `cli_read`, `cli_edit`, `cli_execute` or `cli_fetch`. `deny` is checked first, then `ask`, then `allow`. What no list names asks a person.
   */
  readonly permissions?: {
    /**
     * Requests that are allowed.
     *
     * Items: A name, perhaps with patterns for arguments: `*` stands for any characters.
     */
    readonly allow: readonly string[];
    /**
     * Requests that wait for the approval of a person.
     *
     * Items: A name, perhaps with patterns for arguments: `*` stands for any characters.
     */
    readonly ask: readonly string[];
    /**
     * Requests that are refused.
     *
     * Items: A name, perhaps with patterns for arguments: `*` stands for any characters.
     */
    readonly deny: readonly string[];
  };
  /**
   * Lets a command-line agent read files and run commands in a folder. It stays off until a person has confirmed the warning in the chat.
   */
  readonly roaming: {
    /**
     * Whether the participant may roam, once a person has confirmed it.
     */
    readonly enabled: boolean;
    /**
     * The folder. A path counts from the folder that contains the config folder. Needed with `enabled: true`.
     */
    readonly workspaceDir?: string;
    /**
     * `safe`: the read-only or sandbox mode of the tool. `yolo`: the tool runs what it wants, without questions.
     */
    readonly mode: 'safe' | 'yolo';
  };
}
/**
 * Tests of directors and agents: a file in `tests/`, which `callsheet test` runs. It is no document: it has no id and no revision, and changes nothing in what runs.
 */
export interface TestFile {
  /**
   * What the tests are about, for people and reports.
   */
  readonly description: string;
  /**
   * Id of the director that works on each mail or message. Without `director` and `agent` a mail starts at the filters.
   */
  readonly director?: string;
  /**
   * Id of the agent that answers each message.
   */
  readonly agent?: string;
  readonly defaults: TestDefaults;
  /**
   * The tests, in the order in which they run.
   */
  readonly tests: readonly TestCase[];
}
/**
 * What holds for every test of the file.
 */
export interface TestDefaults {
  /**
   * Id of the API that replaces all APIs of directors and agents, such as a scripted one.
   */
  readonly api?: string;
  readonly vars?: TestVars;
  readonly tools?: TestTools;
  readonly assert?: Asserts;
}
/**
 * What the test says of its time and its mail.
 */
export interface TestVars {
  /**
   * The time of the test, ISO 8601. Default: that of the cassette, else 2026-01-05T09:00:00Z.
   */
  readonly clock?: string;
  /**
   * Id of the account that the mail comes from. Default: the first one.
   */
  readonly account?: string;
}
/**
 * What tools return in the test, by the name of the tool; nothing else is called. One `{ returns }`, or a list of which the first whose `when` matches answers. Without a match the call answers from the cassette, and a write gets a made-up result.
 */
export interface TestTools {
  readonly [k: string]: ToolAnswer;
}
/**
 * What a tool returns for some arguments.
 */
export interface TestToolRule {
  readonly when?: TestWhen;
  /**
   * The result of the call: any value.
   */
  readonly returns: {
    readonly [k: string]: unknown;
  };
}
/**
 * Arguments that the call has, among others. Default: any.
 */
export interface TestWhen {
  readonly [k: string]: unknown;
}
/**
 * One thing that must hold; with `not-` before the type, one that must not.
 */
export interface TestAssertion {
  /**
   * What is checked. Texts: `equals`, `contains`, `icontains` (and `-any`, `-all` of a list), `regex`, `is-json`, `language`, `no-pii`, `similar`, `llm-rubric`. The run: `tool-called`, `tool-sequence`, `turns`, `cost`, `latency`, `approval-asked`, `effect-none`, `recipient`. The mail: `route`. A case: `unchanged`.
   */
  readonly type:
    | 'equals'
    | 'contains'
    | 'contains-any'
    | 'contains-all'
    | 'icontains'
    | 'icontains-any'
    | 'icontains-all'
    | 'regex'
    | 'is-json'
    | 'tool-called'
    | 'tool-sequence'
    | 'turns'
    | 'cost'
    | 'latency'
    | 'route'
    | 'recipient'
    | 'language'
    | 'approval-asked'
    | 'effect-none'
    | 'no-pii'
    | 'similar'
    | 'llm-rubric'
    | 'unchanged'
    | 'not-equals'
    | 'not-contains'
    | 'not-contains-any'
    | 'not-contains-all'
    | 'not-icontains'
    | 'not-icontains-any'
    | 'not-icontains-all'
    | 'not-regex'
    | 'not-is-json'
    | 'not-tool-called'
    | 'not-tool-sequence'
    | 'not-turns'
    | 'not-cost'
    | 'not-latency'
    | 'not-route'
    | 'not-recipient'
    | 'not-language'
    | 'not-approval-asked'
    | 'not-effect-none'
    | 'not-no-pii'
    | 'not-similar'
    | 'not-llm-rubric'
    | 'not-unchanged';
  /**
   * What is expected: a text, a list, a number, or an object such as `{ tool, arguments }` or a JSON Schema, as the type says.
   */
  readonly value?: {
    readonly [k: string]: unknown;
  };
  /**
   * Limit of `turns`, `cost` and `latency`; least similarity of `similar` (default 0.75) and least score of `llm-rubric` (default 0.5).
   */
  readonly threshold?: number;
  /**
   * The texts that are read. Default: the final answer of each run.
   */
  readonly on?: 'answer' | 'items' | 'drafts';
}
export interface TestCaseMail {
  /**
   * Name of the test in reports.
   */
  readonly description?: string;
  /**
   * A mail as a file (.eml). Its path counts from the folder that holds the config folder.
   */
  readonly mail: string;
  readonly vars?: TestVars;
  readonly tools?: TestTools;
  readonly assert: Asserts;
}
export interface TestCaseMessage {
  /**
   * Name of the test in reports.
   */
  readonly description?: string;
  /**
   * A message of a person to the `director` or the `agent` of the file.
   */
  readonly message: string;
  readonly vars?: TestVars;
  readonly tools?: TestTools;
  readonly assert: Asserts;
}
export interface TestCaseCase {
  /**
   * Name of the test in reports.
   */
  readonly description?: string;
  /**
   * A recorded run: the folder that `callsheet record` wrote. Its path counts from the folder that holds the config folder.
   */
  readonly case: string;
  readonly vars?: TestVars;
  readonly tools?: TestTools;
  readonly assert: Asserts;
}
