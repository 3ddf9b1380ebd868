// Generated from schemas/*.schema.json by `npm run generate`. Do not edit.
// @ts-nocheck
import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
export const settings = validate0;
const schema0 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"settings.schema.json","title":"Settings","description":"Settings of the engine: one file, `settings.yaml` in the config folder. Every key has a default.","type":"object","additionalProperties":false,"properties":{"$schema":{"description":"The schema of a JSON file, for editors. YAML files name it in their first line.","type":"string","examples":["../schemas/settings.schema.json"]},"description":{"description":"A note for people.","type":"string","default":"","examples":["The settings of the support desk."]},"enabled":{"description":"Set to false to run with the defaults without deleting this file.","type":"boolean","default":true,"examples":[false]},"sessionTimeoutMinutes":{"description":"Time without messages after which the session of an agent expires.","type":"number","exclusiveMinimum":0,"maximum":525600,"default":15,"x-unit":"minutes","examples":[15]},"roots":{"description":"Notebooks: folders with files that the notebook tools work on, by name. `scope` of an agent names them. A path counts from the folder that contains the config folder. A root must not be, contain or lie in the config folder or the data folder. Templates for new files lie in the folder `templates/` of a root.","type":"object","propertyNames":{"pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"a name: 1 to 48 letters, digits, _ or -"},"additionalProperties":{"description":"Path of the folder.","type":"string","minLength":1,"maxLength":4096,"examples":["./notebooks/lab"]},"default":{},"examples":[{"lab":"./notebooks/lab"}],"maxProperties":1000},"workspaces":{"description":"Folders in which command-line agents may work, by name. A participant of a chat may work in one of them or in a folder below, once a person has confirmed it. A path counts from the folder that contains the config folder. A workspace must not be, contain or lie in the config folder or the data folder.","type":"object","propertyNames":{"pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"a name: 1 to 48 letters, digits, _ or -"},"additionalProperties":{"description":"Path of the folder.","type":"string","minLength":1,"maxLength":4096,"examples":["../projects/shop"]},"default":{},"examples":[{"shop":"../projects/shop"}],"maxProperties":100},"fetch":{"description":"Fetching of mail.","type":"object","additionalProperties":false,"default":{},"properties":{"everySeconds":{"description":"Time between two checks of an account.","type":"number","minimum":1,"maximum":86400,"default":60,"x-unit":"seconds","examples":[60]},"concurrency":{"description":"Maximum number of accounts that are fetched at the same time.","type":"integer","minimum":1,"maximum":64,"default":4,"x-unit":"accounts","examples":[4]}},"examples":[{"everySeconds":60,"concurrency":4}]},"runs":{"description":"Processing of runs.","type":"object","additionalProperties":false,"default":{},"properties":{"concurrency":{"description":"Maximum number of runs that work at the same time. Runs that wait for a person and agents of a run do not count.","type":"integer","minimum":1,"maximum":10000,"default":16,"x-unit":"runs","examples":[16]},"maxCallsPerAnswer":{"description":"Maximum number of tool calls that are made of one answer of a model. The model reads an error for each further call, and can make it again in its next answer.","type":"integer","minimum":1,"maximum":1000,"default":64,"x-unit":"calls","examples":[64]},"maxOpenApprovals":{"description":"Maximum number of calls of one run, with its agents, that wait for a person at the same time. The model reads an error for each further call that needs a person.","type":"integer","minimum":1,"maximum":1000,"default":32,"x-unit":"approvals","examples":[32]},"retainDays":{"description":"Time after which a finished run is deleted with its transcripts, events, entries and results, and so are its share of `spend` and to-dos that are done. Mails and open to-dos stay.","type":"integer","minimum":1,"maximum":36500,"default":365,"x-unit":"days","examples":[365]}},"examples":[{"concurrency":16,"retainDays":365}]},"server":{"description":"Address of the API and the viewer. A change takes effect at the next start.","type":"object","additionalProperties":false,"default":{},"properties":{"host":{"description":"Address to listen on, beside 127.0.0.1: an IP address of this machine, `0.0.0.0` or `::` for all of them, or `localhost`. Any address but loopback requires `publicUrl`, and a sign-in with Google or `CALLSHEET_TOKEN` (docs/deploy/reverse-proxy.md).","type":"string","pattern":"^(localhost|[0-9]{1,3}(\\.[0-9]{1,3}){3}|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*)$","maxLength":45,"x-expected":"an IP address such as 127.0.0.1 or 0.0.0.0, or localhost","default":"127.0.0.1","examples":["127.0.0.1","0.0.0.0"]},"port":{"description":"Port to listen on; 0 chooses a free port.","type":"integer","minimum":0,"maximum":65535,"default":3001,"x-unit":"port","examples":[3001]},"publicUrl":{"description":"Address at which browsers reach Callsheet, without a path. Requests with another `Host` or `Origin` are refused. With https, Callsheet stands behind a reverse proxy: cookies are `Secure`, plain HTTP is redirected, and HSTS is sent. Without it, Callsheet answers to the names of this machine only.","type":"string","pattern":"^https?://([A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)*|\\[[0-9A-Fa-f:.]+\\])(:[0-9]{1,5})?/?$","maxLength":300,"x-expected":"an address without a path, such as https://desk.example.org","examples":["https://desk.example.org"]},"proxies":{"description":"IP addresses and networks of the reverse proxy. Only these are believed about who asks and by which protocol (`X-Forwarded-For`, `X-Forwarded-Proto`), and only if `publicUrl` is https.","type":"array","items":{"description":"An IP address, or a network.","type":"string","pattern":"^[0-9A-Fa-f:.]{2,45}(/[0-9]{1,3})?$","x-expected":"an IP address such as 127.0.0.1, or a network such as 172.18.0.0/16","examples":["127.0.0.1","172.18.0.0/16"]},"uniqueItems":true,"maxItems":100,"default":["127.0.0.1","::1"],"examples":[["172.18.0.0/16"]]}},"examples":[{"host":"127.0.0.1","port":3001,"publicUrl":"https://desk.example.org"}]},"login":{"description":"Who may sign in with Google. This needs an OAuth client for the sign-in in `GOOGLE_LOGIN_CLIENT_ID` and `GOOGLE_LOGIN_CLIENT_SECRET`; without it, browsers sign in with the link that `callsheet start` prints. Whoever holds the token of the server is an admin. A change takes effect at once, also for people who are signed in.","type":"object","additionalProperties":false,"default":{},"properties":{"users":{"description":"The people who may sign in. An address that is listed twice has the lesser role.","type":"array","items":{"description":"A person.","type":"object","additionalProperties":false,"required":["email","role"],"properties":{"email":{"description":"Address of the Google account, in any case.","type":"string","pattern":"^[^\\s@<>,;]+@[^\\s@<>,;]+$","maxLength":320,"x-expected":"one mail address","examples":["jane@example.org"]},"role":{"description":"`viewer` reads everything. `approver` also answers approvals and talks with agents in sessions. `admin` may do everything.","type":"string","enum":["viewer","approver","admin"],"examples":["approver"]}},"examples":[{"email":"jane@example.org","role":"admin"}]},"maxItems":1000,"default":[],"examples":[[{"email":"jane@example.org","role":"admin"}]]}},"examples":[{"users":[{"email":"jane@example.org","role":"admin"},{"email":"john@example.org","role":"viewer"}]}]},"reply":{"description":"Limits of the mails that agents send.","type":"object","additionalProperties":false,"default":{},"properties":{"perThreadPerDay":{"description":"Maximum number of mails that agents send in one thread per day (UTC), with or without approval, over all directors and processes. Replies that a person writes do not count. 0: agents send nothing.","type":"integer","minimum":0,"maximum":100,"default":5,"x-unit":"mails","examples":[5]}},"examples":[{"perThreadPerDay":5}]},"clients":{"description":"What programs may do that use Callsheet as their tool.","type":"object","additionalProperties":false,"default":{},"properties":{"mcp":{"description":"What MCP clients, such as Claude Code and Codex, may do through `callsheet mcp`. A change takes effect at the next call.","type":"object","additionalProperties":false,"default":{},"properties":{"allow":{"description":"The only tools that clients may call. Without this key: every tool that only reads, so all but `run_start`.","type":"array","items":{"type":"string","enum":["mail_search","mail_read","runs_list","run_start","run_answer","items_list","item_read","approvals_list"]},"uniqueItems":true,"examples":[["mail_search","mail_read","run_start"]]},"deny":{"description":"Tools that clients may not call, whatever `allow` names.","type":"array","items":{"type":"string","enum":["mail_search","mail_read","runs_list","run_start","run_answer","items_list","item_read","approvals_list"]},"uniqueItems":true,"default":[],"examples":[["mail_read"]]}},"examples":[{"allow":["mail_search","runs_list"]}]}},"examples":[{"mcp":{"allow":["mail_search","runs_list"]}}]},"learn":{"description":"Learning from the changes that people make to drafts: `callsheet learn`.","type":"object","additionalProperties":false,"default":{},"properties":{"agent":{"description":"Id of the agent that proposes changes of prompts and memories, a file in `agents/`. It reads texts of mails, so it must have no tools. Without this key `callsheet learn` does nothing.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["teacher"]}},"examples":[{"agent":"teacher"}]},"notifications":{"description":"What becomes a notification, beside the calls of the tool `notify`: a run that ended well (`complete`) or failed (`failure`), a call or a question that waits for a person (`approval`), a reminder that is due (`reminder`). The viewer lists notifications, and shows them through the browser where a person has allowed that.","type":"array","items":{"description":"A kind of event.","type":"string","enum":["complete","failure","approval","reminder"],"examples":["approval"]},"uniqueItems":true,"default":["failure","approval","reminder"],"examples":[["complete","failure","approval","reminder"]]},"notify":{"description":"Where notifications are sent beside the viewer.","type":"object","additionalProperties":false,"default":{},"properties":{"webhook":{"description":"Address that gets each notification by POST as JSON (`id`, `kind`, `title`, `text`, `at`, `runId`, …), with the header `Idempotency-Key`. Or a reference to the address: `${env:NAME}` or `${secret:NAME}`. Failed requests are repeated for seven hours.","type":"string","pattern":"^(https?://[^\\s]+|\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\})$","maxLength":2000,"x-expected":"an http or https address, or a reference such as ${env:NOTIFY_WEBHOOK}","examples":["https://ntfy.example.org/callsheet","${secret:NOTIFY_WEBHOOK}"]},"mail":{"description":"Sends each notification as a mail, once. A run about mail that a program or the user has sent causes no such mail, so that no loop arises.","type":"object","additionalProperties":false,"required":["accountId","to"],"properties":{"accountId":{"description":"Account that sends the mail, a file in `accounts/`.","type":"string","pattern":"^([A-Za-z0-9_-]{1,48}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190})$","x-expected":"the id of an account","examples":["support"]},"to":{"description":"Address that gets the mail.","type":"string","pattern":"^[^\\s@<>,;]+@[^\\s@<>,;]+$","maxLength":320,"x-expected":"one mail address","examples":["me@example.org"]}},"examples":[{"accountId":"support","to":"me@example.org"}]}},"examples":[{"webhook":"https://ntfy.example.org/callsheet","mail":{"accountId":"support","to":"me@example.org"}}]},"approvals":{"$ref":"#/$defs/approvals"},"calendar":{"description":"The local calendar, for accounts without their own calendar, and the working hours for finding free time.","type":"object","additionalProperties":false,"default":{},"properties":{"path":{"description":"Folder of .ics files; created with the first event. Relative paths start at the parent of the config folder. If several processes share a store, all of them must see this folder.","type":"string","minLength":1,"default":"./calendar","examples":["./calendar"]},"timeZone":{"description":"IANA name of the time zone for times without one. Default: the time zone of the machine.","type":"string","minLength":1,"examples":["Europe/Berlin"]},"workingHours":{"description":"Hours for meetings. An end before the start is on the next day.","type":"object","additionalProperties":false,"default":{},"properties":{"start":{"description":"First minute, in the local time of the time zone.","type":"string","pattern":"^([01][0-9]|2[0-3]):[0-5][0-9]$","x-expected":"a time such as 09:00, in quotes","default":"09:00","examples":["09:00"]},"end":{"description":"End of the last minute; 24:00 is midnight.","type":"string","pattern":"^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$","x-expected":"a time such as 17:00, in quotes","default":"17:00","examples":["17:00"]},"days":{"description":"Days on which work begins.","type":"array","items":{"type":"string","enum":["mon","tue","wed","thu","fri","sat","sun"]},"minItems":1,"uniqueItems":true,"default":["mon","tue","wed","thu","fri"],"examples":[["mon","tue","wed","thu"]]}},"examples":[{"start":"09:00","end":"17:00"}]}},"examples":[{"path":"./calendar","timeZone":"Europe/Berlin"}]},"privacy":{"description":"How private data is found, for all directors with `privacy`.","type":"object","additionalProperties":false,"default":{},"properties":{"recognizer":{"description":"A recogniser service on this machine that is asked as well, in the shape of Presidio's `analyze`. What it finds is redacted besides what Callsheet finds. If it does not answer, nothing is sent to a model: the run waits and then fails.","type":"object","additionalProperties":false,"required":["url"],"properties":{"url":{"description":"Address of the service. Only an address of this machine, since the service reads everything.","type":"string","maxLength":2000,"pattern":"^https?://(localhost|127\\.[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}|\\[::1\\])(:[0-9]{1,5})?(/[^\\s]*)?$","x-expected":"an http or https address of this machine, such as http://127.0.0.1:5002/analyze","examples":["http://127.0.0.1:5002/analyze"]},"languages":{"description":"Languages that the service knows. It is asked once for each.","type":"array","items":{"description":"Code of a language.","type":"string","pattern":"^[a-z]{2,3}$","x-expected":"the code of a language, such as en","examples":["en"]},"default":["en"],"examples":[["en","de"]],"minItems":1,"maxItems":10}},"examples":[{"url":"http://127.0.0.1:5002/analyze"}]}},"examples":[{"recognizer":{"url":"http://127.0.0.1:5002/analyze"}}]},"memory":{"description":"What directors and agents remember.","type":"object","additionalProperties":false,"default":{},"properties":{"runs":{"description":"Whether a finished run leaves a short log: its summary as a memory of its director with the tag `run`, kept as long as the run.","type":"boolean","default":true,"examples":[false]},"preferences":{"description":"Whether directors and agents may remember preferences (tag `preference`) from what a person writes to them. Mail never leaves preferences.","type":"boolean","default":false,"examples":[true]},"window":{"description":"Recent messages that a model gets word for word in a long session. Older ones are summarised by a request to the model; the work on the newest message is always sent whole. The transcript keeps every message.","type":"integer","minimum":4,"maximum":10000,"default":20,"x-unit":"messages","examples":[20]},"embeddings":{"description":"How memories are found by meaning. Without an API, a small local model does it if its optional packages are installed (docs/memory.md); else memories are found by words alone.","type":"object","additionalProperties":false,"default":{},"properties":{"apiConfigId":{"description":"Id of the API that makes embeddings, a file in `apis/` of provider `openai` or `ollama`. The texts of memories and of searches are sent to it, except those of directors with `locality: local`, unless the API has `locality: local` too.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["main"]},"model":{"description":"Name of the embedding model, as the provider spells it. Default: the `model` of the API. After a change, memories are found by words until they have vectors of the new model.","type":"string","minLength":1,"maxLength":200,"examples":["text-embedding-3-small"]},"local":{"description":"Whether to use the local model where no API is named.","type":"boolean","default":true,"examples":[false]}},"examples":[{"apiConfigId":"main","model":"text-embedding-3-small"}]}},"examples":[{"embeddings":{"apiConfigId":"main","model":"text-embedding-3-small"}}]},"virtualRoot":{"description":"The only folder that the filesystem and document tools open. Relative paths start at the parent of the config folder. It cannot contain, be or lie in the config folder or the data folder. Without it these tools open no files. If several processes share a store, all of them must see this folder.","type":"string","minLength":1,"examples":["./documents"]},"budget":{"description":"Maximum that all runs together may use per UTC day. When it is used up, runs wait for the next day.","type":"object","additionalProperties":false,"default":{},"properties":{"maxTokensPerDay":{"description":"Maximum of input and output tokens per day.","type":"integer","minimum":1,"x-unit":"tokens","examples":[2000000]},"maxCostPerDay":{"description":"Maximum cost per day. The prices of all models in use must be known.","type":"number","exclusiveMinimum":0,"x-unit":"USD","examples":[5]}},"examples":[{"maxCostPerDay":5}]}},"$defs":{"approvals":{"title":"Approval settings","description":"Calls that wait for a person: when they expire, and who is told. A director may have its own; each key that it leaves out is that of the settings.","type":"object","additionalProperties":false,"properties":{"expireAfterDays":{"description":"Time after which a call that nobody has answered expires. It is not made, and the model is told that it expired, which is no denial. A change holds for calls that ask from then on. Without it a call waits for ever.","type":"number","exclusiveMinimum":0,"maximum":3650,"x-unit":"days","examples":[7]},"escalateTo":{"description":"Who else is told, once, of a call that nobody has answered in time. Without `webhook` and `mail`, those who are told of each call are told again.","type":"object","additionalProperties":false,"required":["afterHours"],"properties":{"afterHours":{"description":"Time without an answer after which they are told.","type":"number","exclusiveMinimum":0,"maximum":87600,"x-unit":"hours","examples":[24]},"webhook":{"description":"Address that is told, as `notify.webhook` of the settings. Or a reference to it: `${env:NAME}` or `${secret:NAME}`.","type":"string","pattern":"^(https?://[^\\s]+|\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\})$","maxLength":2000,"x-expected":"an http or https address, or a reference such as ${env:NOTIFY_WEBHOOK}","examples":["https://ntfy.example.org/callsheet","${secret:NOTIFY_WEBHOOK}"]},"mail":{"description":"Who is told by mail.","type":"object","additionalProperties":false,"required":["accountId","to"],"properties":{"accountId":{"description":"Account that sends the mail, a file in `accounts/`.","type":"string","pattern":"^([A-Za-z0-9_-]{1,48}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190})$","x-expected":"the id of an account","examples":["support"]},"to":{"description":"Address that gets the mail.","type":"string","pattern":"^[^\\s@<>,;]+@[^\\s@<>,;]+$","maxLength":320,"x-expected":"one mail address","examples":["ada@example.org"]}},"examples":[{"accountId":"support","to":"ada@example.org"}]},"link":{"description":"Whether the mail has a link to a page that answers this one call without a sign-in. Whoever has the mail can answer. The link holds for three days, and for one answer. Other machines can open it only with `server.publicUrl`. Without it, mails have no link.","type":"boolean","examples":[true]}},"examples":[{"afterHours":24,"mail":{"accountId":"support","to":"ada@example.org"}}]},"notify":{"description":"Who is told of each call that waits, where `notifications` of the settings has `approval`. What it leaves out, `notify` of the settings has.","type":"object","additionalProperties":false,"properties":{"webhook":{"description":"Address that is told, as `notify.webhook` of the settings. Or a reference to it: `${env:NAME}` or `${secret:NAME}`.","type":"string","pattern":"^(https?://[^\\s]+|\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\})$","maxLength":2000,"x-expected":"an http or https address, or a reference such as ${env:NOTIFY_WEBHOOK}","examples":["https://ntfy.example.org/callsheet","${secret:NOTIFY_WEBHOOK}"]},"mail":{"description":"Who is told by mail.","type":"object","additionalProperties":false,"required":["accountId","to"],"properties":{"accountId":{"description":"Account that sends the mail, a file in `accounts/`.","type":"string","pattern":"^([A-Za-z0-9_-]{1,48}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190})$","x-expected":"the id of an account","examples":["support"]},"to":{"description":"Address that gets the mail.","type":"string","pattern":"^[^\\s@<>,;]+@[^\\s@<>,;]+$","maxLength":320,"x-expected":"one mail address","examples":["ada@example.org"]}},"examples":[{"accountId":"support","to":"ada@example.org"}]},"link":{"description":"Whether the mail has a link to a page that answers this one call without a sign-in. Whoever has the mail can answer. The link holds for three days, and for one answer. Other machines can open it only with `server.publicUrl`. Without it, mails have no link.","type":"boolean","examples":[true]}},"examples":[{"mail":{"accountId":"support","to":"ada@example.org"},"link":true}]}},"examples":[{"expireAfterDays":7,"escalateTo":{"afterHours":24,"mail":{"accountId":"support","to":"ada@example.org"}}}]}}};
const func0 = Object.prototype.hasOwnProperty;
const func1 = require("ajv/dist/runtime/ucs2length").default;
const pattern0 = new RegExp("^[A-Za-z0-9_-]{1,48}$", "u");
const pattern2 = new RegExp("^(localhost|[0-9]{1,3}(\\.[0-9]{1,3}){3}|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*)$", "u");
const pattern3 = new RegExp("^https?://([A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)*|\\[[0-9A-Fa-f:.]+\\])(:[0-9]{1,5})?/?$", "u");
const pattern4 = new RegExp("^[0-9A-Fa-f:.]{2,45}(/[0-9]{1,3})?$", "u");
const pattern5 = new RegExp("^[^\\s@<>,;]+@[^\\s@<>,;]+$", "u");
const pattern7 = new RegExp("^(https?://[^\\s]+|\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\})$", "u");
const pattern8 = new RegExp("^([A-Za-z0-9_-]{1,48}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190})$", "u");
const pattern16 = new RegExp("^([01][0-9]|2[0-3]):[0-5][0-9]$", "u");
const pattern17 = new RegExp("^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$", "u");
const pattern18 = new RegExp("^https?://(localhost|127\\.[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}|\\[::1\\])(:[0-9]{1,5})?(/[^\\s]*)?$", "u");
const pattern19 = new RegExp("^[a-z]{2,3}$", "u");
const schema1 = {"title":"Approval settings","description":"Calls that wait for a person: when they expire, and who is told. A director may have its own; each key that it leaves out is that of the settings.","type":"object","additionalProperties":false,"properties":{"expireAfterDays":{"description":"Time after which a call that nobody has answered expires. It is not made, and the model is told that it expired, which is no denial. A change holds for calls that ask from then on. Without it a call waits for ever.","type":"number","exclusiveMinimum":0,"maximum":3650,"x-unit":"days","examples":[7]},"escalateTo":{"description":"Who else is told, once, of a call that nobody has answered in time. Without `webhook` and `mail`, those who are told of each call are told again.","type":"object","additionalProperties":false,"required":["afterHours"],"properties":{"afterHours":{"description":"Time without an answer after which they are told.","type":"number","exclusiveMinimum":0,"maximum":87600,"x-unit":"hours","examples":[24]},"webhook":{"description":"Address that is told, as `notify.webhook` of the settings. Or a reference to it: `${env:NAME}` or `${secret:NAME}`.","type":"string","pattern":"^(https?://[^\\s]+|\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\})$","maxLength":2000,"x-expected":"an http or https address, or a reference such as ${env:NOTIFY_WEBHOOK}","examples":["https://ntfy.example.org/callsheet","${secret:NOTIFY_WEBHOOK}"]},"mail":{"description":"Who is told by mail.","type":"object","additionalProperties":false,"required":["accountId","to"],"properties":{"accountId":{"description":"Account that sends the mail, a file in `accounts/`.","type":"string","pattern":"^([A-Za-z0-9_-]{1,48}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190})$","x-expected":"the id of an account","examples":["support"]},"to":{"description":"Address that gets the mail.","type":"string","pattern":"^[^\\s@<>,;]+@[^\\s@<>,;]+$","maxLength":320,"x-expected":"one mail address","examples":["ada@example.org"]}},"examples":[{"accountId":"support","to":"ada@example.org"}]},"link":{"description":"Whether the mail has a link to a page that answers this one call without a sign-in. Whoever has the mail can answer. The link holds for three days, and for one answer. Other machines can open it only with `server.publicUrl`. Without it, mails have no link.","type":"boolean","examples":[true]}},"examples":[{"afterHours":24,"mail":{"accountId":"support","to":"ada@example.org"}}]},"notify":{"description":"Who is told of each call that waits, where `notifications` of the settings has `approval`. What it leaves out, `notify` of the settings has.","type":"object","additionalProperties":false,"properties":{"webhook":{"description":"Address that is told, as `notify.webhook` of the settings. Or a reference to it: `${env:NAME}` or `${secret:NAME}`.","type":"string","pattern":"^(https?://[^\\s]+|\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\})$","maxLength":2000,"x-expected":"an http or https address, or a reference such as ${env:NOTIFY_WEBHOOK}","examples":["https://ntfy.example.org/callsheet","${secret:NOTIFY_WEBHOOK}"]},"mail":{"description":"Who is told by mail.","type":"object","additionalProperties":false,"required":["accountId","to"],"properties":{"accountId":{"description":"Account that sends the mail, a file in `accounts/`.","type":"string","pattern":"^([A-Za-z0-9_-]{1,48}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190})$","x-expected":"the id of an account","examples":["support"]},"to":{"description":"Address that gets the mail.","type":"string","pattern":"^[^\\s@<>,;]+@[^\\s@<>,;]+$","maxLength":320,"x-expected":"one mail address","examples":["ada@example.org"]}},"examples":[{"accountId":"support","to":"ada@example.org"}]},"link":{"description":"Whether the mail has a link to a page that answers this one call without a sign-in. Whoever has the mail can answer. The link holds for three days, and for one answer. Other machines can open it only with `server.publicUrl`. Without it, mails have no link.","type":"boolean","examples":[true]}},"examples":[{"mail":{"accountId":"support","to":"ada@example.org"},"link":true}]}},"examples":[{"expireAfterDays":7,"escalateTo":{"afterHours":24,"mail":{"accountId":"support","to":"ada@example.org"}}}]};

function validate1(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate1.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!(((key0 === "expireAfterDays") || (key0 === "escalateTo")) || (key0 === "notify"))){
const err0 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema1,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.expireAfterDays !== undefined){
let data0 = data.expireAfterDays;
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 > 3650 || isNaN(data0)){
const err1 = {instancePath:instancePath+"/expireAfterDays",schemaPath:"#/properties/expireAfterDays/maximum",keyword:"maximum",params:{comparison: "<=", limit: 3650},message:"must be <= 3650",schema:3650,parentSchema:schema1.properties.expireAfterDays,data:data0};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data0 <= 0 || isNaN(data0)){
const err2 = {instancePath:instancePath+"/expireAfterDays",schemaPath:"#/properties/expireAfterDays/exclusiveMinimum",keyword:"exclusiveMinimum",params:{comparison: ">", limit: 0},message:"must be > 0",schema:0,parentSchema:schema1.properties.expireAfterDays,data:data0};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath:instancePath+"/expireAfterDays",schemaPath:"#/properties/expireAfterDays/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema1.properties.expireAfterDays.type,parentSchema:schema1.properties.expireAfterDays,data:data0};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.escalateTo !== undefined){
let data1 = data.escalateTo;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
if(data1.afterHours === undefined){
const err4 = {instancePath:instancePath+"/escalateTo",schemaPath:"#/properties/escalateTo/required",keyword:"required",params:{missingProperty: "afterHours"},message:"must have required property '"+"afterHours"+"'",schema:schema1.properties.escalateTo.required,parentSchema:schema1.properties.escalateTo,data:data1};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
for(const key1 in data1){
if(!((((key1 === "afterHours") || (key1 === "webhook")) || (key1 === "mail")) || (key1 === "link"))){
const err5 = {instancePath:instancePath+"/escalateTo",schemaPath:"#/properties/escalateTo/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties",schema:false,parentSchema:schema1.properties.escalateTo,data:data1};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data1.afterHours !== undefined){
let data2 = data1.afterHours;
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 > 87600 || isNaN(data2)){
const err6 = {instancePath:instancePath+"/escalateTo/afterHours",schemaPath:"#/properties/escalateTo/properties/afterHours/maximum",keyword:"maximum",params:{comparison: "<=", limit: 87600},message:"must be <= 87600",schema:87600,parentSchema:schema1.properties.escalateTo.properties.afterHours,data:data2};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(data2 <= 0 || isNaN(data2)){
const err7 = {instancePath:instancePath+"/escalateTo/afterHours",schemaPath:"#/properties/escalateTo/properties/afterHours/exclusiveMinimum",keyword:"exclusiveMinimum",params:{comparison: ">", limit: 0},message:"must be > 0",schema:0,parentSchema:schema1.properties.escalateTo.properties.afterHours,data:data2};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/escalateTo/afterHours",schemaPath:"#/properties/escalateTo/properties/afterHours/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema1.properties.escalateTo.properties.afterHours.type,parentSchema:schema1.properties.escalateTo.properties.afterHours,data:data2};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data1.webhook !== undefined){
let data3 = data1.webhook;
if(typeof data3 === "string"){
if(func1(data3) > 2000){
const err9 = {instancePath:instancePath+"/escalateTo/webhook",schemaPath:"#/properties/escalateTo/properties/webhook/maxLength",keyword:"maxLength",params:{limit: 2000},message:"must NOT have more than 2000 characters",schema:2000,parentSchema:schema1.properties.escalateTo.properties.webhook,data:data3};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(!pattern7.test(data3)){
const err10 = {instancePath:instancePath+"/escalateTo/webhook",schemaPath:"#/properties/escalateTo/properties/webhook/pattern",keyword:"pattern",params:{pattern: "^(https?://[^\\s]+|\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\})$"},message:"must match pattern \""+"^(https?://[^\\s]+|\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\})$"+"\"",schema:"^(https?://[^\\s]+|\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\})$",parentSchema:schema1.properties.escalateTo.properties.webhook,data:data3};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
else {
const err11 = {instancePath:instancePath+"/escalateTo/webhook",schemaPath:"#/properties/escalateTo/properties/webhook/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema1.properties.escalateTo.properties.webhook.type,parentSchema:schema1.properties.escalateTo.properties.webhook,data:data3};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data1.mail !== undefined){
let data4 = data1.mail;
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
if(data4.accountId === undefined){
const err12 = {instancePath:instancePath+"/escalateTo/mail",schemaPath:"#/properties/escalateTo/properties/mail/required",keyword:"required",params:{missingProperty: "accountId"},message:"must have required property '"+"accountId"+"'",schema:schema1.properties.escalateTo.properties.mail.required,parentSchema:schema1.properties.escalateTo.properties.mail,data:data4};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if(data4.to === undefined){
const err13 = {instancePath:instancePath+"/escalateTo/mail",schemaPath:"#/properties/escalateTo/properties/mail/required",keyword:"required",params:{missingProperty: "to"},message:"must have required property '"+"to"+"'",schema:schema1.properties.escalateTo.properties.mail.required,parentSchema:schema1.properties.escalateTo.properties.mail,data:data4};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
for(const key2 in data4){
if(!((key2 === "accountId") || (key2 === "to"))){
const err14 = {instancePath:instancePath+"/escalateTo/mail",schemaPath:"#/properties/escalateTo/properties/mail/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2},message:"must NOT have additional properties",schema:false,parentSchema:schema1.properties.escalateTo.properties.mail,data:data4};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data4.accountId !== undefined){
let data5 = data4.accountId;
if(typeof data5 === "string"){
if(!pattern8.test(data5)){
const err15 = {instancePath:instancePath+"/escalateTo/mail/accountId",schemaPath:"#/properties/escalateTo/properties/mail/properties/accountId/pattern",keyword:"pattern",params:{pattern: "^([A-Za-z0-9_-]{1,48}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190})$"},message:"must match pattern \""+"^([A-Za-z0-9_-]{1,48}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190})$"+"\"",schema:"^([A-Za-z0-9_-]{1,48}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190})$",parentSchema:schema1.properties.escalateTo.properties.mail.properties.accountId,data:data5};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
else {
const err16 = {instancePath:instancePath+"/escalateTo/mail/accountId",schemaPath:"#/properties/escalateTo/properties/mail/properties/accountId/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema1.properties.escalateTo.properties.mail.properties.accountId.type,parentSchema:schema1.properties.escalateTo.properties.mail.properties.accountId,data:data5};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data4.to !== undefined){
let data6 = data4.to;
if(typeof data6 === "string"){
if(func1(data6) > 320){
const err17 = {instancePath:instancePath+"/escalateTo/mail/to",schemaPath:"#/properties/escalateTo/properties/mail/properties/to/maxLength",keyword:"maxLength",params:{limit: 320},message:"must NOT have more than 320 characters",schema:320,parentSchema:schema1.properties.escalateTo.properties.mail.properties.to,data:data6};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
if(!pattern5.test(data6)){
const err18 = {instancePath:instancePath+"/escalateTo/mail/to",schemaPath:"#/properties/escalateTo/properties/mail/properties/to/pattern",keyword:"pattern",params:{pattern: "^[^\\s@<>,;]+@[^\\s@<>,;]+$"},message:"must match pattern \""+"^[^\\s@<>,;]+@[^\\s@<>,;]+$"+"\"",schema:"^[^\\s@<>,;]+@[^\\s@<>,;]+$",parentSchema:schema1.properties.escalateTo.properties.mail.properties.to,data:data6};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
else {
const err19 = {instancePath:instancePath+"/escalateTo/mail/to",schemaPath:"#/properties/escalateTo/properties/mail/properties/to/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema1.properties.escalateTo.properties.mail.properties.to.type,parentSchema:schema1.properties.escalateTo.properties.mail.properties.to,data:data6};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
}
else {
const err20 = {instancePath:instancePath+"/escalateTo/mail",schemaPath:"#/properties/escalateTo/properties/mail/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema1.properties.escalateTo.properties.mail.type,parentSchema:schema1.properties.escalateTo.properties.mail,data:data4};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
if(data1.link !== undefined){
let data7 = data1.link;
if(typeof data7 !== "boolean"){
const err21 = {instancePath:instancePath+"/escalateTo/link",schemaPath:"#/properties/escalateTo/properties/link/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema1.properties.escalateTo.properties.link.type,parentSchema:schema1.properties.escalateTo.properties.link,data:data7};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
}
else {
const err22 = {instancePath:instancePath+"/escalateTo",schemaPath:"#/properties/escalateTo/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema1.properties.escalateTo.type,parentSchema:schema1.properties.escalateTo,data:data1};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
if(data.notify !== undefined){
let data8 = data.notify;
if(data8 && typeof data8 == "object" && !Array.isArray(data8)){
for(const key3 in data8){
if(!(((key3 === "webhook") || (key3 === "mail")) || (key3 === "link"))){
const err23 = {instancePath:instancePath+"/notify",schemaPath:"#/properties/notify/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3},message:"must NOT have additional properties",schema:false,parentSchema:schema1.properties.notify,data:data8};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
if(data8.webhook !== undefined){
let data9 = data8.webhook;
if(typeof data9 === "string"){
if(func1(data9) > 2000){
const err24 = {instancePath:instancePath+"/notify/webhook",schemaPath:"#/properties/notify/properties/webhook/maxLength",keyword:"maxLength",params:{limit: 2000},message:"must NOT have more than 2000 characters",schema:2000,parentSchema:schema1.properties.notify.properties.webhook,data:data9};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
if(!pattern7.test(data9)){
const err25 = {instancePath:instancePath+"/notify/webhook",schemaPath:"#/properties/notify/properties/webhook/pattern",keyword:"pattern",params:{pattern: "^(https?://[^\\s]+|\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\})$"},message:"must match pattern \""+"^(https?://[^\\s]+|\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\})$"+"\"",schema:"^(https?://[^\\s]+|\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\})$",parentSchema:schema1.properties.notify.properties.webhook,data:data9};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
else {
const err26 = {instancePath:instancePath+"/notify/webhook",schemaPath:"#/properties/notify/properties/webhook/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema1.properties.notify.properties.webhook.type,parentSchema:schema1.properties.notify.properties.webhook,data:data9};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
if(data8.mail !== undefined){
let data10 = data8.mail;
if(data10 && typeof data10 == "object" && !Array.isArray(data10)){
if(data10.accountId === undefined){
const err27 = {instancePath:instancePath+"/notify/mail",schemaPath:"#/properties/notify/properties/mail/required",keyword:"required",params:{missingProperty: "accountId"},message:"must have required property '"+"accountId"+"'",schema:schema1.properties.notify.properties.mail.required,parentSchema:schema1.properties.notify.properties.mail,data:data10};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
if(data10.to === undefined){
const err28 = {instancePath:instancePath+"/notify/mail",schemaPath:"#/properties/notify/properties/mail/required",keyword:"required",params:{missingProperty: "to"},message:"must have required property '"+"to"+"'",schema:schema1.properties.notify.properties.mail.required,parentSchema:schema1.properties.notify.properties.mail,data:data10};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
for(const key4 in data10){
if(!((key4 === "accountId") || (key4 === "to"))){
const err29 = {instancePath:instancePath+"/notify/mail",schemaPath:"#/properties/notify/properties/mail/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key4},message:"must NOT have additional properties",schema:false,parentSchema:schema1.properties.notify.properties.mail,data:data10};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
if(data10.accountId !== undefined){
let data11 = data10.accountId;
if(typeof data11 === "string"){
if(!pattern8.test(data11)){
const err30 = {instancePath:instancePath+"/notify/mail/accountId",schemaPath:"#/properties/notify/properties/mail/properties/accountId/pattern",keyword:"pattern",params:{pattern: "^([A-Za-z0-9_-]{1,48}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190})$"},message:"must match pattern \""+"^([A-Za-z0-9_-]{1,48}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190})$"+"\"",schema:"^([A-Za-z0-9_-]{1,48}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190})$",parentSchema:schema1.properties.notify.properties.mail.properties.accountId,data:data11};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
else {
const err31 = {instancePath:instancePath+"/notify/mail/accountId",schemaPath:"#/properties/notify/properties/mail/properties/accountId/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema1.properties.notify.properties.mail.properties.accountId.type,parentSchema:schema1.properties.notify.properties.mail.properties.accountId,data:data11};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
if(data10.to !== undefined){
let data12 = data10.to;
if(typeof data12 === "string"){
if(func1(data12) > 320){
const err32 = {instancePath:instancePath+"/notify/mail/to",schemaPath:"#/properties/notify/properties/mail/properties/to/maxLength",keyword:"maxLength",params:{limit: 320},message:"must NOT have more than 320 characters",schema:320,parentSchema:schema1.properties.notify.properties.mail.properties.to,data:data12};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
if(!pattern5.test(data12)){
const err33 = {instancePath:instancePath+"/notify/mail/to",schemaPath:"#/properties/notify/properties/mail/properties/to/pattern",keyword:"pattern",params:{pattern: "^[^\\s@<>,;]+@[^\\s@<>,;]+$"},message:"must match pattern \""+"^[^\\s@<>,;]+@[^\\s@<>,;]+$"+"\"",schema:"^[^\\s@<>,;]+@[^\\s@<>,;]+$",parentSchema:schema1.properties.notify.properties.mail.properties.to,data:data12};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
else {
const err34 = {instancePath:instancePath+"/notify/mail/to",schemaPath:"#/properties/notify/properties/mail/properties/to/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema1.properties.notify.properties.mail.properties.to.type,parentSchema:schema1.properties.notify.properties.mail.properties.to,data:data12};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
}
else {
const err35 = {instancePath:instancePath+"/notify/mail",schemaPath:"#/properties/notify/properties/mail/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema1.properties.notify.properties.mail.type,parentSchema:schema1.properties.notify.properties.mail,data:data10};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
}
if(data8.link !== undefined){
let data13 = data8.link;
if(typeof data13 !== "boolean"){
const err36 = {instancePath:instancePath+"/notify/link",schemaPath:"#/properties/notify/properties/link/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema1.properties.notify.properties.link.type,parentSchema:schema1.properties.notify.properties.link,data:data13};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
}
}
else {
const err37 = {instancePath:instancePath+"/notify",schemaPath:"#/properties/notify/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema1.properties.notify.type,parentSchema:schema1.properties.notify,data:data8};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
}
}
else {
const err38 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema1.type,parentSchema:schema1,data};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
validate1.errors = vErrors;
return errors === 0;
}
validate1.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate0(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="settings.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate0.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.description === undefined){
data.description = "";
}
if(data.enabled === undefined){
data.enabled = true;
}
if(data.sessionTimeoutMinutes === undefined){
data.sessionTimeoutMinutes = 15;
}
if(data.roots === undefined){
data.roots = {};
}
if(data.workspaces === undefined){
data.workspaces = {};
}
if(data.fetch === undefined){
data.fetch = {};
}
if(data.runs === undefined){
data.runs = {};
}
if(data.server === undefined){
data.server = {};
}
if(data.login === undefined){
data.login = {};
}
if(data.reply === undefined){
data.reply = {};
}
if(data.clients === undefined){
data.clients = {};
}
if(data.learn === undefined){
data.learn = {};
}
if(data.notifications === undefined){
data.notifications = ["failure","approval","reminder"];
}
if(data.notify === undefined){
data.notify = {};
}
if(data.calendar === undefined){
data.calendar = {};
}
if(data.privacy === undefined){
data.privacy = {};
}
if(data.memory === undefined){
data.memory = {};
}
if(data.budget === undefined){
data.budget = {};
}
for(const key0 in data){
if(!(func0.call(schema0.properties, key0))){
const err0 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema0,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.$schema !== undefined){
let data0 = data.$schema;
if(typeof data0 !== "string"){
const err1 = {instancePath:instancePath+"/$schema",schemaPath:"#/properties/%24schema/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema0.properties.$schema.type,parentSchema:schema0.properties.$schema,data:data0};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
let data1 = data.description;
if(typeof data1 !== "string"){
const err2 = {instancePath:instancePath+"/description",schemaPath:"#/properties/description/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema0.properties.description.type,parentSchema:schema0.properties.description,data:data1};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
let data2 = data.enabled;
if(typeof data2 !== "boolean"){
const err3 = {instancePath:instancePath+"/enabled",schemaPath:"#/properties/enabled/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema0.properties.enabled.type,parentSchema:schema0.properties.enabled,data:data2};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
let data3 = data.sessionTimeoutMinutes;
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 > 525600 || isNaN(data3)){
const err4 = {instancePath:instancePath+"/sessionTimeoutMinutes",schemaPath:"#/properties/sessionTimeoutMinutes/maximum",keyword:"maximum",params:{comparison: "<=", limit: 525600},message:"must be <= 525600",schema:525600,parentSchema:schema0.properties.sessionTimeoutMinutes,data:data3};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data3 <= 0 || isNaN(data3)){
const err5 = {instancePath:instancePath+"/sessionTimeoutMinutes",schemaPath:"#/properties/sessionTimeoutMinutes/exclusiveMinimum",keyword:"exclusiveMinimum",params:{comparison: ">", limit: 0},message:"must be > 0",schema:0,parentSchema:schema0.properties.sessionTimeoutMinutes,data:data3};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
else {
const err6 = {instancePath:instancePath+"/sessionTimeoutMinutes",schemaPath:"#/properties/sessionTimeoutMinutes/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema0.properties.sessionTimeoutMinutes.type,parentSchema:schema0.properties.sessionTimeoutMinutes,data:data3};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
let data4 = data.roots;
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
if(Object.keys(data4).length > 1000){
const err7 = {instancePath:instancePath+"/roots",schemaPath:"#/properties/roots/maxProperties",keyword:"maxProperties",params:{limit: 1000},message:"must NOT have more than 1000 properties",schema:1000,parentSchema:schema0.properties.roots,data:data4};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
for(const key1 in data4){
const _errs12 = errors;
if(typeof key1 === "string"){
if(!pattern0.test(key1)){
const err8 = {instancePath:instancePath+"/roots",schemaPath:"#/properties/roots/propertyNames/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{1,48}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{1,48}$"+"\"",schema:"^[A-Za-z0-9_-]{1,48}$",parentSchema:schema0.properties.roots.propertyNames,data:key1,propertyName:key1};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
var valid1 = _errs12 === errors;
if(!valid1){
const err9 = {instancePath:instancePath+"/roots",schemaPath:"#/properties/roots/propertyNames",keyword:"propertyNames",params:{propertyName: key1},message:"property name must be valid",schema:schema0.properties.roots.propertyNames,parentSchema:schema0.properties.roots,data:data4};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
for(const key2 in data4){
let data5 = data4[key2];
if(typeof data5 === "string"){
if(func1(data5) > 4096){
const err10 = {instancePath:instancePath+"/roots/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/roots/additionalProperties/maxLength",keyword:"maxLength",params:{limit: 4096},message:"must NOT have more than 4096 characters",schema:4096,parentSchema:schema0.properties.roots.additionalProperties,data:data5};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(func1(data5) < 1){
const err11 = {instancePath:instancePath+"/roots/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/roots/additionalProperties/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema0.properties.roots.additionalProperties,data:data5};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
else {
const err12 = {instancePath:instancePath+"/roots/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/roots/additionalProperties/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema0.properties.roots.additionalProperties.type,parentSchema:schema0.properties.roots.additionalProperties,data:data5};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
}
else {
const err13 = {instancePath:instancePath+"/roots",schemaPath:"#/properties/roots/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema0.properties.roots.type,parentSchema:schema0.properties.roots,data:data4};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
let data6 = data.workspaces;
if(data6 && typeof data6 == "object" && !Array.isArray(data6)){
if(Object.keys(data6).length > 100){
const err14 = {instancePath:instancePath+"/workspaces",schemaPath:"#/properties/workspaces/maxProperties",keyword:"maxProperties",params:{limit: 100},message:"must NOT have more than 100 properties",schema:100,parentSchema:schema0.properties.workspaces,data:data6};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
for(const key3 in data6){
const _errs18 = errors;
if(typeof key3 === "string"){
if(!pattern0.test(key3)){
const err15 = {instancePath:instancePath+"/workspaces",schemaPath:"#/properties/workspaces/propertyNames/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{1,48}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{1,48}$"+"\"",schema:"^[A-Za-z0-9_-]{1,48}$",parentSchema:schema0.properties.workspaces.propertyNames,data:key3,propertyName:key3};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
var valid3 = _errs18 === errors;
if(!valid3){
const err16 = {instancePath:instancePath+"/workspaces",schemaPath:"#/properties/workspaces/propertyNames",keyword:"propertyNames",params:{propertyName: key3},message:"property name must be valid",schema:schema0.properties.workspaces.propertyNames,parentSchema:schema0.properties.workspaces,data:data6};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
for(const key4 in data6){
let data7 = data6[key4];
if(typeof data7 === "string"){
if(func1(data7) > 4096){
const err17 = {instancePath:instancePath+"/workspaces/" + key4.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/workspaces/additionalProperties/maxLength",keyword:"maxLength",params:{limit: 4096},message:"must NOT have more than 4096 characters",schema:4096,parentSchema:schema0.properties.workspaces.additionalProperties,data:data7};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
if(func1(data7) < 1){
const err18 = {instancePath:instancePath+"/workspaces/" + key4.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/workspaces/additionalProperties/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema0.properties.workspaces.additionalProperties,data:data7};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
else {
const err19 = {instancePath:instancePath+"/workspaces/" + key4.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/workspaces/additionalProperties/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema0.properties.workspaces.additionalProperties.type,parentSchema:schema0.properties.workspaces.additionalProperties,data:data7};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
}
else {
const err20 = {instancePath:instancePath+"/workspaces",schemaPath:"#/properties/workspaces/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema0.properties.workspaces.type,parentSchema:schema0.properties.workspaces,data:data6};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
let data8 = data.fetch;
if(data8 && typeof data8 == "object" && !Array.isArray(data8)){
if(data8.everySeconds === undefined){
data8.everySeconds = 60;
}
if(data8.concurrency === undefined){
data8.concurrency = 4;
}
for(const key5 in data8){
if(!((key5 === "everySeconds") || (key5 === "concurrency"))){
const err21 = {instancePath:instancePath+"/fetch",schemaPath:"#/properties/fetch/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key5},message:"must NOT have additional properties",schema:false,parentSchema:schema0.properties.fetch,data:data8};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
let data9 = data8.everySeconds;
if((typeof data9 == "number") && (isFinite(data9))){
if(data9 > 86400 || isNaN(data9)){
const err22 = {instancePath:instancePath+"/fetch/everySeconds",schemaPath:"#/properties/fetch/properties/everySeconds/maximum",keyword:"maximum",params:{comparison: "<=", limit: 86400},message:"must be <= 86400",schema:86400,parentSchema:schema0.properties.fetch.properties.everySeconds,data:data9};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
if(data9 < 1 || isNaN(data9)){
const err23 = {instancePath:instancePath+"/fetch/everySeconds",schemaPath:"#/properties/fetch/properties/everySeconds/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema0.properties.fetch.properties.everySeconds,data:data9};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
else {
const err24 = {instancePath:instancePath+"/fetch/everySeconds",schemaPath:"#/properties/fetch/properties/everySeconds/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema0.properties.fetch.properties.everySeconds.type,parentSchema:schema0.properties.fetch.properties.everySeconds,data:data9};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
let data10 = data8.concurrency;
if(!(((typeof data10 == "number") && (!(data10 % 1) && !isNaN(data10))) && (isFinite(data10)))){
const err25 = {instancePath:instancePath+"/fetch/concurrency",schemaPath:"#/properties/fetch/properties/concurrency/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema0.properties.fetch.properties.concurrency.type,parentSchema:schema0.properties.fetch.properties.concurrency,data:data10};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
if((typeof data10 == "number") && (isFinite(data10))){
if(data10 > 64 || isNaN(data10)){
const err26 = {instancePath:instancePath+"/fetch/concurrency",schemaPath:"#/properties/fetch/properties/concurrency/maximum",keyword:"maximum",params:{comparison: "<=", limit: 64},message:"must be <= 64",schema:64,parentSchema:schema0.properties.fetch.properties.concurrency,data:data10};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
if(data10 < 1 || isNaN(data10)){
const err27 = {instancePath:instancePath+"/fetch/concurrency",schemaPath:"#/properties/fetch/properties/concurrency/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema0.properties.fetch.properties.concurrency,data:data10};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
}
else {
const err28 = {instancePath:instancePath+"/fetch",schemaPath:"#/properties/fetch/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema0.properties.fetch.type,parentSchema:schema0.properties.fetch,data:data8};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
let data11 = data.runs;
if(data11 && typeof data11 == "object" && !Array.isArray(data11)){
if(data11.concurrency === undefined){
data11.concurrency = 16;
}
if(data11.maxCallsPerAnswer === undefined){
data11.maxCallsPerAnswer = 64;
}
if(data11.maxOpenApprovals === undefined){
data11.maxOpenApprovals = 32;
}
if(data11.retainDays === undefined){
data11.retainDays = 365;
}
for(const key6 in data11){
if(!((((key6 === "concurrency") || (key6 === "maxCallsPerAnswer")) || (key6 === "maxOpenApprovals")) || (key6 === "retainDays"))){
const err29 = {instancePath:instancePath+"/runs",schemaPath:"#/properties/runs/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key6},message:"must NOT have additional properties",schema:false,parentSchema:schema0.properties.runs,data:data11};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
let data12 = data11.concurrency;
if(!(((typeof data12 == "number") && (!(data12 % 1) && !isNaN(data12))) && (isFinite(data12)))){
const err30 = {instancePath:instancePath+"/runs/concurrency",schemaPath:"#/properties/runs/properties/concurrency/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema0.properties.runs.properties.concurrency.type,parentSchema:schema0.properties.runs.properties.concurrency,data:data12};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
if((typeof data12 == "number") && (isFinite(data12))){
if(data12 > 10000 || isNaN(data12)){
const err31 = {instancePath:instancePath+"/runs/concurrency",schemaPath:"#/properties/runs/properties/concurrency/maximum",keyword:"maximum",params:{comparison: "<=", limit: 10000},message:"must be <= 10000",schema:10000,parentSchema:schema0.properties.runs.properties.concurrency,data:data12};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
if(data12 < 1 || isNaN(data12)){
const err32 = {instancePath:instancePath+"/runs/concurrency",schemaPath:"#/properties/runs/properties/concurrency/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema0.properties.runs.properties.concurrency,data:data12};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
let data13 = data11.maxCallsPerAnswer;
if(!(((typeof data13 == "number") && (!(data13 % 1) && !isNaN(data13))) && (isFinite(data13)))){
const err33 = {instancePath:instancePath+"/runs/maxCallsPerAnswer",schemaPath:"#/properties/runs/properties/maxCallsPerAnswer/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema0.properties.runs.properties.maxCallsPerAnswer.type,parentSchema:schema0.properties.runs.properties.maxCallsPerAnswer,data:data13};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
if((typeof data13 == "number") && (isFinite(data13))){
if(data13 > 1000 || isNaN(data13)){
const err34 = {instancePath:instancePath+"/runs/maxCallsPerAnswer",schemaPath:"#/properties/runs/properties/maxCallsPerAnswer/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000},message:"must be <= 1000",schema:1000,parentSchema:schema0.properties.runs.properties.maxCallsPerAnswer,data:data13};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
if(data13 < 1 || isNaN(data13)){
const err35 = {instancePath:instancePath+"/runs/maxCallsPerAnswer",schemaPath:"#/properties/runs/properties/maxCallsPerAnswer/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema0.properties.runs.properties.maxCallsPerAnswer,data:data13};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
}
let data14 = data11.maxOpenApprovals;
if(!(((typeof data14 == "number") && (!(data14 % 1) && !isNaN(data14))) && (isFinite(data14)))){
const err36 = {instancePath:instancePath+"/runs/maxOpenApprovals",schemaPath:"#/properties/runs/properties/maxOpenApprovals/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema0.properties.runs.properties.maxOpenApprovals.type,parentSchema:schema0.properties.runs.properties.maxOpenApprovals,data:data14};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
if((typeof data14 == "number") && (isFinite(data14))){
if(data14 > 1000 || isNaN(data14)){
const err37 = {instancePath:instancePath+"/runs/maxOpenApprovals",schemaPath:"#/properties/runs/properties/maxOpenApprovals/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000},message:"must be <= 1000",schema:1000,parentSchema:schema0.properties.runs.properties.maxOpenApprovals,data:data14};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
if(data14 < 1 || isNaN(data14)){
const err38 = {instancePath:instancePath+"/runs/maxOpenApprovals",schemaPath:"#/properties/runs/properties/maxOpenApprovals/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema0.properties.runs.properties.maxOpenApprovals,data:data14};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
}
let data15 = data11.retainDays;
if(!(((typeof data15 == "number") && (!(data15 % 1) && !isNaN(data15))) && (isFinite(data15)))){
const err39 = {instancePath:instancePath+"/runs/retainDays",schemaPath:"#/properties/runs/properties/retainDays/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema0.properties.runs.properties.retainDays.type,parentSchema:schema0.properties.runs.properties.retainDays,data:data15};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
if((typeof data15 == "number") && (isFinite(data15))){
if(data15 > 36500 || isNaN(data15)){
const err40 = {instancePath:instancePath+"/runs/retainDays",schemaPath:"#/properties/runs/properties/retainDays/maximum",keyword:"maximum",params:{comparison: "<=", limit: 36500},message:"must be <= 36500",schema:36500,parentSchema:schema0.properties.runs.properties.retainDays,data:data15};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
if(data15 < 1 || isNaN(data15)){
const err41 = {instancePath:instancePath+"/runs/retainDays",schemaPath:"#/properties/runs/properties/retainDays/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema0.properties.runs.properties.retainDays,data:data15};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
}
}
else {
const err42 = {instancePath:instancePath+"/runs",schemaPath:"#/properties/runs/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema0.properties.runs.type,parentSchema:schema0.properties.runs,data:data11};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
let data16 = data.server;
if(data16 && typeof data16 == "object" && !Array.isArray(data16)){
if(data16.host === undefined){
data16.host = "127.0.0.1";
}
if(data16.port === undefined){
data16.port = 3001;
}
if(data16.proxies === undefined){
data16.proxies = ["127.0.0.1","::1"];
}
for(const key7 in data16){
if(!((((key7 === "host") || (key7 === "port")) || (key7 === "publicUrl")) || (key7 === "proxies"))){
const err43 = {instancePath:instancePath+"/server",schemaPath:"#/properties/server/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key7},message:"must NOT have additional properties",schema:false,parentSchema:schema0.properties.server,data:data16};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
}
let data17 = data16.host;
if(typeof data17 === "string"){
if(func1(data17) > 45){
const err44 = {instancePath:instancePath+"/server/host",schemaPath:"#/properties/server/properties/host/maxLength",keyword:"maxLength",params:{limit: 45},message:"must NOT have more than 45 characters",schema:45,parentSchema:schema0.properties.server.properties.host,data:data17};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
if(!pattern2.test(data17)){
const err45 = {instancePath:instancePath+"/server/host",schemaPath:"#/properties/server/properties/host/pattern",keyword:"pattern",params:{pattern: "^(localhost|[0-9]{1,3}(\\.[0-9]{1,3}){3}|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*)$"},message:"must match pattern \""+"^(localhost|[0-9]{1,3}(\\.[0-9]{1,3}){3}|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*)$"+"\"",schema:"^(localhost|[0-9]{1,3}(\\.[0-9]{1,3}){3}|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*)$",parentSchema:schema0.properties.server.properties.host,data:data17};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
}
else {
const err46 = {instancePath:instancePath+"/server/host",schemaPath:"#/properties/server/properties/host/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema0.properties.server.properties.host.type,parentSchema:schema0.properties.server.properties.host,data:data17};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
let data18 = data16.port;
if(!(((typeof data18 == "number") && (!(data18 % 1) && !isNaN(data18))) && (isFinite(data18)))){
const err47 = {instancePath:instancePath+"/server/port",schemaPath:"#/properties/server/properties/port/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema0.properties.server.properties.port.type,parentSchema:schema0.properties.server.properties.port,data:data18};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
if((typeof data18 == "number") && (isFinite(data18))){
if(data18 > 65535 || isNaN(data18)){
const err48 = {instancePath:instancePath+"/server/port",schemaPath:"#/properties/server/properties/port/maximum",keyword:"maximum",params:{comparison: "<=", limit: 65535},message:"must be <= 65535",schema:65535,parentSchema:schema0.properties.server.properties.port,data:data18};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
if(data18 < 0 || isNaN(data18)){
const err49 = {instancePath:instancePath+"/server/port",schemaPath:"#/properties/server/properties/port/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schema0.properties.server.properties.port,data:data18};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
}
if(data16.publicUrl !== undefined){
let data19 = data16.publicUrl;
if(typeof data19 === "string"){
if(func1(data19) > 300){
const err50 = {instancePath:instancePath+"/server/publicUrl",schemaPath:"#/properties/server/properties/publicUrl/maxLength",keyword:"maxLength",params:{limit: 300},message:"must NOT have more than 300 characters",schema:300,parentSchema:schema0.properties.server.properties.publicUrl,data:data19};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
if(!pattern3.test(data19)){
const err51 = {instancePath:instancePath+"/server/publicUrl",schemaPath:"#/properties/server/properties/publicUrl/pattern",keyword:"pattern",params:{pattern: "^https?://([A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)*|\\[[0-9A-Fa-f:.]+\\])(:[0-9]{1,5})?/?$"},message:"must match pattern \""+"^https?://([A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)*|\\[[0-9A-Fa-f:.]+\\])(:[0-9]{1,5})?/?$"+"\"",schema:"^https?://([A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)*|\\[[0-9A-Fa-f:.]+\\])(:[0-9]{1,5})?/?$",parentSchema:schema0.properties.server.properties.publicUrl,data:data19};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
}
}
else {
const err52 = {instancePath:instancePath+"/server/publicUrl",schemaPath:"#/properties/server/properties/publicUrl/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema0.properties.server.properties.publicUrl.type,parentSchema:schema0.properties.server.properties.publicUrl,data:data19};
if(vErrors === null){
vErrors = [err52];
}
else {
vErrors.push(err52);
}
errors++;
}
}
let data20 = data16.proxies;
if(Array.isArray(data20)){
if(data20.length > 100){
const err53 = {instancePath:instancePath+"/server/proxies",schemaPath:"#/properties/server/properties/proxies/maxItems",keyword:"maxItems",params:{limit: 100},message:"must NOT have more than 100 items",schema:100,parentSchema:schema0.properties.server.properties.proxies,data:data20};
if(vErrors === null){
vErrors = [err53];
}
else {
vErrors.push(err53);
}
errors++;
}
const len0 = data20.length;
for(let i0=0; i0<len0; i0++){
let data21 = data20[i0];
if(typeof data21 === "string"){
if(!pattern4.test(data21)){
const err54 = {instancePath:instancePath+"/server/proxies/" + i0,schemaPath:"#/properties/server/properties/proxies/items/pattern",keyword:"pattern",params:{pattern: "^[0-9A-Fa-f:.]{2,45}(/[0-9]{1,3})?$"},message:"must match pattern \""+"^[0-9A-Fa-f:.]{2,45}(/[0-9]{1,3})?$"+"\"",schema:"^[0-9A-Fa-f:.]{2,45}(/[0-9]{1,3})?$",parentSchema:schema0.properties.server.properties.proxies.items,data:data21};
if(vErrors === null){
vErrors = [err54];
}
else {
vErrors.push(err54);
}
errors++;
}
}
else {
const err55 = {instancePath:instancePath+"/server/proxies/" + i0,schemaPath:"#/properties/server/properties/proxies/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema0.properties.server.properties.proxies.items.type,parentSchema:schema0.properties.server.properties.proxies.items,data:data21};
if(vErrors === null){
vErrors = [err55];
}
else {
vErrors.push(err55);
}
errors++;
}
}
let i1 = data20.length;
let j0;
if(i1 > 1){
const indices0 = {};
for(;i1--;){
let item0 = data20[i1];
if(typeof item0 !== "string"){
continue;
}
if(typeof indices0[item0] == "number"){
j0 = indices0[item0];
const err56 = {instancePath:instancePath+"/server/proxies",schemaPath:"#/properties/server/properties/proxies/uniqueItems",keyword:"uniqueItems",params:{i: i1, j: j0},message:"must NOT have duplicate items (items ## "+j0+" and "+i1+" are identical)",schema:true,parentSchema:schema0.properties.server.properties.proxies,data:data20};
if(vErrors === null){
vErrors = [err56];
}
else {
vErrors.push(err56);
}
errors++;
break;
}
indices0[item0] = i1;
}
}
}
else {
const err57 = {instancePath:instancePath+"/server/proxies",schemaPath:"#/properties/server/properties/proxies/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema0.properties.server.properties.proxies.type,parentSchema:schema0.properties.server.properties.proxies,data:data20};
if(vErrors === null){
vErrors = [err57];
}
else {
vErrors.push(err57);
}
errors++;
}
}
else {
const err58 = {instancePath:instancePath+"/server",schemaPath:"#/properties/server/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema0.properties.server.type,parentSchema:schema0.properties.server,data:data16};
if(vErrors === null){
vErrors = [err58];
}
else {
vErrors.push(err58);
}
errors++;
}
let data22 = data.login;
if(data22 && typeof data22 == "object" && !Array.isArray(data22)){
if(data22.users === undefined){
data22.users = [];
}
for(const key8 in data22){
if(!(key8 === "users")){
const err59 = {instancePath:instancePath+"/login",schemaPath:"#/properties/login/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key8},message:"must NOT have additional properties",schema:false,parentSchema:schema0.properties.login,data:data22};
if(vErrors === null){
vErrors = [err59];
}
else {
vErrors.push(err59);
}
errors++;
}
}
let data23 = data22.users;
if(Array.isArray(data23)){
if(data23.length > 1000){
const err60 = {instancePath:instancePath+"/login/users",schemaPath:"#/properties/login/properties/users/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items",schema:1000,parentSchema:schema0.properties.login.properties.users,data:data23};
if(vErrors === null){
vErrors = [err60];
}
else {
vErrors.push(err60);
}
errors++;
}
const len1 = data23.length;
for(let i2=0; i2<len1; i2++){
let data24 = data23[i2];
if(data24 && typeof data24 == "object" && !Array.isArray(data24)){
if(data24.email === undefined){
const err61 = {instancePath:instancePath+"/login/users/" + i2,schemaPath:"#/properties/login/properties/users/items/required",keyword:"required",params:{missingProperty: "email"},message:"must have required property '"+"email"+"'",schema:schema0.properties.login.properties.users.items.required,parentSchema:schema0.properties.login.properties.users.items,data:data24};
if(vErrors === null){
vErrors = [err61];
}
else {
vErrors.push(err61);
}
errors++;
}
if(data24.role === undefined){
const err62 = {instancePath:instancePath+"/login/users/" + i2,schemaPath:"#/properties/login/properties/users/items/required",keyword:"required",params:{missingProperty: "role"},message:"must have required property '"+"role"+"'",schema:schema0.properties.login.properties.users.items.required,parentSchema:schema0.properties.login.properties.users.items,data:data24};
if(vErrors === null){
vErrors = [err62];
}
else {
vErrors.push(err62);
}
errors++;
}
for(const key9 in data24){
if(!((key9 === "email") || (key9 === "role"))){
const err63 = {instancePath:instancePath+"/login/users/" + i2,schemaPath:"#/properties/login/properties/users/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key9},message:"must NOT have additional properties",schema:false,parentSchema:schema0.properties.login.properties.users.items,data:data24};
if(vErrors === null){
vErrors = [err63];
}
else {
vErrors.push(err63);
}
errors++;
}
}
if(data24.email !== undefined){
let data25 = data24.email;
if(typeof data25 === "string"){
if(func1(data25) > 320){
const err64 = {instancePath:instancePath+"/login/users/" + i2+"/email",schemaPath:"#/properties/login/properties/users/items/properties/email/maxLength",keyword:"maxLength",params:{limit: 320},message:"must NOT have more than 320 characters",schema:320,parentSchema:schema0.properties.login.properties.users.items.properties.email,data:data25};
if(vErrors === null){
vErrors = [err64];
}
else {
vErrors.push(err64);
}
errors++;
}
if(!pattern5.test(data25)){
const err65 = {instancePath:instancePath+"/login/users/" + i2+"/email",schemaPath:"#/properties/login/properties/users/items/properties/email/pattern",keyword:"pattern",params:{pattern: "^[^\\s@<>,;]+@[^\\s@<>,;]+$"},message:"must match pattern \""+"^[^\\s@<>,;]+@[^\\s@<>,;]+$"+"\"",schema:"^[^\\s@<>,;]+@[^\\s@<>,;]+$",parentSchema:schema0.properties.login.properties.users.items.properties.email,data:data25};
if(vErrors === null){
vErrors = [err65];
}
else {
vErrors.push(err65);
}
errors++;
}
}
else {
const err66 = {instancePath:instancePath+"/login/users/" + i2+"/email",schemaPath:"#/properties/login/properties/users/items/properties/email/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema0.properties.login.properties.users.items.properties.email.type,parentSchema:schema0.properties.login.properties.users.items.properties.email,data:data25};
if(vErrors === null){
vErrors = [err66];
}
else {
vErrors.push(err66);
}
errors++;
}
}
if(data24.role !== undefined){
let data26 = data24.role;
if(typeof data26 !== "string"){
const err67 = {instancePath:instancePath+"/login/users/" + i2+"/role",schemaPath:"#/properties/login/properties/users/items/properties/role/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema0.properties.login.properties.users.items.properties.role.type,parentSchema:schema0.properties.login.properties.users.items.properties.role,data:data26};
if(vErrors === null){
vErrors = [err67];
}
else {
vErrors.push(err67);
}
errors++;
}
if(!(((data26 === "viewer") || (data26 === "approver")) || (data26 === "admin"))){
const err68 = {instancePath:instancePath+"/login/users/" + i2+"/role",schemaPath:"#/properties/login/properties/users/items/properties/role/enum",keyword:"enum",params:{allowedValues: schema0.properties.login.properties.users.items.properties.role.enum},message:"must be equal to one of the allowed values",schema:schema0.properties.login.properties.users.items.properties.role.enum,parentSchema:schema0.properties.login.properties.users.items.properties.role,data:data26};
if(vErrors === null){
vErrors = [err68];
}
else {
vErrors.push(err68);
}
errors++;
}
}
}
else {
const err69 = {instancePath:instancePath+"/login/users/" + i2,schemaPath:"#/properties/login/properties/users/items/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema0.properties.login.properties.users.items.type,parentSchema:schema0.properties.login.properties.users.items,data:data24};
if(vErrors === null){
vErrors = [err69];
}
else {
vErrors.push(err69);
}
errors++;
}
}
}
else {
const err70 = {instancePath:instancePath+"/login/users",schemaPath:"#/properties/login/properties/users/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema0.properties.login.properties.users.type,parentSchema:schema0.properties.login.properties.users,data:data23};
if(vErrors === null){
vErrors = [err70];
}
else {
vErrors.push(err70);
}
errors++;
}
}
else {
const err71 = {instancePath:instancePath+"/login",schemaPath:"#/properties/login/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema0.properties.login.type,parentSchema:schema0.properties.login,data:data22};
if(vErrors === null){
vErrors = [err71];
}
else {
vErrors.push(err71);
}
errors++;
}
let data27 = data.reply;
if(data27 && typeof data27 == "object" && !Array.isArray(data27)){
if(data27.perThreadPerDay === undefined){
data27.perThreadPerDay = 5;
}
for(const key10 in data27){
if(!(key10 === "perThreadPerDay")){
const err72 = {instancePath:instancePath+"/reply",schemaPath:"#/properties/reply/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key10},message:"must NOT have additional properties",schema:false,parentSchema:schema0.properties.reply,data:data27};
if(vErrors === null){
vErrors = [err72];
}
else {
vErrors.push(err72);
}
errors++;
}
}
let data28 = data27.perThreadPerDay;
if(!(((typeof data28 == "number") && (!(data28 % 1) && !isNaN(data28))) && (isFinite(data28)))){
const err73 = {instancePath:instancePath+"/reply/perThreadPerDay",schemaPath:"#/properties/reply/properties/perThreadPerDay/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema0.properties.reply.properties.perThreadPerDay.type,parentSchema:schema0.properties.reply.properties.perThreadPerDay,data:data28};
if(vErrors === null){
vErrors = [err73];
}
else {
vErrors.push(err73);
}
errors++;
}
if((typeof data28 == "number") && (isFinite(data28))){
if(data28 > 100 || isNaN(data28)){
const err74 = {instancePath:instancePath+"/reply/perThreadPerDay",schemaPath:"#/properties/reply/properties/perThreadPerDay/maximum",keyword:"maximum",params:{comparison: "<=", limit: 100},message:"must be <= 100",schema:100,parentSchema:schema0.properties.reply.properties.perThreadPerDay,data:data28};
if(vErrors === null){
vErrors = [err74];
}
else {
vErrors.push(err74);
}
errors++;
}
if(data28 < 0 || isNaN(data28)){
const err75 = {instancePath:instancePath+"/reply/perThreadPerDay",schemaPath:"#/properties/reply/properties/perThreadPerDay/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schema0.properties.reply.properties.perThreadPerDay,data:data28};
if(vErrors === null){
vErrors = [err75];
}
else {
vErrors.push(err75);
}
errors++;
}
}
}
else {
const err76 = {instancePath:instancePath+"/reply",schemaPath:"#/properties/reply/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema0.properties.reply.type,parentSchema:schema0.properties.reply,data:data27};
if(vErrors === null){
vErrors = [err76];
}
else {
vErrors.push(err76);
}
errors++;
}
let data29 = data.clients;
if(data29 && typeof data29 == "object" && !Array.isArray(data29)){
if(data29.mcp === undefined){
data29.mcp = {};
}
for(const key11 in data29){
if(!(key11 === "mcp")){
const err77 = {instancePath:instancePath+"/clients",schemaPath:"#/properties/clients/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key11},message:"must NOT have additional properties",schema:false,parentSchema:schema0.properties.clients,data:data29};
if(vErrors === null){
vErrors = [err77];
}
else {
vErrors.push(err77);
}
errors++;
}
}
let data30 = data29.mcp;
if(data30 && typeof data30 == "object" && !Array.isArray(data30)){
if(data30.deny === undefined){
data30.deny = [];
}
for(const key12 in data30){
if(!((key12 === "allow") || (key12 === "deny"))){
const err78 = {instancePath:instancePath+"/clients/mcp",schemaPath:"#/properties/clients/properties/mcp/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key12},message:"must NOT have additional properties",schema:false,parentSchema:schema0.properties.clients.properties.mcp,data:data30};
if(vErrors === null){
vErrors = [err78];
}
else {
vErrors.push(err78);
}
errors++;
}
}
if(data30.allow !== undefined){
let data31 = data30.allow;
if(Array.isArray(data31)){
const len2 = data31.length;
for(let i3=0; i3<len2; i3++){
let data32 = data31[i3];
if(typeof data32 !== "string"){
const err79 = {instancePath:instancePath+"/clients/mcp/allow/" + i3,schemaPath:"#/properties/clients/properties/mcp/properties/allow/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema0.properties.clients.properties.mcp.properties.allow.items.type,parentSchema:schema0.properties.clients.properties.mcp.properties.allow.items,data:data32};
if(vErrors === null){
vErrors = [err79];
}
else {
vErrors.push(err79);
}
errors++;
}
if(!((((((((data32 === "mail_search") || (data32 === "mail_read")) || (data32 === "runs_list")) || (data32 === "run_start")) || (data32 === "run_answer")) || (data32 === "items_list")) || (data32 === "item_read")) || (data32 === "approvals_list"))){
const err80 = {instancePath:instancePath+"/clients/mcp/allow/" + i3,schemaPath:"#/properties/clients/properties/mcp/properties/allow/items/enum",keyword:"enum",params:{allowedValues: schema0.properties.clients.properties.mcp.properties.allow.items.enum},message:"must be equal to one of the allowed values",schema:schema0.properties.clients.properties.mcp.properties.allow.items.enum,parentSchema:schema0.properties.clients.properties.mcp.properties.allow.items,data:data32};
if(vErrors === null){
vErrors = [err80];
}
else {
vErrors.push(err80);
}
errors++;
}
}
let i4 = data31.length;
let j1;
if(i4 > 1){
const indices1 = {};
for(;i4--;){
let item1 = data31[i4];
if(typeof item1 !== "string"){
continue;
}
if(typeof indices1[item1] == "number"){
j1 = indices1[item1];
const err81 = {instancePath:instancePath+"/clients/mcp/allow",schemaPath:"#/properties/clients/properties/mcp/properties/allow/uniqueItems",keyword:"uniqueItems",params:{i: i4, j: j1},message:"must NOT have duplicate items (items ## "+j1+" and "+i4+" are identical)",schema:true,parentSchema:schema0.properties.clients.properties.mcp.properties.allow,data:data31};
if(vErrors === null){
vErrors = [err81];
}
else {
vErrors.push(err81);
}
errors++;
break;
}
indices1[item1] = i4;
}
}
}
else {
const err82 = {instancePath:instancePath+"/clients/mcp/allow",schemaPath:"#/properties/clients/properties/mcp/properties/allow/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema0.properties.clients.properties.mcp.properties.allow.type,parentSchema:schema0.properties.clients.properties.mcp.properties.allow,data:data31};
if(vErrors === null){
vErrors = [err82];
}
else {
vErrors.push(err82);
}
errors++;
}
}
let data33 = data30.deny;
if(Array.isArray(data33)){
const len3 = data33.length;
for(let i5=0; i5<len3; i5++){
let data34 = data33[i5];
if(typeof data34 !== "string"){
const err83 = {instancePath:instancePath+"/clients/mcp/deny/" + i5,schemaPath:"#/properties/clients/properties/mcp/properties/deny/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema0.properties.clients.properties.mcp.properties.deny.items.type,parentSchema:schema0.properties.clients.properties.mcp.properties.deny.items,data:data34};
if(vErrors === null){
vErrors = [err83];
}
else {
vErrors.push(err83);
}
errors++;
}
if(!((((((((data34 === "mail_search") || (data34 === "mail_read")) || (data34 === "runs_list")) || (data34 === "run_start")) || (data34 === "run_answer")) || (data34 === "items_list")) || (data34 === "item_read")) || (data34 === "approvals_list"))){
const err84 = {instancePath:instancePath+"/clients/mcp/deny/" + i5,schemaPath:"#/properties/clients/properties/mcp/properties/deny/items/enum",keyword:"enum",params:{allowedValues: schema0.properties.clients.properties.mcp.properties.deny.items.enum},message:"must be equal to one of the allowed values",schema:schema0.properties.clients.properties.mcp.properties.deny.items.enum,parentSchema:schema0.properties.clients.properties.mcp.properties.deny.items,data:data34};
if(vErrors === null){
vErrors = [err84];
}
else {
vErrors.push(err84);
}
errors++;
}
}
let i6 = data33.length;
let j2;
if(i6 > 1){
const indices2 = {};
for(;i6--;){
let item2 = data33[i6];
if(typeof item2 !== "string"){
continue;
}
if(typeof indices2[item2] == "number"){
j2 = indices2[item2];
const err85 = {instancePath:instancePath+"/clients/mcp/deny",schemaPath:"#/properties/clients/properties/mcp/properties/deny/uniqueItems",keyword:"uniqueItems",params:{i: i6, j: j2},message:"must NOT have duplicate items (items ## "+j2+" and "+i6+" are identical)",schema:true,parentSchema:schema0.properties.clients.properties.mcp.properties.deny,data:data33};
if(vErrors === null){
vErrors = [err85];
}
else {
vErrors.push(err85);
}
errors++;
break;
}
indices2[item2] = i6;
}
}
}
else {
const err86 = {instancePath:instancePath+"/clients/mcp/deny",schemaPath:"#/properties/clients/properties/mcp/properties/deny/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema0.properties.clients.properties.mcp.properties.deny.type,parentSchema:schema0.properties.clients.properties.mcp.properties.deny,data:data33};
if(vErrors === null){
vErrors = [err86];
}
else {
vErrors.push(err86);
}
errors++;
}
}
else {
const err87 = {instancePath:instancePath+"/clients/mcp",schemaPath:"#/properties/clients/properties/mcp/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema0.properties.clients.properties.mcp.type,parentSchema:schema0.properties.clients.properties.mcp,data:data30};
if(vErrors === null){
vErrors = [err87];
}
else {
vErrors.push(err87);
}
errors++;
}
}
else {
const err88 = {instancePath:instancePath+"/clients",schemaPath:"#/properties/clients/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema0.properties.clients.type,parentSchema:schema0.properties.clients,data:data29};
if(vErrors === null){
vErrors = [err88];
}
else {
vErrors.push(err88);
}
errors++;
}
let data35 = data.learn;
if(data35 && typeof data35 == "object" && !Array.isArray(data35)){
for(const key13 in data35){
if(!(key13 === "agent")){
const err89 = {instancePath:instancePath+"/learn",schemaPath:"#/properties/learn/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key13},message:"must NOT have additional properties",schema:false,parentSchema:schema0.properties.learn,data:data35};
if(vErrors === null){
vErrors = [err89];
}
else {
vErrors.push(err89);
}
errors++;
}
}
if(data35.agent !== undefined){
let data36 = data35.agent;
if(typeof data36 === "string"){
if(!pattern0.test(data36)){
const err90 = {instancePath:instancePath+"/learn/agent",schemaPath:"#/properties/learn/properties/agent/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{1,48}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{1,48}$"+"\"",schema:"^[A-Za-z0-9_-]{1,48}$",parentSchema:schema0.properties.learn.properties.agent,data:data36};
if(vErrors === null){
vErrors = [err90];
}
else {
vErrors.push(err90);
}
errors++;
}
}
else {
const err91 = {instancePath:instancePath+"/learn/agent",schemaPath:"#/properties/learn/properties/agent/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema0.properties.learn.properties.agent.type,parentSchema:schema0.properties.learn.properties.agent,data:data36};
if(vErrors === null){
vErrors = [err91];
}
else {
vErrors.push(err91);
}
errors++;
}
}
}
else {
const err92 = {instancePath:instancePath+"/learn",schemaPath:"#/properties/learn/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema0.properties.learn.type,parentSchema:schema0.properties.learn,data:data35};
if(vErrors === null){
vErrors = [err92];
}
else {
vErrors.push(err92);
}
errors++;
}
let data37 = data.notifications;
if(Array.isArray(data37)){
const len4 = data37.length;
for(let i7=0; i7<len4; i7++){
let data38 = data37[i7];
if(typeof data38 !== "string"){
const err93 = {instancePath:instancePath+"/notifications/" + i7,schemaPath:"#/properties/notifications/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema0.properties.notifications.items.type,parentSchema:schema0.properties.notifications.items,data:data38};
if(vErrors === null){
vErrors = [err93];
}
else {
vErrors.push(err93);
}
errors++;
}
if(!((((data38 === "complete") || (data38 === "failure")) || (data38 === "approval")) || (data38 === "reminder"))){
const err94 = {instancePath:instancePath+"/notifications/" + i7,schemaPath:"#/properties/notifications/items/enum",keyword:"enum",params:{allowedValues: schema0.properties.notifications.items.enum},message:"must be equal to one of the allowed values",schema:schema0.properties.notifications.items.enum,parentSchema:schema0.properties.notifications.items,data:data38};
if(vErrors === null){
vErrors = [err94];
}
else {
vErrors.push(err94);
}
errors++;
}
}
let i8 = data37.length;
let j3;
if(i8 > 1){
const indices3 = {};
for(;i8--;){
let item3 = data37[i8];
if(typeof item3 !== "string"){
continue;
}
if(typeof indices3[item3] == "number"){
j3 = indices3[item3];
const err95 = {instancePath:instancePath+"/notifications",schemaPath:"#/properties/notifications/uniqueItems",keyword:"uniqueItems",params:{i: i8, j: j3},message:"must NOT have duplicate items (items ## "+j3+" and "+i8+" are identical)",schema:true,parentSchema:schema0.properties.notifications,data:data37};
if(vErrors === null){
vErrors = [err95];
}
else {
vErrors.push(err95);
}
errors++;
break;
}
indices3[item3] = i8;
}
}
}
else {
const err96 = {instancePath:instancePath+"/notifications",schemaPath:"#/properties/notifications/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema0.properties.notifications.type,parentSchema:schema0.properties.notifications,data:data37};
if(vErrors === null){
vErrors = [err96];
}
else {
vErrors.push(err96);
}
errors++;
}
let data39 = data.notify;
if(data39 && typeof data39 == "object" && !Array.isArray(data39)){
for(const key14 in data39){
if(!((key14 === "webhook") || (key14 === "mail"))){
const err97 = {instancePath:instancePath+"/notify",schemaPath:"#/properties/notify/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key14},message:"must NOT have additional properties",schema:false,parentSchema:schema0.properties.notify,data:data39};
if(vErrors === null){
vErrors = [err97];
}
else {
vErrors.push(err97);
}
errors++;
}
}
if(data39.webhook !== undefined){
let data40 = data39.webhook;
if(typeof data40 === "string"){
if(func1(data40) > 2000){
const err98 = {instancePath:instancePath+"/notify/webhook",schemaPath:"#/properties/notify/properties/webhook/maxLength",keyword:"maxLength",params:{limit: 2000},message:"must NOT have more than 2000 characters",schema:2000,parentSchema:schema0.properties.notify.properties.webhook,data:data40};
if(vErrors === null){
vErrors = [err98];
}
else {
vErrors.push(err98);
}
errors++;
}
if(!pattern7.test(data40)){
const err99 = {instancePath:instancePath+"/notify/webhook",schemaPath:"#/properties/notify/properties/webhook/pattern",keyword:"pattern",params:{pattern: "^(https?://[^\\s]+|\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\})$"},message:"must match pattern \""+"^(https?://[^\\s]+|\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\})$"+"\"",schema:"^(https?://[^\\s]+|\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\})$",parentSchema:schema0.properties.notify.properties.webhook,data:data40};
if(vErrors === null){
vErrors = [err99];
}
else {
vErrors.push(err99);
}
errors++;
}
}
else {
const err100 = {instancePath:instancePath+"/notify/webhook",schemaPath:"#/properties/notify/properties/webhook/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema0.properties.notify.properties.webhook.type,parentSchema:schema0.properties.notify.properties.webhook,data:data40};
if(vErrors === null){
vErrors = [err100];
}
else {
vErrors.push(err100);
}
errors++;
}
}
if(data39.mail !== undefined){
let data41 = data39.mail;
if(data41 && typeof data41 == "object" && !Array.isArray(data41)){
if(data41.accountId === undefined){
const err101 = {instancePath:instancePath+"/notify/mail",schemaPath:"#/properties/notify/properties/mail/required",keyword:"required",params:{missingProperty: "accountId"},message:"must have required property '"+"accountId"+"'",schema:schema0.properties.notify.properties.mail.required,parentSchema:schema0.properties.notify.properties.mail,data:data41};
if(vErrors === null){
vErrors = [err101];
}
else {
vErrors.push(err101);
}
errors++;
}
if(data41.to === undefined){
const err102 = {instancePath:instancePath+"/notify/mail",schemaPath:"#/properties/notify/properties/mail/required",keyword:"required",params:{missingProperty: "to"},message:"must have required property '"+"to"+"'",schema:schema0.properties.notify.properties.mail.required,parentSchema:schema0.properties.notify.properties.mail,data:data41};
if(vErrors === null){
vErrors = [err102];
}
else {
vErrors.push(err102);
}
errors++;
}
for(const key15 in data41){
if(!((key15 === "accountId") || (key15 === "to"))){
const err103 = {instancePath:instancePath+"/notify/mail",schemaPath:"#/properties/notify/properties/mail/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key15},message:"must NOT have additional properties",schema:false,parentSchema:schema0.properties.notify.properties.mail,data:data41};
if(vErrors === null){
vErrors = [err103];
}
else {
vErrors.push(err103);
}
errors++;
}
}
if(data41.accountId !== undefined){
let data42 = data41.accountId;
if(typeof data42 === "string"){
if(!pattern8.test(data42)){
const err104 = {instancePath:instancePath+"/notify/mail/accountId",schemaPath:"#/properties/notify/properties/mail/properties/accountId/pattern",keyword:"pattern",params:{pattern: "^([A-Za-z0-9_-]{1,48}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190})$"},message:"must match pattern \""+"^([A-Za-z0-9_-]{1,48}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190})$"+"\"",schema:"^([A-Za-z0-9_-]{1,48}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190})$",parentSchema:schema0.properties.notify.properties.mail.properties.accountId,data:data42};
if(vErrors === null){
vErrors = [err104];
}
else {
vErrors.push(err104);
}
errors++;
}
}
else {
const err105 = {instancePath:instancePath+"/notify/mail/accountId",schemaPath:"#/properties/notify/properties/mail/properties/accountId/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema0.properties.notify.properties.mail.properties.accountId.type,parentSchema:schema0.properties.notify.properties.mail.properties.accountId,data:data42};
if(vErrors === null){
vErrors = [err105];
}
else {
vErrors.push(err105);
}
errors++;
}
}
if(data41.to !== undefined){
let data43 = data41.to;
if(typeof data43 === "string"){
if(func1(data43) > 320){
const err106 = {instancePath:instancePath+"/notify/mail/to",schemaPath:"#/properties/notify/properties/mail/properties/to/maxLength",keyword:"maxLength",params:{limit: 320},message:"must NOT have more than 320 characters",schema:320,parentSchema:schema0.properties.notify.properties.mail.properties.to,data:data43};
if(vErrors === null){
vErrors = [err106];
}
else {
vErrors.push(err106);
}
errors++;
}
if(!pattern5.test(data43)){
const err107 = {instancePath:instancePath+"/notify/mail/to",schemaPath:"#/properties/notify/properties/mail/properties/to/pattern",keyword:"pattern",params:{pattern: "^[^\\s@<>,;]+@[^\\s@<>,;]+$"},message:"must match pattern \""+"^[^\\s@<>,;]+@[^\\s@<>,;]+$"+"\"",schema:"^[^\\s@<>,;]+@[^\\s@<>,;]+$",parentSchema:schema0.properties.notify.properties.mail.properties.to,data:data43};
if(vErrors === null){
vErrors = [err107];
}
else {
vErrors.push(err107);
}
errors++;
}
}
else {
const err108 = {instancePath:instancePath+"/notify/mail/to",schemaPath:"#/properties/notify/properties/mail/properties/to/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema0.properties.notify.properties.mail.properties.to.type,parentSchema:schema0.properties.notify.properties.mail.properties.to,data:data43};
if(vErrors === null){
vErrors = [err108];
}
else {
vErrors.push(err108);
}
errors++;
}
}
}
else {
const err109 = {instancePath:instancePath+"/notify/mail",schemaPath:"#/properties/notify/properties/mail/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema0.properties.notify.properties.mail.type,parentSchema:schema0.properties.notify.properties.mail,data:data41};
if(vErrors === null){
vErrors = [err109];
}
else {
vErrors.push(err109);
}
errors++;
}
}
}
else {
const err110 = {instancePath:instancePath+"/notify",schemaPath:"#/properties/notify/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema0.properties.notify.type,parentSchema:schema0.properties.notify,data:data39};
if(vErrors === null){
vErrors = [err110];
}
else {
vErrors.push(err110);
}
errors++;
}
if(data.approvals !== undefined){
if(!(validate1(data.approvals, {instancePath:instancePath+"/approvals",parentData:data,parentDataProperty:"approvals",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate1.errors : vErrors.concat(validate1.errors);
errors = vErrors.length;
}
}
let data45 = data.calendar;
if(data45 && typeof data45 == "object" && !Array.isArray(data45)){
if(data45.path === undefined){
data45.path = "./calendar";
}
if(data45.workingHours === undefined){
data45.workingHours = {};
}
for(const key16 in data45){
if(!(((key16 === "path") || (key16 === "timeZone")) || (key16 === "workingHours"))){
const err111 = {instancePath:instancePath+"/calendar",schemaPath:"#/properties/calendar/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key16},message:"must NOT have additional properties",schema:false,parentSchema:schema0.properties.calendar,data:data45};
if(vErrors === null){
vErrors = [err111];
}
else {
vErrors.push(err111);
}
errors++;
}
}
let data46 = data45.path;
if(typeof data46 === "string"){
if(func1(data46) < 1){
const err112 = {instancePath:instancePath+"/calendar/path",schemaPath:"#/properties/calendar/properties/path/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema0.properties.calendar.properties.path,data:data46};
if(vErrors === null){
vErrors = [err112];
}
else {
vErrors.push(err112);
}
errors++;
}
}
else {
const err113 = {instancePath:instancePath+"/calendar/path",schemaPath:"#/properties/calendar/properties/path/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema0.properties.calendar.properties.path.type,parentSchema:schema0.properties.calendar.properties.path,data:data46};
if(vErrors === null){
vErrors = [err113];
}
else {
vErrors.push(err113);
}
errors++;
}
if(data45.timeZone !== undefined){
let data47 = data45.timeZone;
if(typeof data47 === "string"){
if(func1(data47) < 1){
const err114 = {instancePath:instancePath+"/calendar/timeZone",schemaPath:"#/properties/calendar/properties/timeZone/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema0.properties.calendar.properties.timeZone,data:data47};
if(vErrors === null){
vErrors = [err114];
}
else {
vErrors.push(err114);
}
errors++;
}
}
else {
const err115 = {instancePath:instancePath+"/calendar/timeZone",schemaPath:"#/properties/calendar/properties/timeZone/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema0.properties.calendar.properties.timeZone.type,parentSchema:schema0.properties.calendar.properties.timeZone,data:data47};
if(vErrors === null){
vErrors = [err115];
}
else {
vErrors.push(err115);
}
errors++;
}
}
let data48 = data45.workingHours;
if(data48 && typeof data48 == "object" && !Array.isArray(data48)){
if(data48.start === undefined){
data48.start = "09:00";
}
if(data48.end === undefined){
data48.end = "17:00";
}
if(data48.days === undefined){
data48.days = ["mon","tue","wed","thu","fri"];
}
for(const key17 in data48){
if(!(((key17 === "start") || (key17 === "end")) || (key17 === "days"))){
const err116 = {instancePath:instancePath+"/calendar/workingHours",schemaPath:"#/properties/calendar/properties/workingHours/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key17},message:"must NOT have additional properties",schema:false,parentSchema:schema0.properties.calendar.properties.workingHours,data:data48};
if(vErrors === null){
vErrors = [err116];
}
else {
vErrors.push(err116);
}
errors++;
}
}
let data49 = data48.start;
if(typeof data49 === "string"){
if(!pattern16.test(data49)){
const err117 = {instancePath:instancePath+"/calendar/workingHours/start",schemaPath:"#/properties/calendar/properties/workingHours/properties/start/pattern",keyword:"pattern",params:{pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$"},message:"must match pattern \""+"^([01][0-9]|2[0-3]):[0-5][0-9]$"+"\"",schema:"^([01][0-9]|2[0-3]):[0-5][0-9]$",parentSchema:schema0.properties.calendar.properties.workingHours.properties.start,data:data49};
if(vErrors === null){
vErrors = [err117];
}
else {
vErrors.push(err117);
}
errors++;
}
}
else {
const err118 = {instancePath:instancePath+"/calendar/workingHours/start",schemaPath:"#/properties/calendar/properties/workingHours/properties/start/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema0.properties.calendar.properties.workingHours.properties.start.type,parentSchema:schema0.properties.calendar.properties.workingHours.properties.start,data:data49};
if(vErrors === null){
vErrors = [err118];
}
else {
vErrors.push(err118);
}
errors++;
}
let data50 = data48.end;
if(typeof data50 === "string"){
if(!pattern17.test(data50)){
const err119 = {instancePath:instancePath+"/calendar/workingHours/end",schemaPath:"#/properties/calendar/properties/workingHours/properties/end/pattern",keyword:"pattern",params:{pattern: "^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$"},message:"must match pattern \""+"^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$"+"\"",schema:"^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$",parentSchema:schema0.properties.calendar.properties.workingHours.properties.end,data:data50};
if(vErrors === null){
vErrors = [err119];
}
else {
vErrors.push(err119);
}
errors++;
}
}
else {
const err120 = {instancePath:instancePath+"/calendar/workingHours/end",schemaPath:"#/properties/calendar/properties/workingHours/properties/end/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema0.properties.calendar.properties.workingHours.properties.end.type,parentSchema:schema0.properties.calendar.properties.workingHours.properties.end,data:data50};
if(vErrors === null){
vErrors = [err120];
}
else {
vErrors.push(err120);
}
errors++;
}
let data51 = data48.days;
if(Array.isArray(data51)){
if(data51.length < 1){
const err121 = {instancePath:instancePath+"/calendar/workingHours/days",schemaPath:"#/properties/calendar/properties/workingHours/properties/days/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items",schema:1,parentSchema:schema0.properties.calendar.properties.workingHours.properties.days,data:data51};
if(vErrors === null){
vErrors = [err121];
}
else {
vErrors.push(err121);
}
errors++;
}
const len5 = data51.length;
for(let i9=0; i9<len5; i9++){
let data52 = data51[i9];
if(typeof data52 !== "string"){
const err122 = {instancePath:instancePath+"/calendar/workingHours/days/" + i9,schemaPath:"#/properties/calendar/properties/workingHours/properties/days/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema0.properties.calendar.properties.workingHours.properties.days.items.type,parentSchema:schema0.properties.calendar.properties.workingHours.properties.days.items,data:data52};
if(vErrors === null){
vErrors = [err122];
}
else {
vErrors.push(err122);
}
errors++;
}
if(!(((((((data52 === "mon") || (data52 === "tue")) || (data52 === "wed")) || (data52 === "thu")) || (data52 === "fri")) || (data52 === "sat")) || (data52 === "sun"))){
const err123 = {instancePath:instancePath+"/calendar/workingHours/days/" + i9,schemaPath:"#/properties/calendar/properties/workingHours/properties/days/items/enum",keyword:"enum",params:{allowedValues: schema0.properties.calendar.properties.workingHours.properties.days.items.enum},message:"must be equal to one of the allowed values",schema:schema0.properties.calendar.properties.workingHours.properties.days.items.enum,parentSchema:schema0.properties.calendar.properties.workingHours.properties.days.items,data:data52};
if(vErrors === null){
vErrors = [err123];
}
else {
vErrors.push(err123);
}
errors++;
}
}
let i10 = data51.length;
let j4;
if(i10 > 1){
const indices4 = {};
for(;i10--;){
let item4 = data51[i10];
if(typeof item4 !== "string"){
continue;
}
if(typeof indices4[item4] == "number"){
j4 = indices4[item4];
const err124 = {instancePath:instancePath+"/calendar/workingHours/days",schemaPath:"#/properties/calendar/properties/workingHours/properties/days/uniqueItems",keyword:"uniqueItems",params:{i: i10, j: j4},message:"must NOT have duplicate items (items ## "+j4+" and "+i10+" are identical)",schema:true,parentSchema:schema0.properties.calendar.properties.workingHours.properties.days,data:data51};
if(vErrors === null){
vErrors = [err124];
}
else {
vErrors.push(err124);
}
errors++;
break;
}
indices4[item4] = i10;
}
}
}
else {
const err125 = {instancePath:instancePath+"/calendar/workingHours/days",schemaPath:"#/properties/calendar/properties/workingHours/properties/days/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema0.properties.calendar.properties.workingHours.properties.days.type,parentSchema:schema0.properties.calendar.properties.workingHours.properties.days,data:data51};
if(vErrors === null){
vErrors = [err125];
}
else {
vErrors.push(err125);
}
errors++;
}
}
else {
const err126 = {instancePath:instancePath+"/calendar/workingHours",schemaPath:"#/properties/calendar/properties/workingHours/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema0.properties.calendar.properties.workingHours.type,parentSchema:schema0.properties.calendar.properties.workingHours,data:data48};
if(vErrors === null){
vErrors = [err126];
}
else {
vErrors.push(err126);
}
errors++;
}
}
else {
const err127 = {instancePath:instancePath+"/calendar",schemaPath:"#/properties/calendar/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema0.properties.calendar.type,parentSchema:schema0.properties.calendar,data:data45};
if(vErrors === null){
vErrors = [err127];
}
else {
vErrors.push(err127);
}
errors++;
}
let data53 = data.privacy;
if(data53 && typeof data53 == "object" && !Array.isArray(data53)){
for(const key18 in data53){
if(!(key18 === "recognizer")){
const err128 = {instancePath:instancePath+"/privacy",schemaPath:"#/properties/privacy/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key18},message:"must NOT have additional properties",schema:false,parentSchema:schema0.properties.privacy,data:data53};
if(vErrors === null){
vErrors = [err128];
}
else {
vErrors.push(err128);
}
errors++;
}
}
if(data53.recognizer !== undefined){
let data54 = data53.recognizer;
if(data54 && typeof data54 == "object" && !Array.isArray(data54)){
if(data54.languages === undefined){
data54.languages = ["en"];
}
if(data54.url === undefined){
const err129 = {instancePath:instancePath+"/privacy/recognizer",schemaPath:"#/properties/privacy/properties/recognizer/required",keyword:"required",params:{missingProperty: "url"},message:"must have required property '"+"url"+"'",schema:schema0.properties.privacy.properties.recognizer.required,parentSchema:schema0.properties.privacy.properties.recognizer,data:data54};
if(vErrors === null){
vErrors = [err129];
}
else {
vErrors.push(err129);
}
errors++;
}
for(const key19 in data54){
if(!((key19 === "url") || (key19 === "languages"))){
const err130 = {instancePath:instancePath+"/privacy/recognizer",schemaPath:"#/properties/privacy/properties/recognizer/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key19},message:"must NOT have additional properties",schema:false,parentSchema:schema0.properties.privacy.properties.recognizer,data:data54};
if(vErrors === null){
vErrors = [err130];
}
else {
vErrors.push(err130);
}
errors++;
}
}
if(data54.url !== undefined){
let data55 = data54.url;
if(typeof data55 === "string"){
if(func1(data55) > 2000){
const err131 = {instancePath:instancePath+"/privacy/recognizer/url",schemaPath:"#/properties/privacy/properties/recognizer/properties/url/maxLength",keyword:"maxLength",params:{limit: 2000},message:"must NOT have more than 2000 characters",schema:2000,parentSchema:schema0.properties.privacy.properties.recognizer.properties.url,data:data55};
if(vErrors === null){
vErrors = [err131];
}
else {
vErrors.push(err131);
}
errors++;
}
if(!pattern18.test(data55)){
const err132 = {instancePath:instancePath+"/privacy/recognizer/url",schemaPath:"#/properties/privacy/properties/recognizer/properties/url/pattern",keyword:"pattern",params:{pattern: "^https?://(localhost|127\\.[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}|\\[::1\\])(:[0-9]{1,5})?(/[^\\s]*)?$"},message:"must match pattern \""+"^https?://(localhost|127\\.[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}|\\[::1\\])(:[0-9]{1,5})?(/[^\\s]*)?$"+"\"",schema:"^https?://(localhost|127\\.[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}|\\[::1\\])(:[0-9]{1,5})?(/[^\\s]*)?$",parentSchema:schema0.properties.privacy.properties.recognizer.properties.url,data:data55};
if(vErrors === null){
vErrors = [err132];
}
else {
vErrors.push(err132);
}
errors++;
}
}
else {
const err133 = {instancePath:instancePath+"/privacy/recognizer/url",schemaPath:"#/properties/privacy/properties/recognizer/properties/url/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema0.properties.privacy.properties.recognizer.properties.url.type,parentSchema:schema0.properties.privacy.properties.recognizer.properties.url,data:data55};
if(vErrors === null){
vErrors = [err133];
}
else {
vErrors.push(err133);
}
errors++;
}
}
let data56 = data54.languages;
if(Array.isArray(data56)){
if(data56.length > 10){
const err134 = {instancePath:instancePath+"/privacy/recognizer/languages",schemaPath:"#/properties/privacy/properties/recognizer/properties/languages/maxItems",keyword:"maxItems",params:{limit: 10},message:"must NOT have more than 10 items",schema:10,parentSchema:schema0.properties.privacy.properties.recognizer.properties.languages,data:data56};
if(vErrors === null){
vErrors = [err134];
}
else {
vErrors.push(err134);
}
errors++;
}
if(data56.length < 1){
const err135 = {instancePath:instancePath+"/privacy/recognizer/languages",schemaPath:"#/properties/privacy/properties/recognizer/properties/languages/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items",schema:1,parentSchema:schema0.properties.privacy.properties.recognizer.properties.languages,data:data56};
if(vErrors === null){
vErrors = [err135];
}
else {
vErrors.push(err135);
}
errors++;
}
const len6 = data56.length;
for(let i11=0; i11<len6; i11++){
let data57 = data56[i11];
if(typeof data57 === "string"){
if(!pattern19.test(data57)){
const err136 = {instancePath:instancePath+"/privacy/recognizer/languages/" + i11,schemaPath:"#/properties/privacy/properties/recognizer/properties/languages/items/pattern",keyword:"pattern",params:{pattern: "^[a-z]{2,3}$"},message:"must match pattern \""+"^[a-z]{2,3}$"+"\"",schema:"^[a-z]{2,3}$",parentSchema:schema0.properties.privacy.properties.recognizer.properties.languages.items,data:data57};
if(vErrors === null){
vErrors = [err136];
}
else {
vErrors.push(err136);
}
errors++;
}
}
else {
const err137 = {instancePath:instancePath+"/privacy/recognizer/languages/" + i11,schemaPath:"#/properties/privacy/properties/recognizer/properties/languages/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema0.properties.privacy.properties.recognizer.properties.languages.items.type,parentSchema:schema0.properties.privacy.properties.recognizer.properties.languages.items,data:data57};
if(vErrors === null){
vErrors = [err137];
}
else {
vErrors.push(err137);
}
errors++;
}
}
}
else {
const err138 = {instancePath:instancePath+"/privacy/recognizer/languages",schemaPath:"#/properties/privacy/properties/recognizer/properties/languages/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema0.properties.privacy.properties.recognizer.properties.languages.type,parentSchema:schema0.properties.privacy.properties.recognizer.properties.languages,data:data56};
if(vErrors === null){
vErrors = [err138];
}
else {
vErrors.push(err138);
}
errors++;
}
}
else {
const err139 = {instancePath:instancePath+"/privacy/recognizer",schemaPath:"#/properties/privacy/properties/recognizer/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema0.properties.privacy.properties.recognizer.type,parentSchema:schema0.properties.privacy.properties.recognizer,data:data54};
if(vErrors === null){
vErrors = [err139];
}
else {
vErrors.push(err139);
}
errors++;
}
}
}
else {
const err140 = {instancePath:instancePath+"/privacy",schemaPath:"#/properties/privacy/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema0.properties.privacy.type,parentSchema:schema0.properties.privacy,data:data53};
if(vErrors === null){
vErrors = [err140];
}
else {
vErrors.push(err140);
}
errors++;
}
let data58 = data.memory;
if(data58 && typeof data58 == "object" && !Array.isArray(data58)){
if(data58.runs === undefined){
data58.runs = true;
}
if(data58.preferences === undefined){
data58.preferences = false;
}
if(data58.window === undefined){
data58.window = 20;
}
if(data58.embeddings === undefined){
data58.embeddings = {};
}
for(const key20 in data58){
if(!((((key20 === "runs") || (key20 === "preferences")) || (key20 === "window")) || (key20 === "embeddings"))){
const err141 = {instancePath:instancePath+"/memory",schemaPath:"#/properties/memory/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key20},message:"must NOT have additional properties",schema:false,parentSchema:schema0.properties.memory,data:data58};
if(vErrors === null){
vErrors = [err141];
}
else {
vErrors.push(err141);
}
errors++;
}
}
let data59 = data58.runs;
if(typeof data59 !== "boolean"){
const err142 = {instancePath:instancePath+"/memory/runs",schemaPath:"#/properties/memory/properties/runs/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema0.properties.memory.properties.runs.type,parentSchema:schema0.properties.memory.properties.runs,data:data59};
if(vErrors === null){
vErrors = [err142];
}
else {
vErrors.push(err142);
}
errors++;
}
let data60 = data58.preferences;
if(typeof data60 !== "boolean"){
const err143 = {instancePath:instancePath+"/memory/preferences",schemaPath:"#/properties/memory/properties/preferences/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema0.properties.memory.properties.preferences.type,parentSchema:schema0.properties.memory.properties.preferences,data:data60};
if(vErrors === null){
vErrors = [err143];
}
else {
vErrors.push(err143);
}
errors++;
}
let data61 = data58.window;
if(!(((typeof data61 == "number") && (!(data61 % 1) && !isNaN(data61))) && (isFinite(data61)))){
const err144 = {instancePath:instancePath+"/memory/window",schemaPath:"#/properties/memory/properties/window/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema0.properties.memory.properties.window.type,parentSchema:schema0.properties.memory.properties.window,data:data61};
if(vErrors === null){
vErrors = [err144];
}
else {
vErrors.push(err144);
}
errors++;
}
if((typeof data61 == "number") && (isFinite(data61))){
if(data61 > 10000 || isNaN(data61)){
const err145 = {instancePath:instancePath+"/memory/window",schemaPath:"#/properties/memory/properties/window/maximum",keyword:"maximum",params:{comparison: "<=", limit: 10000},message:"must be <= 10000",schema:10000,parentSchema:schema0.properties.memory.properties.window,data:data61};
if(vErrors === null){
vErrors = [err145];
}
else {
vErrors.push(err145);
}
errors++;
}
if(data61 < 4 || isNaN(data61)){
const err146 = {instancePath:instancePath+"/memory/window",schemaPath:"#/properties/memory/properties/window/minimum",keyword:"minimum",params:{comparison: ">=", limit: 4},message:"must be >= 4",schema:4,parentSchema:schema0.properties.memory.properties.window,data:data61};
if(vErrors === null){
vErrors = [err146];
}
else {
vErrors.push(err146);
}
errors++;
}
}
let data62 = data58.embeddings;
if(data62 && typeof data62 == "object" && !Array.isArray(data62)){
if(data62.local === undefined){
data62.local = true;
}
for(const key21 in data62){
if(!(((key21 === "apiConfigId") || (key21 === "model")) || (key21 === "local"))){
const err147 = {instancePath:instancePath+"/memory/embeddings",schemaPath:"#/properties/memory/properties/embeddings/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key21},message:"must NOT have additional properties",schema:false,parentSchema:schema0.properties.memory.properties.embeddings,data:data62};
if(vErrors === null){
vErrors = [err147];
}
else {
vErrors.push(err147);
}
errors++;
}
}
if(data62.apiConfigId !== undefined){
let data63 = data62.apiConfigId;
if(typeof data63 === "string"){
if(!pattern0.test(data63)){
const err148 = {instancePath:instancePath+"/memory/embeddings/apiConfigId",schemaPath:"#/properties/memory/properties/embeddings/properties/apiConfigId/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{1,48}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{1,48}$"+"\"",schema:"^[A-Za-z0-9_-]{1,48}$",parentSchema:schema0.properties.memory.properties.embeddings.properties.apiConfigId,data:data63};
if(vErrors === null){
vErrors = [err148];
}
else {
vErrors.push(err148);
}
errors++;
}
}
else {
const err149 = {instancePath:instancePath+"/memory/embeddings/apiConfigId",schemaPath:"#/properties/memory/properties/embeddings/properties/apiConfigId/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema0.properties.memory.properties.embeddings.properties.apiConfigId.type,parentSchema:schema0.properties.memory.properties.embeddings.properties.apiConfigId,data:data63};
if(vErrors === null){
vErrors = [err149];
}
else {
vErrors.push(err149);
}
errors++;
}
}
if(data62.model !== undefined){
let data64 = data62.model;
if(typeof data64 === "string"){
if(func1(data64) > 200){
const err150 = {instancePath:instancePath+"/memory/embeddings/model",schemaPath:"#/properties/memory/properties/embeddings/properties/model/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters",schema:200,parentSchema:schema0.properties.memory.properties.embeddings.properties.model,data:data64};
if(vErrors === null){
vErrors = [err150];
}
else {
vErrors.push(err150);
}
errors++;
}
if(func1(data64) < 1){
const err151 = {instancePath:instancePath+"/memory/embeddings/model",schemaPath:"#/properties/memory/properties/embeddings/properties/model/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema0.properties.memory.properties.embeddings.properties.model,data:data64};
if(vErrors === null){
vErrors = [err151];
}
else {
vErrors.push(err151);
}
errors++;
}
}
else {
const err152 = {instancePath:instancePath+"/memory/embeddings/model",schemaPath:"#/properties/memory/properties/embeddings/properties/model/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema0.properties.memory.properties.embeddings.properties.model.type,parentSchema:schema0.properties.memory.properties.embeddings.properties.model,data:data64};
if(vErrors === null){
vErrors = [err152];
}
else {
vErrors.push(err152);
}
errors++;
}
}
let data65 = data62.local;
if(typeof data65 !== "boolean"){
const err153 = {instancePath:instancePath+"/memory/embeddings/local",schemaPath:"#/properties/memory/properties/embeddings/properties/local/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema0.properties.memory.properties.embeddings.properties.local.type,parentSchema:schema0.properties.memory.properties.embeddings.properties.local,data:data65};
if(vErrors === null){
vErrors = [err153];
}
else {
vErrors.push(err153);
}
errors++;
}
}
else {
const err154 = {instancePath:instancePath+"/memory/embeddings",schemaPath:"#/properties/memory/properties/embeddings/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema0.properties.memory.properties.embeddings.type,parentSchema:schema0.properties.memory.properties.embeddings,data:data62};
if(vErrors === null){
vErrors = [err154];
}
else {
vErrors.push(err154);
}
errors++;
}
}
else {
const err155 = {instancePath:instancePath+"/memory",schemaPath:"#/properties/memory/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema0.properties.memory.type,parentSchema:schema0.properties.memory,data:data58};
if(vErrors === null){
vErrors = [err155];
}
else {
vErrors.push(err155);
}
errors++;
}
if(data.virtualRoot !== undefined){
let data66 = data.virtualRoot;
if(typeof data66 === "string"){
if(func1(data66) < 1){
const err156 = {instancePath:instancePath+"/virtualRoot",schemaPath:"#/properties/virtualRoot/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema0.properties.virtualRoot,data:data66};
if(vErrors === null){
vErrors = [err156];
}
else {
vErrors.push(err156);
}
errors++;
}
}
else {
const err157 = {instancePath:instancePath+"/virtualRoot",schemaPath:"#/properties/virtualRoot/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema0.properties.virtualRoot.type,parentSchema:schema0.properties.virtualRoot,data:data66};
if(vErrors === null){
vErrors = [err157];
}
else {
vErrors.push(err157);
}
errors++;
}
}
let data67 = data.budget;
if(data67 && typeof data67 == "object" && !Array.isArray(data67)){
for(const key22 in data67){
if(!((key22 === "maxTokensPerDay") || (key22 === "maxCostPerDay"))){
const err158 = {instancePath:instancePath+"/budget",schemaPath:"#/properties/budget/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key22},message:"must NOT have additional properties",schema:false,parentSchema:schema0.properties.budget,data:data67};
if(vErrors === null){
vErrors = [err158];
}
else {
vErrors.push(err158);
}
errors++;
}
}
if(data67.maxTokensPerDay !== undefined){
let data68 = data67.maxTokensPerDay;
if(!(((typeof data68 == "number") && (!(data68 % 1) && !isNaN(data68))) && (isFinite(data68)))){
const err159 = {instancePath:instancePath+"/budget/maxTokensPerDay",schemaPath:"#/properties/budget/properties/maxTokensPerDay/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema0.properties.budget.properties.maxTokensPerDay.type,parentSchema:schema0.properties.budget.properties.maxTokensPerDay,data:data68};
if(vErrors === null){
vErrors = [err159];
}
else {
vErrors.push(err159);
}
errors++;
}
if((typeof data68 == "number") && (isFinite(data68))){
if(data68 < 1 || isNaN(data68)){
const err160 = {instancePath:instancePath+"/budget/maxTokensPerDay",schemaPath:"#/properties/budget/properties/maxTokensPerDay/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema0.properties.budget.properties.maxTokensPerDay,data:data68};
if(vErrors === null){
vErrors = [err160];
}
else {
vErrors.push(err160);
}
errors++;
}
}
}
if(data67.maxCostPerDay !== undefined){
let data69 = data67.maxCostPerDay;
if((typeof data69 == "number") && (isFinite(data69))){
if(data69 <= 0 || isNaN(data69)){
const err161 = {instancePath:instancePath+"/budget/maxCostPerDay",schemaPath:"#/properties/budget/properties/maxCostPerDay/exclusiveMinimum",keyword:"exclusiveMinimum",params:{comparison: ">", limit: 0},message:"must be > 0",schema:0,parentSchema:schema0.properties.budget.properties.maxCostPerDay,data:data69};
if(vErrors === null){
vErrors = [err161];
}
else {
vErrors.push(err161);
}
errors++;
}
}
else {
const err162 = {instancePath:instancePath+"/budget/maxCostPerDay",schemaPath:"#/properties/budget/properties/maxCostPerDay/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema0.properties.budget.properties.maxCostPerDay.type,parentSchema:schema0.properties.budget.properties.maxCostPerDay,data:data69};
if(vErrors === null){
vErrors = [err162];
}
else {
vErrors.push(err162);
}
errors++;
}
}
}
else {
const err163 = {instancePath:instancePath+"/budget",schemaPath:"#/properties/budget/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema0.properties.budget.type,parentSchema:schema0.properties.budget,data:data67};
if(vErrors === null){
vErrors = [err163];
}
else {
vErrors.push(err163);
}
errors++;
}
}
else {
const err164 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema0.type,parentSchema:schema0,data};
if(vErrors === null){
vErrors = [err164];
}
else {
vErrors.push(err164);
}
errors++;
}
validate0.errors = vErrors;
return errors === 0;
}
validate0.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const api = validate3;
const schema2 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"api.schema.json","title":"Api","description":"A model and how to reach it: a file in `apis/`. Directors and agents name it in `apiConfigId`.","type":"object","required":["id","provider"],"discriminator":{"propertyName":"provider"},"oneOf":[{"$ref":"#/$defs/openai"},{"$ref":"#/$defs/anthropic"},{"$ref":"#/$defs/ollama"},{"$ref":"#/$defs/cli"},{"$ref":"#/$defs/scripted"}],"$defs":{"openai":{"title":"OpenaiApi","description":"OpenAI, or any server that supports its chat completions or its Responses API.","type":"object","additionalProperties":false,"required":["id","provider","model","apiKey"],"properties":{"$schema":{"description":"The schema of a JSON file, for editors. YAML files name it in their first line.","type":"string","examples":["../../schemas/api.schema.json"]},"id":{"description":"Id of this API. Equals the file name.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["main"]},"description":{"description":"A note for people.","type":"string","default":"","examples":["The model that most directors use."]},"enabled":{"description":"Set to false to disable this API without deleting its file.","type":"boolean","default":true,"examples":[false]},"order":{"description":"Position among the APIs: lowest number first, then by id. APIs without a number come last.","type":"number","x-unit":"rank","examples":[10]},"provider":{"description":"`openai`: OpenAI or a compatible server.","type":"string","const":"openai","examples":["openai"]},"model":{"description":"Name of the model, as the provider spells it.","type":"string","minLength":1,"maxLength":200,"examples":["gpt-5-mini"]},"apiKey":{"description":"Reference to the key: `${env:NAME}` or `${secret:NAME}`. Never the key itself.","type":"string","pattern":"^\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\}$","x-secret":true,"x-expected":"a reference such as ${env:OPENAI_API_KEY}","examples":["${env:OPENAI_API_KEY}","${secret:OPENAI_API_KEY}"]},"organization":{"description":"Organisation that requests are counted for, sent as the header `OpenAI-Organization`: its id, or a reference `${env:NAME}` or `${secret:NAME}`.","type":"string","pattern":"^([A-Za-z0-9_-]{1,200}|\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\})$","x-secret":true,"x-expected":"an id such as org-123, or a reference such as ${env:OPENAI_ORGANIZATION}","examples":["org-123","${env:OPENAI_ORGANIZATION}"]},"baseUrl":{"description":"Address of the server, with the version part.","type":"string","pattern":"^https?://[^\\s]+$","x-expected":"an address that starts with http:// or https://","default":"https://api.openai.com/v1","examples":["https://openrouter.ai/api/v1"]},"protocol":{"description":"The API of the server. `chat`: chat completions, which nearly every server supports. `responses`: the Responses API, which lets a reasoning model keep its reasoning from call to call; the server stores nothing (`store: false`).","type":"string","enum":["chat","responses"],"default":"chat","examples":["responses"]},"structuredOutput":{"description":"Whether an answer that must be JSON (`output` of a director or an agent) is asked for with its schema, so that the server keeps to it. The engine checks every such answer in any case. Default: true for OpenAI and Azure; false for other servers, since some refuse it.","type":"boolean","examples":[false]},"stream":{"description":"Whether to stream answers. Streaming shows the cost of an answer that is cancelled half-way. Default: true for OpenAI, Azure and `protocol: responses`; false for other servers, since not all support it.","type":"boolean","examples":[true]},"limits":{"description":"Limits of the requests to this API.","type":"object","additionalProperties":false,"default":{},"properties":{"timeoutSeconds":{"description":"Time limit of a request.","type":"number","exclusiveMinimum":0,"maximum":3600,"default":120,"x-unit":"seconds","examples":[120]},"concurrency":{"description":"Maximum number of requests at the same time.","type":"integer","minimum":1,"maximum":1000,"default":8,"x-unit":"requests","examples":[8]},"requestsPerMinute":{"description":"Maximum number of requests within any minute; further requests wait. The count survives a restart.","type":"integer","minimum":1,"x-unit":"requests","examples":[60]},"requestsPerHour":{"description":"Maximum number of requests within any hour; further requests wait.","type":"integer","minimum":1,"x-unit":"requests","examples":[1000]},"tokensPerMinute":{"description":"Maximum of input and output tokens within any minute; requests wait until their estimate fits.","type":"integer","minimum":1,"x-unit":"tokens","examples":[200000]},"maxTokensPerRequest":{"description":"Longest answer that a request allows.","type":"integer","minimum":1,"x-unit":"tokens","examples":[4000]}},"examples":[{"timeoutSeconds":120,"concurrency":8}]},"retry":{"description":"Retries after 429, 5xx and lost connections. Retry-After is respected, up to `maxWaitSeconds`.","type":"object","additionalProperties":false,"default":{},"properties":{"attempts":{"description":"Maximum number of attempts, including the first.","type":"integer","minimum":1,"maximum":20,"default":4,"x-unit":"attempts","examples":[4]},"backoffSeconds":{"description":"Pause before the second attempt; doubled for each further attempt.","type":"number","minimum":0,"maximum":600,"default":1,"x-unit":"seconds","examples":[1]},"maxWaitSeconds":{"description":"Longest Retry-After that is waited for, after any status. The run waits without using up its time or a place of `runs.concurrency`. If the server asks for more, the run fails.","type":"number","exclusiveMinimum":0,"maximum":2678400,"default":3600,"x-unit":"seconds","examples":[3600]}},"examples":[{"attempts":4,"backoffSeconds":1,"maxWaitSeconds":3600}]},"price":{"description":"Price of the model in US dollars per million tokens. Default: the engine's price list, for OpenAI's and Anthropic's own servers. Otherwise costs are unknown.","type":"object","additionalProperties":false,"required":["inputPerMillion","outputPerMillion"],"properties":{"inputPerMillion":{"description":"Price of a million input tokens.","type":"number","minimum":0,"x-unit":"USD","examples":[0.25]},"outputPerMillion":{"description":"Price of a million output tokens.","type":"number","minimum":0,"x-unit":"USD","examples":[2]},"cachedInputPerMillion":{"description":"Price of a million input tokens that the provider read from its cache. Default: `inputPerMillion`.","type":"number","minimum":0,"x-unit":"USD","examples":[0.025]}},"examples":[{"inputPerMillion":0.25,"outputPerMillion":2,"cachedInputPerMillion":0.025}]},"locality":{"description":"`local`: requests stay on machines of yours. Callsheet trusts this setting and only warns if the address looks public. Runs of a director with `locality: local` use only such APIs, fallbacks included.","type":"string","enum":["any","local"],"default":"any","examples":["local"]},"fallback":{"description":"APIs that stand in for this one. A list: they are tried in this order at the start of a run if this API is not available (no key, or the server does not answer). With `to` and `on`, the next of them also takes over during a run, where a request has failed and its retries are used up; never one with rules of a script, and after an API with `locality: local` only others with it.","type":["array","object"],"items":{"description":"Id of an API, a file in `apis/`.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["local"]},"maxItems":1000,"additionalProperties":false,"required":["to"],"properties":{"to":{"description":"The APIs, in order.","type":"array","items":{"description":"Id of an API, a file in `apis/`.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["local"]},"minItems":1,"maxItems":1000,"examples":[["spare","local"]]},"on":{"description":"Failures after which the next API takes over during a run. `unavailable`: the server does not answer, or answers with an error of its own. `rateLimit`: its limit is reached for longer than `retry` allows, or the account has no credit.","type":"array","items":{"description":"A failure.","type":"string","enum":["unavailable","rateLimit"],"examples":["unavailable"]},"uniqueItems":true,"minItems":1,"default":["unavailable","rateLimit"],"examples":[["unavailable"]]}},"default":[],"examples":[["local","offline"],{"to":["spare","local"],"on":["unavailable","rateLimit"]}]}}},"anthropic":{"title":"AnthropicApi","description":"Anthropic, or a server that supports its Messages API.","type":"object","additionalProperties":false,"required":["id","provider","model","apiKey"],"properties":{"$schema":{"description":"The schema of a JSON file, for editors. YAML files name it in their first line.","type":"string","examples":["../../schemas/api.schema.json"]},"id":{"description":"Id of this API. Equals the file name.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["main"]},"description":{"description":"A note for people.","type":"string","default":"","examples":["The model that most directors use."]},"enabled":{"description":"Set to false to disable this API without deleting its file.","type":"boolean","default":true,"examples":[false]},"order":{"description":"Position among the APIs: lowest number first, then by id. APIs without a number come last.","type":"number","x-unit":"rank","examples":[10]},"provider":{"description":"`anthropic`: Anthropic, by its Messages API.","type":"string","const":"anthropic","examples":["anthropic"]},"model":{"description":"Name of the model, as the provider spells it.","type":"string","minLength":1,"maxLength":200,"examples":["claude-sonnet-4-5"]},"apiKey":{"description":"Reference to the key: `${env:NAME}` or `${secret:NAME}`. Never the key itself.","type":"string","pattern":"^\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\}$","x-secret":true,"x-expected":"a reference such as ${env:ANTHROPIC_API_KEY}","examples":["${env:ANTHROPIC_API_KEY}","${secret:ANTHROPIC_API_KEY}"]},"baseUrl":{"description":"Address of the server, without the version part.","type":"string","pattern":"^https?://[^\\s]+$","x-expected":"an address that starts with http:// or https://","default":"https://api.anthropic.com","examples":["https://api.anthropic.com"]},"structuredOutput":{"description":"Whether an answer that must be JSON (`output` of a director or an agent) is asked for with its schema, so that the server keeps to it. The engine checks every such answer in any case. Default: true. Some older models refuse it.","type":"boolean","examples":[false]},"stream":{"description":"Whether to stream answers. Streaming shows the cost of an answer that is cancelled half-way.","type":"boolean","default":true,"examples":[false]},"maxTokens":{"description":"Longest answer. Anthropic requires a limit.","type":"integer","minimum":1,"maximum":1000000,"default":8192,"x-unit":"tokens","examples":[8192]},"limits":{"description":"Limits of the requests to this API.","type":"object","additionalProperties":false,"default":{},"properties":{"timeoutSeconds":{"description":"Time limit of a request.","type":"number","exclusiveMinimum":0,"maximum":3600,"default":120,"x-unit":"seconds","examples":[120]},"concurrency":{"description":"Maximum number of requests at the same time.","type":"integer","minimum":1,"maximum":1000,"default":8,"x-unit":"requests","examples":[8]},"requestsPerMinute":{"description":"Maximum number of requests within any minute; further requests wait. The count survives a restart.","type":"integer","minimum":1,"x-unit":"requests","examples":[60]},"requestsPerHour":{"description":"Maximum number of requests within any hour; further requests wait.","type":"integer","minimum":1,"x-unit":"requests","examples":[1000]},"tokensPerMinute":{"description":"Maximum of input and output tokens within any minute; requests wait until their estimate fits.","type":"integer","minimum":1,"x-unit":"tokens","examples":[200000]},"maxTokensPerRequest":{"description":"Longest answer that a request allows.","type":"integer","minimum":1,"x-unit":"tokens","examples":[4000]}},"examples":[{"timeoutSeconds":120,"concurrency":8}]},"retry":{"description":"Retries after 429, 5xx and lost connections. Retry-After is respected, up to `maxWaitSeconds`.","type":"object","additionalProperties":false,"default":{},"properties":{"attempts":{"description":"Maximum number of attempts, including the first.","type":"integer","minimum":1,"maximum":20,"default":4,"x-unit":"attempts","examples":[4]},"backoffSeconds":{"description":"Pause before the second attempt; doubled for each further attempt.","type":"number","minimum":0,"maximum":600,"default":1,"x-unit":"seconds","examples":[1]},"maxWaitSeconds":{"description":"Longest Retry-After that is waited for, after any status. The run waits without using up its time or a place of `runs.concurrency`. If the server asks for more, the run fails.","type":"number","exclusiveMinimum":0,"maximum":2678400,"default":3600,"x-unit":"seconds","examples":[3600]}},"examples":[{"attempts":4,"backoffSeconds":1,"maxWaitSeconds":3600}]},"price":{"description":"Price of the model in US dollars per million tokens. Default: the engine's price list, for OpenAI's and Anthropic's own servers. Otherwise costs are unknown.","type":"object","additionalProperties":false,"required":["inputPerMillion","outputPerMillion"],"properties":{"inputPerMillion":{"description":"Price of a million input tokens.","type":"number","minimum":0,"x-unit":"USD","examples":[0.25]},"outputPerMillion":{"description":"Price of a million output tokens.","type":"number","minimum":0,"x-unit":"USD","examples":[2]},"cachedInputPerMillion":{"description":"Price of a million input tokens that the provider read from its cache. Default: `inputPerMillion`.","type":"number","minimum":0,"x-unit":"USD","examples":[0.025]}},"examples":[{"inputPerMillion":0.25,"outputPerMillion":2,"cachedInputPerMillion":0.025}]},"locality":{"description":"`local`: requests stay on machines of yours. Callsheet trusts this setting and only warns if the address looks public. Runs of a director with `locality: local` use only such APIs, fallbacks included.","type":"string","enum":["any","local"],"default":"any","examples":["local"]},"fallback":{"description":"APIs that stand in for this one. A list: they are tried in this order at the start of a run if this API is not available (no key, or the server does not answer). With `to` and `on`, the next of them also takes over during a run, where a request has failed and its retries are used up; never one with rules of a script, and after an API with `locality: local` only others with it.","type":["array","object"],"items":{"description":"Id of an API, a file in `apis/`.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["local"]},"maxItems":1000,"additionalProperties":false,"required":["to"],"properties":{"to":{"description":"The APIs, in order.","type":"array","items":{"description":"Id of an API, a file in `apis/`.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["local"]},"minItems":1,"maxItems":1000,"examples":[["spare","local"]]},"on":{"description":"Failures after which the next API takes over during a run. `unavailable`: the server does not answer, or answers with an error of its own. `rateLimit`: its limit is reached for longer than `retry` allows, or the account has no credit.","type":"array","items":{"description":"A failure.","type":"string","enum":["unavailable","rateLimit"],"examples":["unavailable"]},"uniqueItems":true,"minItems":1,"default":["unavailable","rateLimit"],"examples":[["unavailable"]]}},"default":[],"examples":[["local","offline"],{"to":["spare","local"],"on":["unavailable","rateLimit"]}]}}},"ollama":{"title":"OllamaApi","description":"A model on an Ollama server.","type":"object","additionalProperties":false,"required":["id","provider","model"],"properties":{"$schema":{"description":"The schema of a JSON file, for editors. YAML files name it in their first line.","type":"string","examples":["../../schemas/api.schema.json"]},"id":{"description":"Id of this API. Equals the file name.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["main"]},"description":{"description":"A note for people.","type":"string","default":"","examples":["The model that most directors use."]},"enabled":{"description":"Set to false to disable this API without deleting its file.","type":"boolean","default":true,"examples":[false]},"order":{"description":"Position among the APIs: lowest number first, then by id. APIs without a number come last.","type":"number","x-unit":"rank","examples":[10]},"provider":{"description":"`ollama`: an Ollama server.","type":"string","const":"ollama","examples":["ollama"]},"model":{"description":"Name of the model, as the provider spells it.","type":"string","minLength":1,"maxLength":200,"examples":["qwen3:8b"]},"baseUrl":{"description":"Address of the Ollama server. An address that ends in `/v1` selects the OpenAI-compatible API.","type":"string","pattern":"^https?://[^\\s]+$","x-expected":"an address that starts with http:// or https://","default":"http://127.0.0.1:11434","examples":["http://127.0.0.1:11434"]},"structuredOutput":{"description":"Whether an answer that must be JSON (`output` of a director or an agent) is asked for with its schema, so that the server keeps to it. The engine checks every such answer in any case. Default: true. It is left out of requests with tools, since the model could then call none.","type":"boolean","examples":[false]},"stream":{"description":"Whether to stream answers. Streaming shows the token count of an answer that is cancelled half-way.","type":"boolean","default":true,"examples":[false]},"contextTokens":{"description":"Size of the context, input and output together. A larger context takes more memory. Ollama cuts what does not fit, without an error. Not sent if `baseUrl` ends in `/v1`, which does not support it.","type":"integer","minimum":512,"maximum":10000000,"default":16384,"x-unit":"tokens","examples":[32768]},"limits":{"description":"Limits of the requests to this API.","type":"object","additionalProperties":false,"default":{},"properties":{"timeoutSeconds":{"description":"Time limit of a request.","type":"number","exclusiveMinimum":0,"maximum":3600,"default":120,"x-unit":"seconds","examples":[120]},"concurrency":{"description":"Maximum number of requests at the same time.","type":"integer","minimum":1,"maximum":1000,"default":8,"x-unit":"requests","examples":[8]},"requestsPerMinute":{"description":"Maximum number of requests within any minute; further requests wait. The count survives a restart.","type":"integer","minimum":1,"x-unit":"requests","examples":[60]},"requestsPerHour":{"description":"Maximum number of requests within any hour; further requests wait.","type":"integer","minimum":1,"x-unit":"requests","examples":[1000]},"tokensPerMinute":{"description":"Maximum of input and output tokens within any minute; requests wait until their estimate fits.","type":"integer","minimum":1,"x-unit":"tokens","examples":[200000]},"maxTokensPerRequest":{"description":"Longest answer that a request allows.","type":"integer","minimum":1,"x-unit":"tokens","examples":[4000]}},"examples":[{"timeoutSeconds":120,"concurrency":8}]},"retry":{"description":"Retries after 429, 5xx and lost connections. Retry-After is respected, up to `maxWaitSeconds`.","type":"object","additionalProperties":false,"default":{},"properties":{"attempts":{"description":"Maximum number of attempts, including the first.","type":"integer","minimum":1,"maximum":20,"default":4,"x-unit":"attempts","examples":[4]},"backoffSeconds":{"description":"Pause before the second attempt; doubled for each further attempt.","type":"number","minimum":0,"maximum":600,"default":1,"x-unit":"seconds","examples":[1]},"maxWaitSeconds":{"description":"Longest Retry-After that is waited for, after any status. The run waits without using up its time or a place of `runs.concurrency`. If the server asks for more, the run fails.","type":"number","exclusiveMinimum":0,"maximum":2678400,"default":3600,"x-unit":"seconds","examples":[3600]}},"examples":[{"attempts":4,"backoffSeconds":1,"maxWaitSeconds":3600}]},"price":{"description":"Price of the model in US dollars per million tokens. Default: the engine's price list, for OpenAI's and Anthropic's own servers. Otherwise costs are unknown.","type":"object","additionalProperties":false,"required":["inputPerMillion","outputPerMillion"],"properties":{"inputPerMillion":{"description":"Price of a million input tokens.","type":"number","minimum":0,"x-unit":"USD","examples":[0.25]},"outputPerMillion":{"description":"Price of a million output tokens.","type":"number","minimum":0,"x-unit":"USD","examples":[2]},"cachedInputPerMillion":{"description":"Price of a million input tokens that the provider read from its cache. Default: `inputPerMillion`.","type":"number","minimum":0,"x-unit":"USD","examples":[0.025]}},"examples":[{"inputPerMillion":0.25,"outputPerMillion":2,"cachedInputPerMillion":0.025}]},"locality":{"description":"`local`: requests stay on machines of yours. Callsheet trusts this setting and only warns if the address looks public. Runs of a director with `locality: local` use only such APIs, fallbacks included.","type":"string","enum":["any","local"],"default":"any","examples":["local"]},"fallback":{"description":"APIs that stand in for this one. A list: they are tried in this order at the start of a run if this API is not available (no key, or the server does not answer). With `to` and `on`, the next of them also takes over during a run, where a request has failed and its retries are used up; never one with rules of a script, and after an API with `locality: local` only others with it.","type":["array","object"],"items":{"description":"Id of an API, a file in `apis/`.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["local"]},"maxItems":1000,"additionalProperties":false,"required":["to"],"properties":{"to":{"description":"The APIs, in order.","type":"array","items":{"description":"Id of an API, a file in `apis/`.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["local"]},"minItems":1,"maxItems":1000,"examples":[["spare","local"]]},"on":{"description":"Failures after which the next API takes over during a run. `unavailable`: the server does not answer, or answers with an error of its own. `rateLimit`: its limit is reached for longer than `retry` allows, or the account has no credit.","type":"array","items":{"description":"A failure.","type":"string","enum":["unavailable","rateLimit"],"examples":["unavailable"]},"uniqueItems":true,"minItems":1,"default":["unavailable","rateLimit"],"examples":[["unavailable"]]}},"default":[],"examples":[["local","offline"],{"to":["spare","local"],"on":["unavailable","rateLimit"]}]}}},"cli":{"title":"CliApi","description":"A command-line agent on this machine, such as Codex, Claude Code or Gemini CLI, or a command of your own. It answers with text; `tools` of a director or an agent are not offered to it.","type":"object","additionalProperties":false,"required":["id","provider","cli"],"properties":{"$schema":{"description":"The schema of a JSON file, for editors. YAML files name it in their first line.","type":"string","examples":["../../schemas/api.schema.json"]},"id":{"description":"Id of this API. Equals the file name.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["main"]},"description":{"description":"A note for people.","type":"string","default":"","examples":["The model that most directors use."]},"enabled":{"description":"Set to false to disable this API without deleting its file.","type":"boolean","default":true,"examples":[false]},"order":{"description":"Position among the APIs: lowest number first, then by id. APIs without a number come last.","type":"number","x-unit":"rank","examples":[10]},"provider":{"description":"`cli`: a command-line agent.","type":"string","const":"cli","examples":["cli"]},"cli":{"description":"The tool: `codex`, `claude` or `gemini`, which you install and sign in to yourself, or a command of your own.","type":["string","object"],"pattern":"^(codex|claude|gemini)$","x-expected":"codex, claude, gemini, or a command such as { argv: [my-agent], input: stdin }","additionalProperties":false,"required":["argv"],"properties":{"argv":{"description":"The program and its arguments; no shell reads them. A program without a slash is found by `PATH`. `{{prompt}}` stands for the prompt with `input: argument`, `{{sessionId}}` for a fresh UUID, or with `sessions: resume` for that of the last turn.","type":"array","minItems":1,"maxItems":100,"items":{"description":"The program, or one argument.","type":"string","minLength":1,"maxLength":10000,"examples":["--print"]},"examples":[["my-agent","--print"],["my-agent","--prompt","{{prompt}}"]]},"input":{"description":"How the tool gets the prompt. `argument`: in place of `{{prompt}}`, or as the last argument; other programs of this machine can then see it.","type":"string","enum":["stdin","argument"],"default":"stdin","examples":["stdin"]},"output":{"description":"`text`: standard output is the message. `jsonl`: standard output has a JSON object in each line; the message is the `text` of all lines together. Where no line has one, standard output is the message.","type":"string","enum":["text","jsonl"],"default":"text","examples":["jsonl"]},"text":{"description":"With `output: jsonl`: the key of the text in a line, with dots between keys.","type":"string","minLength":1,"maxLength":200,"default":"text","examples":["delta.text"]},"sessionId":{"description":"With `output: jsonl`: the key of the tool's session id in a line. The id is kept in the trace. Without it, the trace has the id that stands in place of `{{sessionId}}`.","type":"string","minLength":1,"maxLength":200,"examples":["session_id"]}},"examples":["codex",{"argv":["my-agent","--print"],"input":"stdin"}]},"command":{"description":"The program of the tool, where `PATH` does not have it, with arguments that always come first. Default: the name of the tool. Not used with a command of your own.","type":"array","minItems":1,"maxItems":100,"items":{"description":"The program, or one argument.","type":"string","minLength":1,"maxLength":10000,"examples":["--acp"]},"examples":[["/opt/codex/bin/codex"],["node","/opt/gemini/bundle/gemini.js"]]},"acpCommand":{"description":"The program that speaks the Agent Client Protocol for the tool, with its arguments. Default: `claude-agent-acp`, `codex-acp` or `gemini --acp`, found by `PATH`. A command of your own has it only if it is set here.","type":"array","minItems":1,"maxItems":100,"items":{"description":"The program, or one argument.","type":"string","minLength":1,"maxLength":10000,"examples":["--acp"]},"examples":[["npx","--no-install","codex-acp"]]},"protocol":{"description":"How Callsheet talks to the tool. `acp`: by the Agent Client Protocol, in which the tool asks before it acts. `flags`: one process for each turn, by command-line arguments. `auto`: `acp` where its program is found, else `flags`.","type":"string","enum":["auto","acp","flags"],"default":"auto","examples":["flags"]},"sessions":{"description":"Whether a participant of a group chat goes on in the tool's session of its last turn. `fresh`: each turn is a new session that reads the whole transcript. `resume`: the tool loads its session and reads what is new, where it can and nothing has changed; else the session is fresh, and the trace says why.","type":"string","enum":["fresh","resume"],"default":"fresh","examples":["resume"]},"timeoutSeconds":{"description":"Time limit of a turn. The time in which a person decides on a permission does not count. The tool and all processes that it started are then ended.","type":"number","exclusiveMinimum":0,"maximum":3600,"default":300,"x-unit":"seconds","examples":[300]},"env":{"description":"Names of variables that the tool gets from the environment of Callsheet, besides `PATH`, `HOME`, `USER`, `LANG`, `LC_*` and `TMPDIR`. On Windows it also gets those that programs need there.","type":"array","items":{"description":"Name of a variable.","type":"string","pattern":"^[A-Za-z_][A-Za-z0-9_]{0,127}$","x-expected":"the name of a variable","examples":["OPENAI_API_KEY"]},"maxItems":100,"uniqueItems":true,"default":[],"examples":[["OPENAI_API_KEY"]]},"limits":{"description":"Limits of the turns of this tool.","type":"object","additionalProperties":false,"default":{},"properties":{"concurrency":{"description":"Maximum number of turns at the same time, each with a process of its own.","type":"integer","minimum":1,"maximum":100,"default":2,"x-unit":"turns","examples":[2]},"requestsPerMinute":{"description":"Maximum number of turns within any minute; further turns wait. The count survives a restart.","type":"integer","minimum":1,"x-unit":"turns","examples":[60]},"requestsPerHour":{"description":"Maximum number of turns within any hour; further turns wait.","type":"integer","minimum":1,"x-unit":"turns","examples":[1000]}},"examples":[{"concurrency":2}]},"locality":{"description":"`local`: the tool and its model stay on machines of yours. Callsheet trusts this setting. Runs of a director with `locality: local` use only such APIs, fallbacks included.","type":"string","enum":["any","local"],"default":"any","examples":["local"]},"fallback":{"description":"APIs that stand in for this one. A list: they are tried in this order at the start of a run if this API is not available (no key, or the server does not answer). With `to` and `on`, the next of them also takes over during a run, where a request has failed and its retries are used up; never one with rules of a script, and after an API with `locality: local` only others with it.","type":["array","object"],"items":{"description":"Id of an API, a file in `apis/`.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["local"]},"maxItems":1000,"additionalProperties":false,"required":["to"],"properties":{"to":{"description":"The APIs, in order.","type":"array","items":{"description":"Id of an API, a file in `apis/`.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["local"]},"minItems":1,"maxItems":1000,"examples":[["spare","local"]]},"on":{"description":"Failures after which the next API takes over during a run. `unavailable`: the server does not answer, or answers with an error of its own. `rateLimit`: its limit is reached for longer than `retry` allows, or the account has no credit.","type":"array","items":{"description":"A failure.","type":"string","enum":["unavailable","rateLimit"],"examples":["unavailable"]},"uniqueItems":true,"minItems":1,"default":["unavailable","rateLimit"],"examples":[["unavailable"]]}},"default":[],"examples":[["local","offline"],{"to":["spare","local"],"on":["unavailable","rateLimit"]}]}}},"scripted":{"title":"ScriptedApi","description":"No AI: rules give the answers. For first steps, tests and dry runs.","type":"object","additionalProperties":false,"required":["id","provider","script"],"properties":{"$schema":{"description":"The schema of a JSON file, for editors. YAML files name it in their first line.","type":"string","examples":["../../schemas/api.schema.json"]},"id":{"description":"Id of this API. Equals the file name.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["main"]},"description":{"description":"A note for people.","type":"string","default":"","examples":["The model that most directors use."]},"enabled":{"description":"Set to false to disable this API without deleting its file.","type":"boolean","default":true,"examples":[false]},"order":{"description":"Position among the APIs: lowest number first, then by id. APIs without a number come last.","type":"number","x-unit":"rank","examples":[10]},"provider":{"description":"`scripted`: no AI; rules give the answers.","type":"string","const":"scripted","examples":["scripted"]},"script":{"description":"Rules; the first rule that matches answers. If none matches, the answer says so.","type":"array","minItems":1,"items":{"$ref":"#/$defs/rule"},"examples":[[{"when":{"any":true},"say":"Done."}]],"maxItems":1000},"locality":{"description":"Rules send no requests, so the default is `local`: directors with `locality: local` may use them.","type":"string","enum":["any","local"],"default":"local","examples":["local"]},"fallback":{"description":"APIs to try in this order at the start of a run if this one is not available (no key, or the server does not answer).","type":"array","items":{"description":"Id of an API, a file in `apis/`.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["local"]},"default":[],"examples":[["local","offline"]],"maxItems":1000}}},"rule":{"title":"ScriptRule","description":"A condition (`when`) and an answer: a text (`say`) or tool calls (`call`).","type":"object","additionalProperties":false,"required":["when"],"oneOf":[{"required":["say"]},{"required":["call"]}],"properties":{"when":{"$ref":"#/$defs/when"},"say":{"description":"The answer. Templates: `{{subject}}`, `{{from}}`, `{{language}}`, `{{lastUserText}}`, `{{lastToolResult}}`, and a path into a JSON result: `{{lastToolResult.output}}`.","type":"string","examples":["Thank you for \"{{subject}}\"."]},"call":{"title":"ScriptCalls","description":"One tool call, or several at once.","if":{"type":"array"},"then":{"title":"ScriptCallList","type":"array","minItems":1,"items":{"$ref":"#/$defs/call"}},"else":{"$ref":"#/$defs/call"},"examples":[{"tool":"agent__psychologist","arguments":{"input":"{{lastUserText}}"}}]}},"examples":[{"when":{"any":true},"say":"Done."}]},"when":{"title":"ScriptWhen","description":"The conditions of the rule. All of them must match.","type":"object","additionalProperties":false,"minProperties":1,"properties":{"any":{"description":"Matches every request.","type":"boolean","const":true,"examples":[true]},"role":{"description":"Kind of the actor that asks: a director or an agent.","type":"string","enum":["director","agent"],"examples":["director"]},"id":{"description":"Id of the director or agent that asks.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["psychologist"]},"turn":{"description":"Number of the request, from 1 in each run and each ask.","type":"integer","minimum":1,"x-unit":"requests","examples":[1]},"tool":{"description":"The last message is the result of this tool.","type":"string","pattern":"^[A-Za-z0-9_-]{1,64}$","x-expected":"the name of a tool","examples":["agent__psychologist"]},"text":{"description":"A regular expression that the last user message matches. Case-sensitive unless it starts with `(?i)`.","type":"string","minLength":1,"maxLength":2000,"x-regex":true,"examples":["(?i)urgent"]}},"examples":[{"role":"director","turn":1}]},"call":{"title":"ScriptCall","description":"A tool call.","type":"object","additionalProperties":false,"required":["tool"],"properties":{"tool":{"description":"Name of the tool.","type":"string","pattern":"^[A-Za-z0-9_-]{1,64}$","x-expected":"the name of a tool","examples":["workspace_add_item"]},"arguments":{"description":"Arguments of the call. Templates in its texts are replaced as in `say`.","type":"object","additionalProperties":true,"default":{},"examples":[{"label":"Summary","mimeType":"text/markdown","data":"{{lastUserText}}"}]}},"examples":[{"tool":"workspace_add_item","arguments":{"label":"Summary","mimeType":"text/plain","data":"{{lastToolResult}}"}}]}}};
const schema3 = {"title":"OpenaiApi","description":"OpenAI, or any server that supports its chat completions or its Responses API.","type":"object","additionalProperties":false,"required":["id","provider","model","apiKey"],"properties":{"$schema":{"description":"The schema of a JSON file, for editors. YAML files name it in their first line.","type":"string","examples":["../../schemas/api.schema.json"]},"id":{"description":"Id of this API. Equals the file name.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["main"]},"description":{"description":"A note for people.","type":"string","default":"","examples":["The model that most directors use."]},"enabled":{"description":"Set to false to disable this API without deleting its file.","type":"boolean","default":true,"examples":[false]},"order":{"description":"Position among the APIs: lowest number first, then by id. APIs without a number come last.","type":"number","x-unit":"rank","examples":[10]},"provider":{"description":"`openai`: OpenAI or a compatible server.","type":"string","const":"openai","examples":["openai"]},"model":{"description":"Name of the model, as the provider spells it.","type":"string","minLength":1,"maxLength":200,"examples":["gpt-5-mini"]},"apiKey":{"description":"Reference to the key: `${env:NAME}` or `${secret:NAME}`. Never the key itself.","type":"string","pattern":"^\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\}$","x-secret":true,"x-expected":"a reference such as ${env:OPENAI_API_KEY}","examples":["${env:OPENAI_API_KEY}","${secret:OPENAI_API_KEY}"]},"organization":{"description":"Organisation that requests are counted for, sent as the header `OpenAI-Organization`: its id, or a reference `${env:NAME}` or `${secret:NAME}`.","type":"string","pattern":"^([A-Za-z0-9_-]{1,200}|\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\})$","x-secret":true,"x-expected":"an id such as org-123, or a reference such as ${env:OPENAI_ORGANIZATION}","examples":["org-123","${env:OPENAI_ORGANIZATION}"]},"baseUrl":{"description":"Address of the server, with the version part.","type":"string","pattern":"^https?://[^\\s]+$","x-expected":"an address that starts with http:// or https://","default":"https://api.openai.com/v1","examples":["https://openrouter.ai/api/v1"]},"protocol":{"description":"The API of the server. `chat`: chat completions, which nearly every server supports. `responses`: the Responses API, which lets a reasoning model keep its reasoning from call to call; the server stores nothing (`store: false`).","type":"string","enum":["chat","responses"],"default":"chat","examples":["responses"]},"structuredOutput":{"description":"Whether an answer that must be JSON (`output` of a director or an agent) is asked for with its schema, so that the server keeps to it. The engine checks every such answer in any case. Default: true for OpenAI and Azure; false for other servers, since some refuse it.","type":"boolean","examples":[false]},"stream":{"description":"Whether to stream answers. Streaming shows the cost of an answer that is cancelled half-way. Default: true for OpenAI, Azure and `protocol: responses`; false for other servers, since not all support it.","type":"boolean","examples":[true]},"limits":{"description":"Limits of the requests to this API.","type":"object","additionalProperties":false,"default":{},"properties":{"timeoutSeconds":{"description":"Time limit of a request.","type":"number","exclusiveMinimum":0,"maximum":3600,"default":120,"x-unit":"seconds","examples":[120]},"concurrency":{"description":"Maximum number of requests at the same time.","type":"integer","minimum":1,"maximum":1000,"default":8,"x-unit":"requests","examples":[8]},"requestsPerMinute":{"description":"Maximum number of requests within any minute; further requests wait. The count survives a restart.","type":"integer","minimum":1,"x-unit":"requests","examples":[60]},"requestsPerHour":{"description":"Maximum number of requests within any hour; further requests wait.","type":"integer","minimum":1,"x-unit":"requests","examples":[1000]},"tokensPerMinute":{"description":"Maximum of input and output tokens within any minute; requests wait until their estimate fits.","type":"integer","minimum":1,"x-unit":"tokens","examples":[200000]},"maxTokensPerRequest":{"description":"Longest answer that a request allows.","type":"integer","minimum":1,"x-unit":"tokens","examples":[4000]}},"examples":[{"timeoutSeconds":120,"concurrency":8}]},"retry":{"description":"Retries after 429, 5xx and lost connections. Retry-After is respected, up to `maxWaitSeconds`.","type":"object","additionalProperties":false,"default":{},"properties":{"attempts":{"description":"Maximum number of attempts, including the first.","type":"integer","minimum":1,"maximum":20,"default":4,"x-unit":"attempts","examples":[4]},"backoffSeconds":{"description":"Pause before the second attempt; doubled for each further attempt.","type":"number","minimum":0,"maximum":600,"default":1,"x-unit":"seconds","examples":[1]},"maxWaitSeconds":{"description":"Longest Retry-After that is waited for, after any status. The run waits without using up its time or a place of `runs.concurrency`. If the server asks for more, the run fails.","type":"number","exclusiveMinimum":0,"maximum":2678400,"default":3600,"x-unit":"seconds","examples":[3600]}},"examples":[{"attempts":4,"backoffSeconds":1,"maxWaitSeconds":3600}]},"price":{"description":"Price of the model in US dollars per million tokens. Default: the engine's price list, for OpenAI's and Anthropic's own servers. Otherwise costs are unknown.","type":"object","additionalProperties":false,"required":["inputPerMillion","outputPerMillion"],"properties":{"inputPerMillion":{"description":"Price of a million input tokens.","type":"number","minimum":0,"x-unit":"USD","examples":[0.25]},"outputPerMillion":{"description":"Price of a million output tokens.","type":"number","minimum":0,"x-unit":"USD","examples":[2]},"cachedInputPerMillion":{"description":"Price of a million input tokens that the provider read from its cache. Default: `inputPerMillion`.","type":"number","minimum":0,"x-unit":"USD","examples":[0.025]}},"examples":[{"inputPerMillion":0.25,"outputPerMillion":2,"cachedInputPerMillion":0.025}]},"locality":{"description":"`local`: requests stay on machines of yours. Callsheet trusts this setting and only warns if the address looks public. Runs of a director with `locality: local` use only such APIs, fallbacks included.","type":"string","enum":["any","local"],"default":"any","examples":["local"]},"fallback":{"description":"APIs that stand in for this one. A list: they are tried in this order at the start of a run if this API is not available (no key, or the server does not answer). With `to` and `on`, the next of them also takes over during a run, where a request has failed and its retries are used up; never one with rules of a script, and after an API with `locality: local` only others with it.","type":["array","object"],"items":{"description":"Id of an API, a file in `apis/`.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["local"]},"maxItems":1000,"additionalProperties":false,"required":["to"],"properties":{"to":{"description":"The APIs, in order.","type":"array","items":{"description":"Id of an API, a file in `apis/`.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["local"]},"minItems":1,"maxItems":1000,"examples":[["spare","local"]]},"on":{"description":"Failures after which the next API takes over during a run. `unavailable`: the server does not answer, or answers with an error of its own. `rateLimit`: its limit is reached for longer than `retry` allows, or the account has no credit.","type":"array","items":{"description":"A failure.","type":"string","enum":["unavailable","rateLimit"],"examples":["unavailable"]},"uniqueItems":true,"minItems":1,"default":["unavailable","rateLimit"],"examples":[["unavailable"]]}},"default":[],"examples":[["local","offline"],{"to":["spare","local"],"on":["unavailable","rateLimit"]}]}}};
const pattern22 = new RegExp("^\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\}$", "u");
const pattern23 = new RegExp("^([A-Za-z0-9_-]{1,200}|\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\})$", "u");
const pattern24 = new RegExp("^https?://[^\\s]+$", "u");

function validate4(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate4.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.description === undefined){
data.description = "";
}
if(data.enabled === undefined){
data.enabled = true;
}
if(data.baseUrl === undefined){
data.baseUrl = "https://api.openai.com/v1";
}
if(data.protocol === undefined){
data.protocol = "chat";
}
if(data.limits === undefined){
data.limits = {};
}
if(data.retry === undefined){
data.retry = {};
}
if(data.locality === undefined){
data.locality = "any";
}
if(data.fallback === undefined){
data.fallback = [];
}
if(data.id === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'",schema:schema3.required,parentSchema:schema3,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.provider === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "provider"},message:"must have required property '"+"provider"+"'",schema:schema3.required,parentSchema:schema3,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.model === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "model"},message:"must have required property '"+"model"+"'",schema:schema3.required,parentSchema:schema3,data};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.apiKey === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "apiKey"},message:"must have required property '"+"apiKey"+"'",schema:schema3.required,parentSchema:schema3,data};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
for(const key0 in data){
if(!(func0.call(schema3.properties, key0))){
const err4 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema3,data};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.$schema !== undefined){
let data0 = data.$schema;
if(typeof data0 !== "string"){
const err5 = {instancePath:instancePath+"/$schema",schemaPath:"#/properties/%24schema/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema3.properties.$schema.type,parentSchema:schema3.properties.$schema,data:data0};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.id !== undefined){
let data1 = data.id;
if(typeof data1 === "string"){
if(!pattern0.test(data1)){
const err6 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{1,48}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{1,48}$"+"\"",schema:"^[A-Za-z0-9_-]{1,48}$",parentSchema:schema3.properties.id,data:data1};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema3.properties.id.type,parentSchema:schema3.properties.id,data:data1};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
let data2 = data.description;
if(typeof data2 !== "string"){
const err8 = {instancePath:instancePath+"/description",schemaPath:"#/properties/description/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema3.properties.description.type,parentSchema:schema3.properties.description,data:data2};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
let data3 = data.enabled;
if(typeof data3 !== "boolean"){
const err9 = {instancePath:instancePath+"/enabled",schemaPath:"#/properties/enabled/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema3.properties.enabled.type,parentSchema:schema3.properties.enabled,data:data3};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(data.order !== undefined){
let data4 = data.order;
if(!((typeof data4 == "number") && (isFinite(data4)))){
const err10 = {instancePath:instancePath+"/order",schemaPath:"#/properties/order/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema3.properties.order.type,parentSchema:schema3.properties.order,data:data4};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.provider !== undefined){
let data5 = data.provider;
if(typeof data5 !== "string"){
const err11 = {instancePath:instancePath+"/provider",schemaPath:"#/properties/provider/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema3.properties.provider.type,parentSchema:schema3.properties.provider,data:data5};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if("openai" !== data5){
const err12 = {instancePath:instancePath+"/provider",schemaPath:"#/properties/provider/const",keyword:"const",params:{allowedValue: "openai"},message:"must be equal to constant",schema:"openai",parentSchema:schema3.properties.provider,data:data5};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.model !== undefined){
let data6 = data.model;
if(typeof data6 === "string"){
if(func1(data6) > 200){
const err13 = {instancePath:instancePath+"/model",schemaPath:"#/properties/model/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters",schema:200,parentSchema:schema3.properties.model,data:data6};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if(func1(data6) < 1){
const err14 = {instancePath:instancePath+"/model",schemaPath:"#/properties/model/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema3.properties.model,data:data6};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
else {
const err15 = {instancePath:instancePath+"/model",schemaPath:"#/properties/model/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema3.properties.model.type,parentSchema:schema3.properties.model,data:data6};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data.apiKey !== undefined){
let data7 = data.apiKey;
if(typeof data7 === "string"){
if(!pattern22.test(data7)){
const err16 = {instancePath:instancePath+"/apiKey",schemaPath:"#/properties/apiKey/pattern",keyword:"pattern",params:{pattern: "^\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\}$"},message:"must match pattern \""+"^\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\}$"+"\"",schema:"^\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\}$",parentSchema:schema3.properties.apiKey,data:data7};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
else {
const err17 = {instancePath:instancePath+"/apiKey",schemaPath:"#/properties/apiKey/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema3.properties.apiKey.type,parentSchema:schema3.properties.apiKey,data:data7};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
if(data.organization !== undefined){
let data8 = data.organization;
if(typeof data8 === "string"){
if(!pattern23.test(data8)){
const err18 = {instancePath:instancePath+"/organization",schemaPath:"#/properties/organization/pattern",keyword:"pattern",params:{pattern: "^([A-Za-z0-9_-]{1,200}|\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\})$"},message:"must match pattern \""+"^([A-Za-z0-9_-]{1,200}|\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\})$"+"\"",schema:"^([A-Za-z0-9_-]{1,200}|\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\})$",parentSchema:schema3.properties.organization,data:data8};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
else {
const err19 = {instancePath:instancePath+"/organization",schemaPath:"#/properties/organization/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema3.properties.organization.type,parentSchema:schema3.properties.organization,data:data8};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
let data9 = data.baseUrl;
if(typeof data9 === "string"){
if(!pattern24.test(data9)){
const err20 = {instancePath:instancePath+"/baseUrl",schemaPath:"#/properties/baseUrl/pattern",keyword:"pattern",params:{pattern: "^https?://[^\\s]+$"},message:"must match pattern \""+"^https?://[^\\s]+$"+"\"",schema:"^https?://[^\\s]+$",parentSchema:schema3.properties.baseUrl,data:data9};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
else {
const err21 = {instancePath:instancePath+"/baseUrl",schemaPath:"#/properties/baseUrl/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema3.properties.baseUrl.type,parentSchema:schema3.properties.baseUrl,data:data9};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
let data10 = data.protocol;
if(typeof data10 !== "string"){
const err22 = {instancePath:instancePath+"/protocol",schemaPath:"#/properties/protocol/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema3.properties.protocol.type,parentSchema:schema3.properties.protocol,data:data10};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
if(!((data10 === "chat") || (data10 === "responses"))){
const err23 = {instancePath:instancePath+"/protocol",schemaPath:"#/properties/protocol/enum",keyword:"enum",params:{allowedValues: schema3.properties.protocol.enum},message:"must be equal to one of the allowed values",schema:schema3.properties.protocol.enum,parentSchema:schema3.properties.protocol,data:data10};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
if(data.structuredOutput !== undefined){
let data11 = data.structuredOutput;
if(typeof data11 !== "boolean"){
const err24 = {instancePath:instancePath+"/structuredOutput",schemaPath:"#/properties/structuredOutput/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema3.properties.structuredOutput.type,parentSchema:schema3.properties.structuredOutput,data:data11};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
if(data.stream !== undefined){
let data12 = data.stream;
if(typeof data12 !== "boolean"){
const err25 = {instancePath:instancePath+"/stream",schemaPath:"#/properties/stream/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema3.properties.stream.type,parentSchema:schema3.properties.stream,data:data12};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
let data13 = data.limits;
if(data13 && typeof data13 == "object" && !Array.isArray(data13)){
if(data13.timeoutSeconds === undefined){
data13.timeoutSeconds = 120;
}
if(data13.concurrency === undefined){
data13.concurrency = 8;
}
for(const key1 in data13){
if(!((((((key1 === "timeoutSeconds") || (key1 === "concurrency")) || (key1 === "requestsPerMinute")) || (key1 === "requestsPerHour")) || (key1 === "tokensPerMinute")) || (key1 === "maxTokensPerRequest"))){
const err26 = {instancePath:instancePath+"/limits",schemaPath:"#/properties/limits/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties",schema:false,parentSchema:schema3.properties.limits,data:data13};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
let data14 = data13.timeoutSeconds;
if((typeof data14 == "number") && (isFinite(data14))){
if(data14 > 3600 || isNaN(data14)){
const err27 = {instancePath:instancePath+"/limits/timeoutSeconds",schemaPath:"#/properties/limits/properties/timeoutSeconds/maximum",keyword:"maximum",params:{comparison: "<=", limit: 3600},message:"must be <= 3600",schema:3600,parentSchema:schema3.properties.limits.properties.timeoutSeconds,data:data14};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
if(data14 <= 0 || isNaN(data14)){
const err28 = {instancePath:instancePath+"/limits/timeoutSeconds",schemaPath:"#/properties/limits/properties/timeoutSeconds/exclusiveMinimum",keyword:"exclusiveMinimum",params:{comparison: ">", limit: 0},message:"must be > 0",schema:0,parentSchema:schema3.properties.limits.properties.timeoutSeconds,data:data14};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
else {
const err29 = {instancePath:instancePath+"/limits/timeoutSeconds",schemaPath:"#/properties/limits/properties/timeoutSeconds/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema3.properties.limits.properties.timeoutSeconds.type,parentSchema:schema3.properties.limits.properties.timeoutSeconds,data:data14};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
let data15 = data13.concurrency;
if(!(((typeof data15 == "number") && (!(data15 % 1) && !isNaN(data15))) && (isFinite(data15)))){
const err30 = {instancePath:instancePath+"/limits/concurrency",schemaPath:"#/properties/limits/properties/concurrency/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema3.properties.limits.properties.concurrency.type,parentSchema:schema3.properties.limits.properties.concurrency,data:data15};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
if((typeof data15 == "number") && (isFinite(data15))){
if(data15 > 1000 || isNaN(data15)){
const err31 = {instancePath:instancePath+"/limits/concurrency",schemaPath:"#/properties/limits/properties/concurrency/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000},message:"must be <= 1000",schema:1000,parentSchema:schema3.properties.limits.properties.concurrency,data:data15};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
if(data15 < 1 || isNaN(data15)){
const err32 = {instancePath:instancePath+"/limits/concurrency",schemaPath:"#/properties/limits/properties/concurrency/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema3.properties.limits.properties.concurrency,data:data15};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
if(data13.requestsPerMinute !== undefined){
let data16 = data13.requestsPerMinute;
if(!(((typeof data16 == "number") && (!(data16 % 1) && !isNaN(data16))) && (isFinite(data16)))){
const err33 = {instancePath:instancePath+"/limits/requestsPerMinute",schemaPath:"#/properties/limits/properties/requestsPerMinute/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema3.properties.limits.properties.requestsPerMinute.type,parentSchema:schema3.properties.limits.properties.requestsPerMinute,data:data16};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
if((typeof data16 == "number") && (isFinite(data16))){
if(data16 < 1 || isNaN(data16)){
const err34 = {instancePath:instancePath+"/limits/requestsPerMinute",schemaPath:"#/properties/limits/properties/requestsPerMinute/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema3.properties.limits.properties.requestsPerMinute,data:data16};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
}
if(data13.requestsPerHour !== undefined){
let data17 = data13.requestsPerHour;
if(!(((typeof data17 == "number") && (!(data17 % 1) && !isNaN(data17))) && (isFinite(data17)))){
const err35 = {instancePath:instancePath+"/limits/requestsPerHour",schemaPath:"#/properties/limits/properties/requestsPerHour/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema3.properties.limits.properties.requestsPerHour.type,parentSchema:schema3.properties.limits.properties.requestsPerHour,data:data17};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
if((typeof data17 == "number") && (isFinite(data17))){
if(data17 < 1 || isNaN(data17)){
const err36 = {instancePath:instancePath+"/limits/requestsPerHour",schemaPath:"#/properties/limits/properties/requestsPerHour/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema3.properties.limits.properties.requestsPerHour,data:data17};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
}
}
if(data13.tokensPerMinute !== undefined){
let data18 = data13.tokensPerMinute;
if(!(((typeof data18 == "number") && (!(data18 % 1) && !isNaN(data18))) && (isFinite(data18)))){
const err37 = {instancePath:instancePath+"/limits/tokensPerMinute",schemaPath:"#/properties/limits/properties/tokensPerMinute/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema3.properties.limits.properties.tokensPerMinute.type,parentSchema:schema3.properties.limits.properties.tokensPerMinute,data:data18};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
if((typeof data18 == "number") && (isFinite(data18))){
if(data18 < 1 || isNaN(data18)){
const err38 = {instancePath:instancePath+"/limits/tokensPerMinute",schemaPath:"#/properties/limits/properties/tokensPerMinute/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema3.properties.limits.properties.tokensPerMinute,data:data18};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
}
}
if(data13.maxTokensPerRequest !== undefined){
let data19 = data13.maxTokensPerRequest;
if(!(((typeof data19 == "number") && (!(data19 % 1) && !isNaN(data19))) && (isFinite(data19)))){
const err39 = {instancePath:instancePath+"/limits/maxTokensPerRequest",schemaPath:"#/properties/limits/properties/maxTokensPerRequest/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema3.properties.limits.properties.maxTokensPerRequest.type,parentSchema:schema3.properties.limits.properties.maxTokensPerRequest,data:data19};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
if((typeof data19 == "number") && (isFinite(data19))){
if(data19 < 1 || isNaN(data19)){
const err40 = {instancePath:instancePath+"/limits/maxTokensPerRequest",schemaPath:"#/properties/limits/properties/maxTokensPerRequest/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema3.properties.limits.properties.maxTokensPerRequest,data:data19};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
}
}
}
else {
const err41 = {instancePath:instancePath+"/limits",schemaPath:"#/properties/limits/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema3.properties.limits.type,parentSchema:schema3.properties.limits,data:data13};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
let data20 = data.retry;
if(data20 && typeof data20 == "object" && !Array.isArray(data20)){
if(data20.attempts === undefined){
data20.attempts = 4;
}
if(data20.backoffSeconds === undefined){
data20.backoffSeconds = 1;
}
if(data20.maxWaitSeconds === undefined){
data20.maxWaitSeconds = 3600;
}
for(const key2 in data20){
if(!(((key2 === "attempts") || (key2 === "backoffSeconds")) || (key2 === "maxWaitSeconds"))){
const err42 = {instancePath:instancePath+"/retry",schemaPath:"#/properties/retry/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2},message:"must NOT have additional properties",schema:false,parentSchema:schema3.properties.retry,data:data20};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
}
let data21 = data20.attempts;
if(!(((typeof data21 == "number") && (!(data21 % 1) && !isNaN(data21))) && (isFinite(data21)))){
const err43 = {instancePath:instancePath+"/retry/attempts",schemaPath:"#/properties/retry/properties/attempts/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema3.properties.retry.properties.attempts.type,parentSchema:schema3.properties.retry.properties.attempts,data:data21};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
if((typeof data21 == "number") && (isFinite(data21))){
if(data21 > 20 || isNaN(data21)){
const err44 = {instancePath:instancePath+"/retry/attempts",schemaPath:"#/properties/retry/properties/attempts/maximum",keyword:"maximum",params:{comparison: "<=", limit: 20},message:"must be <= 20",schema:20,parentSchema:schema3.properties.retry.properties.attempts,data:data21};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
if(data21 < 1 || isNaN(data21)){
const err45 = {instancePath:instancePath+"/retry/attempts",schemaPath:"#/properties/retry/properties/attempts/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema3.properties.retry.properties.attempts,data:data21};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
}
let data22 = data20.backoffSeconds;
if((typeof data22 == "number") && (isFinite(data22))){
if(data22 > 600 || isNaN(data22)){
const err46 = {instancePath:instancePath+"/retry/backoffSeconds",schemaPath:"#/properties/retry/properties/backoffSeconds/maximum",keyword:"maximum",params:{comparison: "<=", limit: 600},message:"must be <= 600",schema:600,parentSchema:schema3.properties.retry.properties.backoffSeconds,data:data22};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
if(data22 < 0 || isNaN(data22)){
const err47 = {instancePath:instancePath+"/retry/backoffSeconds",schemaPath:"#/properties/retry/properties/backoffSeconds/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schema3.properties.retry.properties.backoffSeconds,data:data22};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
}
else {
const err48 = {instancePath:instancePath+"/retry/backoffSeconds",schemaPath:"#/properties/retry/properties/backoffSeconds/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema3.properties.retry.properties.backoffSeconds.type,parentSchema:schema3.properties.retry.properties.backoffSeconds,data:data22};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
let data23 = data20.maxWaitSeconds;
if((typeof data23 == "number") && (isFinite(data23))){
if(data23 > 2678400 || isNaN(data23)){
const err49 = {instancePath:instancePath+"/retry/maxWaitSeconds",schemaPath:"#/properties/retry/properties/maxWaitSeconds/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2678400},message:"must be <= 2678400",schema:2678400,parentSchema:schema3.properties.retry.properties.maxWaitSeconds,data:data23};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
if(data23 <= 0 || isNaN(data23)){
const err50 = {instancePath:instancePath+"/retry/maxWaitSeconds",schemaPath:"#/properties/retry/properties/maxWaitSeconds/exclusiveMinimum",keyword:"exclusiveMinimum",params:{comparison: ">", limit: 0},message:"must be > 0",schema:0,parentSchema:schema3.properties.retry.properties.maxWaitSeconds,data:data23};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
}
else {
const err51 = {instancePath:instancePath+"/retry/maxWaitSeconds",schemaPath:"#/properties/retry/properties/maxWaitSeconds/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema3.properties.retry.properties.maxWaitSeconds.type,parentSchema:schema3.properties.retry.properties.maxWaitSeconds,data:data23};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
}
}
else {
const err52 = {instancePath:instancePath+"/retry",schemaPath:"#/properties/retry/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema3.properties.retry.type,parentSchema:schema3.properties.retry,data:data20};
if(vErrors === null){
vErrors = [err52];
}
else {
vErrors.push(err52);
}
errors++;
}
if(data.price !== undefined){
let data24 = data.price;
if(data24 && typeof data24 == "object" && !Array.isArray(data24)){
if(data24.inputPerMillion === undefined){
const err53 = {instancePath:instancePath+"/price",schemaPath:"#/properties/price/required",keyword:"required",params:{missingProperty: "inputPerMillion"},message:"must have required property '"+"inputPerMillion"+"'",schema:schema3.properties.price.required,parentSchema:schema3.properties.price,data:data24};
if(vErrors === null){
vErrors = [err53];
}
else {
vErrors.push(err53);
}
errors++;
}
if(data24.outputPerMillion === undefined){
const err54 = {instancePath:instancePath+"/price",schemaPath:"#/properties/price/required",keyword:"required",params:{missingProperty: "outputPerMillion"},message:"must have required property '"+"outputPerMillion"+"'",schema:schema3.properties.price.required,parentSchema:schema3.properties.price,data:data24};
if(vErrors === null){
vErrors = [err54];
}
else {
vErrors.push(err54);
}
errors++;
}
for(const key3 in data24){
if(!(((key3 === "inputPerMillion") || (key3 === "outputPerMillion")) || (key3 === "cachedInputPerMillion"))){
const err55 = {instancePath:instancePath+"/price",schemaPath:"#/properties/price/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3},message:"must NOT have additional properties",schema:false,parentSchema:schema3.properties.price,data:data24};
if(vErrors === null){
vErrors = [err55];
}
else {
vErrors.push(err55);
}
errors++;
}
}
if(data24.inputPerMillion !== undefined){
let data25 = data24.inputPerMillion;
if((typeof data25 == "number") && (isFinite(data25))){
if(data25 < 0 || isNaN(data25)){
const err56 = {instancePath:instancePath+"/price/inputPerMillion",schemaPath:"#/properties/price/properties/inputPerMillion/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schema3.properties.price.properties.inputPerMillion,data:data25};
if(vErrors === null){
vErrors = [err56];
}
else {
vErrors.push(err56);
}
errors++;
}
}
else {
const err57 = {instancePath:instancePath+"/price/inputPerMillion",schemaPath:"#/properties/price/properties/inputPerMillion/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema3.properties.price.properties.inputPerMillion.type,parentSchema:schema3.properties.price.properties.inputPerMillion,data:data25};
if(vErrors === null){
vErrors = [err57];
}
else {
vErrors.push(err57);
}
errors++;
}
}
if(data24.outputPerMillion !== undefined){
let data26 = data24.outputPerMillion;
if((typeof data26 == "number") && (isFinite(data26))){
if(data26 < 0 || isNaN(data26)){
const err58 = {instancePath:instancePath+"/price/outputPerMillion",schemaPath:"#/properties/price/properties/outputPerMillion/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schema3.properties.price.properties.outputPerMillion,data:data26};
if(vErrors === null){
vErrors = [err58];
}
else {
vErrors.push(err58);
}
errors++;
}
}
else {
const err59 = {instancePath:instancePath+"/price/outputPerMillion",schemaPath:"#/properties/price/properties/outputPerMillion/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema3.properties.price.properties.outputPerMillion.type,parentSchema:schema3.properties.price.properties.outputPerMillion,data:data26};
if(vErrors === null){
vErrors = [err59];
}
else {
vErrors.push(err59);
}
errors++;
}
}
if(data24.cachedInputPerMillion !== undefined){
let data27 = data24.cachedInputPerMillion;
if((typeof data27 == "number") && (isFinite(data27))){
if(data27 < 0 || isNaN(data27)){
const err60 = {instancePath:instancePath+"/price/cachedInputPerMillion",schemaPath:"#/properties/price/properties/cachedInputPerMillion/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schema3.properties.price.properties.cachedInputPerMillion,data:data27};
if(vErrors === null){
vErrors = [err60];
}
else {
vErrors.push(err60);
}
errors++;
}
}
else {
const err61 = {instancePath:instancePath+"/price/cachedInputPerMillion",schemaPath:"#/properties/price/properties/cachedInputPerMillion/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema3.properties.price.properties.cachedInputPerMillion.type,parentSchema:schema3.properties.price.properties.cachedInputPerMillion,data:data27};
if(vErrors === null){
vErrors = [err61];
}
else {
vErrors.push(err61);
}
errors++;
}
}
}
else {
const err62 = {instancePath:instancePath+"/price",schemaPath:"#/properties/price/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema3.properties.price.type,parentSchema:schema3.properties.price,data:data24};
if(vErrors === null){
vErrors = [err62];
}
else {
vErrors.push(err62);
}
errors++;
}
}
let data28 = data.locality;
if(typeof data28 !== "string"){
const err63 = {instancePath:instancePath+"/locality",schemaPath:"#/properties/locality/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema3.properties.locality.type,parentSchema:schema3.properties.locality,data:data28};
if(vErrors === null){
vErrors = [err63];
}
else {
vErrors.push(err63);
}
errors++;
}
if(!((data28 === "any") || (data28 === "local"))){
const err64 = {instancePath:instancePath+"/locality",schemaPath:"#/properties/locality/enum",keyword:"enum",params:{allowedValues: schema3.properties.locality.enum},message:"must be equal to one of the allowed values",schema:schema3.properties.locality.enum,parentSchema:schema3.properties.locality,data:data28};
if(vErrors === null){
vErrors = [err64];
}
else {
vErrors.push(err64);
}
errors++;
}
let data29 = data.fallback;
if(!data29 || typeof data29 != "object"){
const err65 = {instancePath:instancePath+"/fallback",schemaPath:"#/properties/fallback/type",keyword:"type",params:{type: schema3.properties.fallback.type},message:"must be array,object",schema:schema3.properties.fallback.type,parentSchema:schema3.properties.fallback,data:data29};
if(vErrors === null){
vErrors = [err65];
}
else {
vErrors.push(err65);
}
errors++;
}
if(Array.isArray(data29)){
if(data29.length > 1000){
const err66 = {instancePath:instancePath+"/fallback",schemaPath:"#/properties/fallback/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items",schema:1000,parentSchema:schema3.properties.fallback,data:data29};
if(vErrors === null){
vErrors = [err66];
}
else {
vErrors.push(err66);
}
errors++;
}
const len0 = data29.length;
for(let i0=0; i0<len0; i0++){
let data30 = data29[i0];
if(typeof data30 === "string"){
if(!pattern0.test(data30)){
const err67 = {instancePath:instancePath+"/fallback/" + i0,schemaPath:"#/properties/fallback/items/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{1,48}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{1,48}$"+"\"",schema:"^[A-Za-z0-9_-]{1,48}$",parentSchema:schema3.properties.fallback.items,data:data30};
if(vErrors === null){
vErrors = [err67];
}
else {
vErrors.push(err67);
}
errors++;
}
}
else {
const err68 = {instancePath:instancePath+"/fallback/" + i0,schemaPath:"#/properties/fallback/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema3.properties.fallback.items.type,parentSchema:schema3.properties.fallback.items,data:data30};
if(vErrors === null){
vErrors = [err68];
}
else {
vErrors.push(err68);
}
errors++;
}
}
}
if(data29 && typeof data29 == "object" && !Array.isArray(data29)){
if(data29.on === undefined){
data29.on = ["unavailable","rateLimit"];
}
if(data29.to === undefined){
const err69 = {instancePath:instancePath+"/fallback",schemaPath:"#/properties/fallback/required",keyword:"required",params:{missingProperty: "to"},message:"must have required property '"+"to"+"'",schema:schema3.properties.fallback.required,parentSchema:schema3.properties.fallback,data:data29};
if(vErrors === null){
vErrors = [err69];
}
else {
vErrors.push(err69);
}
errors++;
}
for(const key4 in data29){
if(!((key4 === "to") || (key4 === "on"))){
const err70 = {instancePath:instancePath+"/fallback",schemaPath:"#/properties/fallback/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key4},message:"must NOT have additional properties",schema:false,parentSchema:schema3.properties.fallback,data:data29};
if(vErrors === null){
vErrors = [err70];
}
else {
vErrors.push(err70);
}
errors++;
}
}
if(data29.to !== undefined){
let data31 = data29.to;
if(Array.isArray(data31)){
if(data31.length > 1000){
const err71 = {instancePath:instancePath+"/fallback/to",schemaPath:"#/properties/fallback/properties/to/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items",schema:1000,parentSchema:schema3.properties.fallback.properties.to,data:data31};
if(vErrors === null){
vErrors = [err71];
}
else {
vErrors.push(err71);
}
errors++;
}
if(data31.length < 1){
const err72 = {instancePath:instancePath+"/fallback/to",schemaPath:"#/properties/fallback/properties/to/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items",schema:1,parentSchema:schema3.properties.fallback.properties.to,data:data31};
if(vErrors === null){
vErrors = [err72];
}
else {
vErrors.push(err72);
}
errors++;
}
const len1 = data31.length;
for(let i1=0; i1<len1; i1++){
let data32 = data31[i1];
if(typeof data32 === "string"){
if(!pattern0.test(data32)){
const err73 = {instancePath:instancePath+"/fallback/to/" + i1,schemaPath:"#/properties/fallback/properties/to/items/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{1,48}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{1,48}$"+"\"",schema:"^[A-Za-z0-9_-]{1,48}$",parentSchema:schema3.properties.fallback.properties.to.items,data:data32};
if(vErrors === null){
vErrors = [err73];
}
else {
vErrors.push(err73);
}
errors++;
}
}
else {
const err74 = {instancePath:instancePath+"/fallback/to/" + i1,schemaPath:"#/properties/fallback/properties/to/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema3.properties.fallback.properties.to.items.type,parentSchema:schema3.properties.fallback.properties.to.items,data:data32};
if(vErrors === null){
vErrors = [err74];
}
else {
vErrors.push(err74);
}
errors++;
}
}
}
else {
const err75 = {instancePath:instancePath+"/fallback/to",schemaPath:"#/properties/fallback/properties/to/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema3.properties.fallback.properties.to.type,parentSchema:schema3.properties.fallback.properties.to,data:data31};
if(vErrors === null){
vErrors = [err75];
}
else {
vErrors.push(err75);
}
errors++;
}
}
let data33 = data29.on;
if(Array.isArray(data33)){
if(data33.length < 1){
const err76 = {instancePath:instancePath+"/fallback/on",schemaPath:"#/properties/fallback/properties/on/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items",schema:1,parentSchema:schema3.properties.fallback.properties.on,data:data33};
if(vErrors === null){
vErrors = [err76];
}
else {
vErrors.push(err76);
}
errors++;
}
const len2 = data33.length;
for(let i2=0; i2<len2; i2++){
let data34 = data33[i2];
if(typeof data34 !== "string"){
const err77 = {instancePath:instancePath+"/fallback/on/" + i2,schemaPath:"#/properties/fallback/properties/on/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema3.properties.fallback.properties.on.items.type,parentSchema:schema3.properties.fallback.properties.on.items,data:data34};
if(vErrors === null){
vErrors = [err77];
}
else {
vErrors.push(err77);
}
errors++;
}
if(!((data34 === "unavailable") || (data34 === "rateLimit"))){
const err78 = {instancePath:instancePath+"/fallback/on/" + i2,schemaPath:"#/properties/fallback/properties/on/items/enum",keyword:"enum",params:{allowedValues: schema3.properties.fallback.properties.on.items.enum},message:"must be equal to one of the allowed values",schema:schema3.properties.fallback.properties.on.items.enum,parentSchema:schema3.properties.fallback.properties.on.items,data:data34};
if(vErrors === null){
vErrors = [err78];
}
else {
vErrors.push(err78);
}
errors++;
}
}
let i3 = data33.length;
let j0;
if(i3 > 1){
const indices0 = {};
for(;i3--;){
let item0 = data33[i3];
if(typeof item0 !== "string"){
continue;
}
if(typeof indices0[item0] == "number"){
j0 = indices0[item0];
const err79 = {instancePath:instancePath+"/fallback/on",schemaPath:"#/properties/fallback/properties/on/uniqueItems",keyword:"uniqueItems",params:{i: i3, j: j0},message:"must NOT have duplicate items (items ## "+j0+" and "+i3+" are identical)",schema:true,parentSchema:schema3.properties.fallback.properties.on,data:data33};
if(vErrors === null){
vErrors = [err79];
}
else {
vErrors.push(err79);
}
errors++;
break;
}
indices0[item0] = i3;
}
}
}
else {
const err80 = {instancePath:instancePath+"/fallback/on",schemaPath:"#/properties/fallback/properties/on/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema3.properties.fallback.properties.on.type,parentSchema:schema3.properties.fallback.properties.on,data:data33};
if(vErrors === null){
vErrors = [err80];
}
else {
vErrors.push(err80);
}
errors++;
}
}
}
else {
const err81 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema3.type,parentSchema:schema3,data};
if(vErrors === null){
vErrors = [err81];
}
else {
vErrors.push(err81);
}
errors++;
}
validate4.errors = vErrors;
return errors === 0;
}
validate4.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema4 = {"title":"AnthropicApi","description":"Anthropic, or a server that supports its Messages API.","type":"object","additionalProperties":false,"required":["id","provider","model","apiKey"],"properties":{"$schema":{"description":"The schema of a JSON file, for editors. YAML files name it in their first line.","type":"string","examples":["../../schemas/api.schema.json"]},"id":{"description":"Id of this API. Equals the file name.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["main"]},"description":{"description":"A note for people.","type":"string","default":"","examples":["The model that most directors use."]},"enabled":{"description":"Set to false to disable this API without deleting its file.","type":"boolean","default":true,"examples":[false]},"order":{"description":"Position among the APIs: lowest number first, then by id. APIs without a number come last.","type":"number","x-unit":"rank","examples":[10]},"provider":{"description":"`anthropic`: Anthropic, by its Messages API.","type":"string","const":"anthropic","examples":["anthropic"]},"model":{"description":"Name of the model, as the provider spells it.","type":"string","minLength":1,"maxLength":200,"examples":["claude-sonnet-4-5"]},"apiKey":{"description":"Reference to the key: `${env:NAME}` or `${secret:NAME}`. Never the key itself.","type":"string","pattern":"^\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\}$","x-secret":true,"x-expected":"a reference such as ${env:ANTHROPIC_API_KEY}","examples":["${env:ANTHROPIC_API_KEY}","${secret:ANTHROPIC_API_KEY}"]},"baseUrl":{"description":"Address of the server, without the version part.","type":"string","pattern":"^https?://[^\\s]+$","x-expected":"an address that starts with http:// or https://","default":"https://api.anthropic.com","examples":["https://api.anthropic.com"]},"structuredOutput":{"description":"Whether an answer that must be JSON (`output` of a director or an agent) is asked for with its schema, so that the server keeps to it. The engine checks every such answer in any case. Default: true. Some older models refuse it.","type":"boolean","examples":[false]},"stream":{"description":"Whether to stream answers. Streaming shows the cost of an answer that is cancelled half-way.","type":"boolean","default":true,"examples":[false]},"maxTokens":{"description":"Longest answer. Anthropic requires a limit.","type":"integer","minimum":1,"maximum":1000000,"default":8192,"x-unit":"tokens","examples":[8192]},"limits":{"description":"Limits of the requests to this API.","type":"object","additionalProperties":false,"default":{},"properties":{"timeoutSeconds":{"description":"Time limit of a request.","type":"number","exclusiveMinimum":0,"maximum":3600,"default":120,"x-unit":"seconds","examples":[120]},"concurrency":{"description":"Maximum number of requests at the same time.","type":"integer","minimum":1,"maximum":1000,"default":8,"x-unit":"requests","examples":[8]},"requestsPerMinute":{"description":"Maximum number of requests within any minute; further requests wait. The count survives a restart.","type":"integer","minimum":1,"x-unit":"requests","examples":[60]},"requestsPerHour":{"description":"Maximum number of requests within any hour; further requests wait.","type":"integer","minimum":1,"x-unit":"requests","examples":[1000]},"tokensPerMinute":{"description":"Maximum of input and output tokens within any minute; requests wait until their estimate fits.","type":"integer","minimum":1,"x-unit":"tokens","examples":[200000]},"maxTokensPerRequest":{"description":"Longest answer that a request allows.","type":"integer","minimum":1,"x-unit":"tokens","examples":[4000]}},"examples":[{"timeoutSeconds":120,"concurrency":8}]},"retry":{"description":"Retries after 429, 5xx and lost connections. Retry-After is respected, up to `maxWaitSeconds`.","type":"object","additionalProperties":false,"default":{},"properties":{"attempts":{"description":"Maximum number of attempts, including the first.","type":"integer","minimum":1,"maximum":20,"default":4,"x-unit":"attempts","examples":[4]},"backoffSeconds":{"description":"Pause before the second attempt; doubled for each further attempt.","type":"number","minimum":0,"maximum":600,"default":1,"x-unit":"seconds","examples":[1]},"maxWaitSeconds":{"description":"Longest Retry-After that is waited for, after any status. The run waits without using up its time or a place of `runs.concurrency`. If the server asks for more, the run fails.","type":"number","exclusiveMinimum":0,"maximum":2678400,"default":3600,"x-unit":"seconds","examples":[3600]}},"examples":[{"attempts":4,"backoffSeconds":1,"maxWaitSeconds":3600}]},"price":{"description":"Price of the model in US dollars per million tokens. Default: the engine's price list, for OpenAI's and Anthropic's own servers. Otherwise costs are unknown.","type":"object","additionalProperties":false,"required":["inputPerMillion","outputPerMillion"],"properties":{"inputPerMillion":{"description":"Price of a million input tokens.","type":"number","minimum":0,"x-unit":"USD","examples":[0.25]},"outputPerMillion":{"description":"Price of a million output tokens.","type":"number","minimum":0,"x-unit":"USD","examples":[2]},"cachedInputPerMillion":{"description":"Price of a million input tokens that the provider read from its cache. Default: `inputPerMillion`.","type":"number","minimum":0,"x-unit":"USD","examples":[0.025]}},"examples":[{"inputPerMillion":0.25,"outputPerMillion":2,"cachedInputPerMillion":0.025}]},"locality":{"description":"`local`: requests stay on machines of yours. Callsheet trusts this setting and only warns if the address looks public. Runs of a director with `locality: local` use only such APIs, fallbacks included.","type":"string","enum":["any","local"],"default":"any","examples":["local"]},"fallback":{"description":"APIs that stand in for this one. A list: they are tried in this order at the start of a run if this API is not available (no key, or the server does not answer). With `to` and `on`, the next of them also takes over during a run, where a request has failed and its retries are used up; never one with rules of a script, and after an API with `locality: local` only others with it.","type":["array","object"],"items":{"description":"Id of an API, a file in `apis/`.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["local"]},"maxItems":1000,"additionalProperties":false,"required":["to"],"properties":{"to":{"description":"The APIs, in order.","type":"array","items":{"description":"Id of an API, a file in `apis/`.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["local"]},"minItems":1,"maxItems":1000,"examples":[["spare","local"]]},"on":{"description":"Failures after which the next API takes over during a run. `unavailable`: the server does not answer, or answers with an error of its own. `rateLimit`: its limit is reached for longer than `retry` allows, or the account has no credit.","type":"array","items":{"description":"A failure.","type":"string","enum":["unavailable","rateLimit"],"examples":["unavailable"]},"uniqueItems":true,"minItems":1,"default":["unavailable","rateLimit"],"examples":[["unavailable"]]}},"default":[],"examples":[["local","offline"],{"to":["spare","local"],"on":["unavailable","rateLimit"]}]}}};

function validate5(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate5.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.description === undefined){
data.description = "";
}
if(data.enabled === undefined){
data.enabled = true;
}
if(data.baseUrl === undefined){
data.baseUrl = "https://api.anthropic.com";
}
if(data.stream === undefined){
data.stream = true;
}
if(data.maxTokens === undefined){
data.maxTokens = 8192;
}
if(data.limits === undefined){
data.limits = {};
}
if(data.retry === undefined){
data.retry = {};
}
if(data.locality === undefined){
data.locality = "any";
}
if(data.fallback === undefined){
data.fallback = [];
}
if(data.id === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'",schema:schema4.required,parentSchema:schema4,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.provider === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "provider"},message:"must have required property '"+"provider"+"'",schema:schema4.required,parentSchema:schema4,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.model === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "model"},message:"must have required property '"+"model"+"'",schema:schema4.required,parentSchema:schema4,data};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.apiKey === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "apiKey"},message:"must have required property '"+"apiKey"+"'",schema:schema4.required,parentSchema:schema4,data};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
for(const key0 in data){
if(!(func0.call(schema4.properties, key0))){
const err4 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema4,data};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.$schema !== undefined){
let data0 = data.$schema;
if(typeof data0 !== "string"){
const err5 = {instancePath:instancePath+"/$schema",schemaPath:"#/properties/%24schema/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema4.properties.$schema.type,parentSchema:schema4.properties.$schema,data:data0};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.id !== undefined){
let data1 = data.id;
if(typeof data1 === "string"){
if(!pattern0.test(data1)){
const err6 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{1,48}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{1,48}$"+"\"",schema:"^[A-Za-z0-9_-]{1,48}$",parentSchema:schema4.properties.id,data:data1};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema4.properties.id.type,parentSchema:schema4.properties.id,data:data1};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
let data2 = data.description;
if(typeof data2 !== "string"){
const err8 = {instancePath:instancePath+"/description",schemaPath:"#/properties/description/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema4.properties.description.type,parentSchema:schema4.properties.description,data:data2};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
let data3 = data.enabled;
if(typeof data3 !== "boolean"){
const err9 = {instancePath:instancePath+"/enabled",schemaPath:"#/properties/enabled/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema4.properties.enabled.type,parentSchema:schema4.properties.enabled,data:data3};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(data.order !== undefined){
let data4 = data.order;
if(!((typeof data4 == "number") && (isFinite(data4)))){
const err10 = {instancePath:instancePath+"/order",schemaPath:"#/properties/order/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema4.properties.order.type,parentSchema:schema4.properties.order,data:data4};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.provider !== undefined){
let data5 = data.provider;
if(typeof data5 !== "string"){
const err11 = {instancePath:instancePath+"/provider",schemaPath:"#/properties/provider/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema4.properties.provider.type,parentSchema:schema4.properties.provider,data:data5};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if("anthropic" !== data5){
const err12 = {instancePath:instancePath+"/provider",schemaPath:"#/properties/provider/const",keyword:"const",params:{allowedValue: "anthropic"},message:"must be equal to constant",schema:"anthropic",parentSchema:schema4.properties.provider,data:data5};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.model !== undefined){
let data6 = data.model;
if(typeof data6 === "string"){
if(func1(data6) > 200){
const err13 = {instancePath:instancePath+"/model",schemaPath:"#/properties/model/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters",schema:200,parentSchema:schema4.properties.model,data:data6};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if(func1(data6) < 1){
const err14 = {instancePath:instancePath+"/model",schemaPath:"#/properties/model/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema4.properties.model,data:data6};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
else {
const err15 = {instancePath:instancePath+"/model",schemaPath:"#/properties/model/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema4.properties.model.type,parentSchema:schema4.properties.model,data:data6};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data.apiKey !== undefined){
let data7 = data.apiKey;
if(typeof data7 === "string"){
if(!pattern22.test(data7)){
const err16 = {instancePath:instancePath+"/apiKey",schemaPath:"#/properties/apiKey/pattern",keyword:"pattern",params:{pattern: "^\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\}$"},message:"must match pattern \""+"^\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\}$"+"\"",schema:"^\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\}$",parentSchema:schema4.properties.apiKey,data:data7};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
else {
const err17 = {instancePath:instancePath+"/apiKey",schemaPath:"#/properties/apiKey/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema4.properties.apiKey.type,parentSchema:schema4.properties.apiKey,data:data7};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
let data8 = data.baseUrl;
if(typeof data8 === "string"){
if(!pattern24.test(data8)){
const err18 = {instancePath:instancePath+"/baseUrl",schemaPath:"#/properties/baseUrl/pattern",keyword:"pattern",params:{pattern: "^https?://[^\\s]+$"},message:"must match pattern \""+"^https?://[^\\s]+$"+"\"",schema:"^https?://[^\\s]+$",parentSchema:schema4.properties.baseUrl,data:data8};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
else {
const err19 = {instancePath:instancePath+"/baseUrl",schemaPath:"#/properties/baseUrl/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema4.properties.baseUrl.type,parentSchema:schema4.properties.baseUrl,data:data8};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
if(data.structuredOutput !== undefined){
let data9 = data.structuredOutput;
if(typeof data9 !== "boolean"){
const err20 = {instancePath:instancePath+"/structuredOutput",schemaPath:"#/properties/structuredOutput/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema4.properties.structuredOutput.type,parentSchema:schema4.properties.structuredOutput,data:data9};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
let data10 = data.stream;
if(typeof data10 !== "boolean"){
const err21 = {instancePath:instancePath+"/stream",schemaPath:"#/properties/stream/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema4.properties.stream.type,parentSchema:schema4.properties.stream,data:data10};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
let data11 = data.maxTokens;
if(!(((typeof data11 == "number") && (!(data11 % 1) && !isNaN(data11))) && (isFinite(data11)))){
const err22 = {instancePath:instancePath+"/maxTokens",schemaPath:"#/properties/maxTokens/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema4.properties.maxTokens.type,parentSchema:schema4.properties.maxTokens,data:data11};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
if((typeof data11 == "number") && (isFinite(data11))){
if(data11 > 1000000 || isNaN(data11)){
const err23 = {instancePath:instancePath+"/maxTokens",schemaPath:"#/properties/maxTokens/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000000},message:"must be <= 1000000",schema:1000000,parentSchema:schema4.properties.maxTokens,data:data11};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
if(data11 < 1 || isNaN(data11)){
const err24 = {instancePath:instancePath+"/maxTokens",schemaPath:"#/properties/maxTokens/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema4.properties.maxTokens,data:data11};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
let data12 = data.limits;
if(data12 && typeof data12 == "object" && !Array.isArray(data12)){
if(data12.timeoutSeconds === undefined){
data12.timeoutSeconds = 120;
}
if(data12.concurrency === undefined){
data12.concurrency = 8;
}
for(const key1 in data12){
if(!((((((key1 === "timeoutSeconds") || (key1 === "concurrency")) || (key1 === "requestsPerMinute")) || (key1 === "requestsPerHour")) || (key1 === "tokensPerMinute")) || (key1 === "maxTokensPerRequest"))){
const err25 = {instancePath:instancePath+"/limits",schemaPath:"#/properties/limits/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties",schema:false,parentSchema:schema4.properties.limits,data:data12};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
let data13 = data12.timeoutSeconds;
if((typeof data13 == "number") && (isFinite(data13))){
if(data13 > 3600 || isNaN(data13)){
const err26 = {instancePath:instancePath+"/limits/timeoutSeconds",schemaPath:"#/properties/limits/properties/timeoutSeconds/maximum",keyword:"maximum",params:{comparison: "<=", limit: 3600},message:"must be <= 3600",schema:3600,parentSchema:schema4.properties.limits.properties.timeoutSeconds,data:data13};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
if(data13 <= 0 || isNaN(data13)){
const err27 = {instancePath:instancePath+"/limits/timeoutSeconds",schemaPath:"#/properties/limits/properties/timeoutSeconds/exclusiveMinimum",keyword:"exclusiveMinimum",params:{comparison: ">", limit: 0},message:"must be > 0",schema:0,parentSchema:schema4.properties.limits.properties.timeoutSeconds,data:data13};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
else {
const err28 = {instancePath:instancePath+"/limits/timeoutSeconds",schemaPath:"#/properties/limits/properties/timeoutSeconds/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema4.properties.limits.properties.timeoutSeconds.type,parentSchema:schema4.properties.limits.properties.timeoutSeconds,data:data13};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
let data14 = data12.concurrency;
if(!(((typeof data14 == "number") && (!(data14 % 1) && !isNaN(data14))) && (isFinite(data14)))){
const err29 = {instancePath:instancePath+"/limits/concurrency",schemaPath:"#/properties/limits/properties/concurrency/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema4.properties.limits.properties.concurrency.type,parentSchema:schema4.properties.limits.properties.concurrency,data:data14};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
if((typeof data14 == "number") && (isFinite(data14))){
if(data14 > 1000 || isNaN(data14)){
const err30 = {instancePath:instancePath+"/limits/concurrency",schemaPath:"#/properties/limits/properties/concurrency/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000},message:"must be <= 1000",schema:1000,parentSchema:schema4.properties.limits.properties.concurrency,data:data14};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
if(data14 < 1 || isNaN(data14)){
const err31 = {instancePath:instancePath+"/limits/concurrency",schemaPath:"#/properties/limits/properties/concurrency/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema4.properties.limits.properties.concurrency,data:data14};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
if(data12.requestsPerMinute !== undefined){
let data15 = data12.requestsPerMinute;
if(!(((typeof data15 == "number") && (!(data15 % 1) && !isNaN(data15))) && (isFinite(data15)))){
const err32 = {instancePath:instancePath+"/limits/requestsPerMinute",schemaPath:"#/properties/limits/properties/requestsPerMinute/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema4.properties.limits.properties.requestsPerMinute.type,parentSchema:schema4.properties.limits.properties.requestsPerMinute,data:data15};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
if((typeof data15 == "number") && (isFinite(data15))){
if(data15 < 1 || isNaN(data15)){
const err33 = {instancePath:instancePath+"/limits/requestsPerMinute",schemaPath:"#/properties/limits/properties/requestsPerMinute/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema4.properties.limits.properties.requestsPerMinute,data:data15};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
}
if(data12.requestsPerHour !== undefined){
let data16 = data12.requestsPerHour;
if(!(((typeof data16 == "number") && (!(data16 % 1) && !isNaN(data16))) && (isFinite(data16)))){
const err34 = {instancePath:instancePath+"/limits/requestsPerHour",schemaPath:"#/properties/limits/properties/requestsPerHour/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema4.properties.limits.properties.requestsPerHour.type,parentSchema:schema4.properties.limits.properties.requestsPerHour,data:data16};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
if((typeof data16 == "number") && (isFinite(data16))){
if(data16 < 1 || isNaN(data16)){
const err35 = {instancePath:instancePath+"/limits/requestsPerHour",schemaPath:"#/properties/limits/properties/requestsPerHour/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema4.properties.limits.properties.requestsPerHour,data:data16};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
}
}
if(data12.tokensPerMinute !== undefined){
let data17 = data12.tokensPerMinute;
if(!(((typeof data17 == "number") && (!(data17 % 1) && !isNaN(data17))) && (isFinite(data17)))){
const err36 = {instancePath:instancePath+"/limits/tokensPerMinute",schemaPath:"#/properties/limits/properties/tokensPerMinute/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema4.properties.limits.properties.tokensPerMinute.type,parentSchema:schema4.properties.limits.properties.tokensPerMinute,data:data17};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
if((typeof data17 == "number") && (isFinite(data17))){
if(data17 < 1 || isNaN(data17)){
const err37 = {instancePath:instancePath+"/limits/tokensPerMinute",schemaPath:"#/properties/limits/properties/tokensPerMinute/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema4.properties.limits.properties.tokensPerMinute,data:data17};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
}
}
if(data12.maxTokensPerRequest !== undefined){
let data18 = data12.maxTokensPerRequest;
if(!(((typeof data18 == "number") && (!(data18 % 1) && !isNaN(data18))) && (isFinite(data18)))){
const err38 = {instancePath:instancePath+"/limits/maxTokensPerRequest",schemaPath:"#/properties/limits/properties/maxTokensPerRequest/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema4.properties.limits.properties.maxTokensPerRequest.type,parentSchema:schema4.properties.limits.properties.maxTokensPerRequest,data:data18};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
if((typeof data18 == "number") && (isFinite(data18))){
if(data18 < 1 || isNaN(data18)){
const err39 = {instancePath:instancePath+"/limits/maxTokensPerRequest",schemaPath:"#/properties/limits/properties/maxTokensPerRequest/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema4.properties.limits.properties.maxTokensPerRequest,data:data18};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
}
}
}
else {
const err40 = {instancePath:instancePath+"/limits",schemaPath:"#/properties/limits/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema4.properties.limits.type,parentSchema:schema4.properties.limits,data:data12};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
let data19 = data.retry;
if(data19 && typeof data19 == "object" && !Array.isArray(data19)){
if(data19.attempts === undefined){
data19.attempts = 4;
}
if(data19.backoffSeconds === undefined){
data19.backoffSeconds = 1;
}
if(data19.maxWaitSeconds === undefined){
data19.maxWaitSeconds = 3600;
}
for(const key2 in data19){
if(!(((key2 === "attempts") || (key2 === "backoffSeconds")) || (key2 === "maxWaitSeconds"))){
const err41 = {instancePath:instancePath+"/retry",schemaPath:"#/properties/retry/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2},message:"must NOT have additional properties",schema:false,parentSchema:schema4.properties.retry,data:data19};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
}
let data20 = data19.attempts;
if(!(((typeof data20 == "number") && (!(data20 % 1) && !isNaN(data20))) && (isFinite(data20)))){
const err42 = {instancePath:instancePath+"/retry/attempts",schemaPath:"#/properties/retry/properties/attempts/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema4.properties.retry.properties.attempts.type,parentSchema:schema4.properties.retry.properties.attempts,data:data20};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
if((typeof data20 == "number") && (isFinite(data20))){
if(data20 > 20 || isNaN(data20)){
const err43 = {instancePath:instancePath+"/retry/attempts",schemaPath:"#/properties/retry/properties/attempts/maximum",keyword:"maximum",params:{comparison: "<=", limit: 20},message:"must be <= 20",schema:20,parentSchema:schema4.properties.retry.properties.attempts,data:data20};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
if(data20 < 1 || isNaN(data20)){
const err44 = {instancePath:instancePath+"/retry/attempts",schemaPath:"#/properties/retry/properties/attempts/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema4.properties.retry.properties.attempts,data:data20};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
}
let data21 = data19.backoffSeconds;
if((typeof data21 == "number") && (isFinite(data21))){
if(data21 > 600 || isNaN(data21)){
const err45 = {instancePath:instancePath+"/retry/backoffSeconds",schemaPath:"#/properties/retry/properties/backoffSeconds/maximum",keyword:"maximum",params:{comparison: "<=", limit: 600},message:"must be <= 600",schema:600,parentSchema:schema4.properties.retry.properties.backoffSeconds,data:data21};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
if(data21 < 0 || isNaN(data21)){
const err46 = {instancePath:instancePath+"/retry/backoffSeconds",schemaPath:"#/properties/retry/properties/backoffSeconds/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schema4.properties.retry.properties.backoffSeconds,data:data21};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
}
else {
const err47 = {instancePath:instancePath+"/retry/backoffSeconds",schemaPath:"#/properties/retry/properties/backoffSeconds/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema4.properties.retry.properties.backoffSeconds.type,parentSchema:schema4.properties.retry.properties.backoffSeconds,data:data21};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
let data22 = data19.maxWaitSeconds;
if((typeof data22 == "number") && (isFinite(data22))){
if(data22 > 2678400 || isNaN(data22)){
const err48 = {instancePath:instancePath+"/retry/maxWaitSeconds",schemaPath:"#/properties/retry/properties/maxWaitSeconds/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2678400},message:"must be <= 2678400",schema:2678400,parentSchema:schema4.properties.retry.properties.maxWaitSeconds,data:data22};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
if(data22 <= 0 || isNaN(data22)){
const err49 = {instancePath:instancePath+"/retry/maxWaitSeconds",schemaPath:"#/properties/retry/properties/maxWaitSeconds/exclusiveMinimum",keyword:"exclusiveMinimum",params:{comparison: ">", limit: 0},message:"must be > 0",schema:0,parentSchema:schema4.properties.retry.properties.maxWaitSeconds,data:data22};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
}
else {
const err50 = {instancePath:instancePath+"/retry/maxWaitSeconds",schemaPath:"#/properties/retry/properties/maxWaitSeconds/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema4.properties.retry.properties.maxWaitSeconds.type,parentSchema:schema4.properties.retry.properties.maxWaitSeconds,data:data22};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
}
else {
const err51 = {instancePath:instancePath+"/retry",schemaPath:"#/properties/retry/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema4.properties.retry.type,parentSchema:schema4.properties.retry,data:data19};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
}
if(data.price !== undefined){
let data23 = data.price;
if(data23 && typeof data23 == "object" && !Array.isArray(data23)){
if(data23.inputPerMillion === undefined){
const err52 = {instancePath:instancePath+"/price",schemaPath:"#/properties/price/required",keyword:"required",params:{missingProperty: "inputPerMillion"},message:"must have required property '"+"inputPerMillion"+"'",schema:schema4.properties.price.required,parentSchema:schema4.properties.price,data:data23};
if(vErrors === null){
vErrors = [err52];
}
else {
vErrors.push(err52);
}
errors++;
}
if(data23.outputPerMillion === undefined){
const err53 = {instancePath:instancePath+"/price",schemaPath:"#/properties/price/required",keyword:"required",params:{missingProperty: "outputPerMillion"},message:"must have required property '"+"outputPerMillion"+"'",schema:schema4.properties.price.required,parentSchema:schema4.properties.price,data:data23};
if(vErrors === null){
vErrors = [err53];
}
else {
vErrors.push(err53);
}
errors++;
}
for(const key3 in data23){
if(!(((key3 === "inputPerMillion") || (key3 === "outputPerMillion")) || (key3 === "cachedInputPerMillion"))){
const err54 = {instancePath:instancePath+"/price",schemaPath:"#/properties/price/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3},message:"must NOT have additional properties",schema:false,parentSchema:schema4.properties.price,data:data23};
if(vErrors === null){
vErrors = [err54];
}
else {
vErrors.push(err54);
}
errors++;
}
}
if(data23.inputPerMillion !== undefined){
let data24 = data23.inputPerMillion;
if((typeof data24 == "number") && (isFinite(data24))){
if(data24 < 0 || isNaN(data24)){
const err55 = {instancePath:instancePath+"/price/inputPerMillion",schemaPath:"#/properties/price/properties/inputPerMillion/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schema4.properties.price.properties.inputPerMillion,data:data24};
if(vErrors === null){
vErrors = [err55];
}
else {
vErrors.push(err55);
}
errors++;
}
}
else {
const err56 = {instancePath:instancePath+"/price/inputPerMillion",schemaPath:"#/properties/price/properties/inputPerMillion/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema4.properties.price.properties.inputPerMillion.type,parentSchema:schema4.properties.price.properties.inputPerMillion,data:data24};
if(vErrors === null){
vErrors = [err56];
}
else {
vErrors.push(err56);
}
errors++;
}
}
if(data23.outputPerMillion !== undefined){
let data25 = data23.outputPerMillion;
if((typeof data25 == "number") && (isFinite(data25))){
if(data25 < 0 || isNaN(data25)){
const err57 = {instancePath:instancePath+"/price/outputPerMillion",schemaPath:"#/properties/price/properties/outputPerMillion/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schema4.properties.price.properties.outputPerMillion,data:data25};
if(vErrors === null){
vErrors = [err57];
}
else {
vErrors.push(err57);
}
errors++;
}
}
else {
const err58 = {instancePath:instancePath+"/price/outputPerMillion",schemaPath:"#/properties/price/properties/outputPerMillion/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema4.properties.price.properties.outputPerMillion.type,parentSchema:schema4.properties.price.properties.outputPerMillion,data:data25};
if(vErrors === null){
vErrors = [err58];
}
else {
vErrors.push(err58);
}
errors++;
}
}
if(data23.cachedInputPerMillion !== undefined){
let data26 = data23.cachedInputPerMillion;
if((typeof data26 == "number") && (isFinite(data26))){
if(data26 < 0 || isNaN(data26)){
const err59 = {instancePath:instancePath+"/price/cachedInputPerMillion",schemaPath:"#/properties/price/properties/cachedInputPerMillion/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schema4.properties.price.properties.cachedInputPerMillion,data:data26};
if(vErrors === null){
vErrors = [err59];
}
else {
vErrors.push(err59);
}
errors++;
}
}
else {
const err60 = {instancePath:instancePath+"/price/cachedInputPerMillion",schemaPath:"#/properties/price/properties/cachedInputPerMillion/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema4.properties.price.properties.cachedInputPerMillion.type,parentSchema:schema4.properties.price.properties.cachedInputPerMillion,data:data26};
if(vErrors === null){
vErrors = [err60];
}
else {
vErrors.push(err60);
}
errors++;
}
}
}
else {
const err61 = {instancePath:instancePath+"/price",schemaPath:"#/properties/price/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema4.properties.price.type,parentSchema:schema4.properties.price,data:data23};
if(vErrors === null){
vErrors = [err61];
}
else {
vErrors.push(err61);
}
errors++;
}
}
let data27 = data.locality;
if(typeof data27 !== "string"){
const err62 = {instancePath:instancePath+"/locality",schemaPath:"#/properties/locality/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema4.properties.locality.type,parentSchema:schema4.properties.locality,data:data27};
if(vErrors === null){
vErrors = [err62];
}
else {
vErrors.push(err62);
}
errors++;
}
if(!((data27 === "any") || (data27 === "local"))){
const err63 = {instancePath:instancePath+"/locality",schemaPath:"#/properties/locality/enum",keyword:"enum",params:{allowedValues: schema4.properties.locality.enum},message:"must be equal to one of the allowed values",schema:schema4.properties.locality.enum,parentSchema:schema4.properties.locality,data:data27};
if(vErrors === null){
vErrors = [err63];
}
else {
vErrors.push(err63);
}
errors++;
}
let data28 = data.fallback;
if(!data28 || typeof data28 != "object"){
const err64 = {instancePath:instancePath+"/fallback",schemaPath:"#/properties/fallback/type",keyword:"type",params:{type: schema4.properties.fallback.type},message:"must be array,object",schema:schema4.properties.fallback.type,parentSchema:schema4.properties.fallback,data:data28};
if(vErrors === null){
vErrors = [err64];
}
else {
vErrors.push(err64);
}
errors++;
}
if(Array.isArray(data28)){
if(data28.length > 1000){
const err65 = {instancePath:instancePath+"/fallback",schemaPath:"#/properties/fallback/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items",schema:1000,parentSchema:schema4.properties.fallback,data:data28};
if(vErrors === null){
vErrors = [err65];
}
else {
vErrors.push(err65);
}
errors++;
}
const len0 = data28.length;
for(let i0=0; i0<len0; i0++){
let data29 = data28[i0];
if(typeof data29 === "string"){
if(!pattern0.test(data29)){
const err66 = {instancePath:instancePath+"/fallback/" + i0,schemaPath:"#/properties/fallback/items/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{1,48}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{1,48}$"+"\"",schema:"^[A-Za-z0-9_-]{1,48}$",parentSchema:schema4.properties.fallback.items,data:data29};
if(vErrors === null){
vErrors = [err66];
}
else {
vErrors.push(err66);
}
errors++;
}
}
else {
const err67 = {instancePath:instancePath+"/fallback/" + i0,schemaPath:"#/properties/fallback/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema4.properties.fallback.items.type,parentSchema:schema4.properties.fallback.items,data:data29};
if(vErrors === null){
vErrors = [err67];
}
else {
vErrors.push(err67);
}
errors++;
}
}
}
if(data28 && typeof data28 == "object" && !Array.isArray(data28)){
if(data28.on === undefined){
data28.on = ["unavailable","rateLimit"];
}
if(data28.to === undefined){
const err68 = {instancePath:instancePath+"/fallback",schemaPath:"#/properties/fallback/required",keyword:"required",params:{missingProperty: "to"},message:"must have required property '"+"to"+"'",schema:schema4.properties.fallback.required,parentSchema:schema4.properties.fallback,data:data28};
if(vErrors === null){
vErrors = [err68];
}
else {
vErrors.push(err68);
}
errors++;
}
for(const key4 in data28){
if(!((key4 === "to") || (key4 === "on"))){
const err69 = {instancePath:instancePath+"/fallback",schemaPath:"#/properties/fallback/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key4},message:"must NOT have additional properties",schema:false,parentSchema:schema4.properties.fallback,data:data28};
if(vErrors === null){
vErrors = [err69];
}
else {
vErrors.push(err69);
}
errors++;
}
}
if(data28.to !== undefined){
let data30 = data28.to;
if(Array.isArray(data30)){
if(data30.length > 1000){
const err70 = {instancePath:instancePath+"/fallback/to",schemaPath:"#/properties/fallback/properties/to/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items",schema:1000,parentSchema:schema4.properties.fallback.properties.to,data:data30};
if(vErrors === null){
vErrors = [err70];
}
else {
vErrors.push(err70);
}
errors++;
}
if(data30.length < 1){
const err71 = {instancePath:instancePath+"/fallback/to",schemaPath:"#/properties/fallback/properties/to/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items",schema:1,parentSchema:schema4.properties.fallback.properties.to,data:data30};
if(vErrors === null){
vErrors = [err71];
}
else {
vErrors.push(err71);
}
errors++;
}
const len1 = data30.length;
for(let i1=0; i1<len1; i1++){
let data31 = data30[i1];
if(typeof data31 === "string"){
if(!pattern0.test(data31)){
const err72 = {instancePath:instancePath+"/fallback/to/" + i1,schemaPath:"#/properties/fallback/properties/to/items/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{1,48}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{1,48}$"+"\"",schema:"^[A-Za-z0-9_-]{1,48}$",parentSchema:schema4.properties.fallback.properties.to.items,data:data31};
if(vErrors === null){
vErrors = [err72];
}
else {
vErrors.push(err72);
}
errors++;
}
}
else {
const err73 = {instancePath:instancePath+"/fallback/to/" + i1,schemaPath:"#/properties/fallback/properties/to/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema4.properties.fallback.properties.to.items.type,parentSchema:schema4.properties.fallback.properties.to.items,data:data31};
if(vErrors === null){
vErrors = [err73];
}
else {
vErrors.push(err73);
}
errors++;
}
}
}
else {
const err74 = {instancePath:instancePath+"/fallback/to",schemaPath:"#/properties/fallback/properties/to/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema4.properties.fallback.properties.to.type,parentSchema:schema4.properties.fallback.properties.to,data:data30};
if(vErrors === null){
vErrors = [err74];
}
else {
vErrors.push(err74);
}
errors++;
}
}
let data32 = data28.on;
if(Array.isArray(data32)){
if(data32.length < 1){
const err75 = {instancePath:instancePath+"/fallback/on",schemaPath:"#/properties/fallback/properties/on/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items",schema:1,parentSchema:schema4.properties.fallback.properties.on,data:data32};
if(vErrors === null){
vErrors = [err75];
}
else {
vErrors.push(err75);
}
errors++;
}
const len2 = data32.length;
for(let i2=0; i2<len2; i2++){
let data33 = data32[i2];
if(typeof data33 !== "string"){
const err76 = {instancePath:instancePath+"/fallback/on/" + i2,schemaPath:"#/properties/fallback/properties/on/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema4.properties.fallback.properties.on.items.type,parentSchema:schema4.properties.fallback.properties.on.items,data:data33};
if(vErrors === null){
vErrors = [err76];
}
else {
vErrors.push(err76);
}
errors++;
}
if(!((data33 === "unavailable") || (data33 === "rateLimit"))){
const err77 = {instancePath:instancePath+"/fallback/on/" + i2,schemaPath:"#/properties/fallback/properties/on/items/enum",keyword:"enum",params:{allowedValues: schema4.properties.fallback.properties.on.items.enum},message:"must be equal to one of the allowed values",schema:schema4.properties.fallback.properties.on.items.enum,parentSchema:schema4.properties.fallback.properties.on.items,data:data33};
if(vErrors === null){
vErrors = [err77];
}
else {
vErrors.push(err77);
}
errors++;
}
}
let i3 = data32.length;
let j0;
if(i3 > 1){
const indices0 = {};
for(;i3--;){
let item0 = data32[i3];
if(typeof item0 !== "string"){
continue;
}
if(typeof indices0[item0] == "number"){
j0 = indices0[item0];
const err78 = {instancePath:instancePath+"/fallback/on",schemaPath:"#/properties/fallback/properties/on/uniqueItems",keyword:"uniqueItems",params:{i: i3, j: j0},message:"must NOT have duplicate items (items ## "+j0+" and "+i3+" are identical)",schema:true,parentSchema:schema4.properties.fallback.properties.on,data:data32};
if(vErrors === null){
vErrors = [err78];
}
else {
vErrors.push(err78);
}
errors++;
break;
}
indices0[item0] = i3;
}
}
}
else {
const err79 = {instancePath:instancePath+"/fallback/on",schemaPath:"#/properties/fallback/properties/on/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema4.properties.fallback.properties.on.type,parentSchema:schema4.properties.fallback.properties.on,data:data32};
if(vErrors === null){
vErrors = [err79];
}
else {
vErrors.push(err79);
}
errors++;
}
}
}
else {
const err80 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema4.type,parentSchema:schema4,data};
if(vErrors === null){
vErrors = [err80];
}
else {
vErrors.push(err80);
}
errors++;
}
validate5.errors = vErrors;
return errors === 0;
}
validate5.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema5 = {"title":"OllamaApi","description":"A model on an Ollama server.","type":"object","additionalProperties":false,"required":["id","provider","model"],"properties":{"$schema":{"description":"The schema of a JSON file, for editors. YAML files name it in their first line.","type":"string","examples":["../../schemas/api.schema.json"]},"id":{"description":"Id of this API. Equals the file name.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["main"]},"description":{"description":"A note for people.","type":"string","default":"","examples":["The model that most directors use."]},"enabled":{"description":"Set to false to disable this API without deleting its file.","type":"boolean","default":true,"examples":[false]},"order":{"description":"Position among the APIs: lowest number first, then by id. APIs without a number come last.","type":"number","x-unit":"rank","examples":[10]},"provider":{"description":"`ollama`: an Ollama server.","type":"string","const":"ollama","examples":["ollama"]},"model":{"description":"Name of the model, as the provider spells it.","type":"string","minLength":1,"maxLength":200,"examples":["qwen3:8b"]},"baseUrl":{"description":"Address of the Ollama server. An address that ends in `/v1` selects the OpenAI-compatible API.","type":"string","pattern":"^https?://[^\\s]+$","x-expected":"an address that starts with http:// or https://","default":"http://127.0.0.1:11434","examples":["http://127.0.0.1:11434"]},"structuredOutput":{"description":"Whether an answer that must be JSON (`output` of a director or an agent) is asked for with its schema, so that the server keeps to it. The engine checks every such answer in any case. Default: true. It is left out of requests with tools, since the model could then call none.","type":"boolean","examples":[false]},"stream":{"description":"Whether to stream answers. Streaming shows the token count of an answer that is cancelled half-way.","type":"boolean","default":true,"examples":[false]},"contextTokens":{"description":"Size of the context, input and output together. A larger context takes more memory. Ollama cuts what does not fit, without an error. Not sent if `baseUrl` ends in `/v1`, which does not support it.","type":"integer","minimum":512,"maximum":10000000,"default":16384,"x-unit":"tokens","examples":[32768]},"limits":{"description":"Limits of the requests to this API.","type":"object","additionalProperties":false,"default":{},"properties":{"timeoutSeconds":{"description":"Time limit of a request.","type":"number","exclusiveMinimum":0,"maximum":3600,"default":120,"x-unit":"seconds","examples":[120]},"concurrency":{"description":"Maximum number of requests at the same time.","type":"integer","minimum":1,"maximum":1000,"default":8,"x-unit":"requests","examples":[8]},"requestsPerMinute":{"description":"Maximum number of requests within any minute; further requests wait. The count survives a restart.","type":"integer","minimum":1,"x-unit":"requests","examples":[60]},"requestsPerHour":{"description":"Maximum number of requests within any hour; further requests wait.","type":"integer","minimum":1,"x-unit":"requests","examples":[1000]},"tokensPerMinute":{"description":"Maximum of input and output tokens within any minute; requests wait until their estimate fits.","type":"integer","minimum":1,"x-unit":"tokens","examples":[200000]},"maxTokensPerRequest":{"description":"Longest answer that a request allows.","type":"integer","minimum":1,"x-unit":"tokens","examples":[4000]}},"examples":[{"timeoutSeconds":120,"concurrency":8}]},"retry":{"description":"Retries after 429, 5xx and lost connections. Retry-After is respected, up to `maxWaitSeconds`.","type":"object","additionalProperties":false,"default":{},"properties":{"attempts":{"description":"Maximum number of attempts, including the first.","type":"integer","minimum":1,"maximum":20,"default":4,"x-unit":"attempts","examples":[4]},"backoffSeconds":{"description":"Pause before the second attempt; doubled for each further attempt.","type":"number","minimum":0,"maximum":600,"default":1,"x-unit":"seconds","examples":[1]},"maxWaitSeconds":{"description":"Longest Retry-After that is waited for, after any status. The run waits without using up its time or a place of `runs.concurrency`. If the server asks for more, the run fails.","type":"number","exclusiveMinimum":0,"maximum":2678400,"default":3600,"x-unit":"seconds","examples":[3600]}},"examples":[{"attempts":4,"backoffSeconds":1,"maxWaitSeconds":3600}]},"price":{"description":"Price of the model in US dollars per million tokens. Default: the engine's price list, for OpenAI's and Anthropic's own servers. Otherwise costs are unknown.","type":"object","additionalProperties":false,"required":["inputPerMillion","outputPerMillion"],"properties":{"inputPerMillion":{"description":"Price of a million input tokens.","type":"number","minimum":0,"x-unit":"USD","examples":[0.25]},"outputPerMillion":{"description":"Price of a million output tokens.","type":"number","minimum":0,"x-unit":"USD","examples":[2]},"cachedInputPerMillion":{"description":"Price of a million input tokens that the provider read from its cache. Default: `inputPerMillion`.","type":"number","minimum":0,"x-unit":"USD","examples":[0.025]}},"examples":[{"inputPerMillion":0.25,"outputPerMillion":2,"cachedInputPerMillion":0.025}]},"locality":{"description":"`local`: requests stay on machines of yours. Callsheet trusts this setting and only warns if the address looks public. Runs of a director with `locality: local` use only such APIs, fallbacks included.","type":"string","enum":["any","local"],"default":"any","examples":["local"]},"fallback":{"description":"APIs that stand in for this one. A list: they are tried in this order at the start of a run if this API is not available (no key, or the server does not answer). With `to` and `on`, the next of them also takes over during a run, where a request has failed and its retries are used up; never one with rules of a script, and after an API with `locality: local` only others with it.","type":["array","object"],"items":{"description":"Id of an API, a file in `apis/`.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["local"]},"maxItems":1000,"additionalProperties":false,"required":["to"],"properties":{"to":{"description":"The APIs, in order.","type":"array","items":{"description":"Id of an API, a file in `apis/`.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["local"]},"minItems":1,"maxItems":1000,"examples":[["spare","local"]]},"on":{"description":"Failures after which the next API takes over during a run. `unavailable`: the server does not answer, or answers with an error of its own. `rateLimit`: its limit is reached for longer than `retry` allows, or the account has no credit.","type":"array","items":{"description":"A failure.","type":"string","enum":["unavailable","rateLimit"],"examples":["unavailable"]},"uniqueItems":true,"minItems":1,"default":["unavailable","rateLimit"],"examples":[["unavailable"]]}},"default":[],"examples":[["local","offline"],{"to":["spare","local"],"on":["unavailable","rateLimit"]}]}}};

function validate6(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate6.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.description === undefined){
data.description = "";
}
if(data.enabled === undefined){
data.enabled = true;
}
if(data.baseUrl === undefined){
data.baseUrl = "http://127.0.0.1:11434";
}
if(data.stream === undefined){
data.stream = true;
}
if(data.contextTokens === undefined){
data.contextTokens = 16384;
}
if(data.limits === undefined){
data.limits = {};
}
if(data.retry === undefined){
data.retry = {};
}
if(data.locality === undefined){
data.locality = "any";
}
if(data.fallback === undefined){
data.fallback = [];
}
if(data.id === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'",schema:schema5.required,parentSchema:schema5,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.provider === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "provider"},message:"must have required property '"+"provider"+"'",schema:schema5.required,parentSchema:schema5,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.model === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "model"},message:"must have required property '"+"model"+"'",schema:schema5.required,parentSchema:schema5,data};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
for(const key0 in data){
if(!(func0.call(schema5.properties, key0))){
const err3 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema5,data};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.$schema !== undefined){
let data0 = data.$schema;
if(typeof data0 !== "string"){
const err4 = {instancePath:instancePath+"/$schema",schemaPath:"#/properties/%24schema/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema5.properties.$schema.type,parentSchema:schema5.properties.$schema,data:data0};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.id !== undefined){
let data1 = data.id;
if(typeof data1 === "string"){
if(!pattern0.test(data1)){
const err5 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{1,48}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{1,48}$"+"\"",schema:"^[A-Za-z0-9_-]{1,48}$",parentSchema:schema5.properties.id,data:data1};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
else {
const err6 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema5.properties.id.type,parentSchema:schema5.properties.id,data:data1};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
let data2 = data.description;
if(typeof data2 !== "string"){
const err7 = {instancePath:instancePath+"/description",schemaPath:"#/properties/description/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema5.properties.description.type,parentSchema:schema5.properties.description,data:data2};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
let data3 = data.enabled;
if(typeof data3 !== "boolean"){
const err8 = {instancePath:instancePath+"/enabled",schemaPath:"#/properties/enabled/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema5.properties.enabled.type,parentSchema:schema5.properties.enabled,data:data3};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(data.order !== undefined){
let data4 = data.order;
if(!((typeof data4 == "number") && (isFinite(data4)))){
const err9 = {instancePath:instancePath+"/order",schemaPath:"#/properties/order/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema5.properties.order.type,parentSchema:schema5.properties.order,data:data4};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.provider !== undefined){
let data5 = data.provider;
if(typeof data5 !== "string"){
const err10 = {instancePath:instancePath+"/provider",schemaPath:"#/properties/provider/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema5.properties.provider.type,parentSchema:schema5.properties.provider,data:data5};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if("ollama" !== data5){
const err11 = {instancePath:instancePath+"/provider",schemaPath:"#/properties/provider/const",keyword:"const",params:{allowedValue: "ollama"},message:"must be equal to constant",schema:"ollama",parentSchema:schema5.properties.provider,data:data5};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.model !== undefined){
let data6 = data.model;
if(typeof data6 === "string"){
if(func1(data6) > 200){
const err12 = {instancePath:instancePath+"/model",schemaPath:"#/properties/model/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters",schema:200,parentSchema:schema5.properties.model,data:data6};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if(func1(data6) < 1){
const err13 = {instancePath:instancePath+"/model",schemaPath:"#/properties/model/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema5.properties.model,data:data6};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
else {
const err14 = {instancePath:instancePath+"/model",schemaPath:"#/properties/model/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema5.properties.model.type,parentSchema:schema5.properties.model,data:data6};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
let data7 = data.baseUrl;
if(typeof data7 === "string"){
if(!pattern24.test(data7)){
const err15 = {instancePath:instancePath+"/baseUrl",schemaPath:"#/properties/baseUrl/pattern",keyword:"pattern",params:{pattern: "^https?://[^\\s]+$"},message:"must match pattern \""+"^https?://[^\\s]+$"+"\"",schema:"^https?://[^\\s]+$",parentSchema:schema5.properties.baseUrl,data:data7};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
else {
const err16 = {instancePath:instancePath+"/baseUrl",schemaPath:"#/properties/baseUrl/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema5.properties.baseUrl.type,parentSchema:schema5.properties.baseUrl,data:data7};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
if(data.structuredOutput !== undefined){
let data8 = data.structuredOutput;
if(typeof data8 !== "boolean"){
const err17 = {instancePath:instancePath+"/structuredOutput",schemaPath:"#/properties/structuredOutput/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema5.properties.structuredOutput.type,parentSchema:schema5.properties.structuredOutput,data:data8};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
let data9 = data.stream;
if(typeof data9 !== "boolean"){
const err18 = {instancePath:instancePath+"/stream",schemaPath:"#/properties/stream/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema5.properties.stream.type,parentSchema:schema5.properties.stream,data:data9};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
let data10 = data.contextTokens;
if(!(((typeof data10 == "number") && (!(data10 % 1) && !isNaN(data10))) && (isFinite(data10)))){
const err19 = {instancePath:instancePath+"/contextTokens",schemaPath:"#/properties/contextTokens/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema5.properties.contextTokens.type,parentSchema:schema5.properties.contextTokens,data:data10};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
if((typeof data10 == "number") && (isFinite(data10))){
if(data10 > 10000000 || isNaN(data10)){
const err20 = {instancePath:instancePath+"/contextTokens",schemaPath:"#/properties/contextTokens/maximum",keyword:"maximum",params:{comparison: "<=", limit: 10000000},message:"must be <= 10000000",schema:10000000,parentSchema:schema5.properties.contextTokens,data:data10};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
if(data10 < 512 || isNaN(data10)){
const err21 = {instancePath:instancePath+"/contextTokens",schemaPath:"#/properties/contextTokens/minimum",keyword:"minimum",params:{comparison: ">=", limit: 512},message:"must be >= 512",schema:512,parentSchema:schema5.properties.contextTokens,data:data10};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
let data11 = data.limits;
if(data11 && typeof data11 == "object" && !Array.isArray(data11)){
if(data11.timeoutSeconds === undefined){
data11.timeoutSeconds = 120;
}
if(data11.concurrency === undefined){
data11.concurrency = 8;
}
for(const key1 in data11){
if(!((((((key1 === "timeoutSeconds") || (key1 === "concurrency")) || (key1 === "requestsPerMinute")) || (key1 === "requestsPerHour")) || (key1 === "tokensPerMinute")) || (key1 === "maxTokensPerRequest"))){
const err22 = {instancePath:instancePath+"/limits",schemaPath:"#/properties/limits/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties",schema:false,parentSchema:schema5.properties.limits,data:data11};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
let data12 = data11.timeoutSeconds;
if((typeof data12 == "number") && (isFinite(data12))){
if(data12 > 3600 || isNaN(data12)){
const err23 = {instancePath:instancePath+"/limits/timeoutSeconds",schemaPath:"#/properties/limits/properties/timeoutSeconds/maximum",keyword:"maximum",params:{comparison: "<=", limit: 3600},message:"must be <= 3600",schema:3600,parentSchema:schema5.properties.limits.properties.timeoutSeconds,data:data12};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
if(data12 <= 0 || isNaN(data12)){
const err24 = {instancePath:instancePath+"/limits/timeoutSeconds",schemaPath:"#/properties/limits/properties/timeoutSeconds/exclusiveMinimum",keyword:"exclusiveMinimum",params:{comparison: ">", limit: 0},message:"must be > 0",schema:0,parentSchema:schema5.properties.limits.properties.timeoutSeconds,data:data12};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
else {
const err25 = {instancePath:instancePath+"/limits/timeoutSeconds",schemaPath:"#/properties/limits/properties/timeoutSeconds/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema5.properties.limits.properties.timeoutSeconds.type,parentSchema:schema5.properties.limits.properties.timeoutSeconds,data:data12};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
let data13 = data11.concurrency;
if(!(((typeof data13 == "number") && (!(data13 % 1) && !isNaN(data13))) && (isFinite(data13)))){
const err26 = {instancePath:instancePath+"/limits/concurrency",schemaPath:"#/properties/limits/properties/concurrency/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema5.properties.limits.properties.concurrency.type,parentSchema:schema5.properties.limits.properties.concurrency,data:data13};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
if((typeof data13 == "number") && (isFinite(data13))){
if(data13 > 1000 || isNaN(data13)){
const err27 = {instancePath:instancePath+"/limits/concurrency",schemaPath:"#/properties/limits/properties/concurrency/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000},message:"must be <= 1000",schema:1000,parentSchema:schema5.properties.limits.properties.concurrency,data:data13};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
if(data13 < 1 || isNaN(data13)){
const err28 = {instancePath:instancePath+"/limits/concurrency",schemaPath:"#/properties/limits/properties/concurrency/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema5.properties.limits.properties.concurrency,data:data13};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
if(data11.requestsPerMinute !== undefined){
let data14 = data11.requestsPerMinute;
if(!(((typeof data14 == "number") && (!(data14 % 1) && !isNaN(data14))) && (isFinite(data14)))){
const err29 = {instancePath:instancePath+"/limits/requestsPerMinute",schemaPath:"#/properties/limits/properties/requestsPerMinute/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema5.properties.limits.properties.requestsPerMinute.type,parentSchema:schema5.properties.limits.properties.requestsPerMinute,data:data14};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
if((typeof data14 == "number") && (isFinite(data14))){
if(data14 < 1 || isNaN(data14)){
const err30 = {instancePath:instancePath+"/limits/requestsPerMinute",schemaPath:"#/properties/limits/properties/requestsPerMinute/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema5.properties.limits.properties.requestsPerMinute,data:data14};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
}
if(data11.requestsPerHour !== undefined){
let data15 = data11.requestsPerHour;
if(!(((typeof data15 == "number") && (!(data15 % 1) && !isNaN(data15))) && (isFinite(data15)))){
const err31 = {instancePath:instancePath+"/limits/requestsPerHour",schemaPath:"#/properties/limits/properties/requestsPerHour/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema5.properties.limits.properties.requestsPerHour.type,parentSchema:schema5.properties.limits.properties.requestsPerHour,data:data15};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
if((typeof data15 == "number") && (isFinite(data15))){
if(data15 < 1 || isNaN(data15)){
const err32 = {instancePath:instancePath+"/limits/requestsPerHour",schemaPath:"#/properties/limits/properties/requestsPerHour/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema5.properties.limits.properties.requestsPerHour,data:data15};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
}
if(data11.tokensPerMinute !== undefined){
let data16 = data11.tokensPerMinute;
if(!(((typeof data16 == "number") && (!(data16 % 1) && !isNaN(data16))) && (isFinite(data16)))){
const err33 = {instancePath:instancePath+"/limits/tokensPerMinute",schemaPath:"#/properties/limits/properties/tokensPerMinute/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema5.properties.limits.properties.tokensPerMinute.type,parentSchema:schema5.properties.limits.properties.tokensPerMinute,data:data16};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
if((typeof data16 == "number") && (isFinite(data16))){
if(data16 < 1 || isNaN(data16)){
const err34 = {instancePath:instancePath+"/limits/tokensPerMinute",schemaPath:"#/properties/limits/properties/tokensPerMinute/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema5.properties.limits.properties.tokensPerMinute,data:data16};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
}
if(data11.maxTokensPerRequest !== undefined){
let data17 = data11.maxTokensPerRequest;
if(!(((typeof data17 == "number") && (!(data17 % 1) && !isNaN(data17))) && (isFinite(data17)))){
const err35 = {instancePath:instancePath+"/limits/maxTokensPerRequest",schemaPath:"#/properties/limits/properties/maxTokensPerRequest/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema5.properties.limits.properties.maxTokensPerRequest.type,parentSchema:schema5.properties.limits.properties.maxTokensPerRequest,data:data17};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
if((typeof data17 == "number") && (isFinite(data17))){
if(data17 < 1 || isNaN(data17)){
const err36 = {instancePath:instancePath+"/limits/maxTokensPerRequest",schemaPath:"#/properties/limits/properties/maxTokensPerRequest/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema5.properties.limits.properties.maxTokensPerRequest,data:data17};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
}
}
}
else {
const err37 = {instancePath:instancePath+"/limits",schemaPath:"#/properties/limits/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema5.properties.limits.type,parentSchema:schema5.properties.limits,data:data11};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
let data18 = data.retry;
if(data18 && typeof data18 == "object" && !Array.isArray(data18)){
if(data18.attempts === undefined){
data18.attempts = 4;
}
if(data18.backoffSeconds === undefined){
data18.backoffSeconds = 1;
}
if(data18.maxWaitSeconds === undefined){
data18.maxWaitSeconds = 3600;
}
for(const key2 in data18){
if(!(((key2 === "attempts") || (key2 === "backoffSeconds")) || (key2 === "maxWaitSeconds"))){
const err38 = {instancePath:instancePath+"/retry",schemaPath:"#/properties/retry/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2},message:"must NOT have additional properties",schema:false,parentSchema:schema5.properties.retry,data:data18};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
}
let data19 = data18.attempts;
if(!(((typeof data19 == "number") && (!(data19 % 1) && !isNaN(data19))) && (isFinite(data19)))){
const err39 = {instancePath:instancePath+"/retry/attempts",schemaPath:"#/properties/retry/properties/attempts/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema5.properties.retry.properties.attempts.type,parentSchema:schema5.properties.retry.properties.attempts,data:data19};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
if((typeof data19 == "number") && (isFinite(data19))){
if(data19 > 20 || isNaN(data19)){
const err40 = {instancePath:instancePath+"/retry/attempts",schemaPath:"#/properties/retry/properties/attempts/maximum",keyword:"maximum",params:{comparison: "<=", limit: 20},message:"must be <= 20",schema:20,parentSchema:schema5.properties.retry.properties.attempts,data:data19};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
if(data19 < 1 || isNaN(data19)){
const err41 = {instancePath:instancePath+"/retry/attempts",schemaPath:"#/properties/retry/properties/attempts/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema5.properties.retry.properties.attempts,data:data19};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
}
let data20 = data18.backoffSeconds;
if((typeof data20 == "number") && (isFinite(data20))){
if(data20 > 600 || isNaN(data20)){
const err42 = {instancePath:instancePath+"/retry/backoffSeconds",schemaPath:"#/properties/retry/properties/backoffSeconds/maximum",keyword:"maximum",params:{comparison: "<=", limit: 600},message:"must be <= 600",schema:600,parentSchema:schema5.properties.retry.properties.backoffSeconds,data:data20};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
if(data20 < 0 || isNaN(data20)){
const err43 = {instancePath:instancePath+"/retry/backoffSeconds",schemaPath:"#/properties/retry/properties/backoffSeconds/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schema5.properties.retry.properties.backoffSeconds,data:data20};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
}
else {
const err44 = {instancePath:instancePath+"/retry/backoffSeconds",schemaPath:"#/properties/retry/properties/backoffSeconds/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema5.properties.retry.properties.backoffSeconds.type,parentSchema:schema5.properties.retry.properties.backoffSeconds,data:data20};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
let data21 = data18.maxWaitSeconds;
if((typeof data21 == "number") && (isFinite(data21))){
if(data21 > 2678400 || isNaN(data21)){
const err45 = {instancePath:instancePath+"/retry/maxWaitSeconds",schemaPath:"#/properties/retry/properties/maxWaitSeconds/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2678400},message:"must be <= 2678400",schema:2678400,parentSchema:schema5.properties.retry.properties.maxWaitSeconds,data:data21};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
if(data21 <= 0 || isNaN(data21)){
const err46 = {instancePath:instancePath+"/retry/maxWaitSeconds",schemaPath:"#/properties/retry/properties/maxWaitSeconds/exclusiveMinimum",keyword:"exclusiveMinimum",params:{comparison: ">", limit: 0},message:"must be > 0",schema:0,parentSchema:schema5.properties.retry.properties.maxWaitSeconds,data:data21};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
}
else {
const err47 = {instancePath:instancePath+"/retry/maxWaitSeconds",schemaPath:"#/properties/retry/properties/maxWaitSeconds/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema5.properties.retry.properties.maxWaitSeconds.type,parentSchema:schema5.properties.retry.properties.maxWaitSeconds,data:data21};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
}
else {
const err48 = {instancePath:instancePath+"/retry",schemaPath:"#/properties/retry/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema5.properties.retry.type,parentSchema:schema5.properties.retry,data:data18};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
if(data.price !== undefined){
let data22 = data.price;
if(data22 && typeof data22 == "object" && !Array.isArray(data22)){
if(data22.inputPerMillion === undefined){
const err49 = {instancePath:instancePath+"/price",schemaPath:"#/properties/price/required",keyword:"required",params:{missingProperty: "inputPerMillion"},message:"must have required property '"+"inputPerMillion"+"'",schema:schema5.properties.price.required,parentSchema:schema5.properties.price,data:data22};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
if(data22.outputPerMillion === undefined){
const err50 = {instancePath:instancePath+"/price",schemaPath:"#/properties/price/required",keyword:"required",params:{missingProperty: "outputPerMillion"},message:"must have required property '"+"outputPerMillion"+"'",schema:schema5.properties.price.required,parentSchema:schema5.properties.price,data:data22};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
for(const key3 in data22){
if(!(((key3 === "inputPerMillion") || (key3 === "outputPerMillion")) || (key3 === "cachedInputPerMillion"))){
const err51 = {instancePath:instancePath+"/price",schemaPath:"#/properties/price/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3},message:"must NOT have additional properties",schema:false,parentSchema:schema5.properties.price,data:data22};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
}
}
if(data22.inputPerMillion !== undefined){
let data23 = data22.inputPerMillion;
if((typeof data23 == "number") && (isFinite(data23))){
if(data23 < 0 || isNaN(data23)){
const err52 = {instancePath:instancePath+"/price/inputPerMillion",schemaPath:"#/properties/price/properties/inputPerMillion/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schema5.properties.price.properties.inputPerMillion,data:data23};
if(vErrors === null){
vErrors = [err52];
}
else {
vErrors.push(err52);
}
errors++;
}
}
else {
const err53 = {instancePath:instancePath+"/price/inputPerMillion",schemaPath:"#/properties/price/properties/inputPerMillion/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema5.properties.price.properties.inputPerMillion.type,parentSchema:schema5.properties.price.properties.inputPerMillion,data:data23};
if(vErrors === null){
vErrors = [err53];
}
else {
vErrors.push(err53);
}
errors++;
}
}
if(data22.outputPerMillion !== undefined){
let data24 = data22.outputPerMillion;
if((typeof data24 == "number") && (isFinite(data24))){
if(data24 < 0 || isNaN(data24)){
const err54 = {instancePath:instancePath+"/price/outputPerMillion",schemaPath:"#/properties/price/properties/outputPerMillion/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schema5.properties.price.properties.outputPerMillion,data:data24};
if(vErrors === null){
vErrors = [err54];
}
else {
vErrors.push(err54);
}
errors++;
}
}
else {
const err55 = {instancePath:instancePath+"/price/outputPerMillion",schemaPath:"#/properties/price/properties/outputPerMillion/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema5.properties.price.properties.outputPerMillion.type,parentSchema:schema5.properties.price.properties.outputPerMillion,data:data24};
if(vErrors === null){
vErrors = [err55];
}
else {
vErrors.push(err55);
}
errors++;
}
}
if(data22.cachedInputPerMillion !== undefined){
let data25 = data22.cachedInputPerMillion;
if((typeof data25 == "number") && (isFinite(data25))){
if(data25 < 0 || isNaN(data25)){
const err56 = {instancePath:instancePath+"/price/cachedInputPerMillion",schemaPath:"#/properties/price/properties/cachedInputPerMillion/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schema5.properties.price.properties.cachedInputPerMillion,data:data25};
if(vErrors === null){
vErrors = [err56];
}
else {
vErrors.push(err56);
}
errors++;
}
}
else {
const err57 = {instancePath:instancePath+"/price/cachedInputPerMillion",schemaPath:"#/properties/price/properties/cachedInputPerMillion/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema5.properties.price.properties.cachedInputPerMillion.type,parentSchema:schema5.properties.price.properties.cachedInputPerMillion,data:data25};
if(vErrors === null){
vErrors = [err57];
}
else {
vErrors.push(err57);
}
errors++;
}
}
}
else {
const err58 = {instancePath:instancePath+"/price",schemaPath:"#/properties/price/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema5.properties.price.type,parentSchema:schema5.properties.price,data:data22};
if(vErrors === null){
vErrors = [err58];
}
else {
vErrors.push(err58);
}
errors++;
}
}
let data26 = data.locality;
if(typeof data26 !== "string"){
const err59 = {instancePath:instancePath+"/locality",schemaPath:"#/properties/locality/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema5.properties.locality.type,parentSchema:schema5.properties.locality,data:data26};
if(vErrors === null){
vErrors = [err59];
}
else {
vErrors.push(err59);
}
errors++;
}
if(!((data26 === "any") || (data26 === "local"))){
const err60 = {instancePath:instancePath+"/locality",schemaPath:"#/properties/locality/enum",keyword:"enum",params:{allowedValues: schema5.properties.locality.enum},message:"must be equal to one of the allowed values",schema:schema5.properties.locality.enum,parentSchema:schema5.properties.locality,data:data26};
if(vErrors === null){
vErrors = [err60];
}
else {
vErrors.push(err60);
}
errors++;
}
let data27 = data.fallback;
if(!data27 || typeof data27 != "object"){
const err61 = {instancePath:instancePath+"/fallback",schemaPath:"#/properties/fallback/type",keyword:"type",params:{type: schema5.properties.fallback.type},message:"must be array,object",schema:schema5.properties.fallback.type,parentSchema:schema5.properties.fallback,data:data27};
if(vErrors === null){
vErrors = [err61];
}
else {
vErrors.push(err61);
}
errors++;
}
if(Array.isArray(data27)){
if(data27.length > 1000){
const err62 = {instancePath:instancePath+"/fallback",schemaPath:"#/properties/fallback/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items",schema:1000,parentSchema:schema5.properties.fallback,data:data27};
if(vErrors === null){
vErrors = [err62];
}
else {
vErrors.push(err62);
}
errors++;
}
const len0 = data27.length;
for(let i0=0; i0<len0; i0++){
let data28 = data27[i0];
if(typeof data28 === "string"){
if(!pattern0.test(data28)){
const err63 = {instancePath:instancePath+"/fallback/" + i0,schemaPath:"#/properties/fallback/items/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{1,48}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{1,48}$"+"\"",schema:"^[A-Za-z0-9_-]{1,48}$",parentSchema:schema5.properties.fallback.items,data:data28};
if(vErrors === null){
vErrors = [err63];
}
else {
vErrors.push(err63);
}
errors++;
}
}
else {
const err64 = {instancePath:instancePath+"/fallback/" + i0,schemaPath:"#/properties/fallback/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema5.properties.fallback.items.type,parentSchema:schema5.properties.fallback.items,data:data28};
if(vErrors === null){
vErrors = [err64];
}
else {
vErrors.push(err64);
}
errors++;
}
}
}
if(data27 && typeof data27 == "object" && !Array.isArray(data27)){
if(data27.on === undefined){
data27.on = ["unavailable","rateLimit"];
}
if(data27.to === undefined){
const err65 = {instancePath:instancePath+"/fallback",schemaPath:"#/properties/fallback/required",keyword:"required",params:{missingProperty: "to"},message:"must have required property '"+"to"+"'",schema:schema5.properties.fallback.required,parentSchema:schema5.properties.fallback,data:data27};
if(vErrors === null){
vErrors = [err65];
}
else {
vErrors.push(err65);
}
errors++;
}
for(const key4 in data27){
if(!((key4 === "to") || (key4 === "on"))){
const err66 = {instancePath:instancePath+"/fallback",schemaPath:"#/properties/fallback/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key4},message:"must NOT have additional properties",schema:false,parentSchema:schema5.properties.fallback,data:data27};
if(vErrors === null){
vErrors = [err66];
}
else {
vErrors.push(err66);
}
errors++;
}
}
if(data27.to !== undefined){
let data29 = data27.to;
if(Array.isArray(data29)){
if(data29.length > 1000){
const err67 = {instancePath:instancePath+"/fallback/to",schemaPath:"#/properties/fallback/properties/to/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items",schema:1000,parentSchema:schema5.properties.fallback.properties.to,data:data29};
if(vErrors === null){
vErrors = [err67];
}
else {
vErrors.push(err67);
}
errors++;
}
if(data29.length < 1){
const err68 = {instancePath:instancePath+"/fallback/to",schemaPath:"#/properties/fallback/properties/to/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items",schema:1,parentSchema:schema5.properties.fallback.properties.to,data:data29};
if(vErrors === null){
vErrors = [err68];
}
else {
vErrors.push(err68);
}
errors++;
}
const len1 = data29.length;
for(let i1=0; i1<len1; i1++){
let data30 = data29[i1];
if(typeof data30 === "string"){
if(!pattern0.test(data30)){
const err69 = {instancePath:instancePath+"/fallback/to/" + i1,schemaPath:"#/properties/fallback/properties/to/items/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{1,48}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{1,48}$"+"\"",schema:"^[A-Za-z0-9_-]{1,48}$",parentSchema:schema5.properties.fallback.properties.to.items,data:data30};
if(vErrors === null){
vErrors = [err69];
}
else {
vErrors.push(err69);
}
errors++;
}
}
else {
const err70 = {instancePath:instancePath+"/fallback/to/" + i1,schemaPath:"#/properties/fallback/properties/to/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema5.properties.fallback.properties.to.items.type,parentSchema:schema5.properties.fallback.properties.to.items,data:data30};
if(vErrors === null){
vErrors = [err70];
}
else {
vErrors.push(err70);
}
errors++;
}
}
}
else {
const err71 = {instancePath:instancePath+"/fallback/to",schemaPath:"#/properties/fallback/properties/to/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema5.properties.fallback.properties.to.type,parentSchema:schema5.properties.fallback.properties.to,data:data29};
if(vErrors === null){
vErrors = [err71];
}
else {
vErrors.push(err71);
}
errors++;
}
}
let data31 = data27.on;
if(Array.isArray(data31)){
if(data31.length < 1){
const err72 = {instancePath:instancePath+"/fallback/on",schemaPath:"#/properties/fallback/properties/on/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items",schema:1,parentSchema:schema5.properties.fallback.properties.on,data:data31};
if(vErrors === null){
vErrors = [err72];
}
else {
vErrors.push(err72);
}
errors++;
}
const len2 = data31.length;
for(let i2=0; i2<len2; i2++){
let data32 = data31[i2];
if(typeof data32 !== "string"){
const err73 = {instancePath:instancePath+"/fallback/on/" + i2,schemaPath:"#/properties/fallback/properties/on/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema5.properties.fallback.properties.on.items.type,parentSchema:schema5.properties.fallback.properties.on.items,data:data32};
if(vErrors === null){
vErrors = [err73];
}
else {
vErrors.push(err73);
}
errors++;
}
if(!((data32 === "unavailable") || (data32 === "rateLimit"))){
const err74 = {instancePath:instancePath+"/fallback/on/" + i2,schemaPath:"#/properties/fallback/properties/on/items/enum",keyword:"enum",params:{allowedValues: schema5.properties.fallback.properties.on.items.enum},message:"must be equal to one of the allowed values",schema:schema5.properties.fallback.properties.on.items.enum,parentSchema:schema5.properties.fallback.properties.on.items,data:data32};
if(vErrors === null){
vErrors = [err74];
}
else {
vErrors.push(err74);
}
errors++;
}
}
let i3 = data31.length;
let j0;
if(i3 > 1){
const indices0 = {};
for(;i3--;){
let item0 = data31[i3];
if(typeof item0 !== "string"){
continue;
}
if(typeof indices0[item0] == "number"){
j0 = indices0[item0];
const err75 = {instancePath:instancePath+"/fallback/on",schemaPath:"#/properties/fallback/properties/on/uniqueItems",keyword:"uniqueItems",params:{i: i3, j: j0},message:"must NOT have duplicate items (items ## "+j0+" and "+i3+" are identical)",schema:true,parentSchema:schema5.properties.fallback.properties.on,data:data31};
if(vErrors === null){
vErrors = [err75];
}
else {
vErrors.push(err75);
}
errors++;
break;
}
indices0[item0] = i3;
}
}
}
else {
const err76 = {instancePath:instancePath+"/fallback/on",schemaPath:"#/properties/fallback/properties/on/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema5.properties.fallback.properties.on.type,parentSchema:schema5.properties.fallback.properties.on,data:data31};
if(vErrors === null){
vErrors = [err76];
}
else {
vErrors.push(err76);
}
errors++;
}
}
}
else {
const err77 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema5.type,parentSchema:schema5,data};
if(vErrors === null){
vErrors = [err77];
}
else {
vErrors.push(err77);
}
errors++;
}
validate6.errors = vErrors;
return errors === 0;
}
validate6.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema6 = {"title":"CliApi","description":"A command-line agent on this machine, such as Codex, Claude Code or Gemini CLI, or a command of your own. It answers with text; `tools` of a director or an agent are not offered to it.","type":"object","additionalProperties":false,"required":["id","provider","cli"],"properties":{"$schema":{"description":"The schema of a JSON file, for editors. YAML files name it in their first line.","type":"string","examples":["../../schemas/api.schema.json"]},"id":{"description":"Id of this API. Equals the file name.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["main"]},"description":{"description":"A note for people.","type":"string","default":"","examples":["The model that most directors use."]},"enabled":{"description":"Set to false to disable this API without deleting its file.","type":"boolean","default":true,"examples":[false]},"order":{"description":"Position among the APIs: lowest number first, then by id. APIs without a number come last.","type":"number","x-unit":"rank","examples":[10]},"provider":{"description":"`cli`: a command-line agent.","type":"string","const":"cli","examples":["cli"]},"cli":{"description":"The tool: `codex`, `claude` or `gemini`, which you install and sign in to yourself, or a command of your own.","type":["string","object"],"pattern":"^(codex|claude|gemini)$","x-expected":"codex, claude, gemini, or a command such as { argv: [my-agent], input: stdin }","additionalProperties":false,"required":["argv"],"properties":{"argv":{"description":"The program and its arguments; no shell reads them. A program without a slash is found by `PATH`. `{{prompt}}` stands for the prompt with `input: argument`, `{{sessionId}}` for a fresh UUID, or with `sessions: resume` for that of the last turn.","type":"array","minItems":1,"maxItems":100,"items":{"description":"The program, or one argument.","type":"string","minLength":1,"maxLength":10000,"examples":["--print"]},"examples":[["my-agent","--print"],["my-agent","--prompt","{{prompt}}"]]},"input":{"description":"How the tool gets the prompt. `argument`: in place of `{{prompt}}`, or as the last argument; other programs of this machine can then see it.","type":"string","enum":["stdin","argument"],"default":"stdin","examples":["stdin"]},"output":{"description":"`text`: standard output is the message. `jsonl`: standard output has a JSON object in each line; the message is the `text` of all lines together. Where no line has one, standard output is the message.","type":"string","enum":["text","jsonl"],"default":"text","examples":["jsonl"]},"text":{"description":"With `output: jsonl`: the key of the text in a line, with dots between keys.","type":"string","minLength":1,"maxLength":200,"default":"text","examples":["delta.text"]},"sessionId":{"description":"With `output: jsonl`: the key of the tool's session id in a line. The id is kept in the trace. Without it, the trace has the id that stands in place of `{{sessionId}}`.","type":"string","minLength":1,"maxLength":200,"examples":["session_id"]}},"examples":["codex",{"argv":["my-agent","--print"],"input":"stdin"}]},"command":{"description":"The program of the tool, where `PATH` does not have it, with arguments that always come first. Default: the name of the tool. Not used with a command of your own.","type":"array","minItems":1,"maxItems":100,"items":{"description":"The program, or one argument.","type":"string","minLength":1,"maxLength":10000,"examples":["--acp"]},"examples":[["/opt/codex/bin/codex"],["node","/opt/gemini/bundle/gemini.js"]]},"acpCommand":{"description":"The program that speaks the Agent Client Protocol for the tool, with its arguments. Default: `claude-agent-acp`, `codex-acp` or `gemini --acp`, found by `PATH`. A command of your own has it only if it is set here.","type":"array","minItems":1,"maxItems":100,"items":{"description":"The program, or one argument.","type":"string","minLength":1,"maxLength":10000,"examples":["--acp"]},"examples":[["npx","--no-install","codex-acp"]]},"protocol":{"description":"How Callsheet talks to the tool. `acp`: by the Agent Client Protocol, in which the tool asks before it acts. `flags`: one process for each turn, by command-line arguments. `auto`: `acp` where its program is found, else `flags`.","type":"string","enum":["auto","acp","flags"],"default":"auto","examples":["flags"]},"sessions":{"description":"Whether a participant of a group chat goes on in the tool's session of its last turn. `fresh`: each turn is a new session that reads the whole transcript. `resume`: the tool loads its session and reads what is new, where it can and nothing has changed; else the session is fresh, and the trace says why.","type":"string","enum":["fresh","resume"],"default":"fresh","examples":["resume"]},"timeoutSeconds":{"description":"Time limit of a turn. The time in which a person decides on a permission does not count. The tool and all processes that it started are then ended.","type":"number","exclusiveMinimum":0,"maximum":3600,"default":300,"x-unit":"seconds","examples":[300]},"env":{"description":"Names of variables that the tool gets from the environment of Callsheet, besides `PATH`, `HOME`, `USER`, `LANG`, `LC_*` and `TMPDIR`. On Windows it also gets those that programs need there.","type":"array","items":{"description":"Name of a variable.","type":"string","pattern":"^[A-Za-z_][A-Za-z0-9_]{0,127}$","x-expected":"the name of a variable","examples":["OPENAI_API_KEY"]},"maxItems":100,"uniqueItems":true,"default":[],"examples":[["OPENAI_API_KEY"]]},"limits":{"description":"Limits of the turns of this tool.","type":"object","additionalProperties":false,"default":{},"properties":{"concurrency":{"description":"Maximum number of turns at the same time, each with a process of its own.","type":"integer","minimum":1,"maximum":100,"default":2,"x-unit":"turns","examples":[2]},"requestsPerMinute":{"description":"Maximum number of turns within any minute; further turns wait. The count survives a restart.","type":"integer","minimum":1,"x-unit":"turns","examples":[60]},"requestsPerHour":{"description":"Maximum number of turns within any hour; further turns wait.","type":"integer","minimum":1,"x-unit":"turns","examples":[1000]}},"examples":[{"concurrency":2}]},"locality":{"description":"`local`: the tool and its model stay on machines of yours. Callsheet trusts this setting. Runs of a director with `locality: local` use only such APIs, fallbacks included.","type":"string","enum":["any","local"],"default":"any","examples":["local"]},"fallback":{"description":"APIs that stand in for this one. A list: they are tried in this order at the start of a run if this API is not available (no key, or the server does not answer). With `to` and `on`, the next of them also takes over during a run, where a request has failed and its retries are used up; never one with rules of a script, and after an API with `locality: local` only others with it.","type":["array","object"],"items":{"description":"Id of an API, a file in `apis/`.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["local"]},"maxItems":1000,"additionalProperties":false,"required":["to"],"properties":{"to":{"description":"The APIs, in order.","type":"array","items":{"description":"Id of an API, a file in `apis/`.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["local"]},"minItems":1,"maxItems":1000,"examples":[["spare","local"]]},"on":{"description":"Failures after which the next API takes over during a run. `unavailable`: the server does not answer, or answers with an error of its own. `rateLimit`: its limit is reached for longer than `retry` allows, or the account has no credit.","type":"array","items":{"description":"A failure.","type":"string","enum":["unavailable","rateLimit"],"examples":["unavailable"]},"uniqueItems":true,"minItems":1,"default":["unavailable","rateLimit"],"examples":[["unavailable"]]}},"default":[],"examples":[["local","offline"],{"to":["spare","local"],"on":["unavailable","rateLimit"]}]}}};
const pattern37 = new RegExp("^(codex|claude|gemini)$", "u");
const pattern38 = new RegExp("^[A-Za-z_][A-Za-z0-9_]{0,127}$", "u");

function validate7(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate7.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.description === undefined){
data.description = "";
}
if(data.enabled === undefined){
data.enabled = true;
}
if(data.protocol === undefined){
data.protocol = "auto";
}
if(data.sessions === undefined){
data.sessions = "fresh";
}
if(data.timeoutSeconds === undefined){
data.timeoutSeconds = 300;
}
if(data.env === undefined){
data.env = [];
}
if(data.limits === undefined){
data.limits = {};
}
if(data.locality === undefined){
data.locality = "any";
}
if(data.fallback === undefined){
data.fallback = [];
}
if(data.id === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'",schema:schema6.required,parentSchema:schema6,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.provider === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "provider"},message:"must have required property '"+"provider"+"'",schema:schema6.required,parentSchema:schema6,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.cli === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "cli"},message:"must have required property '"+"cli"+"'",schema:schema6.required,parentSchema:schema6,data};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
for(const key0 in data){
if(!(func0.call(schema6.properties, key0))){
const err3 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema6,data};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.$schema !== undefined){
let data0 = data.$schema;
if(typeof data0 !== "string"){
const err4 = {instancePath:instancePath+"/$schema",schemaPath:"#/properties/%24schema/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema6.properties.$schema.type,parentSchema:schema6.properties.$schema,data:data0};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.id !== undefined){
let data1 = data.id;
if(typeof data1 === "string"){
if(!pattern0.test(data1)){
const err5 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{1,48}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{1,48}$"+"\"",schema:"^[A-Za-z0-9_-]{1,48}$",parentSchema:schema6.properties.id,data:data1};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
else {
const err6 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema6.properties.id.type,parentSchema:schema6.properties.id,data:data1};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
let data2 = data.description;
if(typeof data2 !== "string"){
const err7 = {instancePath:instancePath+"/description",schemaPath:"#/properties/description/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema6.properties.description.type,parentSchema:schema6.properties.description,data:data2};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
let data3 = data.enabled;
if(typeof data3 !== "boolean"){
const err8 = {instancePath:instancePath+"/enabled",schemaPath:"#/properties/enabled/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema6.properties.enabled.type,parentSchema:schema6.properties.enabled,data:data3};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(data.order !== undefined){
let data4 = data.order;
if(!((typeof data4 == "number") && (isFinite(data4)))){
const err9 = {instancePath:instancePath+"/order",schemaPath:"#/properties/order/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema6.properties.order.type,parentSchema:schema6.properties.order,data:data4};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.provider !== undefined){
let data5 = data.provider;
if(typeof data5 !== "string"){
const err10 = {instancePath:instancePath+"/provider",schemaPath:"#/properties/provider/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema6.properties.provider.type,parentSchema:schema6.properties.provider,data:data5};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if("cli" !== data5){
const err11 = {instancePath:instancePath+"/provider",schemaPath:"#/properties/provider/const",keyword:"const",params:{allowedValue: "cli"},message:"must be equal to constant",schema:"cli",parentSchema:schema6.properties.provider,data:data5};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.cli !== undefined){
let data6 = data.cli;
if((typeof data6 !== "string") && (!(data6 && typeof data6 == "object" && !Array.isArray(data6)))){
const err12 = {instancePath:instancePath+"/cli",schemaPath:"#/properties/cli/type",keyword:"type",params:{type: schema6.properties.cli.type},message:"must be string,object",schema:schema6.properties.cli.type,parentSchema:schema6.properties.cli,data:data6};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if(typeof data6 === "string"){
if(!pattern37.test(data6)){
const err13 = {instancePath:instancePath+"/cli",schemaPath:"#/properties/cli/pattern",keyword:"pattern",params:{pattern: "^(codex|claude|gemini)$"},message:"must match pattern \""+"^(codex|claude|gemini)$"+"\"",schema:"^(codex|claude|gemini)$",parentSchema:schema6.properties.cli,data:data6};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data6 && typeof data6 == "object" && !Array.isArray(data6)){
if(data6.input === undefined){
data6.input = "stdin";
}
if(data6.output === undefined){
data6.output = "text";
}
if(data6.text === undefined){
data6.text = "text";
}
if(data6.argv === undefined){
const err14 = {instancePath:instancePath+"/cli",schemaPath:"#/properties/cli/required",keyword:"required",params:{missingProperty: "argv"},message:"must have required property '"+"argv"+"'",schema:schema6.properties.cli.required,parentSchema:schema6.properties.cli,data:data6};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
for(const key1 in data6){
if(!(((((key1 === "argv") || (key1 === "input")) || (key1 === "output")) || (key1 === "text")) || (key1 === "sessionId"))){
const err15 = {instancePath:instancePath+"/cli",schemaPath:"#/properties/cli/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties",schema:false,parentSchema:schema6.properties.cli,data:data6};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data6.argv !== undefined){
let data7 = data6.argv;
if(Array.isArray(data7)){
if(data7.length > 100){
const err16 = {instancePath:instancePath+"/cli/argv",schemaPath:"#/properties/cli/properties/argv/maxItems",keyword:"maxItems",params:{limit: 100},message:"must NOT have more than 100 items",schema:100,parentSchema:schema6.properties.cli.properties.argv,data:data7};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
if(data7.length < 1){
const err17 = {instancePath:instancePath+"/cli/argv",schemaPath:"#/properties/cli/properties/argv/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items",schema:1,parentSchema:schema6.properties.cli.properties.argv,data:data7};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
const len0 = data7.length;
for(let i0=0; i0<len0; i0++){
let data8 = data7[i0];
if(typeof data8 === "string"){
if(func1(data8) > 10000){
const err18 = {instancePath:instancePath+"/cli/argv/" + i0,schemaPath:"#/properties/cli/properties/argv/items/maxLength",keyword:"maxLength",params:{limit: 10000},message:"must NOT have more than 10000 characters",schema:10000,parentSchema:schema6.properties.cli.properties.argv.items,data:data8};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
if(func1(data8) < 1){
const err19 = {instancePath:instancePath+"/cli/argv/" + i0,schemaPath:"#/properties/cli/properties/argv/items/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema6.properties.cli.properties.argv.items,data:data8};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
else {
const err20 = {instancePath:instancePath+"/cli/argv/" + i0,schemaPath:"#/properties/cli/properties/argv/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema6.properties.cli.properties.argv.items.type,parentSchema:schema6.properties.cli.properties.argv.items,data:data8};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
}
else {
const err21 = {instancePath:instancePath+"/cli/argv",schemaPath:"#/properties/cli/properties/argv/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema6.properties.cli.properties.argv.type,parentSchema:schema6.properties.cli.properties.argv,data:data7};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
let data9 = data6.input;
if(typeof data9 !== "string"){
const err22 = {instancePath:instancePath+"/cli/input",schemaPath:"#/properties/cli/properties/input/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema6.properties.cli.properties.input.type,parentSchema:schema6.properties.cli.properties.input,data:data9};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
if(!((data9 === "stdin") || (data9 === "argument"))){
const err23 = {instancePath:instancePath+"/cli/input",schemaPath:"#/properties/cli/properties/input/enum",keyword:"enum",params:{allowedValues: schema6.properties.cli.properties.input.enum},message:"must be equal to one of the allowed values",schema:schema6.properties.cli.properties.input.enum,parentSchema:schema6.properties.cli.properties.input,data:data9};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
let data10 = data6.output;
if(typeof data10 !== "string"){
const err24 = {instancePath:instancePath+"/cli/output",schemaPath:"#/properties/cli/properties/output/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema6.properties.cli.properties.output.type,parentSchema:schema6.properties.cli.properties.output,data:data10};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
if(!((data10 === "text") || (data10 === "jsonl"))){
const err25 = {instancePath:instancePath+"/cli/output",schemaPath:"#/properties/cli/properties/output/enum",keyword:"enum",params:{allowedValues: schema6.properties.cli.properties.output.enum},message:"must be equal to one of the allowed values",schema:schema6.properties.cli.properties.output.enum,parentSchema:schema6.properties.cli.properties.output,data:data10};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
let data11 = data6.text;
if(typeof data11 === "string"){
if(func1(data11) > 200){
const err26 = {instancePath:instancePath+"/cli/text",schemaPath:"#/properties/cli/properties/text/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters",schema:200,parentSchema:schema6.properties.cli.properties.text,data:data11};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
if(func1(data11) < 1){
const err27 = {instancePath:instancePath+"/cli/text",schemaPath:"#/properties/cli/properties/text/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema6.properties.cli.properties.text,data:data11};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
else {
const err28 = {instancePath:instancePath+"/cli/text",schemaPath:"#/properties/cli/properties/text/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema6.properties.cli.properties.text.type,parentSchema:schema6.properties.cli.properties.text,data:data11};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
if(data6.sessionId !== undefined){
let data12 = data6.sessionId;
if(typeof data12 === "string"){
if(func1(data12) > 200){
const err29 = {instancePath:instancePath+"/cli/sessionId",schemaPath:"#/properties/cli/properties/sessionId/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters",schema:200,parentSchema:schema6.properties.cli.properties.sessionId,data:data12};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
if(func1(data12) < 1){
const err30 = {instancePath:instancePath+"/cli/sessionId",schemaPath:"#/properties/cli/properties/sessionId/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema6.properties.cli.properties.sessionId,data:data12};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
else {
const err31 = {instancePath:instancePath+"/cli/sessionId",schemaPath:"#/properties/cli/properties/sessionId/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema6.properties.cli.properties.sessionId.type,parentSchema:schema6.properties.cli.properties.sessionId,data:data12};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
}
}
if(data.command !== undefined){
let data13 = data.command;
if(Array.isArray(data13)){
if(data13.length > 100){
const err32 = {instancePath:instancePath+"/command",schemaPath:"#/properties/command/maxItems",keyword:"maxItems",params:{limit: 100},message:"must NOT have more than 100 items",schema:100,parentSchema:schema6.properties.command,data:data13};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
if(data13.length < 1){
const err33 = {instancePath:instancePath+"/command",schemaPath:"#/properties/command/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items",schema:1,parentSchema:schema6.properties.command,data:data13};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
const len1 = data13.length;
for(let i1=0; i1<len1; i1++){
let data14 = data13[i1];
if(typeof data14 === "string"){
if(func1(data14) > 10000){
const err34 = {instancePath:instancePath+"/command/" + i1,schemaPath:"#/properties/command/items/maxLength",keyword:"maxLength",params:{limit: 10000},message:"must NOT have more than 10000 characters",schema:10000,parentSchema:schema6.properties.command.items,data:data14};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
if(func1(data14) < 1){
const err35 = {instancePath:instancePath+"/command/" + i1,schemaPath:"#/properties/command/items/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema6.properties.command.items,data:data14};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
}
else {
const err36 = {instancePath:instancePath+"/command/" + i1,schemaPath:"#/properties/command/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema6.properties.command.items.type,parentSchema:schema6.properties.command.items,data:data14};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
}
}
else {
const err37 = {instancePath:instancePath+"/command",schemaPath:"#/properties/command/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema6.properties.command.type,parentSchema:schema6.properties.command,data:data13};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
}
if(data.acpCommand !== undefined){
let data15 = data.acpCommand;
if(Array.isArray(data15)){
if(data15.length > 100){
const err38 = {instancePath:instancePath+"/acpCommand",schemaPath:"#/properties/acpCommand/maxItems",keyword:"maxItems",params:{limit: 100},message:"must NOT have more than 100 items",schema:100,parentSchema:schema6.properties.acpCommand,data:data15};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
if(data15.length < 1){
const err39 = {instancePath:instancePath+"/acpCommand",schemaPath:"#/properties/acpCommand/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items",schema:1,parentSchema:schema6.properties.acpCommand,data:data15};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
const len2 = data15.length;
for(let i2=0; i2<len2; i2++){
let data16 = data15[i2];
if(typeof data16 === "string"){
if(func1(data16) > 10000){
const err40 = {instancePath:instancePath+"/acpCommand/" + i2,schemaPath:"#/properties/acpCommand/items/maxLength",keyword:"maxLength",params:{limit: 10000},message:"must NOT have more than 10000 characters",schema:10000,parentSchema:schema6.properties.acpCommand.items,data:data16};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
if(func1(data16) < 1){
const err41 = {instancePath:instancePath+"/acpCommand/" + i2,schemaPath:"#/properties/acpCommand/items/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema6.properties.acpCommand.items,data:data16};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
}
else {
const err42 = {instancePath:instancePath+"/acpCommand/" + i2,schemaPath:"#/properties/acpCommand/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema6.properties.acpCommand.items.type,parentSchema:schema6.properties.acpCommand.items,data:data16};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
}
}
else {
const err43 = {instancePath:instancePath+"/acpCommand",schemaPath:"#/properties/acpCommand/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema6.properties.acpCommand.type,parentSchema:schema6.properties.acpCommand,data:data15};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
}
let data17 = data.protocol;
if(typeof data17 !== "string"){
const err44 = {instancePath:instancePath+"/protocol",schemaPath:"#/properties/protocol/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema6.properties.protocol.type,parentSchema:schema6.properties.protocol,data:data17};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
if(!(((data17 === "auto") || (data17 === "acp")) || (data17 === "flags"))){
const err45 = {instancePath:instancePath+"/protocol",schemaPath:"#/properties/protocol/enum",keyword:"enum",params:{allowedValues: schema6.properties.protocol.enum},message:"must be equal to one of the allowed values",schema:schema6.properties.protocol.enum,parentSchema:schema6.properties.protocol,data:data17};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
let data18 = data.sessions;
if(typeof data18 !== "string"){
const err46 = {instancePath:instancePath+"/sessions",schemaPath:"#/properties/sessions/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema6.properties.sessions.type,parentSchema:schema6.properties.sessions,data:data18};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
if(!((data18 === "fresh") || (data18 === "resume"))){
const err47 = {instancePath:instancePath+"/sessions",schemaPath:"#/properties/sessions/enum",keyword:"enum",params:{allowedValues: schema6.properties.sessions.enum},message:"must be equal to one of the allowed values",schema:schema6.properties.sessions.enum,parentSchema:schema6.properties.sessions,data:data18};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
let data19 = data.timeoutSeconds;
if((typeof data19 == "number") && (isFinite(data19))){
if(data19 > 3600 || isNaN(data19)){
const err48 = {instancePath:instancePath+"/timeoutSeconds",schemaPath:"#/properties/timeoutSeconds/maximum",keyword:"maximum",params:{comparison: "<=", limit: 3600},message:"must be <= 3600",schema:3600,parentSchema:schema6.properties.timeoutSeconds,data:data19};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
if(data19 <= 0 || isNaN(data19)){
const err49 = {instancePath:instancePath+"/timeoutSeconds",schemaPath:"#/properties/timeoutSeconds/exclusiveMinimum",keyword:"exclusiveMinimum",params:{comparison: ">", limit: 0},message:"must be > 0",schema:0,parentSchema:schema6.properties.timeoutSeconds,data:data19};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
}
else {
const err50 = {instancePath:instancePath+"/timeoutSeconds",schemaPath:"#/properties/timeoutSeconds/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema6.properties.timeoutSeconds.type,parentSchema:schema6.properties.timeoutSeconds,data:data19};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
let data20 = data.env;
if(Array.isArray(data20)){
if(data20.length > 100){
const err51 = {instancePath:instancePath+"/env",schemaPath:"#/properties/env/maxItems",keyword:"maxItems",params:{limit: 100},message:"must NOT have more than 100 items",schema:100,parentSchema:schema6.properties.env,data:data20};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
}
const len3 = data20.length;
for(let i3=0; i3<len3; i3++){
let data21 = data20[i3];
if(typeof data21 === "string"){
if(!pattern38.test(data21)){
const err52 = {instancePath:instancePath+"/env/" + i3,schemaPath:"#/properties/env/items/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z_][A-Za-z0-9_]{0,127}$"},message:"must match pattern \""+"^[A-Za-z_][A-Za-z0-9_]{0,127}$"+"\"",schema:"^[A-Za-z_][A-Za-z0-9_]{0,127}$",parentSchema:schema6.properties.env.items,data:data21};
if(vErrors === null){
vErrors = [err52];
}
else {
vErrors.push(err52);
}
errors++;
}
}
else {
const err53 = {instancePath:instancePath+"/env/" + i3,schemaPath:"#/properties/env/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema6.properties.env.items.type,parentSchema:schema6.properties.env.items,data:data21};
if(vErrors === null){
vErrors = [err53];
}
else {
vErrors.push(err53);
}
errors++;
}
}
let i4 = data20.length;
let j0;
if(i4 > 1){
const indices0 = {};
for(;i4--;){
let item0 = data20[i4];
if(typeof item0 !== "string"){
continue;
}
if(typeof indices0[item0] == "number"){
j0 = indices0[item0];
const err54 = {instancePath:instancePath+"/env",schemaPath:"#/properties/env/uniqueItems",keyword:"uniqueItems",params:{i: i4, j: j0},message:"must NOT have duplicate items (items ## "+j0+" and "+i4+" are identical)",schema:true,parentSchema:schema6.properties.env,data:data20};
if(vErrors === null){
vErrors = [err54];
}
else {
vErrors.push(err54);
}
errors++;
break;
}
indices0[item0] = i4;
}
}
}
else {
const err55 = {instancePath:instancePath+"/env",schemaPath:"#/properties/env/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema6.properties.env.type,parentSchema:schema6.properties.env,data:data20};
if(vErrors === null){
vErrors = [err55];
}
else {
vErrors.push(err55);
}
errors++;
}
let data22 = data.limits;
if(data22 && typeof data22 == "object" && !Array.isArray(data22)){
if(data22.concurrency === undefined){
data22.concurrency = 2;
}
for(const key2 in data22){
if(!(((key2 === "concurrency") || (key2 === "requestsPerMinute")) || (key2 === "requestsPerHour"))){
const err56 = {instancePath:instancePath+"/limits",schemaPath:"#/properties/limits/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2},message:"must NOT have additional properties",schema:false,parentSchema:schema6.properties.limits,data:data22};
if(vErrors === null){
vErrors = [err56];
}
else {
vErrors.push(err56);
}
errors++;
}
}
let data23 = data22.concurrency;
if(!(((typeof data23 == "number") && (!(data23 % 1) && !isNaN(data23))) && (isFinite(data23)))){
const err57 = {instancePath:instancePath+"/limits/concurrency",schemaPath:"#/properties/limits/properties/concurrency/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema6.properties.limits.properties.concurrency.type,parentSchema:schema6.properties.limits.properties.concurrency,data:data23};
if(vErrors === null){
vErrors = [err57];
}
else {
vErrors.push(err57);
}
errors++;
}
if((typeof data23 == "number") && (isFinite(data23))){
if(data23 > 100 || isNaN(data23)){
const err58 = {instancePath:instancePath+"/limits/concurrency",schemaPath:"#/properties/limits/properties/concurrency/maximum",keyword:"maximum",params:{comparison: "<=", limit: 100},message:"must be <= 100",schema:100,parentSchema:schema6.properties.limits.properties.concurrency,data:data23};
if(vErrors === null){
vErrors = [err58];
}
else {
vErrors.push(err58);
}
errors++;
}
if(data23 < 1 || isNaN(data23)){
const err59 = {instancePath:instancePath+"/limits/concurrency",schemaPath:"#/properties/limits/properties/concurrency/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema6.properties.limits.properties.concurrency,data:data23};
if(vErrors === null){
vErrors = [err59];
}
else {
vErrors.push(err59);
}
errors++;
}
}
if(data22.requestsPerMinute !== undefined){
let data24 = data22.requestsPerMinute;
if(!(((typeof data24 == "number") && (!(data24 % 1) && !isNaN(data24))) && (isFinite(data24)))){
const err60 = {instancePath:instancePath+"/limits/requestsPerMinute",schemaPath:"#/properties/limits/properties/requestsPerMinute/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema6.properties.limits.properties.requestsPerMinute.type,parentSchema:schema6.properties.limits.properties.requestsPerMinute,data:data24};
if(vErrors === null){
vErrors = [err60];
}
else {
vErrors.push(err60);
}
errors++;
}
if((typeof data24 == "number") && (isFinite(data24))){
if(data24 < 1 || isNaN(data24)){
const err61 = {instancePath:instancePath+"/limits/requestsPerMinute",schemaPath:"#/properties/limits/properties/requestsPerMinute/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema6.properties.limits.properties.requestsPerMinute,data:data24};
if(vErrors === null){
vErrors = [err61];
}
else {
vErrors.push(err61);
}
errors++;
}
}
}
if(data22.requestsPerHour !== undefined){
let data25 = data22.requestsPerHour;
if(!(((typeof data25 == "number") && (!(data25 % 1) && !isNaN(data25))) && (isFinite(data25)))){
const err62 = {instancePath:instancePath+"/limits/requestsPerHour",schemaPath:"#/properties/limits/properties/requestsPerHour/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema6.properties.limits.properties.requestsPerHour.type,parentSchema:schema6.properties.limits.properties.requestsPerHour,data:data25};
if(vErrors === null){
vErrors = [err62];
}
else {
vErrors.push(err62);
}
errors++;
}
if((typeof data25 == "number") && (isFinite(data25))){
if(data25 < 1 || isNaN(data25)){
const err63 = {instancePath:instancePath+"/limits/requestsPerHour",schemaPath:"#/properties/limits/properties/requestsPerHour/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema6.properties.limits.properties.requestsPerHour,data:data25};
if(vErrors === null){
vErrors = [err63];
}
else {
vErrors.push(err63);
}
errors++;
}
}
}
}
else {
const err64 = {instancePath:instancePath+"/limits",schemaPath:"#/properties/limits/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema6.properties.limits.type,parentSchema:schema6.properties.limits,data:data22};
if(vErrors === null){
vErrors = [err64];
}
else {
vErrors.push(err64);
}
errors++;
}
let data26 = data.locality;
if(typeof data26 !== "string"){
const err65 = {instancePath:instancePath+"/locality",schemaPath:"#/properties/locality/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema6.properties.locality.type,parentSchema:schema6.properties.locality,data:data26};
if(vErrors === null){
vErrors = [err65];
}
else {
vErrors.push(err65);
}
errors++;
}
if(!((data26 === "any") || (data26 === "local"))){
const err66 = {instancePath:instancePath+"/locality",schemaPath:"#/properties/locality/enum",keyword:"enum",params:{allowedValues: schema6.properties.locality.enum},message:"must be equal to one of the allowed values",schema:schema6.properties.locality.enum,parentSchema:schema6.properties.locality,data:data26};
if(vErrors === null){
vErrors = [err66];
}
else {
vErrors.push(err66);
}
errors++;
}
let data27 = data.fallback;
if(!data27 || typeof data27 != "object"){
const err67 = {instancePath:instancePath+"/fallback",schemaPath:"#/properties/fallback/type",keyword:"type",params:{type: schema6.properties.fallback.type},message:"must be array,object",schema:schema6.properties.fallback.type,parentSchema:schema6.properties.fallback,data:data27};
if(vErrors === null){
vErrors = [err67];
}
else {
vErrors.push(err67);
}
errors++;
}
if(Array.isArray(data27)){
if(data27.length > 1000){
const err68 = {instancePath:instancePath+"/fallback",schemaPath:"#/properties/fallback/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items",schema:1000,parentSchema:schema6.properties.fallback,data:data27};
if(vErrors === null){
vErrors = [err68];
}
else {
vErrors.push(err68);
}
errors++;
}
const len4 = data27.length;
for(let i5=0; i5<len4; i5++){
let data28 = data27[i5];
if(typeof data28 === "string"){
if(!pattern0.test(data28)){
const err69 = {instancePath:instancePath+"/fallback/" + i5,schemaPath:"#/properties/fallback/items/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{1,48}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{1,48}$"+"\"",schema:"^[A-Za-z0-9_-]{1,48}$",parentSchema:schema6.properties.fallback.items,data:data28};
if(vErrors === null){
vErrors = [err69];
}
else {
vErrors.push(err69);
}
errors++;
}
}
else {
const err70 = {instancePath:instancePath+"/fallback/" + i5,schemaPath:"#/properties/fallback/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema6.properties.fallback.items.type,parentSchema:schema6.properties.fallback.items,data:data28};
if(vErrors === null){
vErrors = [err70];
}
else {
vErrors.push(err70);
}
errors++;
}
}
}
if(data27 && typeof data27 == "object" && !Array.isArray(data27)){
if(data27.on === undefined){
data27.on = ["unavailable","rateLimit"];
}
if(data27.to === undefined){
const err71 = {instancePath:instancePath+"/fallback",schemaPath:"#/properties/fallback/required",keyword:"required",params:{missingProperty: "to"},message:"must have required property '"+"to"+"'",schema:schema6.properties.fallback.required,parentSchema:schema6.properties.fallback,data:data27};
if(vErrors === null){
vErrors = [err71];
}
else {
vErrors.push(err71);
}
errors++;
}
for(const key3 in data27){
if(!((key3 === "to") || (key3 === "on"))){
const err72 = {instancePath:instancePath+"/fallback",schemaPath:"#/properties/fallback/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3},message:"must NOT have additional properties",schema:false,parentSchema:schema6.properties.fallback,data:data27};
if(vErrors === null){
vErrors = [err72];
}
else {
vErrors.push(err72);
}
errors++;
}
}
if(data27.to !== undefined){
let data29 = data27.to;
if(Array.isArray(data29)){
if(data29.length > 1000){
const err73 = {instancePath:instancePath+"/fallback/to",schemaPath:"#/properties/fallback/properties/to/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items",schema:1000,parentSchema:schema6.properties.fallback.properties.to,data:data29};
if(vErrors === null){
vErrors = [err73];
}
else {
vErrors.push(err73);
}
errors++;
}
if(data29.length < 1){
const err74 = {instancePath:instancePath+"/fallback/to",schemaPath:"#/properties/fallback/properties/to/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items",schema:1,parentSchema:schema6.properties.fallback.properties.to,data:data29};
if(vErrors === null){
vErrors = [err74];
}
else {
vErrors.push(err74);
}
errors++;
}
const len5 = data29.length;
for(let i6=0; i6<len5; i6++){
let data30 = data29[i6];
if(typeof data30 === "string"){
if(!pattern0.test(data30)){
const err75 = {instancePath:instancePath+"/fallback/to/" + i6,schemaPath:"#/properties/fallback/properties/to/items/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{1,48}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{1,48}$"+"\"",schema:"^[A-Za-z0-9_-]{1,48}$",parentSchema:schema6.properties.fallback.properties.to.items,data:data30};
if(vErrors === null){
vErrors = [err75];
}
else {
vErrors.push(err75);
}
errors++;
}
}
else {
const err76 = {instancePath:instancePath+"/fallback/to/" + i6,schemaPath:"#/properties/fallback/properties/to/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema6.properties.fallback.properties.to.items.type,parentSchema:schema6.properties.fallback.properties.to.items,data:data30};
if(vErrors === null){
vErrors = [err76];
}
else {
vErrors.push(err76);
}
errors++;
}
}
}
else {
const err77 = {instancePath:instancePath+"/fallback/to",schemaPath:"#/properties/fallback/properties/to/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema6.properties.fallback.properties.to.type,parentSchema:schema6.properties.fallback.properties.to,data:data29};
if(vErrors === null){
vErrors = [err77];
}
else {
vErrors.push(err77);
}
errors++;
}
}
let data31 = data27.on;
if(Array.isArray(data31)){
if(data31.length < 1){
const err78 = {instancePath:instancePath+"/fallback/on",schemaPath:"#/properties/fallback/properties/on/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items",schema:1,parentSchema:schema6.properties.fallback.properties.on,data:data31};
if(vErrors === null){
vErrors = [err78];
}
else {
vErrors.push(err78);
}
errors++;
}
const len6 = data31.length;
for(let i7=0; i7<len6; i7++){
let data32 = data31[i7];
if(typeof data32 !== "string"){
const err79 = {instancePath:instancePath+"/fallback/on/" + i7,schemaPath:"#/properties/fallback/properties/on/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema6.properties.fallback.properties.on.items.type,parentSchema:schema6.properties.fallback.properties.on.items,data:data32};
if(vErrors === null){
vErrors = [err79];
}
else {
vErrors.push(err79);
}
errors++;
}
if(!((data32 === "unavailable") || (data32 === "rateLimit"))){
const err80 = {instancePath:instancePath+"/fallback/on/" + i7,schemaPath:"#/properties/fallback/properties/on/items/enum",keyword:"enum",params:{allowedValues: schema6.properties.fallback.properties.on.items.enum},message:"must be equal to one of the allowed values",schema:schema6.properties.fallback.properties.on.items.enum,parentSchema:schema6.properties.fallback.properties.on.items,data:data32};
if(vErrors === null){
vErrors = [err80];
}
else {
vErrors.push(err80);
}
errors++;
}
}
let i8 = data31.length;
let j1;
if(i8 > 1){
const indices1 = {};
for(;i8--;){
let item1 = data31[i8];
if(typeof item1 !== "string"){
continue;
}
if(typeof indices1[item1] == "number"){
j1 = indices1[item1];
const err81 = {instancePath:instancePath+"/fallback/on",schemaPath:"#/properties/fallback/properties/on/uniqueItems",keyword:"uniqueItems",params:{i: i8, j: j1},message:"must NOT have duplicate items (items ## "+j1+" and "+i8+" are identical)",schema:true,parentSchema:schema6.properties.fallback.properties.on,data:data31};
if(vErrors === null){
vErrors = [err81];
}
else {
vErrors.push(err81);
}
errors++;
break;
}
indices1[item1] = i8;
}
}
}
else {
const err82 = {instancePath:instancePath+"/fallback/on",schemaPath:"#/properties/fallback/properties/on/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema6.properties.fallback.properties.on.type,parentSchema:schema6.properties.fallback.properties.on,data:data31};
if(vErrors === null){
vErrors = [err82];
}
else {
vErrors.push(err82);
}
errors++;
}
}
}
else {
const err83 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema6.type,parentSchema:schema6,data};
if(vErrors === null){
vErrors = [err83];
}
else {
vErrors.push(err83);
}
errors++;
}
validate7.errors = vErrors;
return errors === 0;
}
validate7.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema7 = {"title":"ScriptedApi","description":"No AI: rules give the answers. For first steps, tests and dry runs.","type":"object","additionalProperties":false,"required":["id","provider","script"],"properties":{"$schema":{"description":"The schema of a JSON file, for editors. YAML files name it in their first line.","type":"string","examples":["../../schemas/api.schema.json"]},"id":{"description":"Id of this API. Equals the file name.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["main"]},"description":{"description":"A note for people.","type":"string","default":"","examples":["The model that most directors use."]},"enabled":{"description":"Set to false to disable this API without deleting its file.","type":"boolean","default":true,"examples":[false]},"order":{"description":"Position among the APIs: lowest number first, then by id. APIs without a number come last.","type":"number","x-unit":"rank","examples":[10]},"provider":{"description":"`scripted`: no AI; rules give the answers.","type":"string","const":"scripted","examples":["scripted"]},"script":{"description":"Rules; the first rule that matches answers. If none matches, the answer says so.","type":"array","minItems":1,"items":{"$ref":"#/$defs/rule"},"examples":[[{"when":{"any":true},"say":"Done."}]],"maxItems":1000},"locality":{"description":"Rules send no requests, so the default is `local`: directors with `locality: local` may use them.","type":"string","enum":["any","local"],"default":"local","examples":["local"]},"fallback":{"description":"APIs to try in this order at the start of a run if this one is not available (no key, or the server does not answer).","type":"array","items":{"description":"Id of an API, a file in `apis/`.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["local"]},"default":[],"examples":[["local","offline"]],"maxItems":1000}}};
const schema8 = {"title":"ScriptRule","description":"A condition (`when`) and an answer: a text (`say`) or tool calls (`call`).","type":"object","additionalProperties":false,"required":["when"],"oneOf":[{"required":["say"]},{"required":["call"]}],"properties":{"when":{"$ref":"#/$defs/when"},"say":{"description":"The answer. Templates: `{{subject}}`, `{{from}}`, `{{language}}`, `{{lastUserText}}`, `{{lastToolResult}}`, and a path into a JSON result: `{{lastToolResult.output}}`.","type":"string","examples":["Thank you for \"{{subject}}\"."]},"call":{"title":"ScriptCalls","description":"One tool call, or several at once.","if":{"type":"array"},"then":{"title":"ScriptCallList","type":"array","minItems":1,"items":{"$ref":"#/$defs/call"}},"else":{"$ref":"#/$defs/call"},"examples":[{"tool":"agent__psychologist","arguments":{"input":"{{lastUserText}}"}}]}},"examples":[{"when":{"any":true},"say":"Done."}]};
const schema9 = {"title":"ScriptWhen","description":"The conditions of the rule. All of them must match.","type":"object","additionalProperties":false,"minProperties":1,"properties":{"any":{"description":"Matches every request.","type":"boolean","const":true,"examples":[true]},"role":{"description":"Kind of the actor that asks: a director or an agent.","type":"string","enum":["director","agent"],"examples":["director"]},"id":{"description":"Id of the director or agent that asks.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["psychologist"]},"turn":{"description":"Number of the request, from 1 in each run and each ask.","type":"integer","minimum":1,"x-unit":"requests","examples":[1]},"tool":{"description":"The last message is the result of this tool.","type":"string","pattern":"^[A-Za-z0-9_-]{1,64}$","x-expected":"the name of a tool","examples":["agent__psychologist"]},"text":{"description":"A regular expression that the last user message matches. Case-sensitive unless it starts with `(?i)`.","type":"string","minLength":1,"maxLength":2000,"x-regex":true,"examples":["(?i)urgent"]}},"examples":[{"role":"director","turn":1}]};
const pattern43 = new RegExp("^[A-Za-z0-9_-]{1,64}$", "u");

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate10.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(Object.keys(data).length < 1){
const err0 = {instancePath,schemaPath:"#/minProperties",keyword:"minProperties",params:{limit: 1},message:"must NOT have fewer than 1 properties",schema:1,parentSchema:schema9,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
for(const key0 in data){
if(!((((((key0 === "any") || (key0 === "role")) || (key0 === "id")) || (key0 === "turn")) || (key0 === "tool")) || (key0 === "text"))){
const err1 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema9,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.any !== undefined){
let data0 = data.any;
if(typeof data0 !== "boolean"){
const err2 = {instancePath:instancePath+"/any",schemaPath:"#/properties/any/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema9.properties.any.type,parentSchema:schema9.properties.any,data:data0};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(true !== data0){
const err3 = {instancePath:instancePath+"/any",schemaPath:"#/properties/any/const",keyword:"const",params:{allowedValue: true},message:"must be equal to constant",schema:true,parentSchema:schema9.properties.any,data:data0};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.role !== undefined){
let data1 = data.role;
if(typeof data1 !== "string"){
const err4 = {instancePath:instancePath+"/role",schemaPath:"#/properties/role/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema9.properties.role.type,parentSchema:schema9.properties.role,data:data1};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(!((data1 === "director") || (data1 === "agent"))){
const err5 = {instancePath:instancePath+"/role",schemaPath:"#/properties/role/enum",keyword:"enum",params:{allowedValues: schema9.properties.role.enum},message:"must be equal to one of the allowed values",schema:schema9.properties.role.enum,parentSchema:schema9.properties.role,data:data1};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.id !== undefined){
let data2 = data.id;
if(typeof data2 === "string"){
if(!pattern0.test(data2)){
const err6 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{1,48}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{1,48}$"+"\"",schema:"^[A-Za-z0-9_-]{1,48}$",parentSchema:schema9.properties.id,data:data2};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema9.properties.id.type,parentSchema:schema9.properties.id,data:data2};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.turn !== undefined){
let data3 = data.turn;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
const err8 = {instancePath:instancePath+"/turn",schemaPath:"#/properties/turn/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema9.properties.turn.type,parentSchema:schema9.properties.turn,data:data3};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 < 1 || isNaN(data3)){
const err9 = {instancePath:instancePath+"/turn",schemaPath:"#/properties/turn/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema9.properties.turn,data:data3};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
}
if(data.tool !== undefined){
let data4 = data.tool;
if(typeof data4 === "string"){
if(!pattern43.test(data4)){
const err10 = {instancePath:instancePath+"/tool",schemaPath:"#/properties/tool/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{1,64}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{1,64}$"+"\"",schema:"^[A-Za-z0-9_-]{1,64}$",parentSchema:schema9.properties.tool,data:data4};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
else {
const err11 = {instancePath:instancePath+"/tool",schemaPath:"#/properties/tool/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema9.properties.tool.type,parentSchema:schema9.properties.tool,data:data4};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.text !== undefined){
let data5 = data.text;
if(typeof data5 === "string"){
if(func1(data5) > 2000){
const err12 = {instancePath:instancePath+"/text",schemaPath:"#/properties/text/maxLength",keyword:"maxLength",params:{limit: 2000},message:"must NOT have more than 2000 characters",schema:2000,parentSchema:schema9.properties.text,data:data5};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if(func1(data5) < 1){
const err13 = {instancePath:instancePath+"/text",schemaPath:"#/properties/text/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema9.properties.text,data:data5};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
else {
const err14 = {instancePath:instancePath+"/text",schemaPath:"#/properties/text/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema9.properties.text.type,parentSchema:schema9.properties.text,data:data5};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
}
else {
const err15 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema9.type,parentSchema:schema9,data};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
validate10.errors = vErrors;
return errors === 0;
}
validate10.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema10 = {"title":"ScriptCall","description":"A tool call.","type":"object","additionalProperties":false,"required":["tool"],"properties":{"tool":{"description":"Name of the tool.","type":"string","pattern":"^[A-Za-z0-9_-]{1,64}$","x-expected":"the name of a tool","examples":["workspace_add_item"]},"arguments":{"description":"Arguments of the call. Templates in its texts are replaced as in `say`.","type":"object","additionalProperties":true,"default":{},"examples":[{"label":"Summary","mimeType":"text/markdown","data":"{{lastUserText}}"}]}},"examples":[{"tool":"workspace_add_item","arguments":{"label":"Summary","mimeType":"text/plain","data":"{{lastToolResult}}"}}]};

function validate12(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate12.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.arguments === undefined){
data.arguments = {};
}
if(data.tool === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "tool"},message:"must have required property '"+"tool"+"'",schema:schema10.required,parentSchema:schema10,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
for(const key0 in data){
if(!((key0 === "tool") || (key0 === "arguments"))){
const err1 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema10,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.tool !== undefined){
let data0 = data.tool;
if(typeof data0 === "string"){
if(!pattern43.test(data0)){
const err2 = {instancePath:instancePath+"/tool",schemaPath:"#/properties/tool/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{1,64}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{1,64}$"+"\"",schema:"^[A-Za-z0-9_-]{1,64}$",parentSchema:schema10.properties.tool,data:data0};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath:instancePath+"/tool",schemaPath:"#/properties/tool/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema10.properties.tool.type,parentSchema:schema10.properties.tool,data:data0};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
let data1 = data.arguments;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
}
else {
const err4 = {instancePath:instancePath+"/arguments",schemaPath:"#/properties/arguments/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema10.properties.arguments.type,parentSchema:schema10.properties.arguments,data:data1};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
else {
const err5 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema10.type,parentSchema:schema10,data};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
validate12.errors = vErrors;
return errors === 0;
}
validate12.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate9(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate9.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs1 = errors;
let valid0 = false;
let passing0 = null;
const _errs2 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.say === undefined){
const err0 = {instancePath,schemaPath:"#/oneOf/0/required",keyword:"required",params:{missingProperty: "say"},message:"must have required property '"+"say"+"'",schema:schema8.oneOf[0].required,parentSchema:schema8.oneOf[0],data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
var _valid0 = _errs2 === errors;
if(_valid0){
valid0 = true;
passing0 = 0;
}
const _errs3 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.call === undefined){
const err1 = {instancePath,schemaPath:"#/oneOf/1/required",keyword:"required",params:{missingProperty: "call"},message:"must have required property '"+"call"+"'",schema:schema8.oneOf[1].required,parentSchema:schema8.oneOf[1],data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
var _valid0 = _errs3 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 1];
}
else {
if(_valid0){
valid0 = true;
passing0 = 1;
}
}
if(!valid0){
const err2 = {instancePath,schemaPath:"#/oneOf",keyword:"oneOf",params:{passingSchemas: passing0},message:"must match exactly one schema in oneOf",schema:schema8.oneOf,parentSchema:schema8,data};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
else {
errors = _errs1;
if(vErrors !== null){
if(_errs1){
vErrors.length = _errs1;
}
else {
vErrors = null;
}
}
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.when === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "when"},message:"must have required property '"+"when"+"'",schema:schema8.required,parentSchema:schema8,data};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
for(const key0 in data){
if(!(((key0 === "when") || (key0 === "say")) || (key0 === "call"))){
const err4 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema8,data};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.when !== undefined){
if(!(validate10(data.when, {instancePath:instancePath+"/when",parentData:data,parentDataProperty:"when",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate10.errors : vErrors.concat(validate10.errors);
errors = vErrors.length;
}
}
if(data.say !== undefined){
let data1 = data.say;
if(typeof data1 !== "string"){
const err5 = {instancePath:instancePath+"/say",schemaPath:"#/properties/say/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema8.properties.say.type,parentSchema:schema8.properties.say,data:data1};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.call !== undefined){
let data2 = data.call;
const _errs9 = errors;
let valid2 = true;
const _errs10 = errors;
if(!(Array.isArray(data2))){
const err6 = {};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
var _valid1 = _errs10 === errors;
errors = _errs9;
if(vErrors !== null){
if(_errs9){
vErrors.length = _errs9;
}
else {
vErrors = null;
}
}
let ifClause0;
if(_valid1){
const _errs12 = errors;
if(Array.isArray(data2)){
if(data2.length < 1){
const err7 = {instancePath:instancePath+"/call",schemaPath:"#/properties/call/then/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items",schema:1,parentSchema:schema8.properties.call.then,data:data2};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
const len0 = data2.length;
for(let i0=0; i0<len0; i0++){
if(!(validate12(data2[i0], {instancePath:instancePath+"/call/" + i0,parentData:data2,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate12.errors : vErrors.concat(validate12.errors);
errors = vErrors.length;
}
}
}
else {
const err8 = {instancePath:instancePath+"/call",schemaPath:"#/properties/call/then/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema8.properties.call.then.type,parentSchema:schema8.properties.call.then,data:data2};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
var _valid1 = _errs12 === errors;
valid2 = _valid1;
ifClause0 = "then";
}
else {
const _errs15 = errors;
if(!(validate12(data2, {instancePath:instancePath+"/call",parentData:data,parentDataProperty:"call",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate12.errors : vErrors.concat(validate12.errors);
errors = vErrors.length;
}
var _valid1 = _errs15 === errors;
valid2 = _valid1;
ifClause0 = "else";
}
if(!valid2){
const err9 = {instancePath:instancePath+"/call",schemaPath:"#/properties/call/if",keyword:"if",params:{failingKeyword: ifClause0},message:"must match \""+ifClause0+"\" schema",schema:schema8.properties.call.if,parentSchema:schema8.properties.call,data:data2};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
}
else {
const err10 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema8.type,parentSchema:schema8,data};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
validate9.errors = vErrors;
return errors === 0;
}
validate9.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate8(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate8.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.description === undefined){
data.description = "";
}
if(data.enabled === undefined){
data.enabled = true;
}
if(data.locality === undefined){
data.locality = "local";
}
if(data.fallback === undefined){
data.fallback = [];
}
if(data.id === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'",schema:schema7.required,parentSchema:schema7,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.provider === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "provider"},message:"must have required property '"+"provider"+"'",schema:schema7.required,parentSchema:schema7,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.script === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "script"},message:"must have required property '"+"script"+"'",schema:schema7.required,parentSchema:schema7,data};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
for(const key0 in data){
if(!(func0.call(schema7.properties, key0))){
const err3 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema7,data};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.$schema !== undefined){
let data0 = data.$schema;
if(typeof data0 !== "string"){
const err4 = {instancePath:instancePath+"/$schema",schemaPath:"#/properties/%24schema/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema7.properties.$schema.type,parentSchema:schema7.properties.$schema,data:data0};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.id !== undefined){
let data1 = data.id;
if(typeof data1 === "string"){
if(!pattern0.test(data1)){
const err5 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{1,48}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{1,48}$"+"\"",schema:"^[A-Za-z0-9_-]{1,48}$",parentSchema:schema7.properties.id,data:data1};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
else {
const err6 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema7.properties.id.type,parentSchema:schema7.properties.id,data:data1};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
let data2 = data.description;
if(typeof data2 !== "string"){
const err7 = {instancePath:instancePath+"/description",schemaPath:"#/properties/description/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema7.properties.description.type,parentSchema:schema7.properties.description,data:data2};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
let data3 = data.enabled;
if(typeof data3 !== "boolean"){
const err8 = {instancePath:instancePath+"/enabled",schemaPath:"#/properties/enabled/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema7.properties.enabled.type,parentSchema:schema7.properties.enabled,data:data3};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(data.order !== undefined){
let data4 = data.order;
if(!((typeof data4 == "number") && (isFinite(data4)))){
const err9 = {instancePath:instancePath+"/order",schemaPath:"#/properties/order/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema7.properties.order.type,parentSchema:schema7.properties.order,data:data4};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.provider !== undefined){
let data5 = data.provider;
if(typeof data5 !== "string"){
const err10 = {instancePath:instancePath+"/provider",schemaPath:"#/properties/provider/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema7.properties.provider.type,parentSchema:schema7.properties.provider,data:data5};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if("scripted" !== data5){
const err11 = {instancePath:instancePath+"/provider",schemaPath:"#/properties/provider/const",keyword:"const",params:{allowedValue: "scripted"},message:"must be equal to constant",schema:"scripted",parentSchema:schema7.properties.provider,data:data5};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.script !== undefined){
let data6 = data.script;
if(Array.isArray(data6)){
if(data6.length > 1000){
const err12 = {instancePath:instancePath+"/script",schemaPath:"#/properties/script/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items",schema:1000,parentSchema:schema7.properties.script,data:data6};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if(data6.length < 1){
const err13 = {instancePath:instancePath+"/script",schemaPath:"#/properties/script/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items",schema:1,parentSchema:schema7.properties.script,data:data6};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
const len0 = data6.length;
for(let i0=0; i0<len0; i0++){
if(!(validate9(data6[i0], {instancePath:instancePath+"/script/" + i0,parentData:data6,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate9.errors : vErrors.concat(validate9.errors);
errors = vErrors.length;
}
}
}
else {
const err14 = {instancePath:instancePath+"/script",schemaPath:"#/properties/script/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema7.properties.script.type,parentSchema:schema7.properties.script,data:data6};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
let data8 = data.locality;
if(typeof data8 !== "string"){
const err15 = {instancePath:instancePath+"/locality",schemaPath:"#/properties/locality/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema7.properties.locality.type,parentSchema:schema7.properties.locality,data:data8};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
if(!((data8 === "any") || (data8 === "local"))){
const err16 = {instancePath:instancePath+"/locality",schemaPath:"#/properties/locality/enum",keyword:"enum",params:{allowedValues: schema7.properties.locality.enum},message:"must be equal to one of the allowed values",schema:schema7.properties.locality.enum,parentSchema:schema7.properties.locality,data:data8};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
let data9 = data.fallback;
if(Array.isArray(data9)){
if(data9.length > 1000){
const err17 = {instancePath:instancePath+"/fallback",schemaPath:"#/properties/fallback/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items",schema:1000,parentSchema:schema7.properties.fallback,data:data9};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
const len1 = data9.length;
for(let i1=0; i1<len1; i1++){
let data10 = data9[i1];
if(typeof data10 === "string"){
if(!pattern0.test(data10)){
const err18 = {instancePath:instancePath+"/fallback/" + i1,schemaPath:"#/properties/fallback/items/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{1,48}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{1,48}$"+"\"",schema:"^[A-Za-z0-9_-]{1,48}$",parentSchema:schema7.properties.fallback.items,data:data10};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
else {
const err19 = {instancePath:instancePath+"/fallback/" + i1,schemaPath:"#/properties/fallback/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema7.properties.fallback.items.type,parentSchema:schema7.properties.fallback.items,data:data10};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
}
else {
const err20 = {instancePath:instancePath+"/fallback",schemaPath:"#/properties/fallback/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema7.properties.fallback.type,parentSchema:schema7.properties.fallback,data:data9};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
else {
const err21 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema7.type,parentSchema:schema7,data};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
validate8.errors = vErrors;
return errors === 0;
}
validate8.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate3(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="api.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate3.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.id === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'",schema:schema2.required,parentSchema:schema2,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.provider === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "provider"},message:"must have required property '"+"provider"+"'",schema:schema2.required,parentSchema:schema2,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
const tag0 = data.provider;
if(typeof tag0 == "string"){
if(tag0 === "openai"){
if(!(validate4(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate4.errors : vErrors.concat(validate4.errors);
errors = vErrors.length;
}
var props0 = true;
}
else if(tag0 === "anthropic"){
if(!(validate5(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate5.errors : vErrors.concat(validate5.errors);
errors = vErrors.length;
}
if(props0 !== true){
props0 = true;
}
}
else if(tag0 === "ollama"){
if(!(validate6(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate6.errors : vErrors.concat(validate6.errors);
errors = vErrors.length;
}
if(props0 !== true){
props0 = true;
}
}
else if(tag0 === "cli"){
if(!(validate7(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate7.errors : vErrors.concat(validate7.errors);
errors = vErrors.length;
}
if(props0 !== true){
props0 = true;
}
}
else if(tag0 === "scripted"){
if(!(validate8(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate8.errors : vErrors.concat(validate8.errors);
errors = vErrors.length;
}
if(props0 !== true){
props0 = true;
}
}
else {
const err2 = {instancePath,schemaPath:"#/discriminator",keyword:"discriminator",params:{error: "mapping", tag: "provider", tagValue: tag0},message:"value of tag \"provider\" must be in oneOf",schema:schema2.discriminator,parentSchema:schema2,data};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath,schemaPath:"#/discriminator",keyword:"discriminator",params:{error: "tag", tag: "provider", tagValue: tag0},message:"tag \"provider\" must be string",schema:schema2.discriminator,parentSchema:schema2,data};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
else {
const err4 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema2.type,parentSchema:schema2,data};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
validate3.errors = vErrors;
evaluated0.props = props0;
return errors === 0;
}
validate3.evaluated = {"dynamicProps":true,"dynamicItems":false};

export const account = validate21;
const schema11 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"account.schema.json","title":"Account","description":"A mailbox: a file in `accounts/`.","type":"object","required":["id","provider"],"discriminator":{"propertyName":"provider"},"oneOf":[{"$ref":"#/$defs/folder"},{"$ref":"#/$defs/imap"},{"$ref":"#/$defs/gmail"},{"$ref":"#/$defs/outlook"}],"$defs":{"folder":{"title":"FolderAccount","description":"A folder of .eml files or a Maildir. Callsheet fetches each file that is put into it.","type":"object","additionalProperties":false,"required":["id","provider","email","path"],"properties":{"$schema":{"description":"The schema of a JSON file, for editors. YAML files name it in their first line.","type":"string","examples":["../../schemas/account.schema.json"]},"id":{"description":"Id of this account, or its address. Equals the file name.","type":"string","pattern":"^([A-Za-z0-9_-]{1,48}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190})$","x-expected":"an id (1 to 48 letters, digits, _ or -) or an e-mail address","examples":["archive","jane@company.com"]},"description":{"description":"A note for people.","type":"string","default":"","examples":["Mail that colleagues drop into the shared folder."]},"enabled":{"description":"Set to false to disable this account without deleting its file.","type":"boolean","default":true,"examples":[false]},"order":{"description":"Position among the accounts: lowest number first, then by id. Accounts without a number come last.","type":"number","x-unit":"rank","examples":[10]},"provider":{"description":"`folder`: a folder on this machine.","type":"string","const":"folder","examples":["folder"]},"email":{"description":"Address of the mailbox. Mail from this address counts as own mail.","type":"string","pattern":"^[^\\s@<>]+@[^\\s@<>]+$","maxLength":254,"x-expected":"an e-mail address","examples":["me@example.org"]},"path":{"description":"The folder. Relative paths start at the parent of the config folder.","type":"string","minLength":1,"examples":["./inbox"]},"format":{"description":"Format of the folder: .eml files (`eml`), a Maildir with cur and new (`maildir`), or detected (`auto`).","type":"string","enum":["auto","eml","maildir"],"default":"auto","examples":["auto"]},"signature":{"description":"Signature of mails that are written for this account. Plain text.","type":"string","minLength":1,"maxLength":4000,"examples":["Best,\nJane"]}}},"imap":{"title":"ImapAccount","description":"A mailbox on an IMAP server. Fetching does not change it.","type":"object","additionalProperties":false,"required":["id","provider","email","imap","auth"],"properties":{"$schema":{"description":"The schema of a JSON file, for editors. YAML files name it in their first line.","type":"string","examples":["../../schemas/account.schema.json"]},"id":{"description":"Id of this account, or its address. Equals the file name.","type":"string","pattern":"^([A-Za-z0-9_-]{1,48}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190})$","x-expected":"an id (1 to 48 letters, digits, _ or -) or an e-mail address","examples":["archive","jane@company.com"]},"description":{"description":"A note for people.","type":"string","default":"","examples":["Mail that colleagues drop into the shared folder."]},"enabled":{"description":"Set to false to disable this account without deleting its file.","type":"boolean","default":true,"examples":[false]},"order":{"description":"Position among the accounts: lowest number first, then by id. Accounts without a number come last.","type":"number","x-unit":"rank","examples":[10]},"provider":{"description":"`imap`: a mailbox on any IMAP server.","type":"string","const":"imap","examples":["imap"]},"email":{"description":"Address of the mailbox. Mail from this address counts as own mail.","type":"string","pattern":"^[^\\s@<>]+@[^\\s@<>]+$","maxLength":254,"x-expected":"an e-mail address","examples":["me@example.org"]},"imap":{"title":"ImapServer","description":"The server.","type":"object","additionalProperties":false,"required":["host"],"properties":{"host":{"description":"Name or address of the server.","type":"string","pattern":"^[^\\s/:@]+$|^[0-9A-Fa-f:]+$","x-expected":"a host name, with no port and no imap://","examples":["imap.example.org"]},"port":{"description":"Port of the server.","type":"integer","minimum":1,"maximum":65535,"default":993,"x-unit":"port number","examples":[993]},"secure":{"description":"True: TLS from the first byte, with a verified certificate. False: STARTTLS; a server without STARTTLS is not used, unless it is on this machine.","type":"boolean","default":true,"examples":[true]}},"examples":[{"host":"imap.example.org","port":993,"secure":true}]},"auth":{"title":"ImapLogin","description":"The login.","type":"object","additionalProperties":false,"required":["user","pass"],"properties":{"user":{"description":"User name; for most providers the mail address.","type":"string","minLength":1,"examples":["team@example.org"]},"pass":{"description":"Reference to the password: `${env:NAME}` or `${secret:NAME}`. Never the password itself.","type":"string","pattern":"^\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\}$","x-secret":true,"x-expected":"a reference such as ${env:TEAM_PASSWORD}","examples":["${env:TEAM_PASSWORD}","${secret:TEAM_PASSWORD}"]}},"examples":[{"user":"team@example.org","pass":"${env:TEAM_PASSWORD}"}]},"smtp":{"title":"SmtpServer","description":"The SMTP server. Without it, this account can write drafts but cannot send.","type":"object","additionalProperties":false,"required":["host"],"properties":{"host":{"description":"Name or address of the server.","type":"string","pattern":"^[^\\s/:@]+$|^[0-9A-Fa-f:]+$","x-expected":"a host name, with no port and no smtp://","examples":["smtp.example.org"]},"port":{"description":"Port of the server: 465 with `secure: true`, 587 with `secure: false`.","type":"integer","minimum":1,"maximum":65535,"default":465,"x-unit":"port number","examples":[465,587]},"secure":{"description":"True: TLS from the first byte, with a verified certificate. False: STARTTLS; nothing is sent to a server without STARTTLS, unless it is on this machine.","type":"boolean","default":true,"examples":[true]},"auth":{"title":"SmtpLogin","description":"The login, if it differs from `auth` of the account.","type":"object","additionalProperties":false,"required":["user","pass"],"properties":{"user":{"description":"User name.","type":"string","minLength":1,"examples":["team@example.org"]},"pass":{"description":"Reference to the password: `${env:NAME}` or `${secret:NAME}`. Never the password itself.","type":"string","pattern":"^\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\}$","x-secret":true,"x-expected":"a reference such as ${env:SMTP_PASSWORD}","examples":["${env:SMTP_PASSWORD}"]}},"examples":[{"user":"team@example.org","pass":"${env:SMTP_PASSWORD}"}]},"savesSent":{"description":"True if the server itself stores sent mails in the Sent folder. Not needed for Gmail, which is known to do so.","type":"boolean","default":false,"examples":[true]}},"examples":[{"host":"smtp.example.org","port":465,"secure":true}]},"mailbox":{"description":"The mailbox to fetch, as the server spells it. Mailboxes below it are not fetched.","type":"string","minLength":1,"default":"INBOX","examples":["INBOX","Projects/Orders"]},"signature":{"description":"Signature of mails that are written for this account. Plain text.","type":"string","minLength":1,"maxLength":4000,"examples":["Best,\nJane"]}}},"gmail":{"title":"GmailAccount","description":"A Gmail mailbox. A person signs in once, and the store keeps the tokens; they never stand in this file.","type":"object","additionalProperties":false,"required":["id","provider","email","oauth"],"properties":{"$schema":{"description":"The schema of a JSON file, for editors. YAML files name it in their first line.","type":"string","examples":["../../schemas/account.schema.json"]},"id":{"description":"Id of this account, or its address. Equals the file name.","type":"string","pattern":"^([A-Za-z0-9_-]{1,48}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190})$","x-expected":"an id (1 to 48 letters, digits, _ or -) or an e-mail address","examples":["archive","jane@company.com"]},"description":{"description":"A note for people.","type":"string","default":"","examples":["Mail that colleagues drop into the shared folder."]},"enabled":{"description":"Set to false to disable this account without deleting its file.","type":"boolean","default":true,"examples":[false]},"order":{"description":"Position among the accounts: lowest number first, then by id. Accounts without a number come last.","type":"number","x-unit":"rank","examples":[10]},"provider":{"description":"`gmail`: a mailbox at Google.","type":"string","const":"gmail","examples":["gmail"]},"email":{"description":"Address of the mailbox. The sign-in must be for this address. Mail from it counts as own mail.","type":"string","pattern":"^[^\\s@<>]+@[^\\s@<>]+$","maxLength":254,"x-expected":"an e-mail address","examples":["jane@company.com"]},"signature":{"description":"Signature of mails that are written for this account. Replaces the signature set in Gmail. Plain text.","type":"string","minLength":1,"maxLength":4000,"examples":["Best,\nJane"]},"oauth":{"title":"GoogleClient","description":"The OAuth client, created in the Google Cloud console.","type":"object","additionalProperties":false,"required":["clientId","clientSecret"],"properties":{"clientId":{"description":"Id of the client. It is not secret, but may be a reference.","type":"string","pattern":"^[^\\s]+$","x-expected":"a client id with no spaces, or a reference to one","examples":["${env:GOOGLE_CLIENT_ID}","1234-abcd.apps.googleusercontent.com"]},"clientSecret":{"description":"Reference to the client secret: `${env:NAME}` or `${secret:NAME}`. Google issues one for desktop clients, too.","type":"string","pattern":"^\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\}$","x-secret":true,"x-expected":"a reference such as ${env:GOOGLE_CLIENT_SECRET}","examples":["${env:GOOGLE_CLIENT_SECRET}","${secret:GOOGLE_CLIENT_SECRET}"]}},"examples":[{"clientId":"${env:GOOGLE_CLIENT_ID}","clientSecret":"${env:GOOGLE_CLIENT_SECRET}"}]},"endpoints":{"title":"GoogleEndpoints","description":"Addresses of Google, for emulators and proxies. Default: Google itself.","type":"object","additionalProperties":false,"properties":{"auth":{"description":"Sign-in page: the address before `/o/oauth2/v2/auth`.","type":"string","pattern":"^(https://[^\\s/?#@]+|http://(127\\.0\\.0\\.1|localhost|\\[::1\\])(:[0-9]+)?)(/[^\\s?#]*)?$","x-expected":"an address that starts with https://, or http:// on this machine","examples":["https://accounts.google.com"]},"token":{"description":"Token endpoint: the address before `/token`.","type":"string","pattern":"^(https://[^\\s/?#@]+|http://(127\\.0\\.0\\.1|localhost|\\[::1\\])(:[0-9]+)?)(/[^\\s?#]*)?$","x-expected":"an address that starts with https://, or http:// on this machine","examples":["https://oauth2.googleapis.com"]},"api":{"description":"Gmail, Calendar and Tasks: the address before `/gmail/v1`.","type":"string","pattern":"^(https://[^\\s/?#@]+|http://(127\\.0\\.0\\.1|localhost|\\[::1\\])(:[0-9]+)?)(/[^\\s?#]*)?$","x-expected":"an address that starts with https://, or http:// on this machine","examples":["https://gmail.googleapis.com"]}},"examples":[{"auth":"http://127.0.0.1:4002","token":"http://127.0.0.1:4002","api":"http://127.0.0.1:4002"}]},"labels":{"description":"Callsheet fetches mail with one of these labels, named as Gmail shows them.","type":"array","minItems":1,"maxItems":20,"items":{"type":"string","minLength":1,"maxLength":225},"default":["INBOX"],"examples":[["INBOX"],["INBOX","Callsheet/To do"]]},"replies":{"description":"True: people reply from the viewer through this account, so the sign-in also requests drafts and sending. Not needed for directors and agents with mail tools.","type":"boolean","default":false,"examples":[true]}}},"outlook":{"title":"OutlookAccount","description":"An Outlook or Microsoft 365 mailbox; Callsheet fetches its Inbox. A person signs in once, and the store keeps the tokens; they never stand in this file.","type":"object","additionalProperties":false,"required":["id","provider","email","oauth"],"properties":{"$schema":{"description":"The schema of a JSON file, for editors. YAML files name it in their first line.","type":"string","examples":["../../schemas/account.schema.json"]},"id":{"description":"Id of this account, or its address. Equals the file name.","type":"string","pattern":"^([A-Za-z0-9_-]{1,48}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190})$","x-expected":"an id (1 to 48 letters, digits, _ or -) or an e-mail address","examples":["archive","jane@company.com"]},"description":{"description":"A note for people.","type":"string","default":"","examples":["Mail that colleagues drop into the shared folder."]},"enabled":{"description":"Set to false to disable this account without deleting its file.","type":"boolean","default":true,"examples":[false]},"order":{"description":"Position among the accounts: lowest number first, then by id. Accounts without a number come last.","type":"number","x-unit":"rank","examples":[10]},"provider":{"description":"`outlook`: a mailbox at Microsoft, personal or of an organisation.","type":"string","const":"outlook","examples":["outlook"]},"email":{"description":"Address of the mailbox. The sign-in must be for this address. Mail from it counts as own mail.","type":"string","pattern":"^[^\\s@<>]+@[^\\s@<>]+$","maxLength":254,"x-expected":"an e-mail address","examples":["jane@company.com"]},"signature":{"description":"Signature of mails that are written for this account. Plain text.","type":"string","minLength":1,"maxLength":4000,"examples":["Best,\nJane"]},"oauth":{"title":"MicrosoftClient","description":"The app registration, created in the Microsoft Entra admin center.","type":"object","additionalProperties":false,"required":["clientId"],"properties":{"clientId":{"description":"Application (client) id. It is not secret, but may be a reference.","type":"string","pattern":"^[^\\s]+$","x-expected":"a client id with no spaces, or a reference to one","examples":["${env:MICROSOFT_CLIENT_ID}","00001111-aaaa-2222-bbbb-3333cccc4444"]},"clientSecret":{"description":"Reference to the client secret: `${env:NAME}` or `${secret:NAME}`. Only for the platform Web; Mobile and desktop applications have none.","type":"string","pattern":"^\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\}$","x-secret":true,"x-expected":"a reference such as ${env:MICROSOFT_CLIENT_SECRET}","examples":["${env:MICROSOFT_CLIENT_SECRET}","${secret:MICROSOFT_CLIENT_SECRET}"]},"tenant":{"description":"Accounts that may sign in: `common` for all, `organizations` for work and school, `consumers` for personal accounts, or the id or domain of one organisation.","type":"string","pattern":"^[A-Za-z0-9][A-Za-z0-9.-]*$","x-expected":"common, organizations, consumers, or the id or domain of an organisation","default":"common","examples":["common","contoso.onmicrosoft.com"]}},"examples":[{"clientId":"${env:MICROSOFT_CLIENT_ID}"},{"clientId":"${env:MICROSOFT_CLIENT_ID}","clientSecret":"${env:MICROSOFT_CLIENT_SECRET}","tenant":"contoso.onmicrosoft.com"}]},"endpoints":{"title":"MicrosoftEndpoints","description":"Addresses of Microsoft, for national clouds, emulators and proxies. Default: the worldwide cloud.","type":"object","additionalProperties":false,"properties":{"auth":{"description":"Sign-in page: the address before the tenant.","type":"string","pattern":"^(https://[^\\s/?#@]+|http://(127\\.0\\.0\\.1|localhost|\\[::1\\])(:[0-9]+)?)(/[^\\s?#]*)?$","x-expected":"an address that starts with https://, or http:// on this machine","examples":["https://login.microsoftonline.us"]},"token":{"description":"Token endpoint: the address before the tenant. Default: `auth`.","type":"string","pattern":"^(https://[^\\s/?#@]+|http://(127\\.0\\.0\\.1|localhost|\\[::1\\])(:[0-9]+)?)(/[^\\s?#]*)?$","x-expected":"an address that starts with https://, or http:// on this machine","examples":["https://login.microsoftonline.us"]},"api":{"description":"Microsoft Graph: the address before `/v1.0`.","type":"string","pattern":"^(https://[^\\s/?#@]+|http://(127\\.0\\.0\\.1|localhost|\\[::1\\])(:[0-9]+)?)(/[^\\s?#]*)?$","x-expected":"an address that starts with https://, or http:// on this machine","examples":["https://graph.microsoft.us"]}},"examples":[{"auth":"https://login.microsoftonline.us","api":"https://graph.microsoft.us"}]},"replies":{"description":"True: people reply from the viewer through this account, so the sign-in also requests drafts and sending. Not needed for directors and agents with mail tools.","type":"boolean","default":false,"examples":[true]}}}}};
const schema12 = {"title":"FolderAccount","description":"A folder of .eml files or a Maildir. Callsheet fetches each file that is put into it.","type":"object","additionalProperties":false,"required":["id","provider","email","path"],"properties":{"$schema":{"description":"The schema of a JSON file, for editors. YAML files name it in their first line.","type":"string","examples":["../../schemas/account.schema.json"]},"id":{"description":"Id of this account, or its address. Equals the file name.","type":"string","pattern":"^([A-Za-z0-9_-]{1,48}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190})$","x-expected":"an id (1 to 48 letters, digits, _ or -) or an e-mail address","examples":["archive","jane@company.com"]},"description":{"description":"A note for people.","type":"string","default":"","examples":["Mail that colleagues drop into the shared folder."]},"enabled":{"description":"Set to false to disable this account without deleting its file.","type":"boolean","default":true,"examples":[false]},"order":{"description":"Position among the accounts: lowest number first, then by id. Accounts without a number come last.","type":"number","x-unit":"rank","examples":[10]},"provider":{"description":"`folder`: a folder on this machine.","type":"string","const":"folder","examples":["folder"]},"email":{"description":"Address of the mailbox. Mail from this address counts as own mail.","type":"string","pattern":"^[^\\s@<>]+@[^\\s@<>]+$","maxLength":254,"x-expected":"an e-mail address","examples":["me@example.org"]},"path":{"description":"The folder. Relative paths start at the parent of the config folder.","type":"string","minLength":1,"examples":["./inbox"]},"format":{"description":"Format of the folder: .eml files (`eml`), a Maildir with cur and new (`maildir`), or detected (`auto`).","type":"string","enum":["auto","eml","maildir"],"default":"auto","examples":["auto"]},"signature":{"description":"Signature of mails that are written for this account. Plain text.","type":"string","minLength":1,"maxLength":4000,"examples":["Best,\nJane"]}}};
const pattern47 = new RegExp("^[^\\s@<>]+@[^\\s@<>]+$", "u");

function validate22(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate22.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.description === undefined){
data.description = "";
}
if(data.enabled === undefined){
data.enabled = true;
}
if(data.format === undefined){
data.format = "auto";
}
if(data.id === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'",schema:schema12.required,parentSchema:schema12,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.provider === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "provider"},message:"must have required property '"+"provider"+"'",schema:schema12.required,parentSchema:schema12,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.email === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "email"},message:"must have required property '"+"email"+"'",schema:schema12.required,parentSchema:schema12,data};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.path === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "path"},message:"must have required property '"+"path"+"'",schema:schema12.required,parentSchema:schema12,data};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
for(const key0 in data){
if(!(func0.call(schema12.properties, key0))){
const err4 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema12,data};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.$schema !== undefined){
let data0 = data.$schema;
if(typeof data0 !== "string"){
const err5 = {instancePath:instancePath+"/$schema",schemaPath:"#/properties/%24schema/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema12.properties.$schema.type,parentSchema:schema12.properties.$schema,data:data0};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.id !== undefined){
let data1 = data.id;
if(typeof data1 === "string"){
if(!pattern8.test(data1)){
const err6 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/pattern",keyword:"pattern",params:{pattern: "^([A-Za-z0-9_-]{1,48}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190})$"},message:"must match pattern \""+"^([A-Za-z0-9_-]{1,48}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190})$"+"\"",schema:"^([A-Za-z0-9_-]{1,48}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190})$",parentSchema:schema12.properties.id,data:data1};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema12.properties.id.type,parentSchema:schema12.properties.id,data:data1};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
let data2 = data.description;
if(typeof data2 !== "string"){
const err8 = {instancePath:instancePath+"/description",schemaPath:"#/properties/description/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema12.properties.description.type,parentSchema:schema12.properties.description,data:data2};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
let data3 = data.enabled;
if(typeof data3 !== "boolean"){
const err9 = {instancePath:instancePath+"/enabled",schemaPath:"#/properties/enabled/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema12.properties.enabled.type,parentSchema:schema12.properties.enabled,data:data3};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(data.order !== undefined){
let data4 = data.order;
if(!((typeof data4 == "number") && (isFinite(data4)))){
const err10 = {instancePath:instancePath+"/order",schemaPath:"#/properties/order/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema12.properties.order.type,parentSchema:schema12.properties.order,data:data4};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.provider !== undefined){
let data5 = data.provider;
if(typeof data5 !== "string"){
const err11 = {instancePath:instancePath+"/provider",schemaPath:"#/properties/provider/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema12.properties.provider.type,parentSchema:schema12.properties.provider,data:data5};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if("folder" !== data5){
const err12 = {instancePath:instancePath+"/provider",schemaPath:"#/properties/provider/const",keyword:"const",params:{allowedValue: "folder"},message:"must be equal to constant",schema:"folder",parentSchema:schema12.properties.provider,data:data5};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.email !== undefined){
let data6 = data.email;
if(typeof data6 === "string"){
if(func1(data6) > 254){
const err13 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/maxLength",keyword:"maxLength",params:{limit: 254},message:"must NOT have more than 254 characters",schema:254,parentSchema:schema12.properties.email,data:data6};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if(!pattern47.test(data6)){
const err14 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/pattern",keyword:"pattern",params:{pattern: "^[^\\s@<>]+@[^\\s@<>]+$"},message:"must match pattern \""+"^[^\\s@<>]+@[^\\s@<>]+$"+"\"",schema:"^[^\\s@<>]+@[^\\s@<>]+$",parentSchema:schema12.properties.email,data:data6};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
else {
const err15 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema12.properties.email.type,parentSchema:schema12.properties.email,data:data6};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data.path !== undefined){
let data7 = data.path;
if(typeof data7 === "string"){
if(func1(data7) < 1){
const err16 = {instancePath:instancePath+"/path",schemaPath:"#/properties/path/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema12.properties.path,data:data7};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
else {
const err17 = {instancePath:instancePath+"/path",schemaPath:"#/properties/path/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema12.properties.path.type,parentSchema:schema12.properties.path,data:data7};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
let data8 = data.format;
if(typeof data8 !== "string"){
const err18 = {instancePath:instancePath+"/format",schemaPath:"#/properties/format/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema12.properties.format.type,parentSchema:schema12.properties.format,data:data8};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
if(!(((data8 === "auto") || (data8 === "eml")) || (data8 === "maildir"))){
const err19 = {instancePath:instancePath+"/format",schemaPath:"#/properties/format/enum",keyword:"enum",params:{allowedValues: schema12.properties.format.enum},message:"must be equal to one of the allowed values",schema:schema12.properties.format.enum,parentSchema:schema12.properties.format,data:data8};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
if(data.signature !== undefined){
let data9 = data.signature;
if(typeof data9 === "string"){
if(func1(data9) > 4000){
const err20 = {instancePath:instancePath+"/signature",schemaPath:"#/properties/signature/maxLength",keyword:"maxLength",params:{limit: 4000},message:"must NOT have more than 4000 characters",schema:4000,parentSchema:schema12.properties.signature,data:data9};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
if(func1(data9) < 1){
const err21 = {instancePath:instancePath+"/signature",schemaPath:"#/properties/signature/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema12.properties.signature,data:data9};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
else {
const err22 = {instancePath:instancePath+"/signature",schemaPath:"#/properties/signature/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema12.properties.signature.type,parentSchema:schema12.properties.signature,data:data9};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
}
else {
const err23 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema12.type,parentSchema:schema12,data};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
validate22.errors = vErrors;
return errors === 0;
}
validate22.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema13 = {"title":"ImapAccount","description":"A mailbox on an IMAP server. Fetching does not change it.","type":"object","additionalProperties":false,"required":["id","provider","email","imap","auth"],"properties":{"$schema":{"description":"The schema of a JSON file, for editors. YAML files name it in their first line.","type":"string","examples":["../../schemas/account.schema.json"]},"id":{"description":"Id of this account, or its address. Equals the file name.","type":"string","pattern":"^([A-Za-z0-9_-]{1,48}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190})$","x-expected":"an id (1 to 48 letters, digits, _ or -) or an e-mail address","examples":["archive","jane@company.com"]},"description":{"description":"A note for people.","type":"string","default":"","examples":["Mail that colleagues drop into the shared folder."]},"enabled":{"description":"Set to false to disable this account without deleting its file.","type":"boolean","default":true,"examples":[false]},"order":{"description":"Position among the accounts: lowest number first, then by id. Accounts without a number come last.","type":"number","x-unit":"rank","examples":[10]},"provider":{"description":"`imap`: a mailbox on any IMAP server.","type":"string","const":"imap","examples":["imap"]},"email":{"description":"Address of the mailbox. Mail from this address counts as own mail.","type":"string","pattern":"^[^\\s@<>]+@[^\\s@<>]+$","maxLength":254,"x-expected":"an e-mail address","examples":["me@example.org"]},"imap":{"title":"ImapServer","description":"The server.","type":"object","additionalProperties":false,"required":["host"],"properties":{"host":{"description":"Name or address of the server.","type":"string","pattern":"^[^\\s/:@]+$|^[0-9A-Fa-f:]+$","x-expected":"a host name, with no port and no imap://","examples":["imap.example.org"]},"port":{"description":"Port of the server.","type":"integer","minimum":1,"maximum":65535,"default":993,"x-unit":"port number","examples":[993]},"secure":{"description":"True: TLS from the first byte, with a verified certificate. False: STARTTLS; a server without STARTTLS is not used, unless it is on this machine.","type":"boolean","default":true,"examples":[true]}},"examples":[{"host":"imap.example.org","port":993,"secure":true}]},"auth":{"title":"ImapLogin","description":"The login.","type":"object","additionalProperties":false,"required":["user","pass"],"properties":{"user":{"description":"User name; for most providers the mail address.","type":"string","minLength":1,"examples":["team@example.org"]},"pass":{"description":"Reference to the password: `${env:NAME}` or `${secret:NAME}`. Never the password itself.","type":"string","pattern":"^\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\}$","x-secret":true,"x-expected":"a reference such as ${env:TEAM_PASSWORD}","examples":["${env:TEAM_PASSWORD}","${secret:TEAM_PASSWORD}"]}},"examples":[{"user":"team@example.org","pass":"${env:TEAM_PASSWORD}"}]},"smtp":{"title":"SmtpServer","description":"The SMTP server. Without it, this account can write drafts but cannot send.","type":"object","additionalProperties":false,"required":["host"],"properties":{"host":{"description":"Name or address of the server.","type":"string","pattern":"^[^\\s/:@]+$|^[0-9A-Fa-f:]+$","x-expected":"a host name, with no port and no smtp://","examples":["smtp.example.org"]},"port":{"description":"Port of the server: 465 with `secure: true`, 587 with `secure: false`.","type":"integer","minimum":1,"maximum":65535,"default":465,"x-unit":"port number","examples":[465,587]},"secure":{"description":"True: TLS from the first byte, with a verified certificate. False: STARTTLS; nothing is sent to a server without STARTTLS, unless it is on this machine.","type":"boolean","default":true,"examples":[true]},"auth":{"title":"SmtpLogin","description":"The login, if it differs from `auth` of the account.","type":"object","additionalProperties":false,"required":["user","pass"],"properties":{"user":{"description":"User name.","type":"string","minLength":1,"examples":["team@example.org"]},"pass":{"description":"Reference to the password: `${env:NAME}` or `${secret:NAME}`. Never the password itself.","type":"string","pattern":"^\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\}$","x-secret":true,"x-expected":"a reference such as ${env:SMTP_PASSWORD}","examples":["${env:SMTP_PASSWORD}"]}},"examples":[{"user":"team@example.org","pass":"${env:SMTP_PASSWORD}"}]},"savesSent":{"description":"True if the server itself stores sent mails in the Sent folder. Not needed for Gmail, which is known to do so.","type":"boolean","default":false,"examples":[true]}},"examples":[{"host":"smtp.example.org","port":465,"secure":true}]},"mailbox":{"description":"The mailbox to fetch, as the server spells it. Mailboxes below it are not fetched.","type":"string","minLength":1,"default":"INBOX","examples":["INBOX","Projects/Orders"]},"signature":{"description":"Signature of mails that are written for this account. Plain text.","type":"string","minLength":1,"maxLength":4000,"examples":["Best,\nJane"]}}};
const pattern50 = new RegExp("^[^\\s/:@]+$|^[0-9A-Fa-f:]+$", "u");

function validate23(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate23.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.description === undefined){
data.description = "";
}
if(data.enabled === undefined){
data.enabled = true;
}
if(data.mailbox === undefined){
data.mailbox = "INBOX";
}
if(data.id === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'",schema:schema13.required,parentSchema:schema13,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.provider === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "provider"},message:"must have required property '"+"provider"+"'",schema:schema13.required,parentSchema:schema13,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.email === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "email"},message:"must have required property '"+"email"+"'",schema:schema13.required,parentSchema:schema13,data};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.imap === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "imap"},message:"must have required property '"+"imap"+"'",schema:schema13.required,parentSchema:schema13,data};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.auth === undefined){
const err4 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "auth"},message:"must have required property '"+"auth"+"'",schema:schema13.required,parentSchema:schema13,data};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
for(const key0 in data){
if(!(func0.call(schema13.properties, key0))){
const err5 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema13,data};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.$schema !== undefined){
let data0 = data.$schema;
if(typeof data0 !== "string"){
const err6 = {instancePath:instancePath+"/$schema",schemaPath:"#/properties/%24schema/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.$schema.type,parentSchema:schema13.properties.$schema,data:data0};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.id !== undefined){
let data1 = data.id;
if(typeof data1 === "string"){
if(!pattern8.test(data1)){
const err7 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/pattern",keyword:"pattern",params:{pattern: "^([A-Za-z0-9_-]{1,48}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190})$"},message:"must match pattern \""+"^([A-Za-z0-9_-]{1,48}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190})$"+"\"",schema:"^([A-Za-z0-9_-]{1,48}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190})$",parentSchema:schema13.properties.id,data:data1};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.id.type,parentSchema:schema13.properties.id,data:data1};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
let data2 = data.description;
if(typeof data2 !== "string"){
const err9 = {instancePath:instancePath+"/description",schemaPath:"#/properties/description/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.description.type,parentSchema:schema13.properties.description,data:data2};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
let data3 = data.enabled;
if(typeof data3 !== "boolean"){
const err10 = {instancePath:instancePath+"/enabled",schemaPath:"#/properties/enabled/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema13.properties.enabled.type,parentSchema:schema13.properties.enabled,data:data3};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(data.order !== undefined){
let data4 = data.order;
if(!((typeof data4 == "number") && (isFinite(data4)))){
const err11 = {instancePath:instancePath+"/order",schemaPath:"#/properties/order/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema13.properties.order.type,parentSchema:schema13.properties.order,data:data4};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.provider !== undefined){
let data5 = data.provider;
if(typeof data5 !== "string"){
const err12 = {instancePath:instancePath+"/provider",schemaPath:"#/properties/provider/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.provider.type,parentSchema:schema13.properties.provider,data:data5};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if("imap" !== data5){
const err13 = {instancePath:instancePath+"/provider",schemaPath:"#/properties/provider/const",keyword:"const",params:{allowedValue: "imap"},message:"must be equal to constant",schema:"imap",parentSchema:schema13.properties.provider,data:data5};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data.email !== undefined){
let data6 = data.email;
if(typeof data6 === "string"){
if(func1(data6) > 254){
const err14 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/maxLength",keyword:"maxLength",params:{limit: 254},message:"must NOT have more than 254 characters",schema:254,parentSchema:schema13.properties.email,data:data6};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
if(!pattern47.test(data6)){
const err15 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/pattern",keyword:"pattern",params:{pattern: "^[^\\s@<>]+@[^\\s@<>]+$"},message:"must match pattern \""+"^[^\\s@<>]+@[^\\s@<>]+$"+"\"",schema:"^[^\\s@<>]+@[^\\s@<>]+$",parentSchema:schema13.properties.email,data:data6};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
else {
const err16 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.email.type,parentSchema:schema13.properties.email,data:data6};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data.imap !== undefined){
let data7 = data.imap;
if(data7 && typeof data7 == "object" && !Array.isArray(data7)){
if(data7.port === undefined){
data7.port = 993;
}
if(data7.secure === undefined){
data7.secure = true;
}
if(data7.host === undefined){
const err17 = {instancePath:instancePath+"/imap",schemaPath:"#/properties/imap/required",keyword:"required",params:{missingProperty: "host"},message:"must have required property '"+"host"+"'",schema:schema13.properties.imap.required,parentSchema:schema13.properties.imap,data:data7};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
for(const key1 in data7){
if(!(((key1 === "host") || (key1 === "port")) || (key1 === "secure"))){
const err18 = {instancePath:instancePath+"/imap",schemaPath:"#/properties/imap/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties",schema:false,parentSchema:schema13.properties.imap,data:data7};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
if(data7.host !== undefined){
let data8 = data7.host;
if(typeof data8 === "string"){
if(!pattern50.test(data8)){
const err19 = {instancePath:instancePath+"/imap/host",schemaPath:"#/properties/imap/properties/host/pattern",keyword:"pattern",params:{pattern: "^[^\\s/:@]+$|^[0-9A-Fa-f:]+$"},message:"must match pattern \""+"^[^\\s/:@]+$|^[0-9A-Fa-f:]+$"+"\"",schema:"^[^\\s/:@]+$|^[0-9A-Fa-f:]+$",parentSchema:schema13.properties.imap.properties.host,data:data8};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
else {
const err20 = {instancePath:instancePath+"/imap/host",schemaPath:"#/properties/imap/properties/host/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.imap.properties.host.type,parentSchema:schema13.properties.imap.properties.host,data:data8};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
let data9 = data7.port;
if(!(((typeof data9 == "number") && (!(data9 % 1) && !isNaN(data9))) && (isFinite(data9)))){
const err21 = {instancePath:instancePath+"/imap/port",schemaPath:"#/properties/imap/properties/port/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema13.properties.imap.properties.port.type,parentSchema:schema13.properties.imap.properties.port,data:data9};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
if((typeof data9 == "number") && (isFinite(data9))){
if(data9 > 65535 || isNaN(data9)){
const err22 = {instancePath:instancePath+"/imap/port",schemaPath:"#/properties/imap/properties/port/maximum",keyword:"maximum",params:{comparison: "<=", limit: 65535},message:"must be <= 65535",schema:65535,parentSchema:schema13.properties.imap.properties.port,data:data9};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
if(data9 < 1 || isNaN(data9)){
const err23 = {instancePath:instancePath+"/imap/port",schemaPath:"#/properties/imap/properties/port/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema13.properties.imap.properties.port,data:data9};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
let data10 = data7.secure;
if(typeof data10 !== "boolean"){
const err24 = {instancePath:instancePath+"/imap/secure",schemaPath:"#/properties/imap/properties/secure/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema13.properties.imap.properties.secure.type,parentSchema:schema13.properties.imap.properties.secure,data:data10};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
else {
const err25 = {instancePath:instancePath+"/imap",schemaPath:"#/properties/imap/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema13.properties.imap.type,parentSchema:schema13.properties.imap,data:data7};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
if(data.auth !== undefined){
let data11 = data.auth;
if(data11 && typeof data11 == "object" && !Array.isArray(data11)){
if(data11.user === undefined){
const err26 = {instancePath:instancePath+"/auth",schemaPath:"#/properties/auth/required",keyword:"required",params:{missingProperty: "user"},message:"must have required property '"+"user"+"'",schema:schema13.properties.auth.required,parentSchema:schema13.properties.auth,data:data11};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
if(data11.pass === undefined){
const err27 = {instancePath:instancePath+"/auth",schemaPath:"#/properties/auth/required",keyword:"required",params:{missingProperty: "pass"},message:"must have required property '"+"pass"+"'",schema:schema13.properties.auth.required,parentSchema:schema13.properties.auth,data:data11};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
for(const key2 in data11){
if(!((key2 === "user") || (key2 === "pass"))){
const err28 = {instancePath:instancePath+"/auth",schemaPath:"#/properties/auth/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2},message:"must NOT have additional properties",schema:false,parentSchema:schema13.properties.auth,data:data11};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
if(data11.user !== undefined){
let data12 = data11.user;
if(typeof data12 === "string"){
if(func1(data12) < 1){
const err29 = {instancePath:instancePath+"/auth/user",schemaPath:"#/properties/auth/properties/user/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema13.properties.auth.properties.user,data:data12};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
else {
const err30 = {instancePath:instancePath+"/auth/user",schemaPath:"#/properties/auth/properties/user/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.auth.properties.user.type,parentSchema:schema13.properties.auth.properties.user,data:data12};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
if(data11.pass !== undefined){
let data13 = data11.pass;
if(typeof data13 === "string"){
if(!pattern22.test(data13)){
const err31 = {instancePath:instancePath+"/auth/pass",schemaPath:"#/properties/auth/properties/pass/pattern",keyword:"pattern",params:{pattern: "^\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\}$"},message:"must match pattern \""+"^\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\}$"+"\"",schema:"^\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\}$",parentSchema:schema13.properties.auth.properties.pass,data:data13};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
else {
const err32 = {instancePath:instancePath+"/auth/pass",schemaPath:"#/properties/auth/properties/pass/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.auth.properties.pass.type,parentSchema:schema13.properties.auth.properties.pass,data:data13};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
}
else {
const err33 = {instancePath:instancePath+"/auth",schemaPath:"#/properties/auth/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema13.properties.auth.type,parentSchema:schema13.properties.auth,data:data11};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
if(data.smtp !== undefined){
let data14 = data.smtp;
if(data14 && typeof data14 == "object" && !Array.isArray(data14)){
if(data14.port === undefined){
data14.port = 465;
}
if(data14.secure === undefined){
data14.secure = true;
}
if(data14.savesSent === undefined){
data14.savesSent = false;
}
if(data14.host === undefined){
const err34 = {instancePath:instancePath+"/smtp",schemaPath:"#/properties/smtp/required",keyword:"required",params:{missingProperty: "host"},message:"must have required property '"+"host"+"'",schema:schema13.properties.smtp.required,parentSchema:schema13.properties.smtp,data:data14};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
for(const key3 in data14){
if(!(((((key3 === "host") || (key3 === "port")) || (key3 === "secure")) || (key3 === "auth")) || (key3 === "savesSent"))){
const err35 = {instancePath:instancePath+"/smtp",schemaPath:"#/properties/smtp/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3},message:"must NOT have additional properties",schema:false,parentSchema:schema13.properties.smtp,data:data14};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
}
if(data14.host !== undefined){
let data15 = data14.host;
if(typeof data15 === "string"){
if(!pattern50.test(data15)){
const err36 = {instancePath:instancePath+"/smtp/host",schemaPath:"#/properties/smtp/properties/host/pattern",keyword:"pattern",params:{pattern: "^[^\\s/:@]+$|^[0-9A-Fa-f:]+$"},message:"must match pattern \""+"^[^\\s/:@]+$|^[0-9A-Fa-f:]+$"+"\"",schema:"^[^\\s/:@]+$|^[0-9A-Fa-f:]+$",parentSchema:schema13.properties.smtp.properties.host,data:data15};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
}
else {
const err37 = {instancePath:instancePath+"/smtp/host",schemaPath:"#/properties/smtp/properties/host/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.smtp.properties.host.type,parentSchema:schema13.properties.smtp.properties.host,data:data15};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
}
let data16 = data14.port;
if(!(((typeof data16 == "number") && (!(data16 % 1) && !isNaN(data16))) && (isFinite(data16)))){
const err38 = {instancePath:instancePath+"/smtp/port",schemaPath:"#/properties/smtp/properties/port/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema13.properties.smtp.properties.port.type,parentSchema:schema13.properties.smtp.properties.port,data:data16};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
if((typeof data16 == "number") && (isFinite(data16))){
if(data16 > 65535 || isNaN(data16)){
const err39 = {instancePath:instancePath+"/smtp/port",schemaPath:"#/properties/smtp/properties/port/maximum",keyword:"maximum",params:{comparison: "<=", limit: 65535},message:"must be <= 65535",schema:65535,parentSchema:schema13.properties.smtp.properties.port,data:data16};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
if(data16 < 1 || isNaN(data16)){
const err40 = {instancePath:instancePath+"/smtp/port",schemaPath:"#/properties/smtp/properties/port/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema13.properties.smtp.properties.port,data:data16};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
}
let data17 = data14.secure;
if(typeof data17 !== "boolean"){
const err41 = {instancePath:instancePath+"/smtp/secure",schemaPath:"#/properties/smtp/properties/secure/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema13.properties.smtp.properties.secure.type,parentSchema:schema13.properties.smtp.properties.secure,data:data17};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
if(data14.auth !== undefined){
let data18 = data14.auth;
if(data18 && typeof data18 == "object" && !Array.isArray(data18)){
if(data18.user === undefined){
const err42 = {instancePath:instancePath+"/smtp/auth",schemaPath:"#/properties/smtp/properties/auth/required",keyword:"required",params:{missingProperty: "user"},message:"must have required property '"+"user"+"'",schema:schema13.properties.smtp.properties.auth.required,parentSchema:schema13.properties.smtp.properties.auth,data:data18};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
if(data18.pass === undefined){
const err43 = {instancePath:instancePath+"/smtp/auth",schemaPath:"#/properties/smtp/properties/auth/required",keyword:"required",params:{missingProperty: "pass"},message:"must have required property '"+"pass"+"'",schema:schema13.properties.smtp.properties.auth.required,parentSchema:schema13.properties.smtp.properties.auth,data:data18};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
for(const key4 in data18){
if(!((key4 === "user") || (key4 === "pass"))){
const err44 = {instancePath:instancePath+"/smtp/auth",schemaPath:"#/properties/smtp/properties/auth/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key4},message:"must NOT have additional properties",schema:false,parentSchema:schema13.properties.smtp.properties.auth,data:data18};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
}
if(data18.user !== undefined){
let data19 = data18.user;
if(typeof data19 === "string"){
if(func1(data19) < 1){
const err45 = {instancePath:instancePath+"/smtp/auth/user",schemaPath:"#/properties/smtp/properties/auth/properties/user/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema13.properties.smtp.properties.auth.properties.user,data:data19};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
}
else {
const err46 = {instancePath:instancePath+"/smtp/auth/user",schemaPath:"#/properties/smtp/properties/auth/properties/user/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.smtp.properties.auth.properties.user.type,parentSchema:schema13.properties.smtp.properties.auth.properties.user,data:data19};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
}
if(data18.pass !== undefined){
let data20 = data18.pass;
if(typeof data20 === "string"){
if(!pattern22.test(data20)){
const err47 = {instancePath:instancePath+"/smtp/auth/pass",schemaPath:"#/properties/smtp/properties/auth/properties/pass/pattern",keyword:"pattern",params:{pattern: "^\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\}$"},message:"must match pattern \""+"^\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\}$"+"\"",schema:"^\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\}$",parentSchema:schema13.properties.smtp.properties.auth.properties.pass,data:data20};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
}
else {
const err48 = {instancePath:instancePath+"/smtp/auth/pass",schemaPath:"#/properties/smtp/properties/auth/properties/pass/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.smtp.properties.auth.properties.pass.type,parentSchema:schema13.properties.smtp.properties.auth.properties.pass,data:data20};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
}
}
else {
const err49 = {instancePath:instancePath+"/smtp/auth",schemaPath:"#/properties/smtp/properties/auth/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema13.properties.smtp.properties.auth.type,parentSchema:schema13.properties.smtp.properties.auth,data:data18};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
}
let data21 = data14.savesSent;
if(typeof data21 !== "boolean"){
const err50 = {instancePath:instancePath+"/smtp/savesSent",schemaPath:"#/properties/smtp/properties/savesSent/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema13.properties.smtp.properties.savesSent.type,parentSchema:schema13.properties.smtp.properties.savesSent,data:data21};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
}
else {
const err51 = {instancePath:instancePath+"/smtp",schemaPath:"#/properties/smtp/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema13.properties.smtp.type,parentSchema:schema13.properties.smtp,data:data14};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
}
}
let data22 = data.mailbox;
if(typeof data22 === "string"){
if(func1(data22) < 1){
const err52 = {instancePath:instancePath+"/mailbox",schemaPath:"#/properties/mailbox/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema13.properties.mailbox,data:data22};
if(vErrors === null){
vErrors = [err52];
}
else {
vErrors.push(err52);
}
errors++;
}
}
else {
const err53 = {instancePath:instancePath+"/mailbox",schemaPath:"#/properties/mailbox/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.mailbox.type,parentSchema:schema13.properties.mailbox,data:data22};
if(vErrors === null){
vErrors = [err53];
}
else {
vErrors.push(err53);
}
errors++;
}
if(data.signature !== undefined){
let data23 = data.signature;
if(typeof data23 === "string"){
if(func1(data23) > 4000){
const err54 = {instancePath:instancePath+"/signature",schemaPath:"#/properties/signature/maxLength",keyword:"maxLength",params:{limit: 4000},message:"must NOT have more than 4000 characters",schema:4000,parentSchema:schema13.properties.signature,data:data23};
if(vErrors === null){
vErrors = [err54];
}
else {
vErrors.push(err54);
}
errors++;
}
if(func1(data23) < 1){
const err55 = {instancePath:instancePath+"/signature",schemaPath:"#/properties/signature/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema13.properties.signature,data:data23};
if(vErrors === null){
vErrors = [err55];
}
else {
vErrors.push(err55);
}
errors++;
}
}
else {
const err56 = {instancePath:instancePath+"/signature",schemaPath:"#/properties/signature/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema13.properties.signature.type,parentSchema:schema13.properties.signature,data:data23};
if(vErrors === null){
vErrors = [err56];
}
else {
vErrors.push(err56);
}
errors++;
}
}
}
else {
const err57 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema13.type,parentSchema:schema13,data};
if(vErrors === null){
vErrors = [err57];
}
else {
vErrors.push(err57);
}
errors++;
}
validate23.errors = vErrors;
return errors === 0;
}
validate23.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema14 = {"title":"GmailAccount","description":"A Gmail mailbox. A person signs in once, and the store keeps the tokens; they never stand in this file.","type":"object","additionalProperties":false,"required":["id","provider","email","oauth"],"properties":{"$schema":{"description":"The schema of a JSON file, for editors. YAML files name it in their first line.","type":"string","examples":["../../schemas/account.schema.json"]},"id":{"description":"Id of this account, or its address. Equals the file name.","type":"string","pattern":"^([A-Za-z0-9_-]{1,48}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190})$","x-expected":"an id (1 to 48 letters, digits, _ or -) or an e-mail address","examples":["archive","jane@company.com"]},"description":{"description":"A note for people.","type":"string","default":"","examples":["Mail that colleagues drop into the shared folder."]},"enabled":{"description":"Set to false to disable this account without deleting its file.","type":"boolean","default":true,"examples":[false]},"order":{"description":"Position among the accounts: lowest number first, then by id. Accounts without a number come last.","type":"number","x-unit":"rank","examples":[10]},"provider":{"description":"`gmail`: a mailbox at Google.","type":"string","const":"gmail","examples":["gmail"]},"email":{"description":"Address of the mailbox. The sign-in must be for this address. Mail from it counts as own mail.","type":"string","pattern":"^[^\\s@<>]+@[^\\s@<>]+$","maxLength":254,"x-expected":"an e-mail address","examples":["jane@company.com"]},"signature":{"description":"Signature of mails that are written for this account. Replaces the signature set in Gmail. Plain text.","type":"string","minLength":1,"maxLength":4000,"examples":["Best,\nJane"]},"oauth":{"title":"GoogleClient","description":"The OAuth client, created in the Google Cloud console.","type":"object","additionalProperties":false,"required":["clientId","clientSecret"],"properties":{"clientId":{"description":"Id of the client. It is not secret, but may be a reference.","type":"string","pattern":"^[^\\s]+$","x-expected":"a client id with no spaces, or a reference to one","examples":["${env:GOOGLE_CLIENT_ID}","1234-abcd.apps.googleusercontent.com"]},"clientSecret":{"description":"Reference to the client secret: `${env:NAME}` or `${secret:NAME}`. Google issues one for desktop clients, too.","type":"string","pattern":"^\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\}$","x-secret":true,"x-expected":"a reference such as ${env:GOOGLE_CLIENT_SECRET}","examples":["${env:GOOGLE_CLIENT_SECRET}","${secret:GOOGLE_CLIENT_SECRET}"]}},"examples":[{"clientId":"${env:GOOGLE_CLIENT_ID}","clientSecret":"${env:GOOGLE_CLIENT_SECRET}"}]},"endpoints":{"title":"GoogleEndpoints","description":"Addresses of Google, for emulators and proxies. Default: Google itself.","type":"object","additionalProperties":false,"properties":{"auth":{"description":"Sign-in page: the address before `/o/oauth2/v2/auth`.","type":"string","pattern":"^(https://[^\\s/?#@]+|http://(127\\.0\\.0\\.1|localhost|\\[::1\\])(:[0-9]+)?)(/[^\\s?#]*)?$","x-expected":"an address that starts with https://, or http:// on this machine","examples":["https://accounts.google.com"]},"token":{"description":"Token endpoint: the address before `/token`.","type":"string","pattern":"^(https://[^\\s/?#@]+|http://(127\\.0\\.0\\.1|localhost|\\[::1\\])(:[0-9]+)?)(/[^\\s?#]*)?$","x-expected":"an address that starts with https://, or http:// on this machine","examples":["https://oauth2.googleapis.com"]},"api":{"description":"Gmail, Calendar and Tasks: the address before `/gmail/v1`.","type":"string","pattern":"^(https://[^\\s/?#@]+|http://(127\\.0\\.0\\.1|localhost|\\[::1\\])(:[0-9]+)?)(/[^\\s?#]*)?$","x-expected":"an address that starts with https://, or http:// on this machine","examples":["https://gmail.googleapis.com"]}},"examples":[{"auth":"http://127.0.0.1:4002","token":"http://127.0.0.1:4002","api":"http://127.0.0.1:4002"}]},"labels":{"description":"Callsheet fetches mail with one of these labels, named as Gmail shows them.","type":"array","minItems":1,"maxItems":20,"items":{"type":"string","minLength":1,"maxLength":225},"default":["INBOX"],"examples":[["INBOX"],["INBOX","Callsheet/To do"]]},"replies":{"description":"True: people reply from the viewer through this account, so the sign-in also requests drafts and sending. Not needed for directors and agents with mail tools.","type":"boolean","default":false,"examples":[true]}}};
const pattern56 = new RegExp("^[^\\s]+$", "u");
const pattern58 = new RegExp("^(https://[^\\s/?#@]+|http://(127\\.0\\.0\\.1|localhost|\\[::1\\])(:[0-9]+)?)(/[^\\s?#]*)?$", "u");

function validate24(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate24.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.description === undefined){
data.description = "";
}
if(data.enabled === undefined){
data.enabled = true;
}
if(data.labels === undefined){
data.labels = ["INBOX"];
}
if(data.replies === undefined){
data.replies = false;
}
if(data.id === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'",schema:schema14.required,parentSchema:schema14,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.provider === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "provider"},message:"must have required property '"+"provider"+"'",schema:schema14.required,parentSchema:schema14,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.email === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "email"},message:"must have required property '"+"email"+"'",schema:schema14.required,parentSchema:schema14,data};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.oauth === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "oauth"},message:"must have required property '"+"oauth"+"'",schema:schema14.required,parentSchema:schema14,data};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
for(const key0 in data){
if(!(func0.call(schema14.properties, key0))){
const err4 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema14,data};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.$schema !== undefined){
let data0 = data.$schema;
if(typeof data0 !== "string"){
const err5 = {instancePath:instancePath+"/$schema",schemaPath:"#/properties/%24schema/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema14.properties.$schema.type,parentSchema:schema14.properties.$schema,data:data0};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.id !== undefined){
let data1 = data.id;
if(typeof data1 === "string"){
if(!pattern8.test(data1)){
const err6 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/pattern",keyword:"pattern",params:{pattern: "^([A-Za-z0-9_-]{1,48}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190})$"},message:"must match pattern \""+"^([A-Za-z0-9_-]{1,48}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190})$"+"\"",schema:"^([A-Za-z0-9_-]{1,48}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190})$",parentSchema:schema14.properties.id,data:data1};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema14.properties.id.type,parentSchema:schema14.properties.id,data:data1};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
let data2 = data.description;
if(typeof data2 !== "string"){
const err8 = {instancePath:instancePath+"/description",schemaPath:"#/properties/description/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema14.properties.description.type,parentSchema:schema14.properties.description,data:data2};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
let data3 = data.enabled;
if(typeof data3 !== "boolean"){
const err9 = {instancePath:instancePath+"/enabled",schemaPath:"#/properties/enabled/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema14.properties.enabled.type,parentSchema:schema14.properties.enabled,data:data3};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(data.order !== undefined){
let data4 = data.order;
if(!((typeof data4 == "number") && (isFinite(data4)))){
const err10 = {instancePath:instancePath+"/order",schemaPath:"#/properties/order/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema14.properties.order.type,parentSchema:schema14.properties.order,data:data4};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.provider !== undefined){
let data5 = data.provider;
if(typeof data5 !== "string"){
const err11 = {instancePath:instancePath+"/provider",schemaPath:"#/properties/provider/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema14.properties.provider.type,parentSchema:schema14.properties.provider,data:data5};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if("gmail" !== data5){
const err12 = {instancePath:instancePath+"/provider",schemaPath:"#/properties/provider/const",keyword:"const",params:{allowedValue: "gmail"},message:"must be equal to constant",schema:"gmail",parentSchema:schema14.properties.provider,data:data5};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.email !== undefined){
let data6 = data.email;
if(typeof data6 === "string"){
if(func1(data6) > 254){
const err13 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/maxLength",keyword:"maxLength",params:{limit: 254},message:"must NOT have more than 254 characters",schema:254,parentSchema:schema14.properties.email,data:data6};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if(!pattern47.test(data6)){
const err14 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/pattern",keyword:"pattern",params:{pattern: "^[^\\s@<>]+@[^\\s@<>]+$"},message:"must match pattern \""+"^[^\\s@<>]+@[^\\s@<>]+$"+"\"",schema:"^[^\\s@<>]+@[^\\s@<>]+$",parentSchema:schema14.properties.email,data:data6};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
else {
const err15 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema14.properties.email.type,parentSchema:schema14.properties.email,data:data6};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data.signature !== undefined){
let data7 = data.signature;
if(typeof data7 === "string"){
if(func1(data7) > 4000){
const err16 = {instancePath:instancePath+"/signature",schemaPath:"#/properties/signature/maxLength",keyword:"maxLength",params:{limit: 4000},message:"must NOT have more than 4000 characters",schema:4000,parentSchema:schema14.properties.signature,data:data7};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
if(func1(data7) < 1){
const err17 = {instancePath:instancePath+"/signature",schemaPath:"#/properties/signature/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema14.properties.signature,data:data7};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
else {
const err18 = {instancePath:instancePath+"/signature",schemaPath:"#/properties/signature/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema14.properties.signature.type,parentSchema:schema14.properties.signature,data:data7};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
if(data.oauth !== undefined){
let data8 = data.oauth;
if(data8 && typeof data8 == "object" && !Array.isArray(data8)){
if(data8.clientId === undefined){
const err19 = {instancePath:instancePath+"/oauth",schemaPath:"#/properties/oauth/required",keyword:"required",params:{missingProperty: "clientId"},message:"must have required property '"+"clientId"+"'",schema:schema14.properties.oauth.required,parentSchema:schema14.properties.oauth,data:data8};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
if(data8.clientSecret === undefined){
const err20 = {instancePath:instancePath+"/oauth",schemaPath:"#/properties/oauth/required",keyword:"required",params:{missingProperty: "clientSecret"},message:"must have required property '"+"clientSecret"+"'",schema:schema14.properties.oauth.required,parentSchema:schema14.properties.oauth,data:data8};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
for(const key1 in data8){
if(!((key1 === "clientId") || (key1 === "clientSecret"))){
const err21 = {instancePath:instancePath+"/oauth",schemaPath:"#/properties/oauth/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties",schema:false,parentSchema:schema14.properties.oauth,data:data8};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
if(data8.clientId !== undefined){
let data9 = data8.clientId;
if(typeof data9 === "string"){
if(!pattern56.test(data9)){
const err22 = {instancePath:instancePath+"/oauth/clientId",schemaPath:"#/properties/oauth/properties/clientId/pattern",keyword:"pattern",params:{pattern: "^[^\\s]+$"},message:"must match pattern \""+"^[^\\s]+$"+"\"",schema:"^[^\\s]+$",parentSchema:schema14.properties.oauth.properties.clientId,data:data9};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
else {
const err23 = {instancePath:instancePath+"/oauth/clientId",schemaPath:"#/properties/oauth/properties/clientId/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema14.properties.oauth.properties.clientId.type,parentSchema:schema14.properties.oauth.properties.clientId,data:data9};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
if(data8.clientSecret !== undefined){
let data10 = data8.clientSecret;
if(typeof data10 === "string"){
if(!pattern22.test(data10)){
const err24 = {instancePath:instancePath+"/oauth/clientSecret",schemaPath:"#/properties/oauth/properties/clientSecret/pattern",keyword:"pattern",params:{pattern: "^\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\}$"},message:"must match pattern \""+"^\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\}$"+"\"",schema:"^\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\}$",parentSchema:schema14.properties.oauth.properties.clientSecret,data:data10};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
else {
const err25 = {instancePath:instancePath+"/oauth/clientSecret",schemaPath:"#/properties/oauth/properties/clientSecret/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema14.properties.oauth.properties.clientSecret.type,parentSchema:schema14.properties.oauth.properties.clientSecret,data:data10};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
}
else {
const err26 = {instancePath:instancePath+"/oauth",schemaPath:"#/properties/oauth/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema14.properties.oauth.type,parentSchema:schema14.properties.oauth,data:data8};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
if(data.endpoints !== undefined){
let data11 = data.endpoints;
if(data11 && typeof data11 == "object" && !Array.isArray(data11)){
for(const key2 in data11){
if(!(((key2 === "auth") || (key2 === "token")) || (key2 === "api"))){
const err27 = {instancePath:instancePath+"/endpoints",schemaPath:"#/properties/endpoints/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2},message:"must NOT have additional properties",schema:false,parentSchema:schema14.properties.endpoints,data:data11};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
if(data11.auth !== undefined){
let data12 = data11.auth;
if(typeof data12 === "string"){
if(!pattern58.test(data12)){
const err28 = {instancePath:instancePath+"/endpoints/auth",schemaPath:"#/properties/endpoints/properties/auth/pattern",keyword:"pattern",params:{pattern: "^(https://[^\\s/?#@]+|http://(127\\.0\\.0\\.1|localhost|\\[::1\\])(:[0-9]+)?)(/[^\\s?#]*)?$"},message:"must match pattern \""+"^(https://[^\\s/?#@]+|http://(127\\.0\\.0\\.1|localhost|\\[::1\\])(:[0-9]+)?)(/[^\\s?#]*)?$"+"\"",schema:"^(https://[^\\s/?#@]+|http://(127\\.0\\.0\\.1|localhost|\\[::1\\])(:[0-9]+)?)(/[^\\s?#]*)?$",parentSchema:schema14.properties.endpoints.properties.auth,data:data12};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
else {
const err29 = {instancePath:instancePath+"/endpoints/auth",schemaPath:"#/properties/endpoints/properties/auth/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema14.properties.endpoints.properties.auth.type,parentSchema:schema14.properties.endpoints.properties.auth,data:data12};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
if(data11.token !== undefined){
let data13 = data11.token;
if(typeof data13 === "string"){
if(!pattern58.test(data13)){
const err30 = {instancePath:instancePath+"/endpoints/token",schemaPath:"#/properties/endpoints/properties/token/pattern",keyword:"pattern",params:{pattern: "^(https://[^\\s/?#@]+|http://(127\\.0\\.0\\.1|localhost|\\[::1\\])(:[0-9]+)?)(/[^\\s?#]*)?$"},message:"must match pattern \""+"^(https://[^\\s/?#@]+|http://(127\\.0\\.0\\.1|localhost|\\[::1\\])(:[0-9]+)?)(/[^\\s?#]*)?$"+"\"",schema:"^(https://[^\\s/?#@]+|http://(127\\.0\\.0\\.1|localhost|\\[::1\\])(:[0-9]+)?)(/[^\\s?#]*)?$",parentSchema:schema14.properties.endpoints.properties.token,data:data13};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
else {
const err31 = {instancePath:instancePath+"/endpoints/token",schemaPath:"#/properties/endpoints/properties/token/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema14.properties.endpoints.properties.token.type,parentSchema:schema14.properties.endpoints.properties.token,data:data13};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
if(data11.api !== undefined){
let data14 = data11.api;
if(typeof data14 === "string"){
if(!pattern58.test(data14)){
const err32 = {instancePath:instancePath+"/endpoints/api",schemaPath:"#/properties/endpoints/properties/api/pattern",keyword:"pattern",params:{pattern: "^(https://[^\\s/?#@]+|http://(127\\.0\\.0\\.1|localhost|\\[::1\\])(:[0-9]+)?)(/[^\\s?#]*)?$"},message:"must match pattern \""+"^(https://[^\\s/?#@]+|http://(127\\.0\\.0\\.1|localhost|\\[::1\\])(:[0-9]+)?)(/[^\\s?#]*)?$"+"\"",schema:"^(https://[^\\s/?#@]+|http://(127\\.0\\.0\\.1|localhost|\\[::1\\])(:[0-9]+)?)(/[^\\s?#]*)?$",parentSchema:schema14.properties.endpoints.properties.api,data:data14};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
else {
const err33 = {instancePath:instancePath+"/endpoints/api",schemaPath:"#/properties/endpoints/properties/api/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema14.properties.endpoints.properties.api.type,parentSchema:schema14.properties.endpoints.properties.api,data:data14};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
}
else {
const err34 = {instancePath:instancePath+"/endpoints",schemaPath:"#/properties/endpoints/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema14.properties.endpoints.type,parentSchema:schema14.properties.endpoints,data:data11};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
let data15 = data.labels;
if(Array.isArray(data15)){
if(data15.length > 20){
const err35 = {instancePath:instancePath+"/labels",schemaPath:"#/properties/labels/maxItems",keyword:"maxItems",params:{limit: 20},message:"must NOT have more than 20 items",schema:20,parentSchema:schema14.properties.labels,data:data15};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
if(data15.length < 1){
const err36 = {instancePath:instancePath+"/labels",schemaPath:"#/properties/labels/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items",schema:1,parentSchema:schema14.properties.labels,data:data15};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
const len0 = data15.length;
for(let i0=0; i0<len0; i0++){
let data16 = data15[i0];
if(typeof data16 === "string"){
if(func1(data16) > 225){
const err37 = {instancePath:instancePath+"/labels/" + i0,schemaPath:"#/properties/labels/items/maxLength",keyword:"maxLength",params:{limit: 225},message:"must NOT have more than 225 characters",schema:225,parentSchema:schema14.properties.labels.items,data:data16};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
if(func1(data16) < 1){
const err38 = {instancePath:instancePath+"/labels/" + i0,schemaPath:"#/properties/labels/items/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema14.properties.labels.items,data:data16};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
}
else {
const err39 = {instancePath:instancePath+"/labels/" + i0,schemaPath:"#/properties/labels/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema14.properties.labels.items.type,parentSchema:schema14.properties.labels.items,data:data16};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
}
}
else {
const err40 = {instancePath:instancePath+"/labels",schemaPath:"#/properties/labels/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema14.properties.labels.type,parentSchema:schema14.properties.labels,data:data15};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
let data17 = data.replies;
if(typeof data17 !== "boolean"){
const err41 = {instancePath:instancePath+"/replies",schemaPath:"#/properties/replies/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema14.properties.replies.type,parentSchema:schema14.properties.replies,data:data17};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
}
else {
const err42 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema14.type,parentSchema:schema14,data};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
validate24.errors = vErrors;
return errors === 0;
}
validate24.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema15 = {"title":"OutlookAccount","description":"An Outlook or Microsoft 365 mailbox; Callsheet fetches its Inbox. A person signs in once, and the store keeps the tokens; they never stand in this file.","type":"object","additionalProperties":false,"required":["id","provider","email","oauth"],"properties":{"$schema":{"description":"The schema of a JSON file, for editors. YAML files name it in their first line.","type":"string","examples":["../../schemas/account.schema.json"]},"id":{"description":"Id of this account, or its address. Equals the file name.","type":"string","pattern":"^([A-Za-z0-9_-]{1,48}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190})$","x-expected":"an id (1 to 48 letters, digits, _ or -) or an e-mail address","examples":["archive","jane@company.com"]},"description":{"description":"A note for people.","type":"string","default":"","examples":["Mail that colleagues drop into the shared folder."]},"enabled":{"description":"Set to false to disable this account without deleting its file.","type":"boolean","default":true,"examples":[false]},"order":{"description":"Position among the accounts: lowest number first, then by id. Accounts without a number come last.","type":"number","x-unit":"rank","examples":[10]},"provider":{"description":"`outlook`: a mailbox at Microsoft, personal or of an organisation.","type":"string","const":"outlook","examples":["outlook"]},"email":{"description":"Address of the mailbox. The sign-in must be for this address. Mail from it counts as own mail.","type":"string","pattern":"^[^\\s@<>]+@[^\\s@<>]+$","maxLength":254,"x-expected":"an e-mail address","examples":["jane@company.com"]},"signature":{"description":"Signature of mails that are written for this account. Plain text.","type":"string","minLength":1,"maxLength":4000,"examples":["Best,\nJane"]},"oauth":{"title":"MicrosoftClient","description":"The app registration, created in the Microsoft Entra admin center.","type":"object","additionalProperties":false,"required":["clientId"],"properties":{"clientId":{"description":"Application (client) id. It is not secret, but may be a reference.","type":"string","pattern":"^[^\\s]+$","x-expected":"a client id with no spaces, or a reference to one","examples":["${env:MICROSOFT_CLIENT_ID}","00001111-aaaa-2222-bbbb-3333cccc4444"]},"clientSecret":{"description":"Reference to the client secret: `${env:NAME}` or `${secret:NAME}`. Only for the platform Web; Mobile and desktop applications have none.","type":"string","pattern":"^\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\}$","x-secret":true,"x-expected":"a reference such as ${env:MICROSOFT_CLIENT_SECRET}","examples":["${env:MICROSOFT_CLIENT_SECRET}","${secret:MICROSOFT_CLIENT_SECRET}"]},"tenant":{"description":"Accounts that may sign in: `common` for all, `organizations` for work and school, `consumers` for personal accounts, or the id or domain of one organisation.","type":"string","pattern":"^[A-Za-z0-9][A-Za-z0-9.-]*$","x-expected":"common, organizations, consumers, or the id or domain of an organisation","default":"common","examples":["common","contoso.onmicrosoft.com"]}},"examples":[{"clientId":"${env:MICROSOFT_CLIENT_ID}"},{"clientId":"${env:MICROSOFT_CLIENT_ID}","clientSecret":"${env:MICROSOFT_CLIENT_SECRET}","tenant":"contoso.onmicrosoft.com"}]},"endpoints":{"title":"MicrosoftEndpoints","description":"Addresses of Microsoft, for national clouds, emulators and proxies. Default: the worldwide cloud.","type":"object","additionalProperties":false,"properties":{"auth":{"description":"Sign-in page: the address before the tenant.","type":"string","pattern":"^(https://[^\\s/?#@]+|http://(127\\.0\\.0\\.1|localhost|\\[::1\\])(:[0-9]+)?)(/[^\\s?#]*)?$","x-expected":"an address that starts with https://, or http:// on this machine","examples":["https://login.microsoftonline.us"]},"token":{"description":"Token endpoint: the address before the tenant. Default: `auth`.","type":"string","pattern":"^(https://[^\\s/?#@]+|http://(127\\.0\\.0\\.1|localhost|\\[::1\\])(:[0-9]+)?)(/[^\\s?#]*)?$","x-expected":"an address that starts with https://, or http:// on this machine","examples":["https://login.microsoftonline.us"]},"api":{"description":"Microsoft Graph: the address before `/v1.0`.","type":"string","pattern":"^(https://[^\\s/?#@]+|http://(127\\.0\\.0\\.1|localhost|\\[::1\\])(:[0-9]+)?)(/[^\\s?#]*)?$","x-expected":"an address that starts with https://, or http:// on this machine","examples":["https://graph.microsoft.us"]}},"examples":[{"auth":"https://login.microsoftonline.us","api":"https://graph.microsoft.us"}]},"replies":{"description":"True: people reply from the viewer through this account, so the sign-in also requests drafts and sending. Not needed for directors and agents with mail tools.","type":"boolean","default":false,"examples":[true]}}};
const pattern65 = new RegExp("^[A-Za-z0-9][A-Za-z0-9.-]*$", "u");

function validate25(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate25.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.description === undefined){
data.description = "";
}
if(data.enabled === undefined){
data.enabled = true;
}
if(data.replies === undefined){
data.replies = false;
}
if(data.id === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'",schema:schema15.required,parentSchema:schema15,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.provider === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "provider"},message:"must have required property '"+"provider"+"'",schema:schema15.required,parentSchema:schema15,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.email === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "email"},message:"must have required property '"+"email"+"'",schema:schema15.required,parentSchema:schema15,data};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.oauth === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "oauth"},message:"must have required property '"+"oauth"+"'",schema:schema15.required,parentSchema:schema15,data};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
for(const key0 in data){
if(!(func0.call(schema15.properties, key0))){
const err4 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema15,data};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.$schema !== undefined){
let data0 = data.$schema;
if(typeof data0 !== "string"){
const err5 = {instancePath:instancePath+"/$schema",schemaPath:"#/properties/%24schema/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema15.properties.$schema.type,parentSchema:schema15.properties.$schema,data:data0};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.id !== undefined){
let data1 = data.id;
if(typeof data1 === "string"){
if(!pattern8.test(data1)){
const err6 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/pattern",keyword:"pattern",params:{pattern: "^([A-Za-z0-9_-]{1,48}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190})$"},message:"must match pattern \""+"^([A-Za-z0-9_-]{1,48}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190})$"+"\"",schema:"^([A-Za-z0-9_-]{1,48}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190})$",parentSchema:schema15.properties.id,data:data1};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema15.properties.id.type,parentSchema:schema15.properties.id,data:data1};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
let data2 = data.description;
if(typeof data2 !== "string"){
const err8 = {instancePath:instancePath+"/description",schemaPath:"#/properties/description/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema15.properties.description.type,parentSchema:schema15.properties.description,data:data2};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
let data3 = data.enabled;
if(typeof data3 !== "boolean"){
const err9 = {instancePath:instancePath+"/enabled",schemaPath:"#/properties/enabled/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema15.properties.enabled.type,parentSchema:schema15.properties.enabled,data:data3};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(data.order !== undefined){
let data4 = data.order;
if(!((typeof data4 == "number") && (isFinite(data4)))){
const err10 = {instancePath:instancePath+"/order",schemaPath:"#/properties/order/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema15.properties.order.type,parentSchema:schema15.properties.order,data:data4};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.provider !== undefined){
let data5 = data.provider;
if(typeof data5 !== "string"){
const err11 = {instancePath:instancePath+"/provider",schemaPath:"#/properties/provider/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema15.properties.provider.type,parentSchema:schema15.properties.provider,data:data5};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if("outlook" !== data5){
const err12 = {instancePath:instancePath+"/provider",schemaPath:"#/properties/provider/const",keyword:"const",params:{allowedValue: "outlook"},message:"must be equal to constant",schema:"outlook",parentSchema:schema15.properties.provider,data:data5};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.email !== undefined){
let data6 = data.email;
if(typeof data6 === "string"){
if(func1(data6) > 254){
const err13 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/maxLength",keyword:"maxLength",params:{limit: 254},message:"must NOT have more than 254 characters",schema:254,parentSchema:schema15.properties.email,data:data6};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if(!pattern47.test(data6)){
const err14 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/pattern",keyword:"pattern",params:{pattern: "^[^\\s@<>]+@[^\\s@<>]+$"},message:"must match pattern \""+"^[^\\s@<>]+@[^\\s@<>]+$"+"\"",schema:"^[^\\s@<>]+@[^\\s@<>]+$",parentSchema:schema15.properties.email,data:data6};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
else {
const err15 = {instancePath:instancePath+"/email",schemaPath:"#/properties/email/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema15.properties.email.type,parentSchema:schema15.properties.email,data:data6};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data.signature !== undefined){
let data7 = data.signature;
if(typeof data7 === "string"){
if(func1(data7) > 4000){
const err16 = {instancePath:instancePath+"/signature",schemaPath:"#/properties/signature/maxLength",keyword:"maxLength",params:{limit: 4000},message:"must NOT have more than 4000 characters",schema:4000,parentSchema:schema15.properties.signature,data:data7};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
if(func1(data7) < 1){
const err17 = {instancePath:instancePath+"/signature",schemaPath:"#/properties/signature/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema15.properties.signature,data:data7};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
else {
const err18 = {instancePath:instancePath+"/signature",schemaPath:"#/properties/signature/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema15.properties.signature.type,parentSchema:schema15.properties.signature,data:data7};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
if(data.oauth !== undefined){
let data8 = data.oauth;
if(data8 && typeof data8 == "object" && !Array.isArray(data8)){
if(data8.tenant === undefined){
data8.tenant = "common";
}
if(data8.clientId === undefined){
const err19 = {instancePath:instancePath+"/oauth",schemaPath:"#/properties/oauth/required",keyword:"required",params:{missingProperty: "clientId"},message:"must have required property '"+"clientId"+"'",schema:schema15.properties.oauth.required,parentSchema:schema15.properties.oauth,data:data8};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
for(const key1 in data8){
if(!(((key1 === "clientId") || (key1 === "clientSecret")) || (key1 === "tenant"))){
const err20 = {instancePath:instancePath+"/oauth",schemaPath:"#/properties/oauth/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties",schema:false,parentSchema:schema15.properties.oauth,data:data8};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
if(data8.clientId !== undefined){
let data9 = data8.clientId;
if(typeof data9 === "string"){
if(!pattern56.test(data9)){
const err21 = {instancePath:instancePath+"/oauth/clientId",schemaPath:"#/properties/oauth/properties/clientId/pattern",keyword:"pattern",params:{pattern: "^[^\\s]+$"},message:"must match pattern \""+"^[^\\s]+$"+"\"",schema:"^[^\\s]+$",parentSchema:schema15.properties.oauth.properties.clientId,data:data9};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
else {
const err22 = {instancePath:instancePath+"/oauth/clientId",schemaPath:"#/properties/oauth/properties/clientId/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema15.properties.oauth.properties.clientId.type,parentSchema:schema15.properties.oauth.properties.clientId,data:data9};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
if(data8.clientSecret !== undefined){
let data10 = data8.clientSecret;
if(typeof data10 === "string"){
if(!pattern22.test(data10)){
const err23 = {instancePath:instancePath+"/oauth/clientSecret",schemaPath:"#/properties/oauth/properties/clientSecret/pattern",keyword:"pattern",params:{pattern: "^\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\}$"},message:"must match pattern \""+"^\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\}$"+"\"",schema:"^\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\}$",parentSchema:schema15.properties.oauth.properties.clientSecret,data:data10};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
else {
const err24 = {instancePath:instancePath+"/oauth/clientSecret",schemaPath:"#/properties/oauth/properties/clientSecret/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema15.properties.oauth.properties.clientSecret.type,parentSchema:schema15.properties.oauth.properties.clientSecret,data:data10};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
let data11 = data8.tenant;
if(typeof data11 === "string"){
if(!pattern65.test(data11)){
const err25 = {instancePath:instancePath+"/oauth/tenant",schemaPath:"#/properties/oauth/properties/tenant/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9][A-Za-z0-9.-]*$"},message:"must match pattern \""+"^[A-Za-z0-9][A-Za-z0-9.-]*$"+"\"",schema:"^[A-Za-z0-9][A-Za-z0-9.-]*$",parentSchema:schema15.properties.oauth.properties.tenant,data:data11};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
else {
const err26 = {instancePath:instancePath+"/oauth/tenant",schemaPath:"#/properties/oauth/properties/tenant/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema15.properties.oauth.properties.tenant.type,parentSchema:schema15.properties.oauth.properties.tenant,data:data11};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
else {
const err27 = {instancePath:instancePath+"/oauth",schemaPath:"#/properties/oauth/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema15.properties.oauth.type,parentSchema:schema15.properties.oauth,data:data8};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
if(data.endpoints !== undefined){
let data12 = data.endpoints;
if(data12 && typeof data12 == "object" && !Array.isArray(data12)){
for(const key2 in data12){
if(!(((key2 === "auth") || (key2 === "token")) || (key2 === "api"))){
const err28 = {instancePath:instancePath+"/endpoints",schemaPath:"#/properties/endpoints/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2},message:"must NOT have additional properties",schema:false,parentSchema:schema15.properties.endpoints,data:data12};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
if(data12.auth !== undefined){
let data13 = data12.auth;
if(typeof data13 === "string"){
if(!pattern58.test(data13)){
const err29 = {instancePath:instancePath+"/endpoints/auth",schemaPath:"#/properties/endpoints/properties/auth/pattern",keyword:"pattern",params:{pattern: "^(https://[^\\s/?#@]+|http://(127\\.0\\.0\\.1|localhost|\\[::1\\])(:[0-9]+)?)(/[^\\s?#]*)?$"},message:"must match pattern \""+"^(https://[^\\s/?#@]+|http://(127\\.0\\.0\\.1|localhost|\\[::1\\])(:[0-9]+)?)(/[^\\s?#]*)?$"+"\"",schema:"^(https://[^\\s/?#@]+|http://(127\\.0\\.0\\.1|localhost|\\[::1\\])(:[0-9]+)?)(/[^\\s?#]*)?$",parentSchema:schema15.properties.endpoints.properties.auth,data:data13};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
else {
const err30 = {instancePath:instancePath+"/endpoints/auth",schemaPath:"#/properties/endpoints/properties/auth/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema15.properties.endpoints.properties.auth.type,parentSchema:schema15.properties.endpoints.properties.auth,data:data13};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
if(data12.token !== undefined){
let data14 = data12.token;
if(typeof data14 === "string"){
if(!pattern58.test(data14)){
const err31 = {instancePath:instancePath+"/endpoints/token",schemaPath:"#/properties/endpoints/properties/token/pattern",keyword:"pattern",params:{pattern: "^(https://[^\\s/?#@]+|http://(127\\.0\\.0\\.1|localhost|\\[::1\\])(:[0-9]+)?)(/[^\\s?#]*)?$"},message:"must match pattern \""+"^(https://[^\\s/?#@]+|http://(127\\.0\\.0\\.1|localhost|\\[::1\\])(:[0-9]+)?)(/[^\\s?#]*)?$"+"\"",schema:"^(https://[^\\s/?#@]+|http://(127\\.0\\.0\\.1|localhost|\\[::1\\])(:[0-9]+)?)(/[^\\s?#]*)?$",parentSchema:schema15.properties.endpoints.properties.token,data:data14};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
else {
const err32 = {instancePath:instancePath+"/endpoints/token",schemaPath:"#/properties/endpoints/properties/token/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema15.properties.endpoints.properties.token.type,parentSchema:schema15.properties.endpoints.properties.token,data:data14};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
if(data12.api !== undefined){
let data15 = data12.api;
if(typeof data15 === "string"){
if(!pattern58.test(data15)){
const err33 = {instancePath:instancePath+"/endpoints/api",schemaPath:"#/properties/endpoints/properties/api/pattern",keyword:"pattern",params:{pattern: "^(https://[^\\s/?#@]+|http://(127\\.0\\.0\\.1|localhost|\\[::1\\])(:[0-9]+)?)(/[^\\s?#]*)?$"},message:"must match pattern \""+"^(https://[^\\s/?#@]+|http://(127\\.0\\.0\\.1|localhost|\\[::1\\])(:[0-9]+)?)(/[^\\s?#]*)?$"+"\"",schema:"^(https://[^\\s/?#@]+|http://(127\\.0\\.0\\.1|localhost|\\[::1\\])(:[0-9]+)?)(/[^\\s?#]*)?$",parentSchema:schema15.properties.endpoints.properties.api,data:data15};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
else {
const err34 = {instancePath:instancePath+"/endpoints/api",schemaPath:"#/properties/endpoints/properties/api/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema15.properties.endpoints.properties.api.type,parentSchema:schema15.properties.endpoints.properties.api,data:data15};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
}
else {
const err35 = {instancePath:instancePath+"/endpoints",schemaPath:"#/properties/endpoints/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema15.properties.endpoints.type,parentSchema:schema15.properties.endpoints,data:data12};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
}
let data16 = data.replies;
if(typeof data16 !== "boolean"){
const err36 = {instancePath:instancePath+"/replies",schemaPath:"#/properties/replies/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema15.properties.replies.type,parentSchema:schema15.properties.replies,data:data16};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
}
else {
const err37 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema15.type,parentSchema:schema15,data};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
validate25.errors = vErrors;
return errors === 0;
}
validate25.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate21(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="account.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate21.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.id === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'",schema:schema11.required,parentSchema:schema11,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.provider === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "provider"},message:"must have required property '"+"provider"+"'",schema:schema11.required,parentSchema:schema11,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
const tag0 = data.provider;
if(typeof tag0 == "string"){
if(tag0 === "folder"){
if(!(validate22(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate22.errors : vErrors.concat(validate22.errors);
errors = vErrors.length;
}
var props0 = true;
}
else if(tag0 === "imap"){
if(!(validate23(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate23.errors : vErrors.concat(validate23.errors);
errors = vErrors.length;
}
if(props0 !== true){
props0 = true;
}
}
else if(tag0 === "gmail"){
if(!(validate24(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate24.errors : vErrors.concat(validate24.errors);
errors = vErrors.length;
}
if(props0 !== true){
props0 = true;
}
}
else if(tag0 === "outlook"){
if(!(validate25(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate25.errors : vErrors.concat(validate25.errors);
errors = vErrors.length;
}
if(props0 !== true){
props0 = true;
}
}
else {
const err2 = {instancePath,schemaPath:"#/discriminator",keyword:"discriminator",params:{error: "mapping", tag: "provider", tagValue: tag0},message:"value of tag \"provider\" must be in oneOf",schema:schema11.discriminator,parentSchema:schema11,data};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath,schemaPath:"#/discriminator",keyword:"discriminator",params:{error: "tag", tag: "provider", tagValue: tag0},message:"tag \"provider\" must be string",schema:schema11.discriminator,parentSchema:schema11,data};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
else {
const err4 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema11.type,parentSchema:schema11,data};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
validate21.errors = vErrors;
evaluated0.props = props0;
return errors === 0;
}
validate21.evaluated = {"dynamicProps":true,"dynamicItems":false};

export const filter = validate30;
const schema16 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"filter.schema.json","title":"Filter","description":"Which mail goes to which directors: a file in `filters/`. Either `field` with `regex`, or one of `allOf`, `anyOf`, `not`.","type":"object","additionalProperties":false,"required":["id","directorId"],"dependentRequired":{"field":["regex"],"regex":["field"]},"oneOf":[{"required":["field"]},{"required":["allOf"]},{"required":["anyOf"]},{"required":["not"]}],"properties":{"$schema":{"description":"The schema of a JSON file, for editors. YAML files name it in their first line.","type":"string","examples":["../../schemas/filter.schema.json"]},"id":{"description":"Id of this filter. Equals the file name.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["vip-clients"]},"description":{"description":"A note for people.","type":"string","default":"","examples":["Mail from clients goes to the client manager."]},"enabled":{"description":"Set to false to disable this filter without deleting its file.","type":"boolean","default":true,"examples":[false]},"order":{"description":"Position among the filters: lowest number first, then by id. Filters without a number come last.","type":"number","x-unit":"rank","examples":[10]},"field":{"description":"Part of the mail: `From`, `To`, `CC`, `BCC` (each bare address and each `name <address>`), `Subject`, `Body` (the text, else the text of the HTML; its first 256 KB), `Date` (ISO 8601, UTC), `Label` (each), or `Header:<name>` (each header of that name).","type":"string","pattern":"^(From|To|CC|BCC|Subject|Body|Date|Label|Header:[!-9;-~]{1,100})$","x-expected":"From, To, CC, BCC, Subject, Body, Date, Label or Header:<name>","examples":["From","To","CC","BCC","Subject","Body","Date","Label","Header:Auto-Submitted"]},"regex":{"description":"Regular expression in RE2 syntax that must match somewhere in the field. Case-sensitive unless it starts with `(?i)`.","type":"string","minLength":1,"maxLength":2000,"x-regex":true,"examples":["(?i)urgent","@domain\\.com$"]},"allOf":{"description":"Conditions that all match.","type":"array","minItems":1,"maxItems":100,"items":{"$ref":"#/$defs/condition"},"examples":[[{"field":"Subject","regex":"(?i)urgent"},{"field":"From","regex":"@domain\\.com$"}]]},"anyOf":{"description":"Conditions of which at least one matches.","type":"array","minItems":1,"maxItems":100,"items":{"$ref":"#/$defs/condition"},"examples":[[{"field":"Subject","regex":"(?i)urgent"},{"field":"Subject","regex":"(?i)asap"}]]},"not":{"description":"A condition that does not match.","$ref":"#/$defs/condition","examples":[{"field":"Header:Auto-Submitted","regex":"^auto-"}]},"directorId":{"description":"The director or directors that get the mail.","type":["string","array"],"pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","minItems":1,"items":{"description":"Id of a director, a file in `directors/`.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["client-manager"]},"examples":["client-manager",["client-manager","on-call"]]},"accountIds":{"description":"Accounts whose mail this filter checks. Default: all accounts.","type":"array","items":{"description":"Id of an account, a file in `accounts/`.","type":"string","pattern":"^([A-Za-z0-9_-]{1,48}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190})$","x-expected":"an id (1 to 48 letters, digits, _ or -) or an e-mail address","examples":["support"]},"examples":[["support"]],"maxItems":1000},"stop":{"description":"Set to true to check no further filter after a match of this one.","type":"boolean","default":false,"examples":[true]}},"$defs":{"condition":{"title":"Condition","description":"`field` with `regex`, or one of `allOf`, `anyOf`, `not`.","type":"object","additionalProperties":false,"dependentRequired":{"field":["regex"],"regex":["field"]},"oneOf":[{"required":["field"]},{"required":["allOf"]},{"required":["anyOf"]},{"required":["not"]}],"properties":{"field":{"description":"Part of the mail: `From`, `To`, `CC`, `BCC` (each bare address and each `name <address>`), `Subject`, `Body` (the text, else the text of the HTML; its first 256 KB), `Date` (ISO 8601, UTC), `Label` (each), or `Header:<name>` (each header of that name).","type":"string","pattern":"^(From|To|CC|BCC|Subject|Body|Date|Label|Header:[!-9;-~]{1,100})$","x-expected":"From, To, CC, BCC, Subject, Body, Date, Label or Header:<name>","examples":["From","To","CC","BCC","Subject","Body","Date","Label","Header:Auto-Submitted"]},"regex":{"description":"Regular expression in RE2 syntax that must match somewhere in the field. Case-sensitive unless it starts with `(?i)`.","type":"string","minLength":1,"maxLength":2000,"x-regex":true,"examples":["(?i)urgent","@domain\\.com$"]},"allOf":{"description":"Conditions that all match.","type":"array","minItems":1,"maxItems":100,"items":{"$ref":"#/$defs/condition"},"examples":[[{"field":"Subject","regex":"(?i)urgent"},{"field":"From","regex":"@domain\\.com$"}]]},"anyOf":{"description":"Conditions of which at least one matches.","type":"array","minItems":1,"maxItems":100,"items":{"$ref":"#/$defs/condition"},"examples":[[{"field":"Subject","regex":"(?i)urgent"},{"field":"Subject","regex":"(?i)asap"}]]},"not":{"description":"A condition that does not match.","$ref":"#/$defs/condition","examples":[{"field":"Header:Auto-Submitted","regex":"^auto-"}]}},"examples":[{"field":"Subject","regex":"(?i)urgent"}]}}};
const pattern70 = new RegExp("^(From|To|CC|BCC|Subject|Body|Date|Label|Header:[!-9;-~]{1,100})$", "u");
const schema17 = {"title":"Condition","description":"`field` with `regex`, or one of `allOf`, `anyOf`, `not`.","type":"object","additionalProperties":false,"dependentRequired":{"field":["regex"],"regex":["field"]},"oneOf":[{"required":["field"]},{"required":["allOf"]},{"required":["anyOf"]},{"required":["not"]}],"properties":{"field":{"description":"Part of the mail: `From`, `To`, `CC`, `BCC` (each bare address and each `name <address>`), `Subject`, `Body` (the text, else the text of the HTML; its first 256 KB), `Date` (ISO 8601, UTC), `Label` (each), or `Header:<name>` (each header of that name).","type":"string","pattern":"^(From|To|CC|BCC|Subject|Body|Date|Label|Header:[!-9;-~]{1,100})$","x-expected":"From, To, CC, BCC, Subject, Body, Date, Label or Header:<name>","examples":["From","To","CC","BCC","Subject","Body","Date","Label","Header:Auto-Submitted"]},"regex":{"description":"Regular expression in RE2 syntax that must match somewhere in the field. Case-sensitive unless it starts with `(?i)`.","type":"string","minLength":1,"maxLength":2000,"x-regex":true,"examples":["(?i)urgent","@domain\\.com$"]},"allOf":{"description":"Conditions that all match.","type":"array","minItems":1,"maxItems":100,"items":{"$ref":"#/$defs/condition"},"examples":[[{"field":"Subject","regex":"(?i)urgent"},{"field":"From","regex":"@domain\\.com$"}]]},"anyOf":{"description":"Conditions of which at least one matches.","type":"array","minItems":1,"maxItems":100,"items":{"$ref":"#/$defs/condition"},"examples":[[{"field":"Subject","regex":"(?i)urgent"},{"field":"Subject","regex":"(?i)asap"}]]},"not":{"description":"A condition that does not match.","$ref":"#/$defs/condition","examples":[{"field":"Header:Auto-Submitted","regex":"^auto-"}]}},"examples":[{"field":"Subject","regex":"(?i)urgent"}]};
const wrapper0 = {validate: validate31};

function validate31(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate31.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs1 = errors;
let valid0 = false;
let passing0 = null;
const _errs2 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.field === undefined){
const err0 = {instancePath,schemaPath:"#/oneOf/0/required",keyword:"required",params:{missingProperty: "field"},message:"must have required property '"+"field"+"'",schema:schema17.oneOf[0].required,parentSchema:schema17.oneOf[0],data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
var _valid0 = _errs2 === errors;
if(_valid0){
valid0 = true;
passing0 = 0;
}
const _errs3 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.allOf === undefined){
const err1 = {instancePath,schemaPath:"#/oneOf/1/required",keyword:"required",params:{missingProperty: "allOf"},message:"must have required property '"+"allOf"+"'",schema:schema17.oneOf[1].required,parentSchema:schema17.oneOf[1],data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
var _valid0 = _errs3 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 1];
}
else {
if(_valid0){
valid0 = true;
passing0 = 1;
}
const _errs4 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.anyOf === undefined){
const err2 = {instancePath,schemaPath:"#/oneOf/2/required",keyword:"required",params:{missingProperty: "anyOf"},message:"must have required property '"+"anyOf"+"'",schema:schema17.oneOf[2].required,parentSchema:schema17.oneOf[2],data};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
var _valid0 = _errs4 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 2];
}
else {
if(_valid0){
valid0 = true;
passing0 = 2;
}
const _errs5 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.not === undefined){
const err3 = {instancePath,schemaPath:"#/oneOf/3/required",keyword:"required",params:{missingProperty: "not"},message:"must have required property '"+"not"+"'",schema:schema17.oneOf[3].required,parentSchema:schema17.oneOf[3],data};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
var _valid0 = _errs5 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 3];
}
else {
if(_valid0){
valid0 = true;
passing0 = 3;
}
}
}
}
if(!valid0){
const err4 = {instancePath,schemaPath:"#/oneOf",keyword:"oneOf",params:{passingSchemas: passing0},message:"must match exactly one schema in oneOf",schema:schema17.oneOf,parentSchema:schema17,data};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
else {
errors = _errs1;
if(vErrors !== null){
if(_errs1){
vErrors.length = _errs1;
}
else {
vErrors = null;
}
}
}
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!(((((key0 === "field") || (key0 === "regex")) || (key0 === "allOf")) || (key0 === "anyOf")) || (key0 === "not"))){
const err5 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema17,data};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.field !== undefined){
let data0 = data.field;
if(typeof data0 === "string"){
if(!pattern70.test(data0)){
const err6 = {instancePath:instancePath+"/field",schemaPath:"#/properties/field/pattern",keyword:"pattern",params:{pattern: "^(From|To|CC|BCC|Subject|Body|Date|Label|Header:[!-9;-~]{1,100})$"},message:"must match pattern \""+"^(From|To|CC|BCC|Subject|Body|Date|Label|Header:[!-9;-~]{1,100})$"+"\"",schema:"^(From|To|CC|BCC|Subject|Body|Date|Label|Header:[!-9;-~]{1,100})$",parentSchema:schema17.properties.field,data:data0};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/field",schemaPath:"#/properties/field/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema17.properties.field.type,parentSchema:schema17.properties.field,data:data0};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.regex !== undefined){
let data1 = data.regex;
if(typeof data1 === "string"){
if(func1(data1) > 2000){
const err8 = {instancePath:instancePath+"/regex",schemaPath:"#/properties/regex/maxLength",keyword:"maxLength",params:{limit: 2000},message:"must NOT have more than 2000 characters",schema:2000,parentSchema:schema17.properties.regex,data:data1};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(func1(data1) < 1){
const err9 = {instancePath:instancePath+"/regex",schemaPath:"#/properties/regex/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema17.properties.regex,data:data1};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
else {
const err10 = {instancePath:instancePath+"/regex",schemaPath:"#/properties/regex/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema17.properties.regex.type,parentSchema:schema17.properties.regex,data:data1};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.allOf !== undefined){
let data2 = data.allOf;
if(Array.isArray(data2)){
if(data2.length > 100){
const err11 = {instancePath:instancePath+"/allOf",schemaPath:"#/properties/allOf/maxItems",keyword:"maxItems",params:{limit: 100},message:"must NOT have more than 100 items",schema:100,parentSchema:schema17.properties.allOf,data:data2};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if(data2.length < 1){
const err12 = {instancePath:instancePath+"/allOf",schemaPath:"#/properties/allOf/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items",schema:1,parentSchema:schema17.properties.allOf,data:data2};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
const len0 = data2.length;
for(let i0=0; i0<len0; i0++){
if(!(wrapper0.validate(data2[i0], {instancePath:instancePath+"/allOf/" + i0,parentData:data2,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? wrapper0.validate.errors : vErrors.concat(wrapper0.validate.errors);
errors = vErrors.length;
}
}
}
else {
const err13 = {instancePath:instancePath+"/allOf",schemaPath:"#/properties/allOf/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema17.properties.allOf.type,parentSchema:schema17.properties.allOf,data:data2};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data.anyOf !== undefined){
let data4 = data.anyOf;
if(Array.isArray(data4)){
if(data4.length > 100){
const err14 = {instancePath:instancePath+"/anyOf",schemaPath:"#/properties/anyOf/maxItems",keyword:"maxItems",params:{limit: 100},message:"must NOT have more than 100 items",schema:100,parentSchema:schema17.properties.anyOf,data:data4};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
if(data4.length < 1){
const err15 = {instancePath:instancePath+"/anyOf",schemaPath:"#/properties/anyOf/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items",schema:1,parentSchema:schema17.properties.anyOf,data:data4};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
const len1 = data4.length;
for(let i1=0; i1<len1; i1++){
if(!(wrapper0.validate(data4[i1], {instancePath:instancePath+"/anyOf/" + i1,parentData:data4,parentDataProperty:i1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? wrapper0.validate.errors : vErrors.concat(wrapper0.validate.errors);
errors = vErrors.length;
}
}
}
else {
const err16 = {instancePath:instancePath+"/anyOf",schemaPath:"#/properties/anyOf/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema17.properties.anyOf.type,parentSchema:schema17.properties.anyOf,data:data4};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data.not !== undefined){
if(!(wrapper0.validate(data.not, {instancePath:instancePath+"/not",parentData:data,parentDataProperty:"not",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? wrapper0.validate.errors : vErrors.concat(wrapper0.validate.errors);
errors = vErrors.length;
}
}
if(data.field !== undefined){
if(data.regex === undefined){
const err17 = {instancePath,schemaPath:"#/dependentRequired",keyword:"dependentRequired",params:{property: "field",
    missingProperty: "regex",
    depsCount: 1,
    deps: "regex"},message:"must have property regex when property field is present",schema:schema17.dependentRequired,parentSchema:schema17,data};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
if(data.regex !== undefined){
if(data.field === undefined){
const err18 = {instancePath,schemaPath:"#/dependentRequired",keyword:"dependentRequired",params:{property: "regex",
    missingProperty: "field",
    depsCount: 1,
    deps: "field"},message:"must have property field when property regex is present",schema:schema17.dependentRequired,parentSchema:schema17,data};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
}
else {
const err19 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema17.type,parentSchema:schema17,data};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
validate31.errors = vErrors;
return errors === 0;
}
validate31.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate30(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="filter.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate30.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs1 = errors;
let valid0 = false;
let passing0 = null;
const _errs2 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.field === undefined){
const err0 = {instancePath,schemaPath:"#/oneOf/0/required",keyword:"required",params:{missingProperty: "field"},message:"must have required property '"+"field"+"'",schema:schema16.oneOf[0].required,parentSchema:schema16.oneOf[0],data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
var _valid0 = _errs2 === errors;
if(_valid0){
valid0 = true;
passing0 = 0;
}
const _errs3 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.allOf === undefined){
const err1 = {instancePath,schemaPath:"#/oneOf/1/required",keyword:"required",params:{missingProperty: "allOf"},message:"must have required property '"+"allOf"+"'",schema:schema16.oneOf[1].required,parentSchema:schema16.oneOf[1],data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
var _valid0 = _errs3 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 1];
}
else {
if(_valid0){
valid0 = true;
passing0 = 1;
}
const _errs4 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.anyOf === undefined){
const err2 = {instancePath,schemaPath:"#/oneOf/2/required",keyword:"required",params:{missingProperty: "anyOf"},message:"must have required property '"+"anyOf"+"'",schema:schema16.oneOf[2].required,parentSchema:schema16.oneOf[2],data};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
var _valid0 = _errs4 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 2];
}
else {
if(_valid0){
valid0 = true;
passing0 = 2;
}
const _errs5 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.not === undefined){
const err3 = {instancePath,schemaPath:"#/oneOf/3/required",keyword:"required",params:{missingProperty: "not"},message:"must have required property '"+"not"+"'",schema:schema16.oneOf[3].required,parentSchema:schema16.oneOf[3],data};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
var _valid0 = _errs5 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 3];
}
else {
if(_valid0){
valid0 = true;
passing0 = 3;
}
}
}
}
if(!valid0){
const err4 = {instancePath,schemaPath:"#/oneOf",keyword:"oneOf",params:{passingSchemas: passing0},message:"must match exactly one schema in oneOf",schema:schema16.oneOf,parentSchema:schema16,data};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
else {
errors = _errs1;
if(vErrors !== null){
if(_errs1){
vErrors.length = _errs1;
}
else {
vErrors = null;
}
}
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.description === undefined){
data.description = "";
}
if(data.enabled === undefined){
data.enabled = true;
}
if(data.stop === undefined){
data.stop = false;
}
if(data.id === undefined){
const err5 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'",schema:schema16.required,parentSchema:schema16,data};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data.directorId === undefined){
const err6 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "directorId"},message:"must have required property '"+"directorId"+"'",schema:schema16.required,parentSchema:schema16,data};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
for(const key0 in data){
if(!(func0.call(schema16.properties, key0))){
const err7 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema16,data};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.$schema !== undefined){
let data0 = data.$schema;
if(typeof data0 !== "string"){
const err8 = {instancePath:instancePath+"/$schema",schemaPath:"#/properties/%24schema/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema16.properties.$schema.type,parentSchema:schema16.properties.$schema,data:data0};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.id !== undefined){
let data1 = data.id;
if(typeof data1 === "string"){
if(!pattern0.test(data1)){
const err9 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{1,48}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{1,48}$"+"\"",schema:"^[A-Za-z0-9_-]{1,48}$",parentSchema:schema16.properties.id,data:data1};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
else {
const err10 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema16.properties.id.type,parentSchema:schema16.properties.id,data:data1};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
let data2 = data.description;
if(typeof data2 !== "string"){
const err11 = {instancePath:instancePath+"/description",schemaPath:"#/properties/description/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema16.properties.description.type,parentSchema:schema16.properties.description,data:data2};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
let data3 = data.enabled;
if(typeof data3 !== "boolean"){
const err12 = {instancePath:instancePath+"/enabled",schemaPath:"#/properties/enabled/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema16.properties.enabled.type,parentSchema:schema16.properties.enabled,data:data3};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if(data.order !== undefined){
let data4 = data.order;
if(!((typeof data4 == "number") && (isFinite(data4)))){
const err13 = {instancePath:instancePath+"/order",schemaPath:"#/properties/order/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema16.properties.order.type,parentSchema:schema16.properties.order,data:data4};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data.field !== undefined){
let data5 = data.field;
if(typeof data5 === "string"){
if(!pattern70.test(data5)){
const err14 = {instancePath:instancePath+"/field",schemaPath:"#/properties/field/pattern",keyword:"pattern",params:{pattern: "^(From|To|CC|BCC|Subject|Body|Date|Label|Header:[!-9;-~]{1,100})$"},message:"must match pattern \""+"^(From|To|CC|BCC|Subject|Body|Date|Label|Header:[!-9;-~]{1,100})$"+"\"",schema:"^(From|To|CC|BCC|Subject|Body|Date|Label|Header:[!-9;-~]{1,100})$",parentSchema:schema16.properties.field,data:data5};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
else {
const err15 = {instancePath:instancePath+"/field",schemaPath:"#/properties/field/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema16.properties.field.type,parentSchema:schema16.properties.field,data:data5};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data.regex !== undefined){
let data6 = data.regex;
if(typeof data6 === "string"){
if(func1(data6) > 2000){
const err16 = {instancePath:instancePath+"/regex",schemaPath:"#/properties/regex/maxLength",keyword:"maxLength",params:{limit: 2000},message:"must NOT have more than 2000 characters",schema:2000,parentSchema:schema16.properties.regex,data:data6};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
if(func1(data6) < 1){
const err17 = {instancePath:instancePath+"/regex",schemaPath:"#/properties/regex/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema16.properties.regex,data:data6};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
else {
const err18 = {instancePath:instancePath+"/regex",schemaPath:"#/properties/regex/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema16.properties.regex.type,parentSchema:schema16.properties.regex,data:data6};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
if(data.allOf !== undefined){
let data7 = data.allOf;
if(Array.isArray(data7)){
if(data7.length > 100){
const err19 = {instancePath:instancePath+"/allOf",schemaPath:"#/properties/allOf/maxItems",keyword:"maxItems",params:{limit: 100},message:"must NOT have more than 100 items",schema:100,parentSchema:schema16.properties.allOf,data:data7};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
if(data7.length < 1){
const err20 = {instancePath:instancePath+"/allOf",schemaPath:"#/properties/allOf/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items",schema:1,parentSchema:schema16.properties.allOf,data:data7};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
const len0 = data7.length;
for(let i0=0; i0<len0; i0++){
if(!(validate31(data7[i0], {instancePath:instancePath+"/allOf/" + i0,parentData:data7,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate31.errors : vErrors.concat(validate31.errors);
errors = vErrors.length;
}
}
}
else {
const err21 = {instancePath:instancePath+"/allOf",schemaPath:"#/properties/allOf/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema16.properties.allOf.type,parentSchema:schema16.properties.allOf,data:data7};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
if(data.anyOf !== undefined){
let data9 = data.anyOf;
if(Array.isArray(data9)){
if(data9.length > 100){
const err22 = {instancePath:instancePath+"/anyOf",schemaPath:"#/properties/anyOf/maxItems",keyword:"maxItems",params:{limit: 100},message:"must NOT have more than 100 items",schema:100,parentSchema:schema16.properties.anyOf,data:data9};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
if(data9.length < 1){
const err23 = {instancePath:instancePath+"/anyOf",schemaPath:"#/properties/anyOf/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items",schema:1,parentSchema:schema16.properties.anyOf,data:data9};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
const len1 = data9.length;
for(let i1=0; i1<len1; i1++){
if(!(validate31(data9[i1], {instancePath:instancePath+"/anyOf/" + i1,parentData:data9,parentDataProperty:i1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate31.errors : vErrors.concat(validate31.errors);
errors = vErrors.length;
}
}
}
else {
const err24 = {instancePath:instancePath+"/anyOf",schemaPath:"#/properties/anyOf/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema16.properties.anyOf.type,parentSchema:schema16.properties.anyOf,data:data9};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
if(data.not !== undefined){
if(!(validate31(data.not, {instancePath:instancePath+"/not",parentData:data,parentDataProperty:"not",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate31.errors : vErrors.concat(validate31.errors);
errors = vErrors.length;
}
}
if(data.directorId !== undefined){
let data12 = data.directorId;
if((typeof data12 !== "string") && (!(Array.isArray(data12)))){
const err25 = {instancePath:instancePath+"/directorId",schemaPath:"#/properties/directorId/type",keyword:"type",params:{type: schema16.properties.directorId.type},message:"must be string,array",schema:schema16.properties.directorId.type,parentSchema:schema16.properties.directorId,data:data12};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
if(typeof data12 === "string"){
if(!pattern0.test(data12)){
const err26 = {instancePath:instancePath+"/directorId",schemaPath:"#/properties/directorId/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{1,48}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{1,48}$"+"\"",schema:"^[A-Za-z0-9_-]{1,48}$",parentSchema:schema16.properties.directorId,data:data12};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
if(Array.isArray(data12)){
if(data12.length < 1){
const err27 = {instancePath:instancePath+"/directorId",schemaPath:"#/properties/directorId/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items",schema:1,parentSchema:schema16.properties.directorId,data:data12};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
const len2 = data12.length;
for(let i2=0; i2<len2; i2++){
let data13 = data12[i2];
if(typeof data13 === "string"){
if(!pattern0.test(data13)){
const err28 = {instancePath:instancePath+"/directorId/" + i2,schemaPath:"#/properties/directorId/items/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{1,48}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{1,48}$"+"\"",schema:"^[A-Za-z0-9_-]{1,48}$",parentSchema:schema16.properties.directorId.items,data:data13};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
else {
const err29 = {instancePath:instancePath+"/directorId/" + i2,schemaPath:"#/properties/directorId/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema16.properties.directorId.items.type,parentSchema:schema16.properties.directorId.items,data:data13};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
}
}
if(data.accountIds !== undefined){
let data14 = data.accountIds;
if(Array.isArray(data14)){
if(data14.length > 1000){
const err30 = {instancePath:instancePath+"/accountIds",schemaPath:"#/properties/accountIds/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items",schema:1000,parentSchema:schema16.properties.accountIds,data:data14};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
const len3 = data14.length;
for(let i3=0; i3<len3; i3++){
let data15 = data14[i3];
if(typeof data15 === "string"){
if(!pattern8.test(data15)){
const err31 = {instancePath:instancePath+"/accountIds/" + i3,schemaPath:"#/properties/accountIds/items/pattern",keyword:"pattern",params:{pattern: "^([A-Za-z0-9_-]{1,48}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190})$"},message:"must match pattern \""+"^([A-Za-z0-9_-]{1,48}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190})$"+"\"",schema:"^([A-Za-z0-9_-]{1,48}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190})$",parentSchema:schema16.properties.accountIds.items,data:data15};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
else {
const err32 = {instancePath:instancePath+"/accountIds/" + i3,schemaPath:"#/properties/accountIds/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema16.properties.accountIds.items.type,parentSchema:schema16.properties.accountIds.items,data:data15};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
}
else {
const err33 = {instancePath:instancePath+"/accountIds",schemaPath:"#/properties/accountIds/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema16.properties.accountIds.type,parentSchema:schema16.properties.accountIds,data:data14};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
let data16 = data.stop;
if(typeof data16 !== "boolean"){
const err34 = {instancePath:instancePath+"/stop",schemaPath:"#/properties/stop/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema16.properties.stop.type,parentSchema:schema16.properties.stop,data:data16};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
if(data.field !== undefined){
if(data.regex === undefined){
const err35 = {instancePath,schemaPath:"#/dependentRequired",keyword:"dependentRequired",params:{property: "field",
    missingProperty: "regex",
    depsCount: 1,
    deps: "regex"},message:"must have property regex when property field is present",schema:schema16.dependentRequired,parentSchema:schema16,data};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
}
if(data.regex !== undefined){
if(data.field === undefined){
const err36 = {instancePath,schemaPath:"#/dependentRequired",keyword:"dependentRequired",params:{property: "regex",
    missingProperty: "field",
    depsCount: 1,
    deps: "field"},message:"must have property field when property regex is present",schema:schema16.dependentRequired,parentSchema:schema16,data};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
}
}
else {
const err37 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema16.type,parentSchema:schema16,data};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
validate30.errors = vErrors;
return errors === 0;
}
validate30.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const director = validate35;
const schema18 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"director.schema.json","title":"Director","description":"A director takes a mail or a message, asks agents, uses tools and leaves results in its workspace: a file in `directors/`.","type":"object","additionalProperties":false,"required":["id","apiConfigId"],"properties":{"$schema":{"description":"The schema of a JSON file, for editors. YAML files name it in their first line.","type":"string","examples":["../../schemas/director.schema.json"]},"id":{"description":"Id of this director. Equals the file name.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["client-manager"]},"description":{"description":"The purpose of this director. Part of the system message that Callsheet writes if the prompt has none.","type":"string","default":"","examples":["Reads the mood of the client and drafts an answer."]},"enabled":{"description":"Set to false to disable this director without deleting its file.","type":"boolean","default":true,"examples":[false]},"order":{"description":"Position among the directors: lowest number first, then by id. Directors without a number come last.","type":"number","x-unit":"rank","examples":[10]},"name":{"description":"Name for people. Default: the id.","type":"string","minLength":1,"maxLength":200,"x-default-from":"id","examples":["Client manager"]},"mode":{"description":"Mode of work. `orchestrate`: one loop of model and tools for each trigger. `plan`: a plan of steps is made, each is worked on and evaluated, and their results become one answer. `objective`: pursues one wish on threads of mails for weeks, with drafts, waits and follow-ups.","type":"string","enum":["orchestrate","plan","objective"],"default":"orchestrate","examples":["orchestrate"]},"objective":{"description":"What a director with `mode: objective` works with.","type":"object","additionalProperties":false,"default":{},"properties":{"intake":{"description":"The agent that sums up the threads and finds constraints; one of `agents`. Default: the director itself.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["intake"]},"planner":{"description":"The agent that decides the next action; one of `agents`. Default: the director itself.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["planner"]},"writer":{"description":"The agent that writes the drafts; one of `agents`. Default: the director itself.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["email-writer"]},"followUp":{"description":"When nobody answers.","type":"object","additionalProperties":false,"default":{},"properties":{"afterHours":{"description":"How long a reply is awaited after the last mail of the user, before the planner is asked again.","type":"number","minimum":1,"maximum":2160,"default":72,"x-unit":"hours","examples":[72]},"max":{"description":"Most follow-ups of one objective. After the last one the planner asks the user, or ends the objective.","type":"integer","minimum":0,"maximum":20,"default":3,"x-unit":"mails","examples":[3]},"perRecipientPerDay":{"description":"Most follow-ups that one recipient gets within 24 hours, from all objectives together.","type":"integer","minimum":1,"maximum":50,"default":1,"x-unit":"mails","examples":[1]},"workingHours":{"description":"Hours in which follow-ups leave, in place of `calendar.workingHours` of the settings. Default: those of the settings.","type":"object","additionalProperties":false,"properties":{"start":{"description":"First minute, in the local time of the time zone.","type":"string","pattern":"^([01][0-9]|2[0-3]):[0-5][0-9]$","x-expected":"a time such as 09:00, in quotes","default":"09:00","examples":["09:00"]},"end":{"description":"End of the last minute; 24:00 is midnight.","type":"string","pattern":"^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$","x-expected":"a time such as 17:00, in quotes","default":"17:00","examples":["17:00"]},"days":{"description":"Days on which work begins.","type":"array","items":{"type":"string","enum":["mon","tue","wed","thu","fri","sat","sun"]},"minItems":1,"uniqueItems":true,"default":["mon","tue","wed","thu","fri"],"examples":[["mon","tue","wed","thu"]]}},"examples":[{"start":"09:00","end":"17:00"}]}},"examples":[{"afterHours":72,"max":3}]},"sendDrafts":{"description":"`never`: drafts lie in Drafts, and the user sends them. `ask`: a person is asked as well, and may send the draft from Callsheet. `allow`: drafts are sent, where the permissions and `untrusted.act` allow `mail_send`.","type":"string","enum":["never","ask","allow"],"default":"never","examples":["ask"]},"maxWakes":{"description":"How often an objective wakes at most. One that would wake more often fails.","type":"integer","minimum":1,"maximum":10000,"default":40,"x-unit":"wakes","examples":[40]},"maxCost":{"description":"Most cost of one objective over its whole life; `budget` counts for each wake. Default: no limit.","type":"number","exclusiveMinimum":0,"x-unit":"USD","examples":[2]},"maxDays":{"description":"Longest life of an objective. One that is not reached by then fails.","type":"number","exclusiveMinimum":0,"maximum":3650,"default":90,"x-unit":"days","examples":[90]}},"examples":[{"intake":"intake","planner":"planner","writer":"email-writer","sendDrafts":"ask"}]},"plan":{"description":"Limits of a director with `mode: plan`.","type":"object","additionalProperties":false,"default":{},"properties":{"maxSteps":{"description":"Most steps of a plan, those that the engine adds included.","type":"integer","minimum":1,"maximum":10,"default":10,"x-unit":"steps","examples":[6]},"maxRoundsPerStep":{"description":"Most rounds of tool calls in one try of a step. A step that uses them up goes to the evaluator with what it has.","type":"integer","minimum":1,"maximum":20,"default":5,"x-unit":"rounds","examples":[5]},"maxRetriesPerStep":{"description":"Most further tries of a step that failed. After the last one the plan goes on without the step, and the answer says what failed.","type":"integer","minimum":0,"maximum":5,"default":2,"x-unit":"tries","examples":[2]}},"examples":[{"maxSteps":10,"maxRoundsPerStep":5,"maxRetriesPerStep":2}]},"apiConfigId":{"description":"The API that this director uses, a file in `apis/`.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["main"]},"locality":{"description":"`local`: mail and results never reach an api that is not marked `locality: local`, neither through agents nor through fallbacks.","type":"string","enum":["any","local"],"default":"any","examples":["local"]},"schedule":{"description":"Starts this director at set times, with a message. A start that was missed, because no process ran, is made up for once.","type":"object","additionalProperties":false,"required":["cron","message"],"properties":{"cron":{"description":"Cron expression of five fields: minute, hour, day of month, month, day of week. A time that the clocks skip counts at the change; one that occurs twice counts once.","type":"string","minLength":1,"maxLength":200,"examples":["0 8 * * mon-fri"]},"timeZone":{"description":"IANA name of the time zone of `cron`. Default: `calendar.timeZone` of the settings.","type":"string","minLength":1,"examples":["Europe/Berlin"]},"message":{"description":"Message to the director at each start.","type":"string","minLength":1,"maxLength":100000,"examples":["Prepare the day"]}},"examples":[{"cron":"0 8 * * mon-fri","timeZone":"Europe/Berlin","message":"Prepare the day"}]},"accountIds":{"description":"Accounts whose mail this director accepts. A match of a filter with mail of another account is skipped and reported. Default: all accounts.","type":"array","items":{"description":"Id of an account, a file in `accounts/`.","type":"string","pattern":"^([A-Za-z0-9_-]{1,48}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190})$","x-expected":"an id (1 to 48 letters, digits, _ or -) or an e-mail address","examples":["support"]},"examples":[["support"]],"maxItems":1000},"agents":{"description":"Agents that this director may ask, each through the tool `agent__<id>`.","type":"array","items":{"description":"Id of an agent, a file in `agents/`.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["psychologist"]},"default":[],"examples":[["psychologist","responder"]],"maxItems":1000},"tools":{"description":"Tools that the model sees: names of tool families (`workspace`) or of single tools (`workspace_add_item`).","type":"array","items":{"description":"A family or a tool.","type":"string","pattern":"^[A-Za-z0-9_-]{1,64}$","x-expected":"the name of a tool or of a family","examples":["workspace","mail","calendar","todo","filesystem","document","reminder","notification","memory","notebook","person","workspace_add_item","workspace_list_items","workspace_get_item","workspace_update_item","workspace_remove_item","mail_search","list_emails","mail_read","read_email","mail_draft","draft_reply","mail_send","mail_label","mail_archive","calendar_read","list_events","calendar_add","create_event","calendar_free_slots","calendar_list","todo_add","todo_list","filesystem_search","filesystem_retrieve","document_list","list_documents","document_read","read_document","document_summarize","summarize_document","reminder_create","create_reminder","reminder_list","reminder_cancel","notify","memory_search","memory_recall","memory_add","memory_store","memory_edit","memory_forget","notebook_read_file","read_file","notebook_list_files","list_files","notebook_search_content","search_content","notebook_get_metadata","get_file_metadata","notebook_update_properties","update_file_properties","notebook_write_file","write_file","notebook_create_file","create_file","notebook_delete_file","delete_file","ask_user"]},"default":["workspace"],"examples":[["workspace"]],"maxItems":1000},"memory":{"description":"A folder with memories of this director as Markdown files, for example from `callsheet memory export`. A changed file counts at the next lookup; tools do not change these files. Relative paths start at the parent of the config folder. It cannot contain, be or lie in the config folder or the data folder.","type":"string","minLength":1,"maxLength":1000,"examples":["./memories"]},"memoryAccess":{"description":"Agents whose local memories this director may read, besides its own, those that it shares and the global ones. It cannot change them.","type":"array","items":{"description":"Id of an agent, a file in `agents/`.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["psychologist"]},"default":[],"examples":[["psychologist","responder"]],"maxItems":1000},"imprint":{"description":"A fixed character or memory. It becomes a system message after those of the prompt. Variables as in `prompt`, without those of the mail.","type":"string","examples":["You have worked with these clients for years; you are calm and brief."]},"prompt":{"$ref":"#/$defs/prompt"},"permissions":{"$ref":"#/$defs/permissions"},"untrusted":{"$ref":"#/$defs/untrusted"},"privacy":{"description":"Keeps private data from models: the director and its agents see placeholders such as `<PERSON_1>` in its place, the same one for the same value in the whole run. People see the real values, and so do the tools that `restoreIn` names. See docs/privacy.md. Default: models see everything.","type":"object","additionalProperties":false,"properties":{"redact":{"description":"Kinds of private data that models do not see.","type":"array","items":{"description":"A kind of private data: names of persons, phone numbers, e-mail addresses, IBANs, numbers of payment cards.","type":"string","enum":["person","phone","email","iban","card"],"examples":["person"]},"default":["person","phone","email","iban","card"],"examples":[["person","phone","email","iban","card"]],"maxItems":5},"keep":{"description":"Kinds of words that stay, even where they look like the name of a person or a number.","type":"array","items":{"description":"A kind of words that stays.","type":"string","enum":["company","date","location","role"],"examples":["company"]},"default":["company","date","location","role"],"examples":[["company","date","location","role"]],"maxItems":4},"restoreIn":{"description":"Tools that get the real values in place of placeholders, besides those that only search what is the user's own (mail, calendar, to-dos, files, memory) and the workspace, memory and notification tools. Every other tool, such as a web search, gets the placeholder. Names may contain `*`.","type":"array","items":{"description":"Name of a tool; `*` stands for any characters.","type":"string","pattern":"^[A-Za-z0-9_*-]{1,64}$","x-expected":"a tool name of letters, digits, _ and -, with * for any characters","examples":["mail_draft"]},"default":[],"examples":[["mail_draft","calendar_add","reminder_create"]],"maxItems":1000},"recognizer":{"description":"A recogniser service on this machine that is asked as well, in the shape of Presidio's `analyze`. What it finds is redacted besides what Callsheet finds. If it does not answer, nothing is sent to a model: the run waits and then fails. Default: the one of the settings.","type":"object","additionalProperties":false,"required":["url"],"properties":{"url":{"description":"Address of the service. Only an address of this machine, since the service reads everything.","type":"string","maxLength":2000,"pattern":"^https?://(localhost|127\\.[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}|\\[::1\\])(:[0-9]{1,5})?(/[^\\s]*)?$","x-expected":"an http or https address of this machine, such as http://127.0.0.1:5002/analyze","examples":["http://127.0.0.1:5002/analyze"]},"languages":{"description":"Languages that the service knows. It is asked once for each.","type":"array","items":{"description":"Code of a language.","type":"string","pattern":"^[a-z]{2,3}$","x-expected":"the code of a language, such as en","examples":["en"]},"default":["en"],"examples":[["en","de"]],"minItems":1,"maxItems":10}},"examples":[{"url":"http://127.0.0.1:5002/analyze"}]}},"examples":[{"redact":["person","phone","email","iban","card"],"keep":["company","date","location","role"],"restoreIn":["mail_draft","calendar_add","reminder_create"]}]},"approvals":{"$ref":"#/$defs/approvals"},"scope":{"$ref":"#/$defs/scope"},"guards":{"description":"Gates before calls of tools, for this director and its agents, that no prompt can pass.","type":"array","items":{"title":"GateRule","description":"A gate.","type":"object","additionalProperties":false,"required":["kind","tools"],"properties":{"kind":{"description":"`needsTime`: a call is refused until the user has named a day or a time in their own words; in a run without words of a user, such as on a mail, a person is asked.","type":"string","enum":["needsTime"],"examples":["needsTime"]},"tools":{"description":"Tools behind the gate.","type":"array","minItems":1,"items":{"description":"Name of a tool; `*` stands for any characters.","type":"string","pattern":"^[A-Za-z0-9_*-]{1,64}$","x-expected":"a tool name of letters, digits, _ and -, with * for any characters","examples":["calendar_add"]},"examples":[["calendar_add","reminder_create"]],"maxItems":1000}},"examples":[{"kind":"needsTime","tools":["calendar_add","reminder_create"]}]},"default":[],"examples":[[{"kind":"needsTime","tools":["calendar_add","reminder_create"]}]],"maxItems":100},"output":{"description":"The form of the final answer, where it must be JSON. It is also stored as an item of type `application/json`. The model may correct an answer of another form twice; then the run fails with `OUTPUT_INVALID`.","type":"object","additionalProperties":false,"required":["schema"],"properties":{"schema":{"description":"JSON Schema (draft 2020-12) of the answer. Models see it. Providers with a strict mode keep to it, where it describes an object with named properties: `additionalProperties` is false or left out.","type":"object","minProperties":1,"additionalProperties":true,"examples":[{"type":"object","required":["mood","reason"],"properties":{"mood":{"type":"string","enum":["calm","worried","angry"]},"reason":{"type":"string","description":"One sentence."}}}]}},"examples":[{"schema":{"type":"object","required":["mood"],"properties":{"mood":{"type":"string","enum":["calm","worried","angry"]}}}}]},"checks":{"description":"Checks of the final answer, before anybody sees it.","type":"array","items":{"title":"AnswerCheck","description":"A check of the final answer.","type":"object","additionalProperties":false,"required":["kind","claim"],"properties":{"kind":{"description":"`claims`: a sentence that says that something was done is removed, unless a call did it in this run, or in a run of the same session.","type":"string","enum":["claims"],"examples":["claims"]},"claim":{"description":"The claim: a meeting is in the calendar, a reminder is set, a mail was sent, or a file was written. Found in English, German, French and Spanish.","type":"string","enum":["meeting-scheduled","reminder-set","mail-sent","file-written"],"examples":["meeting-scheduled"]},"needs":{"description":"The tool, or tools, one of which must have been called with success. Default: `calendar_add`, `reminder_create`, `mail_send`, or `notebook_write_file` and `notebook_create_file`, by claim.","type":["string","array"],"pattern":"^[A-Za-z0-9_-]{1,64}$","x-expected":"the name of a tool","minItems":1,"items":{"description":"Name of a tool.","type":"string","pattern":"^[A-Za-z0-9_-]{1,64}$","x-expected":"the name of a tool","examples":["calendar_add"]},"maxItems":100,"examples":["calendar_add",["notebook_write_file","notebook_create_file"]]},"otherwise":{"description":"What stands in the answer instead. `say-so`: a sentence that says that it was not done. `offer-free-times`: also free times of the next days from the calendar (for `meeting-scheduled`). `remove`: nothing, unless nothing else is left of the answer.","type":"string","enum":["say-so","offer-free-times","remove"],"default":"say-so","examples":["offer-free-times"]}},"examples":[{"kind":"claims","claim":"meeting-scheduled","needs":"calendar_add","otherwise":"offer-free-times"}]},"default":[],"examples":[[{"kind":"claims","claim":"meeting-scheduled","needs":"calendar_add","otherwise":"offer-free-times"},{"kind":"claims","claim":"mail-sent"}]],"maxItems":100},"budget":{"description":"Limits of one run. A run that reaches a limit ends; its results so far stay.","type":"object","additionalProperties":false,"default":{},"properties":{"maxIterations":{"description":"Maximum number of requests to the model, those of its agents included. The last one is for the director itself.","type":"integer","minimum":1,"maximum":10000,"default":40,"x-unit":"requests","examples":[40]},"maxMinutes":{"description":"Maximum working time. Waiting for a person does not count.","type":"number","exclusiveMinimum":0,"maximum":10080,"default":10,"x-unit":"minutes","examples":[10]},"maxTokens":{"description":"Maximum of input and output tokens, including those of its agents. A request that may exceed it ends the run; its results so far stay.","type":"integer","minimum":1,"x-unit":"tokens","examples":[200000]},"maxCost":{"description":"Maximum cost, including that of its agents. The price of the model must be known.","type":"number","exclusiveMinimum":0,"x-unit":"USD","examples":[0.5]}},"examples":[{"maxIterations":40,"maxMinutes":10}]}},"$defs":{"message":{"title":"PromptMessage","description":"One message in OpenAI's chat format.","type":"object","additionalProperties":false,"required":["role","content"],"properties":{"role":{"description":"Role of the message. Mail and other untrusted text are allowed only in role `user`. Role `tool` is an example of a tool's result; Callsheet adds the call before it.","type":"string","enum":["system","user","assistant","tool"],"examples":["system"]},"content":{"description":"The text. Variables: `{{email}}` (the mail as a marked envelope), `{{email.subject}}`, `{{email.from}}`, `{{email.to}}`, `{{email.cc}}`, `{{email.date}}`, `{{email.text}}`, `{{email.id}}`, `{{message}}` (what the person, director or task asks), `{{thread}}` (the stored mails of the thread before this one, oldest first: the newest 30 of them, up to 10,000 characters of each and 60,000 in all), `{{memories}}` (what the director or agent remembers that matches the mail or the message: at most 10 memories and 4,000 characters, each with its scope and date), `{{date}}` (now, ISO 8601), `{{account}}`, `{{director}}`, `{{director.id}}`, `{{director.name}}`, `{{director.description}}`, `{{agent}}`, `{{agent.id}}`, `{{agent.name}}`, `{{agent.description}}`, `{{agents}}` (the agents that the director may ask), `{{scope}}` (the notebooks, folders, file types and operations of `scope`, in words), and a template's own. `email…`, `message`, `thread` and `memories` come from outside and may be used in role `user` only.","type":"string","examples":["Answer in the language of the mail.","{{email}}","Today is {{date}}.","{{message}}","{{thread}}","{{memories}}","{{agents}}"]},"name":{"description":"In role `tool`: the name of the tool that was called.","type":"string","pattern":"^[A-Za-z0-9_-]{1,64}$","x-expected":"the name of a tool: 1 to 64 letters, digits, _ or -","examples":["calendar_read"]},"arguments":{"description":"In role `tool`: the arguments of the call. They are literal: variables are not replaced.","type":"object","additionalProperties":true,"examples":[{"query":"invoice"}]}}},"use":{"title":"PromptUse","description":"A template from `prompts/`, with values for its variables.","type":"object","additionalProperties":false,"required":["use"],"properties":{"use":{"description":"Id of the template, a file in `prompts/`.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["mood"]},"with":{"description":"Values for the variables of the template. Other variables keep the default of the template. Values are literal text: variables in them are not replaced.","type":"object","additionalProperties":{"type":"string"},"default":{},"examples":[{"language":"German"}],"maxProperties":1000}}},"prompt":{"title":"PromptSource","description":"Messages, or a template: `{ use: mood, with: { language: German } }`. Without a system message, Callsheet writes one from name and description. It appends the mail, message or ask that no variable places as the last user message.","if":{"type":"array"},"then":{"title":"PromptMessages","type":"array","items":{"$ref":"#/$defs/message"}},"else":{"$ref":"#/$defs/use"},"examples":[[{"role":"system","content":"Name the mood of the writer in one line and say why."},{"role":"user","content":"{{email}}"}]]},"permissions":{"title":"Permissions","description":"Rules for tool calls: `deny` is checked first, then `ask`, then `allow`. Names may contain `*`, and entries patterns for arguments. A call that an entry of `allow` names with other arguments asks. Discovery, the workspace and memory tools and `agent__<id>` of the listed agents are allowed unless denied. With `permissions`, a tool that no rule names is denied; without, it asks.","type":"object","additionalProperties":false,"properties":{"allow":{"description":"Tools that run without approval. A mail goes to others than those of its thread only where a pattern lists them, such as `mail_send(to=*@company.com)`.","type":"array","items":{"$ref":"#/$defs/glob"},"default":[],"examples":[["workspace_*"]],"maxItems":1000},"ask":{"description":"Tools that wait for the approval of a person.","type":"array","items":{"$ref":"#/$defs/glob"},"default":[],"examples":[["workspace_remove_item"]],"maxItems":1000},"deny":{"description":"Tools that are refused. The model does not see them, unless the entry has patterns for arguments.","type":"array","items":{"$ref":"#/$defs/glob"},"default":[],"examples":[["workspace_remove_item"]],"maxItems":1000}},"examples":[{"ask":["workspace_remove_item"]}]},"untrusted":{"title":"Untrusted","description":"What may happen without a person after text of strangers was read: a mail, an attachment, the result of a tool that reads elsewhere, an untrusted memory. From then on every call that writes to the world, or sends its arguments outward, waits for a person, whatever `permissions.allow` says. The workspace, memories, reminders, drafts, to-dos and questions to agents do not. For the calls of its agents, the file of the director decides; in a session that a person opened with an agent, the file of the agent. See docs/injection.md.","type":"object","additionalProperties":false,"properties":{"act":{"description":"Tools that run all the same where `permissions` allow them. Entries are as in `permissions`; the pattern `@thread` stands for the addresses of all who wrote or got a mail of the thread of the run's mail.","type":"array","items":{"$ref":"#/$defs/glob"},"default":[],"examples":[["mail_label","mail_send(to=@thread)"]],"maxItems":1000}},"examples":[{"act":["mail_label","mail_send(to=@thread)"]}]},"glob":{"description":"Name of a tool; `*` stands for any characters. Patterns for arguments stand in parentheses: `mail_send(to=*@company.com)`; several need quotes in YAML: `'mail_send(to=*@company.com, cc=*@company.com)'`. All of them must match, and of a list every element; a missing argument never matches. In `ask` and `deny` one element is enough. Addresses match without their display name; in paths and URLs `*` stops at `/`, and `**` does not.","type":"string","pattern":"^[A-Za-z0-9_*-]{1,64}(\\([^\\n]{1,900}\\))?$","x-expected":"a tool name of letters, digits, _ and -, with * for any characters, and patterns for arguments in parentheses; an entry with several arguments needs quotes","examples":["workspace_*","mail_*","calendar_*","todo_*","filesystem_*","document_*","reminder_*","notification_*","memory_*","notebook_*","person_*","agent__*","workspace_add_item","workspace_list_items","workspace_get_item","workspace_update_item","workspace_remove_item","mail_search","list_emails","mail_read","read_email","mail_draft","draft_reply","mail_send","mail_label","mail_archive","calendar_read","list_events","calendar_add","create_event","calendar_free_slots","calendar_list","todo_add","todo_list","filesystem_search","filesystem_retrieve","document_list","list_documents","document_read","read_document","document_summarize","summarize_document","reminder_create","create_reminder","reminder_list","reminder_cancel","notify","memory_search","memory_recall","memory_add","memory_store","memory_edit","memory_forget","notebook_read_file","read_file","notebook_list_files","list_files","notebook_search_content","search_content","notebook_get_metadata","get_file_metadata","notebook_update_properties","update_file_properties","notebook_write_file","write_file","notebook_create_file","create_file","notebook_delete_file","delete_file","ask_user","list_agents","list_tools","describe_tool","validate_tool_params","read_api_docs"]},"scope":{"title":"Scope","description":"Which files of which notebooks the notebook tools may touch, and what they may do. A notebook is a folder that `roots` of the settings names. Without `scope`, no notebook is open. The scope of a director holds for its own calls, that of an agent for the agent's calls. A call is checked in this order: operation, notebook, folder, file type.","type":"object","additionalProperties":false,"properties":{"notebooks":{"description":"Names of notebooks, as in `roots` of the settings; `*` stands for all of them.","type":"array","items":{"description":"Name of a notebook, or `*`.","type":"string","pattern":"^(\\*|[A-Za-z0-9_-]{1,48})$","x-expected":"the name of a notebook (1 to 48 letters, digits, _ or -), or *","examples":["lab"]},"default":[],"examples":[["lab"]],"maxItems":1000},"folders":{"description":"Folders and files inside the notebooks, as patterns of .gitignore, compared with the path from the root of the notebook: a leading `/` binds the pattern to the root, `*` stays inside one folder, `**` crosses folders, and a folder that matches includes everything below it. Upper and lower case differ. Default: every folder.","type":"array","items":{"description":"A pattern as in .gitignore, without `!`.","type":"string","minLength":1,"maxLength":500,"pattern":"^(?![!#\\s])(?![\\s\\S]*\\s$)[^\\u0000-\\u001f]+$","x-expected":"a pattern as in .gitignore, without ! or # at its start and without spaces around it","examples":["/experiments/*","/notes"]},"minItems":1,"default":["*"],"examples":[["/experiments/*","/notes"]],"maxItems":1000},"fileTypes":{"description":"Patterns for the name of a file, whatever its folder. Default: every name.","type":"array","items":{"description":"A pattern for the name alone, such as `*.md`.","type":"string","minLength":1,"maxLength":200,"pattern":"^(?![!#\\s])(?![\\s\\S]*\\s$)[^/\\\\\\u0000-\\u001f]+$","x-expected":"a pattern for a file name such as *.md, without / and without ! or # at its start","examples":["*.md"]},"minItems":1,"default":["*"],"examples":[["*.md","*.txt","*.json"]],"maxItems":1000},"operations":{"description":"What the tools may do: `read` (read, list and search), `write` (change files and their properties), `create` (new files), `delete`. A tool whose operation is not listed is not offered.","type":"array","items":{"description":"An operation.","type":"string","enum":["read","write","create","delete"],"examples":["read"]},"uniqueItems":true,"default":["read"],"examples":[["read","write","create"]]}},"examples":[{"notebooks":["lab"],"folders":["/notes"],"fileTypes":["*.md"],"operations":["read","write"]}]},"approvals":{"title":"Approval settings","description":"Calls that wait for a person: when they expire, and who is told. A director may have its own; each key that it leaves out is that of the settings.","type":"object","additionalProperties":false,"properties":{"expireAfterDays":{"description":"Time after which a call that nobody has answered expires. It is not made, and the model is told that it expired, which is no denial. A change holds for calls that ask from then on. Without it a call waits for ever.","type":"number","exclusiveMinimum":0,"maximum":3650,"x-unit":"days","examples":[7]},"escalateTo":{"description":"Who else is told, once, of a call that nobody has answered in time. Without `webhook` and `mail`, those who are told of each call are told again.","type":"object","additionalProperties":false,"required":["afterHours"],"properties":{"afterHours":{"description":"Time without an answer after which they are told.","type":"number","exclusiveMinimum":0,"maximum":87600,"x-unit":"hours","examples":[24]},"webhook":{"description":"Address that is told, as `notify.webhook` of the settings. Or a reference to it: `${env:NAME}` or `${secret:NAME}`.","type":"string","pattern":"^(https?://[^\\s]+|\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\})$","maxLength":2000,"x-expected":"an http or https address, or a reference such as ${env:NOTIFY_WEBHOOK}","examples":["https://ntfy.example.org/callsheet","${secret:NOTIFY_WEBHOOK}"]},"mail":{"description":"Who is told by mail.","type":"object","additionalProperties":false,"required":["accountId","to"],"properties":{"accountId":{"description":"Account that sends the mail, a file in `accounts/`.","type":"string","pattern":"^([A-Za-z0-9_-]{1,48}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190})$","x-expected":"the id of an account","examples":["support"]},"to":{"description":"Address that gets the mail.","type":"string","pattern":"^[^\\s@<>,;]+@[^\\s@<>,;]+$","maxLength":320,"x-expected":"one mail address","examples":["ada@example.org"]}},"examples":[{"accountId":"support","to":"ada@example.org"}]},"link":{"description":"Whether the mail has a link to a page that answers this one call without a sign-in. Whoever has the mail can answer. The link holds for three days, and for one answer. Other machines can open it only with `server.publicUrl`. Without it, mails have no link.","type":"boolean","examples":[true]}},"examples":[{"afterHours":24,"mail":{"accountId":"support","to":"ada@example.org"}}]},"notify":{"description":"Who is told of each call that waits, where `notifications` of the settings has `approval`. What it leaves out, `notify` of the settings has.","type":"object","additionalProperties":false,"properties":{"webhook":{"description":"Address that is told, as `notify.webhook` of the settings. Or a reference to it: `${env:NAME}` or `${secret:NAME}`.","type":"string","pattern":"^(https?://[^\\s]+|\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\})$","maxLength":2000,"x-expected":"an http or https address, or a reference such as ${env:NOTIFY_WEBHOOK}","examples":["https://ntfy.example.org/callsheet","${secret:NOTIFY_WEBHOOK}"]},"mail":{"description":"Who is told by mail.","type":"object","additionalProperties":false,"required":["accountId","to"],"properties":{"accountId":{"description":"Account that sends the mail, a file in `accounts/`.","type":"string","pattern":"^([A-Za-z0-9_-]{1,48}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190})$","x-expected":"the id of an account","examples":["support"]},"to":{"description":"Address that gets the mail.","type":"string","pattern":"^[^\\s@<>,;]+@[^\\s@<>,;]+$","maxLength":320,"x-expected":"one mail address","examples":["ada@example.org"]}},"examples":[{"accountId":"support","to":"ada@example.org"}]},"link":{"description":"Whether the mail has a link to a page that answers this one call without a sign-in. Whoever has the mail can answer. The link holds for three days, and for one answer. Other machines can open it only with `server.publicUrl`. Without it, mails have no link.","type":"boolean","examples":[true]}},"examples":[{"mail":{"accountId":"support","to":"ada@example.org"},"link":true}]}},"examples":[{"expireAfterDays":7,"escalateTo":{"afterHours":24,"mail":{"accountId":"support","to":"ada@example.org"}}}]}}};
const pattern89 = new RegExp("^[A-Za-z0-9_*-]{1,64}$", "u");
const schema19 = {"title":"PromptSource","description":"Messages, or a template: `{ use: mood, with: { language: German } }`. Without a system message, Callsheet writes one from name and description. It appends the mail, message or ask that no variable places as the last user message.","if":{"type":"array"},"then":{"title":"PromptMessages","type":"array","items":{"$ref":"#/$defs/message"}},"else":{"$ref":"#/$defs/use"},"examples":[[{"role":"system","content":"Name the mood of the writer in one line and say why."},{"role":"user","content":"{{email}}"}]]};
const schema20 = {"title":"PromptMessage","description":"One message in OpenAI's chat format.","type":"object","additionalProperties":false,"required":["role","content"],"properties":{"role":{"description":"Role of the message. Mail and other untrusted text are allowed only in role `user`. Role `tool` is an example of a tool's result; Callsheet adds the call before it.","type":"string","enum":["system","user","assistant","tool"],"examples":["system"]},"content":{"description":"The text. Variables: `{{email}}` (the mail as a marked envelope), `{{email.subject}}`, `{{email.from}}`, `{{email.to}}`, `{{email.cc}}`, `{{email.date}}`, `{{email.text}}`, `{{email.id}}`, `{{message}}` (what the person, director or task asks), `{{thread}}` (the stored mails of the thread before this one, oldest first: the newest 30 of them, up to 10,000 characters of each and 60,000 in all), `{{memories}}` (what the director or agent remembers that matches the mail or the message: at most 10 memories and 4,000 characters, each with its scope and date), `{{date}}` (now, ISO 8601), `{{account}}`, `{{director}}`, `{{director.id}}`, `{{director.name}}`, `{{director.description}}`, `{{agent}}`, `{{agent.id}}`, `{{agent.name}}`, `{{agent.description}}`, `{{agents}}` (the agents that the director may ask), `{{scope}}` (the notebooks, folders, file types and operations of `scope`, in words), and a template's own. `email…`, `message`, `thread` and `memories` come from outside and may be used in role `user` only.","type":"string","examples":["Answer in the language of the mail.","{{email}}","Today is {{date}}.","{{message}}","{{thread}}","{{memories}}","{{agents}}"]},"name":{"description":"In role `tool`: the name of the tool that was called.","type":"string","pattern":"^[A-Za-z0-9_-]{1,64}$","x-expected":"the name of a tool: 1 to 64 letters, digits, _ or -","examples":["calendar_read"]},"arguments":{"description":"In role `tool`: the arguments of the call. They are literal: variables are not replaced.","type":"object","additionalProperties":true,"examples":[{"query":"invoice"}]}}};

function validate37(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate37.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.role === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "role"},message:"must have required property '"+"role"+"'",schema:schema20.required,parentSchema:schema20,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.content === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "content"},message:"must have required property '"+"content"+"'",schema:schema20.required,parentSchema:schema20,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 in data){
if(!((((key0 === "role") || (key0 === "content")) || (key0 === "name")) || (key0 === "arguments"))){
const err2 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema20,data};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.role !== undefined){
let data0 = data.role;
if(typeof data0 !== "string"){
const err3 = {instancePath:instancePath+"/role",schemaPath:"#/properties/role/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema20.properties.role.type,parentSchema:schema20.properties.role,data:data0};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(!((((data0 === "system") || (data0 === "user")) || (data0 === "assistant")) || (data0 === "tool"))){
const err4 = {instancePath:instancePath+"/role",schemaPath:"#/properties/role/enum",keyword:"enum",params:{allowedValues: schema20.properties.role.enum},message:"must be equal to one of the allowed values",schema:schema20.properties.role.enum,parentSchema:schema20.properties.role,data:data0};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.content !== undefined){
let data1 = data.content;
if(typeof data1 !== "string"){
const err5 = {instancePath:instancePath+"/content",schemaPath:"#/properties/content/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema20.properties.content.type,parentSchema:schema20.properties.content,data:data1};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.name !== undefined){
let data2 = data.name;
if(typeof data2 === "string"){
if(!pattern43.test(data2)){
const err6 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{1,64}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{1,64}$"+"\"",schema:"^[A-Za-z0-9_-]{1,64}$",parentSchema:schema20.properties.name,data:data2};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema20.properties.name.type,parentSchema:schema20.properties.name,data:data2};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.arguments !== undefined){
let data3 = data.arguments;
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
}
else {
const err8 = {instancePath:instancePath+"/arguments",schemaPath:"#/properties/arguments/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema20.properties.arguments.type,parentSchema:schema20.properties.arguments,data:data3};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
}
else {
const err9 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema20.type,parentSchema:schema20,data};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
validate37.errors = vErrors;
return errors === 0;
}
validate37.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema21 = {"title":"PromptUse","description":"A template from `prompts/`, with values for its variables.","type":"object","additionalProperties":false,"required":["use"],"properties":{"use":{"description":"Id of the template, a file in `prompts/`.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["mood"]},"with":{"description":"Values for the variables of the template. Other variables keep the default of the template. Values are literal text: variables in them are not replaced.","type":"object","additionalProperties":{"type":"string"},"default":{},"examples":[{"language":"German"}],"maxProperties":1000}}};

function validate39(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate39.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.with === undefined){
data.with = {};
}
if(data.use === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "use"},message:"must have required property '"+"use"+"'",schema:schema21.required,parentSchema:schema21,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
for(const key0 in data){
if(!((key0 === "use") || (key0 === "with"))){
const err1 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema21,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.use !== undefined){
let data0 = data.use;
if(typeof data0 === "string"){
if(!pattern0.test(data0)){
const err2 = {instancePath:instancePath+"/use",schemaPath:"#/properties/use/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{1,48}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{1,48}$"+"\"",schema:"^[A-Za-z0-9_-]{1,48}$",parentSchema:schema21.properties.use,data:data0};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath:instancePath+"/use",schemaPath:"#/properties/use/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema21.properties.use.type,parentSchema:schema21.properties.use,data:data0};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
let data1 = data.with;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
if(Object.keys(data1).length > 1000){
const err4 = {instancePath:instancePath+"/with",schemaPath:"#/properties/with/maxProperties",keyword:"maxProperties",params:{limit: 1000},message:"must NOT have more than 1000 properties",schema:1000,parentSchema:schema21.properties.with,data:data1};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
for(const key1 in data1){
let data2 = data1[key1];
if(typeof data2 !== "string"){
const err5 = {instancePath:instancePath+"/with/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/with/additionalProperties/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema21.properties.with.additionalProperties.type,parentSchema:schema21.properties.with.additionalProperties,data:data2};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
else {
const err6 = {instancePath:instancePath+"/with",schemaPath:"#/properties/with/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema21.properties.with.type,parentSchema:schema21.properties.with,data:data1};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema21.type,parentSchema:schema21,data};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
validate39.errors = vErrors;
return errors === 0;
}
validate39.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate36(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate36.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs0 = errors;
let valid0 = true;
const _errs1 = errors;
if(!(Array.isArray(data))){
const err0 = {};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs1 === errors;
errors = _errs0;
if(vErrors !== null){
if(_errs0){
vErrors.length = _errs0;
}
else {
vErrors = null;
}
}
let ifClause0;
if(_valid0){
const _errs3 = errors;
if(Array.isArray(data)){
const len0 = data.length;
for(let i0=0; i0<len0; i0++){
if(!(validate37(data[i0], {instancePath:instancePath+"/" + i0,parentData:data,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate37.errors : vErrors.concat(validate37.errors);
errors = vErrors.length;
}
}
}
else {
const err1 = {instancePath,schemaPath:"#/then/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema19.then.type,parentSchema:schema19.then,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
var _valid0 = _errs3 === errors;
valid0 = _valid0;
if(valid0){
var items0 = true;
}
ifClause0 = "then";
}
else {
const _errs6 = errors;
if(!(validate39(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate39.errors : vErrors.concat(validate39.errors);
errors = vErrors.length;
}
var _valid0 = _errs6 === errors;
valid0 = _valid0;
if(valid0){
var props0 = true;
}
ifClause0 = "else";
}
if(!valid0){
const err2 = {instancePath,schemaPath:"#/if",keyword:"if",params:{failingKeyword: ifClause0},message:"must match \""+ifClause0+"\" schema",schema:schema19.if,parentSchema:schema19,data};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validate36.errors = vErrors;
evaluated0.props = props0;
evaluated0.items = items0;
return errors === 0;
}
validate36.evaluated = {"dynamicProps":true,"dynamicItems":true};

const schema22 = {"title":"Permissions","description":"Rules for tool calls: `deny` is checked first, then `ask`, then `allow`. Names may contain `*`, and entries patterns for arguments. A call that an entry of `allow` names with other arguments asks. Discovery, the workspace and memory tools and `agent__<id>` of the listed agents are allowed unless denied. With `permissions`, a tool that no rule names is denied; without, it asks.","type":"object","additionalProperties":false,"properties":{"allow":{"description":"Tools that run without approval. A mail goes to others than those of its thread only where a pattern lists them, such as `mail_send(to=*@company.com)`.","type":"array","items":{"$ref":"#/$defs/glob"},"default":[],"examples":[["workspace_*"]],"maxItems":1000},"ask":{"description":"Tools that wait for the approval of a person.","type":"array","items":{"$ref":"#/$defs/glob"},"default":[],"examples":[["workspace_remove_item"]],"maxItems":1000},"deny":{"description":"Tools that are refused. The model does not see them, unless the entry has patterns for arguments.","type":"array","items":{"$ref":"#/$defs/glob"},"default":[],"examples":[["workspace_remove_item"]],"maxItems":1000}},"examples":[{"ask":["workspace_remove_item"]}]};
const schema23 = {"description":"Name of a tool; `*` stands for any characters. Patterns for arguments stand in parentheses: `mail_send(to=*@company.com)`; several need quotes in YAML: `'mail_send(to=*@company.com, cc=*@company.com)'`. All of them must match, and of a list every element; a missing argument never matches. In `ask` and `deny` one element is enough. Addresses match without their display name; in paths and URLs `*` stops at `/`, and `**` does not.","type":"string","pattern":"^[A-Za-z0-9_*-]{1,64}(\\([^\\n]{1,900}\\))?$","x-expected":"a tool name of letters, digits, _ and -, with * for any characters, and patterns for arguments in parentheses; an entry with several arguments needs quotes","examples":["workspace_*","mail_*","calendar_*","todo_*","filesystem_*","document_*","reminder_*","notification_*","memory_*","notebook_*","person_*","agent__*","workspace_add_item","workspace_list_items","workspace_get_item","workspace_update_item","workspace_remove_item","mail_search","list_emails","mail_read","read_email","mail_draft","draft_reply","mail_send","mail_label","mail_archive","calendar_read","list_events","calendar_add","create_event","calendar_free_slots","calendar_list","todo_add","todo_list","filesystem_search","filesystem_retrieve","document_list","list_documents","document_read","read_document","document_summarize","summarize_document","reminder_create","create_reminder","reminder_list","reminder_cancel","notify","memory_search","memory_recall","memory_add","memory_store","memory_edit","memory_forget","notebook_read_file","read_file","notebook_list_files","list_files","notebook_search_content","search_content","notebook_get_metadata","get_file_metadata","notebook_update_properties","update_file_properties","notebook_write_file","write_file","notebook_create_file","create_file","notebook_delete_file","delete_file","ask_user","list_agents","list_tools","describe_tool","validate_tool_params","read_api_docs"]};
const pattern88 = new RegExp("^[A-Za-z0-9_*-]{1,64}(\\([^\\n]{1,900}\\))?$", "u");

function validate43(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate43.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data === "string"){
if(!pattern88.test(data)){
const err0 = {instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_*-]{1,64}(\\([^\\n]{1,900}\\))?$"},message:"must match pattern \""+"^[A-Za-z0-9_*-]{1,64}(\\([^\\n]{1,900}\\))?$"+"\"",schema:"^[A-Za-z0-9_*-]{1,64}(\\([^\\n]{1,900}\\))?$",parentSchema:schema23,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
else {
const err1 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema23.type,parentSchema:schema23,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
validate43.errors = vErrors;
return errors === 0;
}
validate43.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate42(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate42.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.allow === undefined){
data.allow = [];
}
if(data.ask === undefined){
data.ask = [];
}
if(data.deny === undefined){
data.deny = [];
}
for(const key0 in data){
if(!(((key0 === "allow") || (key0 === "ask")) || (key0 === "deny"))){
const err0 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema22,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
let data0 = data.allow;
if(Array.isArray(data0)){
if(data0.length > 1000){
const err1 = {instancePath:instancePath+"/allow",schemaPath:"#/properties/allow/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items",schema:1000,parentSchema:schema22.properties.allow,data:data0};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
if(!(validate43(data0[i0], {instancePath:instancePath+"/allow/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate43.errors : vErrors.concat(validate43.errors);
errors = vErrors.length;
}
}
}
else {
const err2 = {instancePath:instancePath+"/allow",schemaPath:"#/properties/allow/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema22.properties.allow.type,parentSchema:schema22.properties.allow,data:data0};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
let data2 = data.ask;
if(Array.isArray(data2)){
if(data2.length > 1000){
const err3 = {instancePath:instancePath+"/ask",schemaPath:"#/properties/ask/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items",schema:1000,parentSchema:schema22.properties.ask,data:data2};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
const len1 = data2.length;
for(let i1=0; i1<len1; i1++){
if(!(validate43(data2[i1], {instancePath:instancePath+"/ask/" + i1,parentData:data2,parentDataProperty:i1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate43.errors : vErrors.concat(validate43.errors);
errors = vErrors.length;
}
}
}
else {
const err4 = {instancePath:instancePath+"/ask",schemaPath:"#/properties/ask/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema22.properties.ask.type,parentSchema:schema22.properties.ask,data:data2};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
let data4 = data.deny;
if(Array.isArray(data4)){
if(data4.length > 1000){
const err5 = {instancePath:instancePath+"/deny",schemaPath:"#/properties/deny/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items",schema:1000,parentSchema:schema22.properties.deny,data:data4};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
const len2 = data4.length;
for(let i2=0; i2<len2; i2++){
if(!(validate43(data4[i2], {instancePath:instancePath+"/deny/" + i2,parentData:data4,parentDataProperty:i2,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate43.errors : vErrors.concat(validate43.errors);
errors = vErrors.length;
}
}
}
else {
const err6 = {instancePath:instancePath+"/deny",schemaPath:"#/properties/deny/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema22.properties.deny.type,parentSchema:schema22.properties.deny,data:data4};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema22.type,parentSchema:schema22,data};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
validate42.errors = vErrors;
return errors === 0;
}
validate42.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema24 = {"title":"Untrusted","description":"What may happen without a person after text of strangers was read: a mail, an attachment, the result of a tool that reads elsewhere, an untrusted memory. From then on every call that writes to the world, or sends its arguments outward, waits for a person, whatever `permissions.allow` says. The workspace, memories, reminders, drafts, to-dos and questions to agents do not. For the calls of its agents, the file of the director decides; in a session that a person opened with an agent, the file of the agent. See docs/injection.md.","type":"object","additionalProperties":false,"properties":{"act":{"description":"Tools that run all the same where `permissions` allow them. Entries are as in `permissions`; the pattern `@thread` stands for the addresses of all who wrote or got a mail of the thread of the run's mail.","type":"array","items":{"$ref":"#/$defs/glob"},"default":[],"examples":[["mail_label","mail_send(to=@thread)"]],"maxItems":1000}},"examples":[{"act":["mail_label","mail_send(to=@thread)"]}]};

function validate48(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate48.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.act === undefined){
data.act = [];
}
for(const key0 in data){
if(!(key0 === "act")){
const err0 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema24,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
let data0 = data.act;
if(Array.isArray(data0)){
if(data0.length > 1000){
const err1 = {instancePath:instancePath+"/act",schemaPath:"#/properties/act/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items",schema:1000,parentSchema:schema24.properties.act,data:data0};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
if(!(validate43(data0[i0], {instancePath:instancePath+"/act/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate43.errors : vErrors.concat(validate43.errors);
errors = vErrors.length;
}
}
}
else {
const err2 = {instancePath:instancePath+"/act",schemaPath:"#/properties/act/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema24.properties.act.type,parentSchema:schema24.properties.act,data:data0};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema24.type,parentSchema:schema24,data};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
validate48.errors = vErrors;
return errors === 0;
}
validate48.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema25 = {"title":"Approval settings","description":"Calls that wait for a person: when they expire, and who is told. A director may have its own; each key that it leaves out is that of the settings.","type":"object","additionalProperties":false,"properties":{"expireAfterDays":{"description":"Time after which a call that nobody has answered expires. It is not made, and the model is told that it expired, which is no denial. A change holds for calls that ask from then on. Without it a call waits for ever.","type":"number","exclusiveMinimum":0,"maximum":3650,"x-unit":"days","examples":[7]},"escalateTo":{"description":"Who else is told, once, of a call that nobody has answered in time. Without `webhook` and `mail`, those who are told of each call are told again.","type":"object","additionalProperties":false,"required":["afterHours"],"properties":{"afterHours":{"description":"Time without an answer after which they are told.","type":"number","exclusiveMinimum":0,"maximum":87600,"x-unit":"hours","examples":[24]},"webhook":{"description":"Address that is told, as `notify.webhook` of the settings. Or a reference to it: `${env:NAME}` or `${secret:NAME}`.","type":"string","pattern":"^(https?://[^\\s]+|\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\})$","maxLength":2000,"x-expected":"an http or https address, or a reference such as ${env:NOTIFY_WEBHOOK}","examples":["https://ntfy.example.org/callsheet","${secret:NOTIFY_WEBHOOK}"]},"mail":{"description":"Who is told by mail.","type":"object","additionalProperties":false,"required":["accountId","to"],"properties":{"accountId":{"description":"Account that sends the mail, a file in `accounts/`.","type":"string","pattern":"^([A-Za-z0-9_-]{1,48}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190})$","x-expected":"the id of an account","examples":["support"]},"to":{"description":"Address that gets the mail.","type":"string","pattern":"^[^\\s@<>,;]+@[^\\s@<>,;]+$","maxLength":320,"x-expected":"one mail address","examples":["ada@example.org"]}},"examples":[{"accountId":"support","to":"ada@example.org"}]},"link":{"description":"Whether the mail has a link to a page that answers this one call without a sign-in. Whoever has the mail can answer. The link holds for three days, and for one answer. Other machines can open it only with `server.publicUrl`. Without it, mails have no link.","type":"boolean","examples":[true]}},"examples":[{"afterHours":24,"mail":{"accountId":"support","to":"ada@example.org"}}]},"notify":{"description":"Who is told of each call that waits, where `notifications` of the settings has `approval`. What it leaves out, `notify` of the settings has.","type":"object","additionalProperties":false,"properties":{"webhook":{"description":"Address that is told, as `notify.webhook` of the settings. Or a reference to it: `${env:NAME}` or `${secret:NAME}`.","type":"string","pattern":"^(https?://[^\\s]+|\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\})$","maxLength":2000,"x-expected":"an http or https address, or a reference such as ${env:NOTIFY_WEBHOOK}","examples":["https://ntfy.example.org/callsheet","${secret:NOTIFY_WEBHOOK}"]},"mail":{"description":"Who is told by mail.","type":"object","additionalProperties":false,"required":["accountId","to"],"properties":{"accountId":{"description":"Account that sends the mail, a file in `accounts/`.","type":"string","pattern":"^([A-Za-z0-9_-]{1,48}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190})$","x-expected":"the id of an account","examples":["support"]},"to":{"description":"Address that gets the mail.","type":"string","pattern":"^[^\\s@<>,;]+@[^\\s@<>,;]+$","maxLength":320,"x-expected":"one mail address","examples":["ada@example.org"]}},"examples":[{"accountId":"support","to":"ada@example.org"}]},"link":{"description":"Whether the mail has a link to a page that answers this one call without a sign-in. Whoever has the mail can answer. The link holds for three days, and for one answer. Other machines can open it only with `server.publicUrl`. Without it, mails have no link.","type":"boolean","examples":[true]}},"examples":[{"mail":{"accountId":"support","to":"ada@example.org"},"link":true}]}},"examples":[{"expireAfterDays":7,"escalateTo":{"afterHours":24,"mail":{"accountId":"support","to":"ada@example.org"}}}]};

function validate51(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate51.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!(((key0 === "expireAfterDays") || (key0 === "escalateTo")) || (key0 === "notify"))){
const err0 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema25,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.expireAfterDays !== undefined){
let data0 = data.expireAfterDays;
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 > 3650 || isNaN(data0)){
const err1 = {instancePath:instancePath+"/expireAfterDays",schemaPath:"#/properties/expireAfterDays/maximum",keyword:"maximum",params:{comparison: "<=", limit: 3650},message:"must be <= 3650",schema:3650,parentSchema:schema25.properties.expireAfterDays,data:data0};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data0 <= 0 || isNaN(data0)){
const err2 = {instancePath:instancePath+"/expireAfterDays",schemaPath:"#/properties/expireAfterDays/exclusiveMinimum",keyword:"exclusiveMinimum",params:{comparison: ">", limit: 0},message:"must be > 0",schema:0,parentSchema:schema25.properties.expireAfterDays,data:data0};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath:instancePath+"/expireAfterDays",schemaPath:"#/properties/expireAfterDays/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema25.properties.expireAfterDays.type,parentSchema:schema25.properties.expireAfterDays,data:data0};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.escalateTo !== undefined){
let data1 = data.escalateTo;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
if(data1.afterHours === undefined){
const err4 = {instancePath:instancePath+"/escalateTo",schemaPath:"#/properties/escalateTo/required",keyword:"required",params:{missingProperty: "afterHours"},message:"must have required property '"+"afterHours"+"'",schema:schema25.properties.escalateTo.required,parentSchema:schema25.properties.escalateTo,data:data1};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
for(const key1 in data1){
if(!((((key1 === "afterHours") || (key1 === "webhook")) || (key1 === "mail")) || (key1 === "link"))){
const err5 = {instancePath:instancePath+"/escalateTo",schemaPath:"#/properties/escalateTo/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties",schema:false,parentSchema:schema25.properties.escalateTo,data:data1};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data1.afterHours !== undefined){
let data2 = data1.afterHours;
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 > 87600 || isNaN(data2)){
const err6 = {instancePath:instancePath+"/escalateTo/afterHours",schemaPath:"#/properties/escalateTo/properties/afterHours/maximum",keyword:"maximum",params:{comparison: "<=", limit: 87600},message:"must be <= 87600",schema:87600,parentSchema:schema25.properties.escalateTo.properties.afterHours,data:data2};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(data2 <= 0 || isNaN(data2)){
const err7 = {instancePath:instancePath+"/escalateTo/afterHours",schemaPath:"#/properties/escalateTo/properties/afterHours/exclusiveMinimum",keyword:"exclusiveMinimum",params:{comparison: ">", limit: 0},message:"must be > 0",schema:0,parentSchema:schema25.properties.escalateTo.properties.afterHours,data:data2};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/escalateTo/afterHours",schemaPath:"#/properties/escalateTo/properties/afterHours/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema25.properties.escalateTo.properties.afterHours.type,parentSchema:schema25.properties.escalateTo.properties.afterHours,data:data2};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data1.webhook !== undefined){
let data3 = data1.webhook;
if(typeof data3 === "string"){
if(func1(data3) > 2000){
const err9 = {instancePath:instancePath+"/escalateTo/webhook",schemaPath:"#/properties/escalateTo/properties/webhook/maxLength",keyword:"maxLength",params:{limit: 2000},message:"must NOT have more than 2000 characters",schema:2000,parentSchema:schema25.properties.escalateTo.properties.webhook,data:data3};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(!pattern7.test(data3)){
const err10 = {instancePath:instancePath+"/escalateTo/webhook",schemaPath:"#/properties/escalateTo/properties/webhook/pattern",keyword:"pattern",params:{pattern: "^(https?://[^\\s]+|\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\})$"},message:"must match pattern \""+"^(https?://[^\\s]+|\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\})$"+"\"",schema:"^(https?://[^\\s]+|\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\})$",parentSchema:schema25.properties.escalateTo.properties.webhook,data:data3};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
else {
const err11 = {instancePath:instancePath+"/escalateTo/webhook",schemaPath:"#/properties/escalateTo/properties/webhook/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema25.properties.escalateTo.properties.webhook.type,parentSchema:schema25.properties.escalateTo.properties.webhook,data:data3};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data1.mail !== undefined){
let data4 = data1.mail;
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
if(data4.accountId === undefined){
const err12 = {instancePath:instancePath+"/escalateTo/mail",schemaPath:"#/properties/escalateTo/properties/mail/required",keyword:"required",params:{missingProperty: "accountId"},message:"must have required property '"+"accountId"+"'",schema:schema25.properties.escalateTo.properties.mail.required,parentSchema:schema25.properties.escalateTo.properties.mail,data:data4};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if(data4.to === undefined){
const err13 = {instancePath:instancePath+"/escalateTo/mail",schemaPath:"#/properties/escalateTo/properties/mail/required",keyword:"required",params:{missingProperty: "to"},message:"must have required property '"+"to"+"'",schema:schema25.properties.escalateTo.properties.mail.required,parentSchema:schema25.properties.escalateTo.properties.mail,data:data4};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
for(const key2 in data4){
if(!((key2 === "accountId") || (key2 === "to"))){
const err14 = {instancePath:instancePath+"/escalateTo/mail",schemaPath:"#/properties/escalateTo/properties/mail/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2},message:"must NOT have additional properties",schema:false,parentSchema:schema25.properties.escalateTo.properties.mail,data:data4};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data4.accountId !== undefined){
let data5 = data4.accountId;
if(typeof data5 === "string"){
if(!pattern8.test(data5)){
const err15 = {instancePath:instancePath+"/escalateTo/mail/accountId",schemaPath:"#/properties/escalateTo/properties/mail/properties/accountId/pattern",keyword:"pattern",params:{pattern: "^([A-Za-z0-9_-]{1,48}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190})$"},message:"must match pattern \""+"^([A-Za-z0-9_-]{1,48}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190})$"+"\"",schema:"^([A-Za-z0-9_-]{1,48}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190})$",parentSchema:schema25.properties.escalateTo.properties.mail.properties.accountId,data:data5};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
else {
const err16 = {instancePath:instancePath+"/escalateTo/mail/accountId",schemaPath:"#/properties/escalateTo/properties/mail/properties/accountId/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema25.properties.escalateTo.properties.mail.properties.accountId.type,parentSchema:schema25.properties.escalateTo.properties.mail.properties.accountId,data:data5};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data4.to !== undefined){
let data6 = data4.to;
if(typeof data6 === "string"){
if(func1(data6) > 320){
const err17 = {instancePath:instancePath+"/escalateTo/mail/to",schemaPath:"#/properties/escalateTo/properties/mail/properties/to/maxLength",keyword:"maxLength",params:{limit: 320},message:"must NOT have more than 320 characters",schema:320,parentSchema:schema25.properties.escalateTo.properties.mail.properties.to,data:data6};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
if(!pattern5.test(data6)){
const err18 = {instancePath:instancePath+"/escalateTo/mail/to",schemaPath:"#/properties/escalateTo/properties/mail/properties/to/pattern",keyword:"pattern",params:{pattern: "^[^\\s@<>,;]+@[^\\s@<>,;]+$"},message:"must match pattern \""+"^[^\\s@<>,;]+@[^\\s@<>,;]+$"+"\"",schema:"^[^\\s@<>,;]+@[^\\s@<>,;]+$",parentSchema:schema25.properties.escalateTo.properties.mail.properties.to,data:data6};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
else {
const err19 = {instancePath:instancePath+"/escalateTo/mail/to",schemaPath:"#/properties/escalateTo/properties/mail/properties/to/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema25.properties.escalateTo.properties.mail.properties.to.type,parentSchema:schema25.properties.escalateTo.properties.mail.properties.to,data:data6};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
}
else {
const err20 = {instancePath:instancePath+"/escalateTo/mail",schemaPath:"#/properties/escalateTo/properties/mail/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema25.properties.escalateTo.properties.mail.type,parentSchema:schema25.properties.escalateTo.properties.mail,data:data4};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
if(data1.link !== undefined){
let data7 = data1.link;
if(typeof data7 !== "boolean"){
const err21 = {instancePath:instancePath+"/escalateTo/link",schemaPath:"#/properties/escalateTo/properties/link/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema25.properties.escalateTo.properties.link.type,parentSchema:schema25.properties.escalateTo.properties.link,data:data7};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
}
else {
const err22 = {instancePath:instancePath+"/escalateTo",schemaPath:"#/properties/escalateTo/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema25.properties.escalateTo.type,parentSchema:schema25.properties.escalateTo,data:data1};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
if(data.notify !== undefined){
let data8 = data.notify;
if(data8 && typeof data8 == "object" && !Array.isArray(data8)){
for(const key3 in data8){
if(!(((key3 === "webhook") || (key3 === "mail")) || (key3 === "link"))){
const err23 = {instancePath:instancePath+"/notify",schemaPath:"#/properties/notify/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3},message:"must NOT have additional properties",schema:false,parentSchema:schema25.properties.notify,data:data8};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
if(data8.webhook !== undefined){
let data9 = data8.webhook;
if(typeof data9 === "string"){
if(func1(data9) > 2000){
const err24 = {instancePath:instancePath+"/notify/webhook",schemaPath:"#/properties/notify/properties/webhook/maxLength",keyword:"maxLength",params:{limit: 2000},message:"must NOT have more than 2000 characters",schema:2000,parentSchema:schema25.properties.notify.properties.webhook,data:data9};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
if(!pattern7.test(data9)){
const err25 = {instancePath:instancePath+"/notify/webhook",schemaPath:"#/properties/notify/properties/webhook/pattern",keyword:"pattern",params:{pattern: "^(https?://[^\\s]+|\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\})$"},message:"must match pattern \""+"^(https?://[^\\s]+|\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\})$"+"\"",schema:"^(https?://[^\\s]+|\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\})$",parentSchema:schema25.properties.notify.properties.webhook,data:data9};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
else {
const err26 = {instancePath:instancePath+"/notify/webhook",schemaPath:"#/properties/notify/properties/webhook/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema25.properties.notify.properties.webhook.type,parentSchema:schema25.properties.notify.properties.webhook,data:data9};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
if(data8.mail !== undefined){
let data10 = data8.mail;
if(data10 && typeof data10 == "object" && !Array.isArray(data10)){
if(data10.accountId === undefined){
const err27 = {instancePath:instancePath+"/notify/mail",schemaPath:"#/properties/notify/properties/mail/required",keyword:"required",params:{missingProperty: "accountId"},message:"must have required property '"+"accountId"+"'",schema:schema25.properties.notify.properties.mail.required,parentSchema:schema25.properties.notify.properties.mail,data:data10};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
if(data10.to === undefined){
const err28 = {instancePath:instancePath+"/notify/mail",schemaPath:"#/properties/notify/properties/mail/required",keyword:"required",params:{missingProperty: "to"},message:"must have required property '"+"to"+"'",schema:schema25.properties.notify.properties.mail.required,parentSchema:schema25.properties.notify.properties.mail,data:data10};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
for(const key4 in data10){
if(!((key4 === "accountId") || (key4 === "to"))){
const err29 = {instancePath:instancePath+"/notify/mail",schemaPath:"#/properties/notify/properties/mail/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key4},message:"must NOT have additional properties",schema:false,parentSchema:schema25.properties.notify.properties.mail,data:data10};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
if(data10.accountId !== undefined){
let data11 = data10.accountId;
if(typeof data11 === "string"){
if(!pattern8.test(data11)){
const err30 = {instancePath:instancePath+"/notify/mail/accountId",schemaPath:"#/properties/notify/properties/mail/properties/accountId/pattern",keyword:"pattern",params:{pattern: "^([A-Za-z0-9_-]{1,48}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190})$"},message:"must match pattern \""+"^([A-Za-z0-9_-]{1,48}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190})$"+"\"",schema:"^([A-Za-z0-9_-]{1,48}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190})$",parentSchema:schema25.properties.notify.properties.mail.properties.accountId,data:data11};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
else {
const err31 = {instancePath:instancePath+"/notify/mail/accountId",schemaPath:"#/properties/notify/properties/mail/properties/accountId/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema25.properties.notify.properties.mail.properties.accountId.type,parentSchema:schema25.properties.notify.properties.mail.properties.accountId,data:data11};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
if(data10.to !== undefined){
let data12 = data10.to;
if(typeof data12 === "string"){
if(func1(data12) > 320){
const err32 = {instancePath:instancePath+"/notify/mail/to",schemaPath:"#/properties/notify/properties/mail/properties/to/maxLength",keyword:"maxLength",params:{limit: 320},message:"must NOT have more than 320 characters",schema:320,parentSchema:schema25.properties.notify.properties.mail.properties.to,data:data12};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
if(!pattern5.test(data12)){
const err33 = {instancePath:instancePath+"/notify/mail/to",schemaPath:"#/properties/notify/properties/mail/properties/to/pattern",keyword:"pattern",params:{pattern: "^[^\\s@<>,;]+@[^\\s@<>,;]+$"},message:"must match pattern \""+"^[^\\s@<>,;]+@[^\\s@<>,;]+$"+"\"",schema:"^[^\\s@<>,;]+@[^\\s@<>,;]+$",parentSchema:schema25.properties.notify.properties.mail.properties.to,data:data12};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
else {
const err34 = {instancePath:instancePath+"/notify/mail/to",schemaPath:"#/properties/notify/properties/mail/properties/to/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema25.properties.notify.properties.mail.properties.to.type,parentSchema:schema25.properties.notify.properties.mail.properties.to,data:data12};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
}
else {
const err35 = {instancePath:instancePath+"/notify/mail",schemaPath:"#/properties/notify/properties/mail/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema25.properties.notify.properties.mail.type,parentSchema:schema25.properties.notify.properties.mail,data:data10};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
}
if(data8.link !== undefined){
let data13 = data8.link;
if(typeof data13 !== "boolean"){
const err36 = {instancePath:instancePath+"/notify/link",schemaPath:"#/properties/notify/properties/link/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema25.properties.notify.properties.link.type,parentSchema:schema25.properties.notify.properties.link,data:data13};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
}
}
else {
const err37 = {instancePath:instancePath+"/notify",schemaPath:"#/properties/notify/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema25.properties.notify.type,parentSchema:schema25.properties.notify,data:data8};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
}
}
else {
const err38 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema25.type,parentSchema:schema25,data};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
validate51.errors = vErrors;
return errors === 0;
}
validate51.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema26 = {"title":"Scope","description":"Which files of which notebooks the notebook tools may touch, and what they may do. A notebook is a folder that `roots` of the settings names. Without `scope`, no notebook is open. The scope of a director holds for its own calls, that of an agent for the agent's calls. A call is checked in this order: operation, notebook, folder, file type.","type":"object","additionalProperties":false,"properties":{"notebooks":{"description":"Names of notebooks, as in `roots` of the settings; `*` stands for all of them.","type":"array","items":{"description":"Name of a notebook, or `*`.","type":"string","pattern":"^(\\*|[A-Za-z0-9_-]{1,48})$","x-expected":"the name of a notebook (1 to 48 letters, digits, _ or -), or *","examples":["lab"]},"default":[],"examples":[["lab"]],"maxItems":1000},"folders":{"description":"Folders and files inside the notebooks, as patterns of .gitignore, compared with the path from the root of the notebook: a leading `/` binds the pattern to the root, `*` stays inside one folder, `**` crosses folders, and a folder that matches includes everything below it. Upper and lower case differ. Default: every folder.","type":"array","items":{"description":"A pattern as in .gitignore, without `!`.","type":"string","minLength":1,"maxLength":500,"pattern":"^(?![!#\\s])(?![\\s\\S]*\\s$)[^\\u0000-\\u001f]+$","x-expected":"a pattern as in .gitignore, without ! or # at its start and without spaces around it","examples":["/experiments/*","/notes"]},"minItems":1,"default":["*"],"examples":[["/experiments/*","/notes"]],"maxItems":1000},"fileTypes":{"description":"Patterns for the name of a file, whatever its folder. Default: every name.","type":"array","items":{"description":"A pattern for the name alone, such as `*.md`.","type":"string","minLength":1,"maxLength":200,"pattern":"^(?![!#\\s])(?![\\s\\S]*\\s$)[^/\\\\\\u0000-\\u001f]+$","x-expected":"a pattern for a file name such as *.md, without / and without ! or # at its start","examples":["*.md"]},"minItems":1,"default":["*"],"examples":[["*.md","*.txt","*.json"]],"maxItems":1000},"operations":{"description":"What the tools may do: `read` (read, list and search), `write` (change files and their properties), `create` (new files), `delete`. A tool whose operation is not listed is not offered.","type":"array","items":{"description":"An operation.","type":"string","enum":["read","write","create","delete"],"examples":["read"]},"uniqueItems":true,"default":["read"],"examples":[["read","write","create"]]}},"examples":[{"notebooks":["lab"],"folders":["/notes"],"fileTypes":["*.md"],"operations":["read","write"]}]};
const pattern98 = new RegExp("^(\\*|[A-Za-z0-9_-]{1,48})$", "u");
const pattern99 = new RegExp("^(?![!#\\s])(?![\\s\\S]*\\s$)[^\\u0000-\\u001f]+$", "u");
const pattern100 = new RegExp("^(?![!#\\s])(?![\\s\\S]*\\s$)[^/\\\\\\u0000-\\u001f]+$", "u");

function validate53(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate53.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.notebooks === undefined){
data.notebooks = [];
}
if(data.folders === undefined){
data.folders = ["*"];
}
if(data.fileTypes === undefined){
data.fileTypes = ["*"];
}
if(data.operations === undefined){
data.operations = ["read"];
}
for(const key0 in data){
if(!((((key0 === "notebooks") || (key0 === "folders")) || (key0 === "fileTypes")) || (key0 === "operations"))){
const err0 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema26,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
let data0 = data.notebooks;
if(Array.isArray(data0)){
if(data0.length > 1000){
const err1 = {instancePath:instancePath+"/notebooks",schemaPath:"#/properties/notebooks/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items",schema:1000,parentSchema:schema26.properties.notebooks,data:data0};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
let data1 = data0[i0];
if(typeof data1 === "string"){
if(!pattern98.test(data1)){
const err2 = {instancePath:instancePath+"/notebooks/" + i0,schemaPath:"#/properties/notebooks/items/pattern",keyword:"pattern",params:{pattern: "^(\\*|[A-Za-z0-9_-]{1,48})$"},message:"must match pattern \""+"^(\\*|[A-Za-z0-9_-]{1,48})$"+"\"",schema:"^(\\*|[A-Za-z0-9_-]{1,48})$",parentSchema:schema26.properties.notebooks.items,data:data1};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath:instancePath+"/notebooks/" + i0,schemaPath:"#/properties/notebooks/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema26.properties.notebooks.items.type,parentSchema:schema26.properties.notebooks.items,data:data1};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
}
else {
const err4 = {instancePath:instancePath+"/notebooks",schemaPath:"#/properties/notebooks/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema26.properties.notebooks.type,parentSchema:schema26.properties.notebooks,data:data0};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
let data2 = data.folders;
if(Array.isArray(data2)){
if(data2.length > 1000){
const err5 = {instancePath:instancePath+"/folders",schemaPath:"#/properties/folders/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items",schema:1000,parentSchema:schema26.properties.folders,data:data2};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data2.length < 1){
const err6 = {instancePath:instancePath+"/folders",schemaPath:"#/properties/folders/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items",schema:1,parentSchema:schema26.properties.folders,data:data2};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
const len1 = data2.length;
for(let i1=0; i1<len1; i1++){
let data3 = data2[i1];
if(typeof data3 === "string"){
if(func1(data3) > 500){
const err7 = {instancePath:instancePath+"/folders/" + i1,schemaPath:"#/properties/folders/items/maxLength",keyword:"maxLength",params:{limit: 500},message:"must NOT have more than 500 characters",schema:500,parentSchema:schema26.properties.folders.items,data:data3};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(func1(data3) < 1){
const err8 = {instancePath:instancePath+"/folders/" + i1,schemaPath:"#/properties/folders/items/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema26.properties.folders.items,data:data3};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(!pattern99.test(data3)){
const err9 = {instancePath:instancePath+"/folders/" + i1,schemaPath:"#/properties/folders/items/pattern",keyword:"pattern",params:{pattern: "^(?![!#\\s])(?![\\s\\S]*\\s$)[^\\u0000-\\u001f]+$"},message:"must match pattern \""+"^(?![!#\\s])(?![\\s\\S]*\\s$)[^\\u0000-\\u001f]+$"+"\"",schema:"^(?![!#\\s])(?![\\s\\S]*\\s$)[^\\u0000-\\u001f]+$",parentSchema:schema26.properties.folders.items,data:data3};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
else {
const err10 = {instancePath:instancePath+"/folders/" + i1,schemaPath:"#/properties/folders/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema26.properties.folders.items.type,parentSchema:schema26.properties.folders.items,data:data3};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
}
else {
const err11 = {instancePath:instancePath+"/folders",schemaPath:"#/properties/folders/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema26.properties.folders.type,parentSchema:schema26.properties.folders,data:data2};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
let data4 = data.fileTypes;
if(Array.isArray(data4)){
if(data4.length > 1000){
const err12 = {instancePath:instancePath+"/fileTypes",schemaPath:"#/properties/fileTypes/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items",schema:1000,parentSchema:schema26.properties.fileTypes,data:data4};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if(data4.length < 1){
const err13 = {instancePath:instancePath+"/fileTypes",schemaPath:"#/properties/fileTypes/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items",schema:1,parentSchema:schema26.properties.fileTypes,data:data4};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
const len2 = data4.length;
for(let i2=0; i2<len2; i2++){
let data5 = data4[i2];
if(typeof data5 === "string"){
if(func1(data5) > 200){
const err14 = {instancePath:instancePath+"/fileTypes/" + i2,schemaPath:"#/properties/fileTypes/items/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters",schema:200,parentSchema:schema26.properties.fileTypes.items,data:data5};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
if(func1(data5) < 1){
const err15 = {instancePath:instancePath+"/fileTypes/" + i2,schemaPath:"#/properties/fileTypes/items/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema26.properties.fileTypes.items,data:data5};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
if(!pattern100.test(data5)){
const err16 = {instancePath:instancePath+"/fileTypes/" + i2,schemaPath:"#/properties/fileTypes/items/pattern",keyword:"pattern",params:{pattern: "^(?![!#\\s])(?![\\s\\S]*\\s$)[^/\\\\\\u0000-\\u001f]+$"},message:"must match pattern \""+"^(?![!#\\s])(?![\\s\\S]*\\s$)[^/\\\\\\u0000-\\u001f]+$"+"\"",schema:"^(?![!#\\s])(?![\\s\\S]*\\s$)[^/\\\\\\u0000-\\u001f]+$",parentSchema:schema26.properties.fileTypes.items,data:data5};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
else {
const err17 = {instancePath:instancePath+"/fileTypes/" + i2,schemaPath:"#/properties/fileTypes/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema26.properties.fileTypes.items.type,parentSchema:schema26.properties.fileTypes.items,data:data5};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
}
else {
const err18 = {instancePath:instancePath+"/fileTypes",schemaPath:"#/properties/fileTypes/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema26.properties.fileTypes.type,parentSchema:schema26.properties.fileTypes,data:data4};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
let data6 = data.operations;
if(Array.isArray(data6)){
const len3 = data6.length;
for(let i3=0; i3<len3; i3++){
let data7 = data6[i3];
if(typeof data7 !== "string"){
const err19 = {instancePath:instancePath+"/operations/" + i3,schemaPath:"#/properties/operations/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema26.properties.operations.items.type,parentSchema:schema26.properties.operations.items,data:data7};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
if(!((((data7 === "read") || (data7 === "write")) || (data7 === "create")) || (data7 === "delete"))){
const err20 = {instancePath:instancePath+"/operations/" + i3,schemaPath:"#/properties/operations/items/enum",keyword:"enum",params:{allowedValues: schema26.properties.operations.items.enum},message:"must be equal to one of the allowed values",schema:schema26.properties.operations.items.enum,parentSchema:schema26.properties.operations.items,data:data7};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
let i4 = data6.length;
let j0;
if(i4 > 1){
const indices0 = {};
for(;i4--;){
let item0 = data6[i4];
if(typeof item0 !== "string"){
continue;
}
if(typeof indices0[item0] == "number"){
j0 = indices0[item0];
const err21 = {instancePath:instancePath+"/operations",schemaPath:"#/properties/operations/uniqueItems",keyword:"uniqueItems",params:{i: i4, j: j0},message:"must NOT have duplicate items (items ## "+j0+" and "+i4+" are identical)",schema:true,parentSchema:schema26.properties.operations,data:data6};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
break;
}
indices0[item0] = i4;
}
}
}
else {
const err22 = {instancePath:instancePath+"/operations",schemaPath:"#/properties/operations/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema26.properties.operations.type,parentSchema:schema26.properties.operations,data:data6};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
else {
const err23 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema26.type,parentSchema:schema26,data};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
validate53.errors = vErrors;
return errors === 0;
}
validate53.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate35(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="director.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate35.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.description === undefined){
data.description = "";
}
if(data.enabled === undefined){
data.enabled = true;
}
if(data.mode === undefined){
data.mode = "orchestrate";
}
if(data.objective === undefined){
data.objective = {};
}
if(data.plan === undefined){
data.plan = {};
}
if(data.locality === undefined){
data.locality = "any";
}
if(data.agents === undefined){
data.agents = [];
}
if(data.tools === undefined){
data.tools = ["workspace"];
}
if(data.memoryAccess === undefined){
data.memoryAccess = [];
}
if(data.guards === undefined){
data.guards = [];
}
if(data.checks === undefined){
data.checks = [];
}
if(data.budget === undefined){
data.budget = {};
}
if(data.id === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'",schema:schema18.required,parentSchema:schema18,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.apiConfigId === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "apiConfigId"},message:"must have required property '"+"apiConfigId"+"'",schema:schema18.required,parentSchema:schema18,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 in data){
if(!(func0.call(schema18.properties, key0))){
const err2 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema18,data};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.$schema !== undefined){
let data0 = data.$schema;
if(typeof data0 !== "string"){
const err3 = {instancePath:instancePath+"/$schema",schemaPath:"#/properties/%24schema/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema18.properties.$schema.type,parentSchema:schema18.properties.$schema,data:data0};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.id !== undefined){
let data1 = data.id;
if(typeof data1 === "string"){
if(!pattern0.test(data1)){
const err4 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{1,48}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{1,48}$"+"\"",schema:"^[A-Za-z0-9_-]{1,48}$",parentSchema:schema18.properties.id,data:data1};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema18.properties.id.type,parentSchema:schema18.properties.id,data:data1};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
let data2 = data.description;
if(typeof data2 !== "string"){
const err6 = {instancePath:instancePath+"/description",schemaPath:"#/properties/description/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema18.properties.description.type,parentSchema:schema18.properties.description,data:data2};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
let data3 = data.enabled;
if(typeof data3 !== "boolean"){
const err7 = {instancePath:instancePath+"/enabled",schemaPath:"#/properties/enabled/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema18.properties.enabled.type,parentSchema:schema18.properties.enabled,data:data3};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(data.order !== undefined){
let data4 = data.order;
if(!((typeof data4 == "number") && (isFinite(data4)))){
const err8 = {instancePath:instancePath+"/order",schemaPath:"#/properties/order/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema18.properties.order.type,parentSchema:schema18.properties.order,data:data4};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.name !== undefined){
let data5 = data.name;
if(typeof data5 === "string"){
if(func1(data5) > 200){
const err9 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters",schema:200,parentSchema:schema18.properties.name,data:data5};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(func1(data5) < 1){
const err10 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema18.properties.name,data:data5};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
else {
const err11 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema18.properties.name.type,parentSchema:schema18.properties.name,data:data5};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
let data6 = data.mode;
if(typeof data6 !== "string"){
const err12 = {instancePath:instancePath+"/mode",schemaPath:"#/properties/mode/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema18.properties.mode.type,parentSchema:schema18.properties.mode,data:data6};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if(!(((data6 === "orchestrate") || (data6 === "plan")) || (data6 === "objective"))){
const err13 = {instancePath:instancePath+"/mode",schemaPath:"#/properties/mode/enum",keyword:"enum",params:{allowedValues: schema18.properties.mode.enum},message:"must be equal to one of the allowed values",schema:schema18.properties.mode.enum,parentSchema:schema18.properties.mode,data:data6};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
let data7 = data.objective;
if(data7 && typeof data7 == "object" && !Array.isArray(data7)){
if(data7.followUp === undefined){
data7.followUp = {};
}
if(data7.sendDrafts === undefined){
data7.sendDrafts = "never";
}
if(data7.maxWakes === undefined){
data7.maxWakes = 40;
}
if(data7.maxDays === undefined){
data7.maxDays = 90;
}
for(const key1 in data7){
if(!((((((((key1 === "intake") || (key1 === "planner")) || (key1 === "writer")) || (key1 === "followUp")) || (key1 === "sendDrafts")) || (key1 === "maxWakes")) || (key1 === "maxCost")) || (key1 === "maxDays"))){
const err14 = {instancePath:instancePath+"/objective",schemaPath:"#/properties/objective/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties",schema:false,parentSchema:schema18.properties.objective,data:data7};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data7.intake !== undefined){
let data8 = data7.intake;
if(typeof data8 === "string"){
if(!pattern0.test(data8)){
const err15 = {instancePath:instancePath+"/objective/intake",schemaPath:"#/properties/objective/properties/intake/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{1,48}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{1,48}$"+"\"",schema:"^[A-Za-z0-9_-]{1,48}$",parentSchema:schema18.properties.objective.properties.intake,data:data8};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
else {
const err16 = {instancePath:instancePath+"/objective/intake",schemaPath:"#/properties/objective/properties/intake/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema18.properties.objective.properties.intake.type,parentSchema:schema18.properties.objective.properties.intake,data:data8};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data7.planner !== undefined){
let data9 = data7.planner;
if(typeof data9 === "string"){
if(!pattern0.test(data9)){
const err17 = {instancePath:instancePath+"/objective/planner",schemaPath:"#/properties/objective/properties/planner/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{1,48}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{1,48}$"+"\"",schema:"^[A-Za-z0-9_-]{1,48}$",parentSchema:schema18.properties.objective.properties.planner,data:data9};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
else {
const err18 = {instancePath:instancePath+"/objective/planner",schemaPath:"#/properties/objective/properties/planner/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema18.properties.objective.properties.planner.type,parentSchema:schema18.properties.objective.properties.planner,data:data9};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
if(data7.writer !== undefined){
let data10 = data7.writer;
if(typeof data10 === "string"){
if(!pattern0.test(data10)){
const err19 = {instancePath:instancePath+"/objective/writer",schemaPath:"#/properties/objective/properties/writer/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{1,48}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{1,48}$"+"\"",schema:"^[A-Za-z0-9_-]{1,48}$",parentSchema:schema18.properties.objective.properties.writer,data:data10};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
else {
const err20 = {instancePath:instancePath+"/objective/writer",schemaPath:"#/properties/objective/properties/writer/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema18.properties.objective.properties.writer.type,parentSchema:schema18.properties.objective.properties.writer,data:data10};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
let data11 = data7.followUp;
if(data11 && typeof data11 == "object" && !Array.isArray(data11)){
if(data11.afterHours === undefined){
data11.afterHours = 72;
}
if(data11.max === undefined){
data11.max = 3;
}
if(data11.perRecipientPerDay === undefined){
data11.perRecipientPerDay = 1;
}
for(const key2 in data11){
if(!((((key2 === "afterHours") || (key2 === "max")) || (key2 === "perRecipientPerDay")) || (key2 === "workingHours"))){
const err21 = {instancePath:instancePath+"/objective/followUp",schemaPath:"#/properties/objective/properties/followUp/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2},message:"must NOT have additional properties",schema:false,parentSchema:schema18.properties.objective.properties.followUp,data:data11};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
let data12 = data11.afterHours;
if((typeof data12 == "number") && (isFinite(data12))){
if(data12 > 2160 || isNaN(data12)){
const err22 = {instancePath:instancePath+"/objective/followUp/afterHours",schemaPath:"#/properties/objective/properties/followUp/properties/afterHours/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2160},message:"must be <= 2160",schema:2160,parentSchema:schema18.properties.objective.properties.followUp.properties.afterHours,data:data12};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
if(data12 < 1 || isNaN(data12)){
const err23 = {instancePath:instancePath+"/objective/followUp/afterHours",schemaPath:"#/properties/objective/properties/followUp/properties/afterHours/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema18.properties.objective.properties.followUp.properties.afterHours,data:data12};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
else {
const err24 = {instancePath:instancePath+"/objective/followUp/afterHours",schemaPath:"#/properties/objective/properties/followUp/properties/afterHours/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema18.properties.objective.properties.followUp.properties.afterHours.type,parentSchema:schema18.properties.objective.properties.followUp.properties.afterHours,data:data12};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
let data13 = data11.max;
if(!(((typeof data13 == "number") && (!(data13 % 1) && !isNaN(data13))) && (isFinite(data13)))){
const err25 = {instancePath:instancePath+"/objective/followUp/max",schemaPath:"#/properties/objective/properties/followUp/properties/max/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema18.properties.objective.properties.followUp.properties.max.type,parentSchema:schema18.properties.objective.properties.followUp.properties.max,data:data13};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
if((typeof data13 == "number") && (isFinite(data13))){
if(data13 > 20 || isNaN(data13)){
const err26 = {instancePath:instancePath+"/objective/followUp/max",schemaPath:"#/properties/objective/properties/followUp/properties/max/maximum",keyword:"maximum",params:{comparison: "<=", limit: 20},message:"must be <= 20",schema:20,parentSchema:schema18.properties.objective.properties.followUp.properties.max,data:data13};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
if(data13 < 0 || isNaN(data13)){
const err27 = {instancePath:instancePath+"/objective/followUp/max",schemaPath:"#/properties/objective/properties/followUp/properties/max/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schema18.properties.objective.properties.followUp.properties.max,data:data13};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
let data14 = data11.perRecipientPerDay;
if(!(((typeof data14 == "number") && (!(data14 % 1) && !isNaN(data14))) && (isFinite(data14)))){
const err28 = {instancePath:instancePath+"/objective/followUp/perRecipientPerDay",schemaPath:"#/properties/objective/properties/followUp/properties/perRecipientPerDay/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema18.properties.objective.properties.followUp.properties.perRecipientPerDay.type,parentSchema:schema18.properties.objective.properties.followUp.properties.perRecipientPerDay,data:data14};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
if((typeof data14 == "number") && (isFinite(data14))){
if(data14 > 50 || isNaN(data14)){
const err29 = {instancePath:instancePath+"/objective/followUp/perRecipientPerDay",schemaPath:"#/properties/objective/properties/followUp/properties/perRecipientPerDay/maximum",keyword:"maximum",params:{comparison: "<=", limit: 50},message:"must be <= 50",schema:50,parentSchema:schema18.properties.objective.properties.followUp.properties.perRecipientPerDay,data:data14};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
if(data14 < 1 || isNaN(data14)){
const err30 = {instancePath:instancePath+"/objective/followUp/perRecipientPerDay",schemaPath:"#/properties/objective/properties/followUp/properties/perRecipientPerDay/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema18.properties.objective.properties.followUp.properties.perRecipientPerDay,data:data14};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
if(data11.workingHours !== undefined){
let data15 = data11.workingHours;
if(data15 && typeof data15 == "object" && !Array.isArray(data15)){
if(data15.start === undefined){
data15.start = "09:00";
}
if(data15.end === undefined){
data15.end = "17:00";
}
if(data15.days === undefined){
data15.days = ["mon","tue","wed","thu","fri"];
}
for(const key3 in data15){
if(!(((key3 === "start") || (key3 === "end")) || (key3 === "days"))){
const err31 = {instancePath:instancePath+"/objective/followUp/workingHours",schemaPath:"#/properties/objective/properties/followUp/properties/workingHours/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3},message:"must NOT have additional properties",schema:false,parentSchema:schema18.properties.objective.properties.followUp.properties.workingHours,data:data15};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
let data16 = data15.start;
if(typeof data16 === "string"){
if(!pattern16.test(data16)){
const err32 = {instancePath:instancePath+"/objective/followUp/workingHours/start",schemaPath:"#/properties/objective/properties/followUp/properties/workingHours/properties/start/pattern",keyword:"pattern",params:{pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$"},message:"must match pattern \""+"^([01][0-9]|2[0-3]):[0-5][0-9]$"+"\"",schema:"^([01][0-9]|2[0-3]):[0-5][0-9]$",parentSchema:schema18.properties.objective.properties.followUp.properties.workingHours.properties.start,data:data16};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
else {
const err33 = {instancePath:instancePath+"/objective/followUp/workingHours/start",schemaPath:"#/properties/objective/properties/followUp/properties/workingHours/properties/start/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema18.properties.objective.properties.followUp.properties.workingHours.properties.start.type,parentSchema:schema18.properties.objective.properties.followUp.properties.workingHours.properties.start,data:data16};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
let data17 = data15.end;
if(typeof data17 === "string"){
if(!pattern17.test(data17)){
const err34 = {instancePath:instancePath+"/objective/followUp/workingHours/end",schemaPath:"#/properties/objective/properties/followUp/properties/workingHours/properties/end/pattern",keyword:"pattern",params:{pattern: "^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$"},message:"must match pattern \""+"^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$"+"\"",schema:"^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$",parentSchema:schema18.properties.objective.properties.followUp.properties.workingHours.properties.end,data:data17};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
else {
const err35 = {instancePath:instancePath+"/objective/followUp/workingHours/end",schemaPath:"#/properties/objective/properties/followUp/properties/workingHours/properties/end/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema18.properties.objective.properties.followUp.properties.workingHours.properties.end.type,parentSchema:schema18.properties.objective.properties.followUp.properties.workingHours.properties.end,data:data17};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
let data18 = data15.days;
if(Array.isArray(data18)){
if(data18.length < 1){
const err36 = {instancePath:instancePath+"/objective/followUp/workingHours/days",schemaPath:"#/properties/objective/properties/followUp/properties/workingHours/properties/days/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items",schema:1,parentSchema:schema18.properties.objective.properties.followUp.properties.workingHours.properties.days,data:data18};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
const len0 = data18.length;
for(let i0=0; i0<len0; i0++){
let data19 = data18[i0];
if(typeof data19 !== "string"){
const err37 = {instancePath:instancePath+"/objective/followUp/workingHours/days/" + i0,schemaPath:"#/properties/objective/properties/followUp/properties/workingHours/properties/days/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema18.properties.objective.properties.followUp.properties.workingHours.properties.days.items.type,parentSchema:schema18.properties.objective.properties.followUp.properties.workingHours.properties.days.items,data:data19};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
if(!(((((((data19 === "mon") || (data19 === "tue")) || (data19 === "wed")) || (data19 === "thu")) || (data19 === "fri")) || (data19 === "sat")) || (data19 === "sun"))){
const err38 = {instancePath:instancePath+"/objective/followUp/workingHours/days/" + i0,schemaPath:"#/properties/objective/properties/followUp/properties/workingHours/properties/days/items/enum",keyword:"enum",params:{allowedValues: schema18.properties.objective.properties.followUp.properties.workingHours.properties.days.items.enum},message:"must be equal to one of the allowed values",schema:schema18.properties.objective.properties.followUp.properties.workingHours.properties.days.items.enum,parentSchema:schema18.properties.objective.properties.followUp.properties.workingHours.properties.days.items,data:data19};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
}
let i1 = data18.length;
let j0;
if(i1 > 1){
const indices0 = {};
for(;i1--;){
let item0 = data18[i1];
if(typeof item0 !== "string"){
continue;
}
if(typeof indices0[item0] == "number"){
j0 = indices0[item0];
const err39 = {instancePath:instancePath+"/objective/followUp/workingHours/days",schemaPath:"#/properties/objective/properties/followUp/properties/workingHours/properties/days/uniqueItems",keyword:"uniqueItems",params:{i: i1, j: j0},message:"must NOT have duplicate items (items ## "+j0+" and "+i1+" are identical)",schema:true,parentSchema:schema18.properties.objective.properties.followUp.properties.workingHours.properties.days,data:data18};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
break;
}
indices0[item0] = i1;
}
}
}
else {
const err40 = {instancePath:instancePath+"/objective/followUp/workingHours/days",schemaPath:"#/properties/objective/properties/followUp/properties/workingHours/properties/days/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema18.properties.objective.properties.followUp.properties.workingHours.properties.days.type,parentSchema:schema18.properties.objective.properties.followUp.properties.workingHours.properties.days,data:data18};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
}
else {
const err41 = {instancePath:instancePath+"/objective/followUp/workingHours",schemaPath:"#/properties/objective/properties/followUp/properties/workingHours/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema18.properties.objective.properties.followUp.properties.workingHours.type,parentSchema:schema18.properties.objective.properties.followUp.properties.workingHours,data:data15};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
}
}
else {
const err42 = {instancePath:instancePath+"/objective/followUp",schemaPath:"#/properties/objective/properties/followUp/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema18.properties.objective.properties.followUp.type,parentSchema:schema18.properties.objective.properties.followUp,data:data11};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
let data20 = data7.sendDrafts;
if(typeof data20 !== "string"){
const err43 = {instancePath:instancePath+"/objective/sendDrafts",schemaPath:"#/properties/objective/properties/sendDrafts/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema18.properties.objective.properties.sendDrafts.type,parentSchema:schema18.properties.objective.properties.sendDrafts,data:data20};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
if(!(((data20 === "never") || (data20 === "ask")) || (data20 === "allow"))){
const err44 = {instancePath:instancePath+"/objective/sendDrafts",schemaPath:"#/properties/objective/properties/sendDrafts/enum",keyword:"enum",params:{allowedValues: schema18.properties.objective.properties.sendDrafts.enum},message:"must be equal to one of the allowed values",schema:schema18.properties.objective.properties.sendDrafts.enum,parentSchema:schema18.properties.objective.properties.sendDrafts,data:data20};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
let data21 = data7.maxWakes;
if(!(((typeof data21 == "number") && (!(data21 % 1) && !isNaN(data21))) && (isFinite(data21)))){
const err45 = {instancePath:instancePath+"/objective/maxWakes",schemaPath:"#/properties/objective/properties/maxWakes/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema18.properties.objective.properties.maxWakes.type,parentSchema:schema18.properties.objective.properties.maxWakes,data:data21};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
if((typeof data21 == "number") && (isFinite(data21))){
if(data21 > 10000 || isNaN(data21)){
const err46 = {instancePath:instancePath+"/objective/maxWakes",schemaPath:"#/properties/objective/properties/maxWakes/maximum",keyword:"maximum",params:{comparison: "<=", limit: 10000},message:"must be <= 10000",schema:10000,parentSchema:schema18.properties.objective.properties.maxWakes,data:data21};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
if(data21 < 1 || isNaN(data21)){
const err47 = {instancePath:instancePath+"/objective/maxWakes",schemaPath:"#/properties/objective/properties/maxWakes/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema18.properties.objective.properties.maxWakes,data:data21};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
}
if(data7.maxCost !== undefined){
let data22 = data7.maxCost;
if((typeof data22 == "number") && (isFinite(data22))){
if(data22 <= 0 || isNaN(data22)){
const err48 = {instancePath:instancePath+"/objective/maxCost",schemaPath:"#/properties/objective/properties/maxCost/exclusiveMinimum",keyword:"exclusiveMinimum",params:{comparison: ">", limit: 0},message:"must be > 0",schema:0,parentSchema:schema18.properties.objective.properties.maxCost,data:data22};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
}
else {
const err49 = {instancePath:instancePath+"/objective/maxCost",schemaPath:"#/properties/objective/properties/maxCost/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema18.properties.objective.properties.maxCost.type,parentSchema:schema18.properties.objective.properties.maxCost,data:data22};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
}
let data23 = data7.maxDays;
if((typeof data23 == "number") && (isFinite(data23))){
if(data23 > 3650 || isNaN(data23)){
const err50 = {instancePath:instancePath+"/objective/maxDays",schemaPath:"#/properties/objective/properties/maxDays/maximum",keyword:"maximum",params:{comparison: "<=", limit: 3650},message:"must be <= 3650",schema:3650,parentSchema:schema18.properties.objective.properties.maxDays,data:data23};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
if(data23 <= 0 || isNaN(data23)){
const err51 = {instancePath:instancePath+"/objective/maxDays",schemaPath:"#/properties/objective/properties/maxDays/exclusiveMinimum",keyword:"exclusiveMinimum",params:{comparison: ">", limit: 0},message:"must be > 0",schema:0,parentSchema:schema18.properties.objective.properties.maxDays,data:data23};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
}
}
else {
const err52 = {instancePath:instancePath+"/objective/maxDays",schemaPath:"#/properties/objective/properties/maxDays/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema18.properties.objective.properties.maxDays.type,parentSchema:schema18.properties.objective.properties.maxDays,data:data23};
if(vErrors === null){
vErrors = [err52];
}
else {
vErrors.push(err52);
}
errors++;
}
}
else {
const err53 = {instancePath:instancePath+"/objective",schemaPath:"#/properties/objective/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema18.properties.objective.type,parentSchema:schema18.properties.objective,data:data7};
if(vErrors === null){
vErrors = [err53];
}
else {
vErrors.push(err53);
}
errors++;
}
let data24 = data.plan;
if(data24 && typeof data24 == "object" && !Array.isArray(data24)){
if(data24.maxSteps === undefined){
data24.maxSteps = 10;
}
if(data24.maxRoundsPerStep === undefined){
data24.maxRoundsPerStep = 5;
}
if(data24.maxRetriesPerStep === undefined){
data24.maxRetriesPerStep = 2;
}
for(const key4 in data24){
if(!(((key4 === "maxSteps") || (key4 === "maxRoundsPerStep")) || (key4 === "maxRetriesPerStep"))){
const err54 = {instancePath:instancePath+"/plan",schemaPath:"#/properties/plan/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key4},message:"must NOT have additional properties",schema:false,parentSchema:schema18.properties.plan,data:data24};
if(vErrors === null){
vErrors = [err54];
}
else {
vErrors.push(err54);
}
errors++;
}
}
let data25 = data24.maxSteps;
if(!(((typeof data25 == "number") && (!(data25 % 1) && !isNaN(data25))) && (isFinite(data25)))){
const err55 = {instancePath:instancePath+"/plan/maxSteps",schemaPath:"#/properties/plan/properties/maxSteps/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema18.properties.plan.properties.maxSteps.type,parentSchema:schema18.properties.plan.properties.maxSteps,data:data25};
if(vErrors === null){
vErrors = [err55];
}
else {
vErrors.push(err55);
}
errors++;
}
if((typeof data25 == "number") && (isFinite(data25))){
if(data25 > 10 || isNaN(data25)){
const err56 = {instancePath:instancePath+"/plan/maxSteps",schemaPath:"#/properties/plan/properties/maxSteps/maximum",keyword:"maximum",params:{comparison: "<=", limit: 10},message:"must be <= 10",schema:10,parentSchema:schema18.properties.plan.properties.maxSteps,data:data25};
if(vErrors === null){
vErrors = [err56];
}
else {
vErrors.push(err56);
}
errors++;
}
if(data25 < 1 || isNaN(data25)){
const err57 = {instancePath:instancePath+"/plan/maxSteps",schemaPath:"#/properties/plan/properties/maxSteps/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema18.properties.plan.properties.maxSteps,data:data25};
if(vErrors === null){
vErrors = [err57];
}
else {
vErrors.push(err57);
}
errors++;
}
}
let data26 = data24.maxRoundsPerStep;
if(!(((typeof data26 == "number") && (!(data26 % 1) && !isNaN(data26))) && (isFinite(data26)))){
const err58 = {instancePath:instancePath+"/plan/maxRoundsPerStep",schemaPath:"#/properties/plan/properties/maxRoundsPerStep/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema18.properties.plan.properties.maxRoundsPerStep.type,parentSchema:schema18.properties.plan.properties.maxRoundsPerStep,data:data26};
if(vErrors === null){
vErrors = [err58];
}
else {
vErrors.push(err58);
}
errors++;
}
if((typeof data26 == "number") && (isFinite(data26))){
if(data26 > 20 || isNaN(data26)){
const err59 = {instancePath:instancePath+"/plan/maxRoundsPerStep",schemaPath:"#/properties/plan/properties/maxRoundsPerStep/maximum",keyword:"maximum",params:{comparison: "<=", limit: 20},message:"must be <= 20",schema:20,parentSchema:schema18.properties.plan.properties.maxRoundsPerStep,data:data26};
if(vErrors === null){
vErrors = [err59];
}
else {
vErrors.push(err59);
}
errors++;
}
if(data26 < 1 || isNaN(data26)){
const err60 = {instancePath:instancePath+"/plan/maxRoundsPerStep",schemaPath:"#/properties/plan/properties/maxRoundsPerStep/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema18.properties.plan.properties.maxRoundsPerStep,data:data26};
if(vErrors === null){
vErrors = [err60];
}
else {
vErrors.push(err60);
}
errors++;
}
}
let data27 = data24.maxRetriesPerStep;
if(!(((typeof data27 == "number") && (!(data27 % 1) && !isNaN(data27))) && (isFinite(data27)))){
const err61 = {instancePath:instancePath+"/plan/maxRetriesPerStep",schemaPath:"#/properties/plan/properties/maxRetriesPerStep/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema18.properties.plan.properties.maxRetriesPerStep.type,parentSchema:schema18.properties.plan.properties.maxRetriesPerStep,data:data27};
if(vErrors === null){
vErrors = [err61];
}
else {
vErrors.push(err61);
}
errors++;
}
if((typeof data27 == "number") && (isFinite(data27))){
if(data27 > 5 || isNaN(data27)){
const err62 = {instancePath:instancePath+"/plan/maxRetriesPerStep",schemaPath:"#/properties/plan/properties/maxRetriesPerStep/maximum",keyword:"maximum",params:{comparison: "<=", limit: 5},message:"must be <= 5",schema:5,parentSchema:schema18.properties.plan.properties.maxRetriesPerStep,data:data27};
if(vErrors === null){
vErrors = [err62];
}
else {
vErrors.push(err62);
}
errors++;
}
if(data27 < 0 || isNaN(data27)){
const err63 = {instancePath:instancePath+"/plan/maxRetriesPerStep",schemaPath:"#/properties/plan/properties/maxRetriesPerStep/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schema18.properties.plan.properties.maxRetriesPerStep,data:data27};
if(vErrors === null){
vErrors = [err63];
}
else {
vErrors.push(err63);
}
errors++;
}
}
}
else {
const err64 = {instancePath:instancePath+"/plan",schemaPath:"#/properties/plan/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema18.properties.plan.type,parentSchema:schema18.properties.plan,data:data24};
if(vErrors === null){
vErrors = [err64];
}
else {
vErrors.push(err64);
}
errors++;
}
if(data.apiConfigId !== undefined){
let data28 = data.apiConfigId;
if(typeof data28 === "string"){
if(!pattern0.test(data28)){
const err65 = {instancePath:instancePath+"/apiConfigId",schemaPath:"#/properties/apiConfigId/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{1,48}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{1,48}$"+"\"",schema:"^[A-Za-z0-9_-]{1,48}$",parentSchema:schema18.properties.apiConfigId,data:data28};
if(vErrors === null){
vErrors = [err65];
}
else {
vErrors.push(err65);
}
errors++;
}
}
else {
const err66 = {instancePath:instancePath+"/apiConfigId",schemaPath:"#/properties/apiConfigId/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema18.properties.apiConfigId.type,parentSchema:schema18.properties.apiConfigId,data:data28};
if(vErrors === null){
vErrors = [err66];
}
else {
vErrors.push(err66);
}
errors++;
}
}
let data29 = data.locality;
if(typeof data29 !== "string"){
const err67 = {instancePath:instancePath+"/locality",schemaPath:"#/properties/locality/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema18.properties.locality.type,parentSchema:schema18.properties.locality,data:data29};
if(vErrors === null){
vErrors = [err67];
}
else {
vErrors.push(err67);
}
errors++;
}
if(!((data29 === "any") || (data29 === "local"))){
const err68 = {instancePath:instancePath+"/locality",schemaPath:"#/properties/locality/enum",keyword:"enum",params:{allowedValues: schema18.properties.locality.enum},message:"must be equal to one of the allowed values",schema:schema18.properties.locality.enum,parentSchema:schema18.properties.locality,data:data29};
if(vErrors === null){
vErrors = [err68];
}
else {
vErrors.push(err68);
}
errors++;
}
if(data.schedule !== undefined){
let data30 = data.schedule;
if(data30 && typeof data30 == "object" && !Array.isArray(data30)){
if(data30.cron === undefined){
const err69 = {instancePath:instancePath+"/schedule",schemaPath:"#/properties/schedule/required",keyword:"required",params:{missingProperty: "cron"},message:"must have required property '"+"cron"+"'",schema:schema18.properties.schedule.required,parentSchema:schema18.properties.schedule,data:data30};
if(vErrors === null){
vErrors = [err69];
}
else {
vErrors.push(err69);
}
errors++;
}
if(data30.message === undefined){
const err70 = {instancePath:instancePath+"/schedule",schemaPath:"#/properties/schedule/required",keyword:"required",params:{missingProperty: "message"},message:"must have required property '"+"message"+"'",schema:schema18.properties.schedule.required,parentSchema:schema18.properties.schedule,data:data30};
if(vErrors === null){
vErrors = [err70];
}
else {
vErrors.push(err70);
}
errors++;
}
for(const key5 in data30){
if(!(((key5 === "cron") || (key5 === "timeZone")) || (key5 === "message"))){
const err71 = {instancePath:instancePath+"/schedule",schemaPath:"#/properties/schedule/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key5},message:"must NOT have additional properties",schema:false,parentSchema:schema18.properties.schedule,data:data30};
if(vErrors === null){
vErrors = [err71];
}
else {
vErrors.push(err71);
}
errors++;
}
}
if(data30.cron !== undefined){
let data31 = data30.cron;
if(typeof data31 === "string"){
if(func1(data31) > 200){
const err72 = {instancePath:instancePath+"/schedule/cron",schemaPath:"#/properties/schedule/properties/cron/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters",schema:200,parentSchema:schema18.properties.schedule.properties.cron,data:data31};
if(vErrors === null){
vErrors = [err72];
}
else {
vErrors.push(err72);
}
errors++;
}
if(func1(data31) < 1){
const err73 = {instancePath:instancePath+"/schedule/cron",schemaPath:"#/properties/schedule/properties/cron/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema18.properties.schedule.properties.cron,data:data31};
if(vErrors === null){
vErrors = [err73];
}
else {
vErrors.push(err73);
}
errors++;
}
}
else {
const err74 = {instancePath:instancePath+"/schedule/cron",schemaPath:"#/properties/schedule/properties/cron/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema18.properties.schedule.properties.cron.type,parentSchema:schema18.properties.schedule.properties.cron,data:data31};
if(vErrors === null){
vErrors = [err74];
}
else {
vErrors.push(err74);
}
errors++;
}
}
if(data30.timeZone !== undefined){
let data32 = data30.timeZone;
if(typeof data32 === "string"){
if(func1(data32) < 1){
const err75 = {instancePath:instancePath+"/schedule/timeZone",schemaPath:"#/properties/schedule/properties/timeZone/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema18.properties.schedule.properties.timeZone,data:data32};
if(vErrors === null){
vErrors = [err75];
}
else {
vErrors.push(err75);
}
errors++;
}
}
else {
const err76 = {instancePath:instancePath+"/schedule/timeZone",schemaPath:"#/properties/schedule/properties/timeZone/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema18.properties.schedule.properties.timeZone.type,parentSchema:schema18.properties.schedule.properties.timeZone,data:data32};
if(vErrors === null){
vErrors = [err76];
}
else {
vErrors.push(err76);
}
errors++;
}
}
if(data30.message !== undefined){
let data33 = data30.message;
if(typeof data33 === "string"){
if(func1(data33) > 100000){
const err77 = {instancePath:instancePath+"/schedule/message",schemaPath:"#/properties/schedule/properties/message/maxLength",keyword:"maxLength",params:{limit: 100000},message:"must NOT have more than 100000 characters",schema:100000,parentSchema:schema18.properties.schedule.properties.message,data:data33};
if(vErrors === null){
vErrors = [err77];
}
else {
vErrors.push(err77);
}
errors++;
}
if(func1(data33) < 1){
const err78 = {instancePath:instancePath+"/schedule/message",schemaPath:"#/properties/schedule/properties/message/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema18.properties.schedule.properties.message,data:data33};
if(vErrors === null){
vErrors = [err78];
}
else {
vErrors.push(err78);
}
errors++;
}
}
else {
const err79 = {instancePath:instancePath+"/schedule/message",schemaPath:"#/properties/schedule/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema18.properties.schedule.properties.message.type,parentSchema:schema18.properties.schedule.properties.message,data:data33};
if(vErrors === null){
vErrors = [err79];
}
else {
vErrors.push(err79);
}
errors++;
}
}
}
else {
const err80 = {instancePath:instancePath+"/schedule",schemaPath:"#/properties/schedule/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema18.properties.schedule.type,parentSchema:schema18.properties.schedule,data:data30};
if(vErrors === null){
vErrors = [err80];
}
else {
vErrors.push(err80);
}
errors++;
}
}
if(data.accountIds !== undefined){
let data34 = data.accountIds;
if(Array.isArray(data34)){
if(data34.length > 1000){
const err81 = {instancePath:instancePath+"/accountIds",schemaPath:"#/properties/accountIds/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items",schema:1000,parentSchema:schema18.properties.accountIds,data:data34};
if(vErrors === null){
vErrors = [err81];
}
else {
vErrors.push(err81);
}
errors++;
}
const len1 = data34.length;
for(let i2=0; i2<len1; i2++){
let data35 = data34[i2];
if(typeof data35 === "string"){
if(!pattern8.test(data35)){
const err82 = {instancePath:instancePath+"/accountIds/" + i2,schemaPath:"#/properties/accountIds/items/pattern",keyword:"pattern",params:{pattern: "^([A-Za-z0-9_-]{1,48}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190})$"},message:"must match pattern \""+"^([A-Za-z0-9_-]{1,48}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190})$"+"\"",schema:"^([A-Za-z0-9_-]{1,48}|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190})$",parentSchema:schema18.properties.accountIds.items,data:data35};
if(vErrors === null){
vErrors = [err82];
}
else {
vErrors.push(err82);
}
errors++;
}
}
else {
const err83 = {instancePath:instancePath+"/accountIds/" + i2,schemaPath:"#/properties/accountIds/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema18.properties.accountIds.items.type,parentSchema:schema18.properties.accountIds.items,data:data35};
if(vErrors === null){
vErrors = [err83];
}
else {
vErrors.push(err83);
}
errors++;
}
}
}
else {
const err84 = {instancePath:instancePath+"/accountIds",schemaPath:"#/properties/accountIds/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema18.properties.accountIds.type,parentSchema:schema18.properties.accountIds,data:data34};
if(vErrors === null){
vErrors = [err84];
}
else {
vErrors.push(err84);
}
errors++;
}
}
let data36 = data.agents;
if(Array.isArray(data36)){
if(data36.length > 1000){
const err85 = {instancePath:instancePath+"/agents",schemaPath:"#/properties/agents/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items",schema:1000,parentSchema:schema18.properties.agents,data:data36};
if(vErrors === null){
vErrors = [err85];
}
else {
vErrors.push(err85);
}
errors++;
}
const len2 = data36.length;
for(let i3=0; i3<len2; i3++){
let data37 = data36[i3];
if(typeof data37 === "string"){
if(!pattern0.test(data37)){
const err86 = {instancePath:instancePath+"/agents/" + i3,schemaPath:"#/properties/agents/items/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{1,48}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{1,48}$"+"\"",schema:"^[A-Za-z0-9_-]{1,48}$",parentSchema:schema18.properties.agents.items,data:data37};
if(vErrors === null){
vErrors = [err86];
}
else {
vErrors.push(err86);
}
errors++;
}
}
else {
const err87 = {instancePath:instancePath+"/agents/" + i3,schemaPath:"#/properties/agents/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema18.properties.agents.items.type,parentSchema:schema18.properties.agents.items,data:data37};
if(vErrors === null){
vErrors = [err87];
}
else {
vErrors.push(err87);
}
errors++;
}
}
}
else {
const err88 = {instancePath:instancePath+"/agents",schemaPath:"#/properties/agents/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema18.properties.agents.type,parentSchema:schema18.properties.agents,data:data36};
if(vErrors === null){
vErrors = [err88];
}
else {
vErrors.push(err88);
}
errors++;
}
let data38 = data.tools;
if(Array.isArray(data38)){
if(data38.length > 1000){
const err89 = {instancePath:instancePath+"/tools",schemaPath:"#/properties/tools/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items",schema:1000,parentSchema:schema18.properties.tools,data:data38};
if(vErrors === null){
vErrors = [err89];
}
else {
vErrors.push(err89);
}
errors++;
}
const len3 = data38.length;
for(let i4=0; i4<len3; i4++){
let data39 = data38[i4];
if(typeof data39 === "string"){
if(!pattern43.test(data39)){
const err90 = {instancePath:instancePath+"/tools/" + i4,schemaPath:"#/properties/tools/items/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{1,64}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{1,64}$"+"\"",schema:"^[A-Za-z0-9_-]{1,64}$",parentSchema:schema18.properties.tools.items,data:data39};
if(vErrors === null){
vErrors = [err90];
}
else {
vErrors.push(err90);
}
errors++;
}
}
else {
const err91 = {instancePath:instancePath+"/tools/" + i4,schemaPath:"#/properties/tools/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema18.properties.tools.items.type,parentSchema:schema18.properties.tools.items,data:data39};
if(vErrors === null){
vErrors = [err91];
}
else {
vErrors.push(err91);
}
errors++;
}
}
}
else {
const err92 = {instancePath:instancePath+"/tools",schemaPath:"#/properties/tools/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema18.properties.tools.type,parentSchema:schema18.properties.tools,data:data38};
if(vErrors === null){
vErrors = [err92];
}
else {
vErrors.push(err92);
}
errors++;
}
if(data.memory !== undefined){
let data40 = data.memory;
if(typeof data40 === "string"){
if(func1(data40) > 1000){
const err93 = {instancePath:instancePath+"/memory",schemaPath:"#/properties/memory/maxLength",keyword:"maxLength",params:{limit: 1000},message:"must NOT have more than 1000 characters",schema:1000,parentSchema:schema18.properties.memory,data:data40};
if(vErrors === null){
vErrors = [err93];
}
else {
vErrors.push(err93);
}
errors++;
}
if(func1(data40) < 1){
const err94 = {instancePath:instancePath+"/memory",schemaPath:"#/properties/memory/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema18.properties.memory,data:data40};
if(vErrors === null){
vErrors = [err94];
}
else {
vErrors.push(err94);
}
errors++;
}
}
else {
const err95 = {instancePath:instancePath+"/memory",schemaPath:"#/properties/memory/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema18.properties.memory.type,parentSchema:schema18.properties.memory,data:data40};
if(vErrors === null){
vErrors = [err95];
}
else {
vErrors.push(err95);
}
errors++;
}
}
let data41 = data.memoryAccess;
if(Array.isArray(data41)){
if(data41.length > 1000){
const err96 = {instancePath:instancePath+"/memoryAccess",schemaPath:"#/properties/memoryAccess/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items",schema:1000,parentSchema:schema18.properties.memoryAccess,data:data41};
if(vErrors === null){
vErrors = [err96];
}
else {
vErrors.push(err96);
}
errors++;
}
const len4 = data41.length;
for(let i5=0; i5<len4; i5++){
let data42 = data41[i5];
if(typeof data42 === "string"){
if(!pattern0.test(data42)){
const err97 = {instancePath:instancePath+"/memoryAccess/" + i5,schemaPath:"#/properties/memoryAccess/items/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{1,48}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{1,48}$"+"\"",schema:"^[A-Za-z0-9_-]{1,48}$",parentSchema:schema18.properties.memoryAccess.items,data:data42};
if(vErrors === null){
vErrors = [err97];
}
else {
vErrors.push(err97);
}
errors++;
}
}
else {
const err98 = {instancePath:instancePath+"/memoryAccess/" + i5,schemaPath:"#/properties/memoryAccess/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema18.properties.memoryAccess.items.type,parentSchema:schema18.properties.memoryAccess.items,data:data42};
if(vErrors === null){
vErrors = [err98];
}
else {
vErrors.push(err98);
}
errors++;
}
}
}
else {
const err99 = {instancePath:instancePath+"/memoryAccess",schemaPath:"#/properties/memoryAccess/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema18.properties.memoryAccess.type,parentSchema:schema18.properties.memoryAccess,data:data41};
if(vErrors === null){
vErrors = [err99];
}
else {
vErrors.push(err99);
}
errors++;
}
if(data.imprint !== undefined){
let data43 = data.imprint;
if(typeof data43 !== "string"){
const err100 = {instancePath:instancePath+"/imprint",schemaPath:"#/properties/imprint/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema18.properties.imprint.type,parentSchema:schema18.properties.imprint,data:data43};
if(vErrors === null){
vErrors = [err100];
}
else {
vErrors.push(err100);
}
errors++;
}
}
if(data.prompt !== undefined){
if(!(validate36(data.prompt, {instancePath:instancePath+"/prompt",parentData:data,parentDataProperty:"prompt",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate36.errors : vErrors.concat(validate36.errors);
errors = vErrors.length;
}
}
if(data.permissions !== undefined){
if(!(validate42(data.permissions, {instancePath:instancePath+"/permissions",parentData:data,parentDataProperty:"permissions",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate42.errors : vErrors.concat(validate42.errors);
errors = vErrors.length;
}
}
if(data.untrusted !== undefined){
if(!(validate48(data.untrusted, {instancePath:instancePath+"/untrusted",parentData:data,parentDataProperty:"untrusted",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate48.errors : vErrors.concat(validate48.errors);
errors = vErrors.length;
}
}
if(data.privacy !== undefined){
let data47 = data.privacy;
if(data47 && typeof data47 == "object" && !Array.isArray(data47)){
if(data47.redact === undefined){
data47.redact = ["person","phone","email","iban","card"];
}
if(data47.keep === undefined){
data47.keep = ["company","date","location","role"];
}
if(data47.restoreIn === undefined){
data47.restoreIn = [];
}
for(const key6 in data47){
if(!((((key6 === "redact") || (key6 === "keep")) || (key6 === "restoreIn")) || (key6 === "recognizer"))){
const err101 = {instancePath:instancePath+"/privacy",schemaPath:"#/properties/privacy/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key6},message:"must NOT have additional properties",schema:false,parentSchema:schema18.properties.privacy,data:data47};
if(vErrors === null){
vErrors = [err101];
}
else {
vErrors.push(err101);
}
errors++;
}
}
let data48 = data47.redact;
if(Array.isArray(data48)){
if(data48.length > 5){
const err102 = {instancePath:instancePath+"/privacy/redact",schemaPath:"#/properties/privacy/properties/redact/maxItems",keyword:"maxItems",params:{limit: 5},message:"must NOT have more than 5 items",schema:5,parentSchema:schema18.properties.privacy.properties.redact,data:data48};
if(vErrors === null){
vErrors = [err102];
}
else {
vErrors.push(err102);
}
errors++;
}
const len5 = data48.length;
for(let i6=0; i6<len5; i6++){
let data49 = data48[i6];
if(typeof data49 !== "string"){
const err103 = {instancePath:instancePath+"/privacy/redact/" + i6,schemaPath:"#/properties/privacy/properties/redact/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema18.properties.privacy.properties.redact.items.type,parentSchema:schema18.properties.privacy.properties.redact.items,data:data49};
if(vErrors === null){
vErrors = [err103];
}
else {
vErrors.push(err103);
}
errors++;
}
if(!(((((data49 === "person") || (data49 === "phone")) || (data49 === "email")) || (data49 === "iban")) || (data49 === "card"))){
const err104 = {instancePath:instancePath+"/privacy/redact/" + i6,schemaPath:"#/properties/privacy/properties/redact/items/enum",keyword:"enum",params:{allowedValues: schema18.properties.privacy.properties.redact.items.enum},message:"must be equal to one of the allowed values",schema:schema18.properties.privacy.properties.redact.items.enum,parentSchema:schema18.properties.privacy.properties.redact.items,data:data49};
if(vErrors === null){
vErrors = [err104];
}
else {
vErrors.push(err104);
}
errors++;
}
}
}
else {
const err105 = {instancePath:instancePath+"/privacy/redact",schemaPath:"#/properties/privacy/properties/redact/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema18.properties.privacy.properties.redact.type,parentSchema:schema18.properties.privacy.properties.redact,data:data48};
if(vErrors === null){
vErrors = [err105];
}
else {
vErrors.push(err105);
}
errors++;
}
let data50 = data47.keep;
if(Array.isArray(data50)){
if(data50.length > 4){
const err106 = {instancePath:instancePath+"/privacy/keep",schemaPath:"#/properties/privacy/properties/keep/maxItems",keyword:"maxItems",params:{limit: 4},message:"must NOT have more than 4 items",schema:4,parentSchema:schema18.properties.privacy.properties.keep,data:data50};
if(vErrors === null){
vErrors = [err106];
}
else {
vErrors.push(err106);
}
errors++;
}
const len6 = data50.length;
for(let i7=0; i7<len6; i7++){
let data51 = data50[i7];
if(typeof data51 !== "string"){
const err107 = {instancePath:instancePath+"/privacy/keep/" + i7,schemaPath:"#/properties/privacy/properties/keep/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema18.properties.privacy.properties.keep.items.type,parentSchema:schema18.properties.privacy.properties.keep.items,data:data51};
if(vErrors === null){
vErrors = [err107];
}
else {
vErrors.push(err107);
}
errors++;
}
if(!((((data51 === "company") || (data51 === "date")) || (data51 === "location")) || (data51 === "role"))){
const err108 = {instancePath:instancePath+"/privacy/keep/" + i7,schemaPath:"#/properties/privacy/properties/keep/items/enum",keyword:"enum",params:{allowedValues: schema18.properties.privacy.properties.keep.items.enum},message:"must be equal to one of the allowed values",schema:schema18.properties.privacy.properties.keep.items.enum,parentSchema:schema18.properties.privacy.properties.keep.items,data:data51};
if(vErrors === null){
vErrors = [err108];
}
else {
vErrors.push(err108);
}
errors++;
}
}
}
else {
const err109 = {instancePath:instancePath+"/privacy/keep",schemaPath:"#/properties/privacy/properties/keep/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema18.properties.privacy.properties.keep.type,parentSchema:schema18.properties.privacy.properties.keep,data:data50};
if(vErrors === null){
vErrors = [err109];
}
else {
vErrors.push(err109);
}
errors++;
}
let data52 = data47.restoreIn;
if(Array.isArray(data52)){
if(data52.length > 1000){
const err110 = {instancePath:instancePath+"/privacy/restoreIn",schemaPath:"#/properties/privacy/properties/restoreIn/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items",schema:1000,parentSchema:schema18.properties.privacy.properties.restoreIn,data:data52};
if(vErrors === null){
vErrors = [err110];
}
else {
vErrors.push(err110);
}
errors++;
}
const len7 = data52.length;
for(let i8=0; i8<len7; i8++){
let data53 = data52[i8];
if(typeof data53 === "string"){
if(!pattern89.test(data53)){
const err111 = {instancePath:instancePath+"/privacy/restoreIn/" + i8,schemaPath:"#/properties/privacy/properties/restoreIn/items/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_*-]{1,64}$"},message:"must match pattern \""+"^[A-Za-z0-9_*-]{1,64}$"+"\"",schema:"^[A-Za-z0-9_*-]{1,64}$",parentSchema:schema18.properties.privacy.properties.restoreIn.items,data:data53};
if(vErrors === null){
vErrors = [err111];
}
else {
vErrors.push(err111);
}
errors++;
}
}
else {
const err112 = {instancePath:instancePath+"/privacy/restoreIn/" + i8,schemaPath:"#/properties/privacy/properties/restoreIn/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema18.properties.privacy.properties.restoreIn.items.type,parentSchema:schema18.properties.privacy.properties.restoreIn.items,data:data53};
if(vErrors === null){
vErrors = [err112];
}
else {
vErrors.push(err112);
}
errors++;
}
}
}
else {
const err113 = {instancePath:instancePath+"/privacy/restoreIn",schemaPath:"#/properties/privacy/properties/restoreIn/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema18.properties.privacy.properties.restoreIn.type,parentSchema:schema18.properties.privacy.properties.restoreIn,data:data52};
if(vErrors === null){
vErrors = [err113];
}
else {
vErrors.push(err113);
}
errors++;
}
if(data47.recognizer !== undefined){
let data54 = data47.recognizer;
if(data54 && typeof data54 == "object" && !Array.isArray(data54)){
if(data54.languages === undefined){
data54.languages = ["en"];
}
if(data54.url === undefined){
const err114 = {instancePath:instancePath+"/privacy/recognizer",schemaPath:"#/properties/privacy/properties/recognizer/required",keyword:"required",params:{missingProperty: "url"},message:"must have required property '"+"url"+"'",schema:schema18.properties.privacy.properties.recognizer.required,parentSchema:schema18.properties.privacy.properties.recognizer,data:data54};
if(vErrors === null){
vErrors = [err114];
}
else {
vErrors.push(err114);
}
errors++;
}
for(const key7 in data54){
if(!((key7 === "url") || (key7 === "languages"))){
const err115 = {instancePath:instancePath+"/privacy/recognizer",schemaPath:"#/properties/privacy/properties/recognizer/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key7},message:"must NOT have additional properties",schema:false,parentSchema:schema18.properties.privacy.properties.recognizer,data:data54};
if(vErrors === null){
vErrors = [err115];
}
else {
vErrors.push(err115);
}
errors++;
}
}
if(data54.url !== undefined){
let data55 = data54.url;
if(typeof data55 === "string"){
if(func1(data55) > 2000){
const err116 = {instancePath:instancePath+"/privacy/recognizer/url",schemaPath:"#/properties/privacy/properties/recognizer/properties/url/maxLength",keyword:"maxLength",params:{limit: 2000},message:"must NOT have more than 2000 characters",schema:2000,parentSchema:schema18.properties.privacy.properties.recognizer.properties.url,data:data55};
if(vErrors === null){
vErrors = [err116];
}
else {
vErrors.push(err116);
}
errors++;
}
if(!pattern18.test(data55)){
const err117 = {instancePath:instancePath+"/privacy/recognizer/url",schemaPath:"#/properties/privacy/properties/recognizer/properties/url/pattern",keyword:"pattern",params:{pattern: "^https?://(localhost|127\\.[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}|\\[::1\\])(:[0-9]{1,5})?(/[^\\s]*)?$"},message:"must match pattern \""+"^https?://(localhost|127\\.[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}|\\[::1\\])(:[0-9]{1,5})?(/[^\\s]*)?$"+"\"",schema:"^https?://(localhost|127\\.[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}|\\[::1\\])(:[0-9]{1,5})?(/[^\\s]*)?$",parentSchema:schema18.properties.privacy.properties.recognizer.properties.url,data:data55};
if(vErrors === null){
vErrors = [err117];
}
else {
vErrors.push(err117);
}
errors++;
}
}
else {
const err118 = {instancePath:instancePath+"/privacy/recognizer/url",schemaPath:"#/properties/privacy/properties/recognizer/properties/url/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema18.properties.privacy.properties.recognizer.properties.url.type,parentSchema:schema18.properties.privacy.properties.recognizer.properties.url,data:data55};
if(vErrors === null){
vErrors = [err118];
}
else {
vErrors.push(err118);
}
errors++;
}
}
let data56 = data54.languages;
if(Array.isArray(data56)){
if(data56.length > 10){
const err119 = {instancePath:instancePath+"/privacy/recognizer/languages",schemaPath:"#/properties/privacy/properties/recognizer/properties/languages/maxItems",keyword:"maxItems",params:{limit: 10},message:"must NOT have more than 10 items",schema:10,parentSchema:schema18.properties.privacy.properties.recognizer.properties.languages,data:data56};
if(vErrors === null){
vErrors = [err119];
}
else {
vErrors.push(err119);
}
errors++;
}
if(data56.length < 1){
const err120 = {instancePath:instancePath+"/privacy/recognizer/languages",schemaPath:"#/properties/privacy/properties/recognizer/properties/languages/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items",schema:1,parentSchema:schema18.properties.privacy.properties.recognizer.properties.languages,data:data56};
if(vErrors === null){
vErrors = [err120];
}
else {
vErrors.push(err120);
}
errors++;
}
const len8 = data56.length;
for(let i9=0; i9<len8; i9++){
let data57 = data56[i9];
if(typeof data57 === "string"){
if(!pattern19.test(data57)){
const err121 = {instancePath:instancePath+"/privacy/recognizer/languages/" + i9,schemaPath:"#/properties/privacy/properties/recognizer/properties/languages/items/pattern",keyword:"pattern",params:{pattern: "^[a-z]{2,3}$"},message:"must match pattern \""+"^[a-z]{2,3}$"+"\"",schema:"^[a-z]{2,3}$",parentSchema:schema18.properties.privacy.properties.recognizer.properties.languages.items,data:data57};
if(vErrors === null){
vErrors = [err121];
}
else {
vErrors.push(err121);
}
errors++;
}
}
else {
const err122 = {instancePath:instancePath+"/privacy/recognizer/languages/" + i9,schemaPath:"#/properties/privacy/properties/recognizer/properties/languages/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema18.properties.privacy.properties.recognizer.properties.languages.items.type,parentSchema:schema18.properties.privacy.properties.recognizer.properties.languages.items,data:data57};
if(vErrors === null){
vErrors = [err122];
}
else {
vErrors.push(err122);
}
errors++;
}
}
}
else {
const err123 = {instancePath:instancePath+"/privacy/recognizer/languages",schemaPath:"#/properties/privacy/properties/recognizer/properties/languages/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema18.properties.privacy.properties.recognizer.properties.languages.type,parentSchema:schema18.properties.privacy.properties.recognizer.properties.languages,data:data56};
if(vErrors === null){
vErrors = [err123];
}
else {
vErrors.push(err123);
}
errors++;
}
}
else {
const err124 = {instancePath:instancePath+"/privacy/recognizer",schemaPath:"#/properties/privacy/properties/recognizer/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema18.properties.privacy.properties.recognizer.type,parentSchema:schema18.properties.privacy.properties.recognizer,data:data54};
if(vErrors === null){
vErrors = [err124];
}
else {
vErrors.push(err124);
}
errors++;
}
}
}
else {
const err125 = {instancePath:instancePath+"/privacy",schemaPath:"#/properties/privacy/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema18.properties.privacy.type,parentSchema:schema18.properties.privacy,data:data47};
if(vErrors === null){
vErrors = [err125];
}
else {
vErrors.push(err125);
}
errors++;
}
}
if(data.approvals !== undefined){
if(!(validate51(data.approvals, {instancePath:instancePath+"/approvals",parentData:data,parentDataProperty:"approvals",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate51.errors : vErrors.concat(validate51.errors);
errors = vErrors.length;
}
}
if(data.scope !== undefined){
if(!(validate53(data.scope, {instancePath:instancePath+"/scope",parentData:data,parentDataProperty:"scope",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors);
errors = vErrors.length;
}
}
let data60 = data.guards;
if(Array.isArray(data60)){
if(data60.length > 100){
const err126 = {instancePath:instancePath+"/guards",schemaPath:"#/properties/guards/maxItems",keyword:"maxItems",params:{limit: 100},message:"must NOT have more than 100 items",schema:100,parentSchema:schema18.properties.guards,data:data60};
if(vErrors === null){
vErrors = [err126];
}
else {
vErrors.push(err126);
}
errors++;
}
const len9 = data60.length;
for(let i10=0; i10<len9; i10++){
let data61 = data60[i10];
if(data61 && typeof data61 == "object" && !Array.isArray(data61)){
if(data61.kind === undefined){
const err127 = {instancePath:instancePath+"/guards/" + i10,schemaPath:"#/properties/guards/items/required",keyword:"required",params:{missingProperty: "kind"},message:"must have required property '"+"kind"+"'",schema:schema18.properties.guards.items.required,parentSchema:schema18.properties.guards.items,data:data61};
if(vErrors === null){
vErrors = [err127];
}
else {
vErrors.push(err127);
}
errors++;
}
if(data61.tools === undefined){
const err128 = {instancePath:instancePath+"/guards/" + i10,schemaPath:"#/properties/guards/items/required",keyword:"required",params:{missingProperty: "tools"},message:"must have required property '"+"tools"+"'",schema:schema18.properties.guards.items.required,parentSchema:schema18.properties.guards.items,data:data61};
if(vErrors === null){
vErrors = [err128];
}
else {
vErrors.push(err128);
}
errors++;
}
for(const key8 in data61){
if(!((key8 === "kind") || (key8 === "tools"))){
const err129 = {instancePath:instancePath+"/guards/" + i10,schemaPath:"#/properties/guards/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key8},message:"must NOT have additional properties",schema:false,parentSchema:schema18.properties.guards.items,data:data61};
if(vErrors === null){
vErrors = [err129];
}
else {
vErrors.push(err129);
}
errors++;
}
}
if(data61.kind !== undefined){
let data62 = data61.kind;
if(typeof data62 !== "string"){
const err130 = {instancePath:instancePath+"/guards/" + i10+"/kind",schemaPath:"#/properties/guards/items/properties/kind/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema18.properties.guards.items.properties.kind.type,parentSchema:schema18.properties.guards.items.properties.kind,data:data62};
if(vErrors === null){
vErrors = [err130];
}
else {
vErrors.push(err130);
}
errors++;
}
if(!(data62 === "needsTime")){
const err131 = {instancePath:instancePath+"/guards/" + i10+"/kind",schemaPath:"#/properties/guards/items/properties/kind/enum",keyword:"enum",params:{allowedValues: schema18.properties.guards.items.properties.kind.enum},message:"must be equal to one of the allowed values",schema:schema18.properties.guards.items.properties.kind.enum,parentSchema:schema18.properties.guards.items.properties.kind,data:data62};
if(vErrors === null){
vErrors = [err131];
}
else {
vErrors.push(err131);
}
errors++;
}
}
if(data61.tools !== undefined){
let data63 = data61.tools;
if(Array.isArray(data63)){
if(data63.length > 1000){
const err132 = {instancePath:instancePath+"/guards/" + i10+"/tools",schemaPath:"#/properties/guards/items/properties/tools/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items",schema:1000,parentSchema:schema18.properties.guards.items.properties.tools,data:data63};
if(vErrors === null){
vErrors = [err132];
}
else {
vErrors.push(err132);
}
errors++;
}
if(data63.length < 1){
const err133 = {instancePath:instancePath+"/guards/" + i10+"/tools",schemaPath:"#/properties/guards/items/properties/tools/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items",schema:1,parentSchema:schema18.properties.guards.items.properties.tools,data:data63};
if(vErrors === null){
vErrors = [err133];
}
else {
vErrors.push(err133);
}
errors++;
}
const len10 = data63.length;
for(let i11=0; i11<len10; i11++){
let data64 = data63[i11];
if(typeof data64 === "string"){
if(!pattern89.test(data64)){
const err134 = {instancePath:instancePath+"/guards/" + i10+"/tools/" + i11,schemaPath:"#/properties/guards/items/properties/tools/items/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_*-]{1,64}$"},message:"must match pattern \""+"^[A-Za-z0-9_*-]{1,64}$"+"\"",schema:"^[A-Za-z0-9_*-]{1,64}$",parentSchema:schema18.properties.guards.items.properties.tools.items,data:data64};
if(vErrors === null){
vErrors = [err134];
}
else {
vErrors.push(err134);
}
errors++;
}
}
else {
const err135 = {instancePath:instancePath+"/guards/" + i10+"/tools/" + i11,schemaPath:"#/properties/guards/items/properties/tools/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema18.properties.guards.items.properties.tools.items.type,parentSchema:schema18.properties.guards.items.properties.tools.items,data:data64};
if(vErrors === null){
vErrors = [err135];
}
else {
vErrors.push(err135);
}
errors++;
}
}
}
else {
const err136 = {instancePath:instancePath+"/guards/" + i10+"/tools",schemaPath:"#/properties/guards/items/properties/tools/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema18.properties.guards.items.properties.tools.type,parentSchema:schema18.properties.guards.items.properties.tools,data:data63};
if(vErrors === null){
vErrors = [err136];
}
else {
vErrors.push(err136);
}
errors++;
}
}
}
else {
const err137 = {instancePath:instancePath+"/guards/" + i10,schemaPath:"#/properties/guards/items/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema18.properties.guards.items.type,parentSchema:schema18.properties.guards.items,data:data61};
if(vErrors === null){
vErrors = [err137];
}
else {
vErrors.push(err137);
}
errors++;
}
}
}
else {
const err138 = {instancePath:instancePath+"/guards",schemaPath:"#/properties/guards/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema18.properties.guards.type,parentSchema:schema18.properties.guards,data:data60};
if(vErrors === null){
vErrors = [err138];
}
else {
vErrors.push(err138);
}
errors++;
}
if(data.output !== undefined){
let data65 = data.output;
if(data65 && typeof data65 == "object" && !Array.isArray(data65)){
if(data65.schema === undefined){
const err139 = {instancePath:instancePath+"/output",schemaPath:"#/properties/output/required",keyword:"required",params:{missingProperty: "schema"},message:"must have required property '"+"schema"+"'",schema:schema18.properties.output.required,parentSchema:schema18.properties.output,data:data65};
if(vErrors === null){
vErrors = [err139];
}
else {
vErrors.push(err139);
}
errors++;
}
for(const key9 in data65){
if(!(key9 === "schema")){
const err140 = {instancePath:instancePath+"/output",schemaPath:"#/properties/output/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key9},message:"must NOT have additional properties",schema:false,parentSchema:schema18.properties.output,data:data65};
if(vErrors === null){
vErrors = [err140];
}
else {
vErrors.push(err140);
}
errors++;
}
}
if(data65.schema !== undefined){
let data66 = data65.schema;
if(data66 && typeof data66 == "object" && !Array.isArray(data66)){
if(Object.keys(data66).length < 1){
const err141 = {instancePath:instancePath+"/output/schema",schemaPath:"#/properties/output/properties/schema/minProperties",keyword:"minProperties",params:{limit: 1},message:"must NOT have fewer than 1 properties",schema:1,parentSchema:schema18.properties.output.properties.schema,data:data66};
if(vErrors === null){
vErrors = [err141];
}
else {
vErrors.push(err141);
}
errors++;
}
}
else {
const err142 = {instancePath:instancePath+"/output/schema",schemaPath:"#/properties/output/properties/schema/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema18.properties.output.properties.schema.type,parentSchema:schema18.properties.output.properties.schema,data:data66};
if(vErrors === null){
vErrors = [err142];
}
else {
vErrors.push(err142);
}
errors++;
}
}
}
else {
const err143 = {instancePath:instancePath+"/output",schemaPath:"#/properties/output/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema18.properties.output.type,parentSchema:schema18.properties.output,data:data65};
if(vErrors === null){
vErrors = [err143];
}
else {
vErrors.push(err143);
}
errors++;
}
}
let data67 = data.checks;
if(Array.isArray(data67)){
if(data67.length > 100){
const err144 = {instancePath:instancePath+"/checks",schemaPath:"#/properties/checks/maxItems",keyword:"maxItems",params:{limit: 100},message:"must NOT have more than 100 items",schema:100,parentSchema:schema18.properties.checks,data:data67};
if(vErrors === null){
vErrors = [err144];
}
else {
vErrors.push(err144);
}
errors++;
}
const len11 = data67.length;
for(let i12=0; i12<len11; i12++){
let data68 = data67[i12];
if(data68 && typeof data68 == "object" && !Array.isArray(data68)){
if(data68.otherwise === undefined){
data68.otherwise = "say-so";
}
if(data68.kind === undefined){
const err145 = {instancePath:instancePath+"/checks/" + i12,schemaPath:"#/properties/checks/items/required",keyword:"required",params:{missingProperty: "kind"},message:"must have required property '"+"kind"+"'",schema:schema18.properties.checks.items.required,parentSchema:schema18.properties.checks.items,data:data68};
if(vErrors === null){
vErrors = [err145];
}
else {
vErrors.push(err145);
}
errors++;
}
if(data68.claim === undefined){
const err146 = {instancePath:instancePath+"/checks/" + i12,schemaPath:"#/properties/checks/items/required",keyword:"required",params:{missingProperty: "claim"},message:"must have required property '"+"claim"+"'",schema:schema18.properties.checks.items.required,parentSchema:schema18.properties.checks.items,data:data68};
if(vErrors === null){
vErrors = [err146];
}
else {
vErrors.push(err146);
}
errors++;
}
for(const key10 in data68){
if(!((((key10 === "kind") || (key10 === "claim")) || (key10 === "needs")) || (key10 === "otherwise"))){
const err147 = {instancePath:instancePath+"/checks/" + i12,schemaPath:"#/properties/checks/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key10},message:"must NOT have additional properties",schema:false,parentSchema:schema18.properties.checks.items,data:data68};
if(vErrors === null){
vErrors = [err147];
}
else {
vErrors.push(err147);
}
errors++;
}
}
if(data68.kind !== undefined){
let data69 = data68.kind;
if(typeof data69 !== "string"){
const err148 = {instancePath:instancePath+"/checks/" + i12+"/kind",schemaPath:"#/properties/checks/items/properties/kind/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema18.properties.checks.items.properties.kind.type,parentSchema:schema18.properties.checks.items.properties.kind,data:data69};
if(vErrors === null){
vErrors = [err148];
}
else {
vErrors.push(err148);
}
errors++;
}
if(!(data69 === "claims")){
const err149 = {instancePath:instancePath+"/checks/" + i12+"/kind",schemaPath:"#/properties/checks/items/properties/kind/enum",keyword:"enum",params:{allowedValues: schema18.properties.checks.items.properties.kind.enum},message:"must be equal to one of the allowed values",schema:schema18.properties.checks.items.properties.kind.enum,parentSchema:schema18.properties.checks.items.properties.kind,data:data69};
if(vErrors === null){
vErrors = [err149];
}
else {
vErrors.push(err149);
}
errors++;
}
}
if(data68.claim !== undefined){
let data70 = data68.claim;
if(typeof data70 !== "string"){
const err150 = {instancePath:instancePath+"/checks/" + i12+"/claim",schemaPath:"#/properties/checks/items/properties/claim/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema18.properties.checks.items.properties.claim.type,parentSchema:schema18.properties.checks.items.properties.claim,data:data70};
if(vErrors === null){
vErrors = [err150];
}
else {
vErrors.push(err150);
}
errors++;
}
if(!((((data70 === "meeting-scheduled") || (data70 === "reminder-set")) || (data70 === "mail-sent")) || (data70 === "file-written"))){
const err151 = {instancePath:instancePath+"/checks/" + i12+"/claim",schemaPath:"#/properties/checks/items/properties/claim/enum",keyword:"enum",params:{allowedValues: schema18.properties.checks.items.properties.claim.enum},message:"must be equal to one of the allowed values",schema:schema18.properties.checks.items.properties.claim.enum,parentSchema:schema18.properties.checks.items.properties.claim,data:data70};
if(vErrors === null){
vErrors = [err151];
}
else {
vErrors.push(err151);
}
errors++;
}
}
if(data68.needs !== undefined){
let data71 = data68.needs;
if((typeof data71 !== "string") && (!(Array.isArray(data71)))){
const err152 = {instancePath:instancePath+"/checks/" + i12+"/needs",schemaPath:"#/properties/checks/items/properties/needs/type",keyword:"type",params:{type: schema18.properties.checks.items.properties.needs.type},message:"must be string,array",schema:schema18.properties.checks.items.properties.needs.type,parentSchema:schema18.properties.checks.items.properties.needs,data:data71};
if(vErrors === null){
vErrors = [err152];
}
else {
vErrors.push(err152);
}
errors++;
}
if(typeof data71 === "string"){
if(!pattern43.test(data71)){
const err153 = {instancePath:instancePath+"/checks/" + i12+"/needs",schemaPath:"#/properties/checks/items/properties/needs/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{1,64}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{1,64}$"+"\"",schema:"^[A-Za-z0-9_-]{1,64}$",parentSchema:schema18.properties.checks.items.properties.needs,data:data71};
if(vErrors === null){
vErrors = [err153];
}
else {
vErrors.push(err153);
}
errors++;
}
}
if(Array.isArray(data71)){
if(data71.length > 100){
const err154 = {instancePath:instancePath+"/checks/" + i12+"/needs",schemaPath:"#/properties/checks/items/properties/needs/maxItems",keyword:"maxItems",params:{limit: 100},message:"must NOT have more than 100 items",schema:100,parentSchema:schema18.properties.checks.items.properties.needs,data:data71};
if(vErrors === null){
vErrors = [err154];
}
else {
vErrors.push(err154);
}
errors++;
}
if(data71.length < 1){
const err155 = {instancePath:instancePath+"/checks/" + i12+"/needs",schemaPath:"#/properties/checks/items/properties/needs/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items",schema:1,parentSchema:schema18.properties.checks.items.properties.needs,data:data71};
if(vErrors === null){
vErrors = [err155];
}
else {
vErrors.push(err155);
}
errors++;
}
const len12 = data71.length;
for(let i13=0; i13<len12; i13++){
let data72 = data71[i13];
if(typeof data72 === "string"){
if(!pattern43.test(data72)){
const err156 = {instancePath:instancePath+"/checks/" + i12+"/needs/" + i13,schemaPath:"#/properties/checks/items/properties/needs/items/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{1,64}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{1,64}$"+"\"",schema:"^[A-Za-z0-9_-]{1,64}$",parentSchema:schema18.properties.checks.items.properties.needs.items,data:data72};
if(vErrors === null){
vErrors = [err156];
}
else {
vErrors.push(err156);
}
errors++;
}
}
else {
const err157 = {instancePath:instancePath+"/checks/" + i12+"/needs/" + i13,schemaPath:"#/properties/checks/items/properties/needs/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema18.properties.checks.items.properties.needs.items.type,parentSchema:schema18.properties.checks.items.properties.needs.items,data:data72};
if(vErrors === null){
vErrors = [err157];
}
else {
vErrors.push(err157);
}
errors++;
}
}
}
}
let data73 = data68.otherwise;
if(typeof data73 !== "string"){
const err158 = {instancePath:instancePath+"/checks/" + i12+"/otherwise",schemaPath:"#/properties/checks/items/properties/otherwise/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema18.properties.checks.items.properties.otherwise.type,parentSchema:schema18.properties.checks.items.properties.otherwise,data:data73};
if(vErrors === null){
vErrors = [err158];
}
else {
vErrors.push(err158);
}
errors++;
}
if(!(((data73 === "say-so") || (data73 === "offer-free-times")) || (data73 === "remove"))){
const err159 = {instancePath:instancePath+"/checks/" + i12+"/otherwise",schemaPath:"#/properties/checks/items/properties/otherwise/enum",keyword:"enum",params:{allowedValues: schema18.properties.checks.items.properties.otherwise.enum},message:"must be equal to one of the allowed values",schema:schema18.properties.checks.items.properties.otherwise.enum,parentSchema:schema18.properties.checks.items.properties.otherwise,data:data73};
if(vErrors === null){
vErrors = [err159];
}
else {
vErrors.push(err159);
}
errors++;
}
}
else {
const err160 = {instancePath:instancePath+"/checks/" + i12,schemaPath:"#/properties/checks/items/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema18.properties.checks.items.type,parentSchema:schema18.properties.checks.items,data:data68};
if(vErrors === null){
vErrors = [err160];
}
else {
vErrors.push(err160);
}
errors++;
}
}
}
else {
const err161 = {instancePath:instancePath+"/checks",schemaPath:"#/properties/checks/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema18.properties.checks.type,parentSchema:schema18.properties.checks,data:data67};
if(vErrors === null){
vErrors = [err161];
}
else {
vErrors.push(err161);
}
errors++;
}
let data74 = data.budget;
if(data74 && typeof data74 == "object" && !Array.isArray(data74)){
if(data74.maxIterations === undefined){
data74.maxIterations = 40;
}
if(data74.maxMinutes === undefined){
data74.maxMinutes = 10;
}
for(const key11 in data74){
if(!((((key11 === "maxIterations") || (key11 === "maxMinutes")) || (key11 === "maxTokens")) || (key11 === "maxCost"))){
const err162 = {instancePath:instancePath+"/budget",schemaPath:"#/properties/budget/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key11},message:"must NOT have additional properties",schema:false,parentSchema:schema18.properties.budget,data:data74};
if(vErrors === null){
vErrors = [err162];
}
else {
vErrors.push(err162);
}
errors++;
}
}
let data75 = data74.maxIterations;
if(!(((typeof data75 == "number") && (!(data75 % 1) && !isNaN(data75))) && (isFinite(data75)))){
const err163 = {instancePath:instancePath+"/budget/maxIterations",schemaPath:"#/properties/budget/properties/maxIterations/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema18.properties.budget.properties.maxIterations.type,parentSchema:schema18.properties.budget.properties.maxIterations,data:data75};
if(vErrors === null){
vErrors = [err163];
}
else {
vErrors.push(err163);
}
errors++;
}
if((typeof data75 == "number") && (isFinite(data75))){
if(data75 > 10000 || isNaN(data75)){
const err164 = {instancePath:instancePath+"/budget/maxIterations",schemaPath:"#/properties/budget/properties/maxIterations/maximum",keyword:"maximum",params:{comparison: "<=", limit: 10000},message:"must be <= 10000",schema:10000,parentSchema:schema18.properties.budget.properties.maxIterations,data:data75};
if(vErrors === null){
vErrors = [err164];
}
else {
vErrors.push(err164);
}
errors++;
}
if(data75 < 1 || isNaN(data75)){
const err165 = {instancePath:instancePath+"/budget/maxIterations",schemaPath:"#/properties/budget/properties/maxIterations/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema18.properties.budget.properties.maxIterations,data:data75};
if(vErrors === null){
vErrors = [err165];
}
else {
vErrors.push(err165);
}
errors++;
}
}
let data76 = data74.maxMinutes;
if((typeof data76 == "number") && (isFinite(data76))){
if(data76 > 10080 || isNaN(data76)){
const err166 = {instancePath:instancePath+"/budget/maxMinutes",schemaPath:"#/properties/budget/properties/maxMinutes/maximum",keyword:"maximum",params:{comparison: "<=", limit: 10080},message:"must be <= 10080",schema:10080,parentSchema:schema18.properties.budget.properties.maxMinutes,data:data76};
if(vErrors === null){
vErrors = [err166];
}
else {
vErrors.push(err166);
}
errors++;
}
if(data76 <= 0 || isNaN(data76)){
const err167 = {instancePath:instancePath+"/budget/maxMinutes",schemaPath:"#/properties/budget/properties/maxMinutes/exclusiveMinimum",keyword:"exclusiveMinimum",params:{comparison: ">", limit: 0},message:"must be > 0",schema:0,parentSchema:schema18.properties.budget.properties.maxMinutes,data:data76};
if(vErrors === null){
vErrors = [err167];
}
else {
vErrors.push(err167);
}
errors++;
}
}
else {
const err168 = {instancePath:instancePath+"/budget/maxMinutes",schemaPath:"#/properties/budget/properties/maxMinutes/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema18.properties.budget.properties.maxMinutes.type,parentSchema:schema18.properties.budget.properties.maxMinutes,data:data76};
if(vErrors === null){
vErrors = [err168];
}
else {
vErrors.push(err168);
}
errors++;
}
if(data74.maxTokens !== undefined){
let data77 = data74.maxTokens;
if(!(((typeof data77 == "number") && (!(data77 % 1) && !isNaN(data77))) && (isFinite(data77)))){
const err169 = {instancePath:instancePath+"/budget/maxTokens",schemaPath:"#/properties/budget/properties/maxTokens/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema18.properties.budget.properties.maxTokens.type,parentSchema:schema18.properties.budget.properties.maxTokens,data:data77};
if(vErrors === null){
vErrors = [err169];
}
else {
vErrors.push(err169);
}
errors++;
}
if((typeof data77 == "number") && (isFinite(data77))){
if(data77 < 1 || isNaN(data77)){
const err170 = {instancePath:instancePath+"/budget/maxTokens",schemaPath:"#/properties/budget/properties/maxTokens/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema18.properties.budget.properties.maxTokens,data:data77};
if(vErrors === null){
vErrors = [err170];
}
else {
vErrors.push(err170);
}
errors++;
}
}
}
if(data74.maxCost !== undefined){
let data78 = data74.maxCost;
if((typeof data78 == "number") && (isFinite(data78))){
if(data78 <= 0 || isNaN(data78)){
const err171 = {instancePath:instancePath+"/budget/maxCost",schemaPath:"#/properties/budget/properties/maxCost/exclusiveMinimum",keyword:"exclusiveMinimum",params:{comparison: ">", limit: 0},message:"must be > 0",schema:0,parentSchema:schema18.properties.budget.properties.maxCost,data:data78};
if(vErrors === null){
vErrors = [err171];
}
else {
vErrors.push(err171);
}
errors++;
}
}
else {
const err172 = {instancePath:instancePath+"/budget/maxCost",schemaPath:"#/properties/budget/properties/maxCost/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema18.properties.budget.properties.maxCost.type,parentSchema:schema18.properties.budget.properties.maxCost,data:data78};
if(vErrors === null){
vErrors = [err172];
}
else {
vErrors.push(err172);
}
errors++;
}
}
}
else {
const err173 = {instancePath:instancePath+"/budget",schemaPath:"#/properties/budget/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema18.properties.budget.type,parentSchema:schema18.properties.budget,data:data74};
if(vErrors === null){
vErrors = [err173];
}
else {
vErrors.push(err173);
}
errors++;
}
}
else {
const err174 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema18.type,parentSchema:schema18,data};
if(vErrors === null){
vErrors = [err174];
}
else {
vErrors.push(err174);
}
errors++;
}
validate35.errors = vErrors;
return errors === 0;
}
validate35.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const agent = validate55;
const schema27 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"agent.schema.json","title":"Agent","description":"An agent does one kind of work for directors: a file in `agents/`. It sees its prompt and the question, not the mail.","type":"object","additionalProperties":false,"required":["id"],"properties":{"$schema":{"description":"The schema of a JSON file, for editors. YAML files name it in their first line.","type":"string","examples":["../../schemas/agent.schema.json"]},"id":{"description":"Id of this agent. Equals the file name.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["psychologist"]},"description":{"description":"The purpose of this agent. Directors read it when they choose an agent.","type":"string","default":"","examples":["Reads the mood of a message."]},"enabled":{"description":"Set to false to disable this agent without deleting its file.","type":"boolean","default":true,"examples":[false]},"order":{"description":"Position among the agents: lowest number first, then by id. Agents without a number come last.","type":"number","x-unit":"rank","examples":[10]},"name":{"description":"Name for people. Default: the id.","type":"string","minLength":1,"maxLength":200,"x-default-from":"id","examples":["Psychologist"]},"apiConfigId":{"description":"The API that this agent uses, a file in `apis/`. Default: the API of the director that asks; in a session with a person, the API of the directors that may ask it, if they share one.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["main"]},"credentials":{"description":"Keys of this agent, which go before those of its API: of `apiConfigId`, else of the API of the directors that may ask it. A fallback never gets them. `POST /api/agents/:id/credentials` stores a value and writes the reference here.","type":"object","additionalProperties":false,"properties":{"apiKey":{"description":"Reference to the key: `${env:NAME}` or `${secret:NAME}`. Never the key itself.","type":"string","pattern":"^\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\}$","x-secret":true,"x-expected":"a reference such as ${secret:AGENT_HELPER_API_KEY}","examples":["${secret:AGENT_HELPER_API_KEY}"]},"organization":{"description":"Reference to the organisation of an `openai` API, sent as `OpenAI-Organization`: `${env:NAME}` or `${secret:NAME}`.","type":"string","pattern":"^\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\}$","x-secret":true,"x-expected":"a reference such as ${secret:AGENT_HELPER_ORGANIZATION}","examples":["${secret:AGENT_HELPER_ORGANIZATION}"]}},"examples":[{"apiKey":"${secret:AGENT_HELPER_API_KEY}"}]},"tools":{"description":"Tools that the model sees: names of tool families (`workspace`) or of single tools (`workspace_add_item`).","type":"array","items":{"description":"A family or a tool.","type":"string","pattern":"^[A-Za-z0-9_-]{1,64}$","x-expected":"the name of a tool or of a family","examples":["workspace","mail","calendar","todo","filesystem","document","reminder","notification","memory","notebook","person","workspace_add_item","workspace_list_items","workspace_get_item","workspace_update_item","workspace_remove_item","mail_search","list_emails","mail_read","read_email","mail_draft","draft_reply","mail_send","mail_label","mail_archive","calendar_read","list_events","calendar_add","create_event","calendar_free_slots","calendar_list","todo_add","todo_list","filesystem_search","filesystem_retrieve","document_list","list_documents","document_read","read_document","document_summarize","summarize_document","reminder_create","create_reminder","reminder_list","reminder_cancel","notify","memory_search","memory_recall","memory_add","memory_store","memory_edit","memory_forget","notebook_read_file","read_file","notebook_list_files","list_files","notebook_search_content","search_content","notebook_get_metadata","get_file_metadata","notebook_update_properties","update_file_properties","notebook_write_file","write_file","notebook_create_file","create_file","notebook_delete_file","delete_file","ask_user"]},"default":["workspace"],"examples":[["workspace"]],"maxItems":1000},"memoryAccess":{"description":"Agents whose local memories this agent may read, besides its own, those that it shares and the global ones. It cannot change them.","type":"array","items":{"description":"Id of an agent, a file in `agents/`.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["psychologist"]},"default":[],"examples":[["psychologist","responder"]],"maxItems":1000},"imprint":{"description":"A fixed character or memory. It becomes a system message after those of the prompt. Variables as in `prompt`, without those of the mail.","type":"string","examples":["You have worked with these clients for years; you are calm and brief."]},"prompt":{"$ref":"#/$defs/prompt"},"permissions":{"$ref":"#/$defs/permissions"},"untrusted":{"$ref":"#/$defs/untrusted"},"output":{"description":"The form of the final answer, where it must be JSON. It is also stored as an item of type `application/json`, and a director that asks gets it as a value. The model may correct an answer of another form twice; then the work fails with `OUTPUT_INVALID`.","type":"object","additionalProperties":false,"required":["schema"],"properties":{"schema":{"description":"JSON Schema (draft 2020-12) of the answer. Models see it. Providers with a strict mode keep to it, where it describes an object with named properties: `additionalProperties` is false or left out.","type":"object","minProperties":1,"additionalProperties":true,"examples":[{"type":"object","required":["mood","reason"],"properties":{"mood":{"type":"string","enum":["calm","worried","angry"]},"reason":{"type":"string","description":"One sentence."}}}]}},"examples":[{"schema":{"type":"object","required":["mood"],"properties":{"mood":{"type":"string","enum":["calm","worried","angry"]}}}}]},"scope":{"$ref":"#/$defs/scope"},"budget":{"description":"Limits of one ask. An ask that reaches a limit ends; its results so far stay.","type":"object","additionalProperties":false,"default":{},"properties":{"maxIterations":{"description":"Maximum number of requests to the model for one ask, within what the director has left.","type":"integer","minimum":1,"maximum":10000,"default":20,"x-unit":"requests","examples":[20]},"maxMinutes":{"description":"Maximum working time. Waiting for a person does not count.","type":"number","exclusiveMinimum":0,"maximum":10080,"default":10,"x-unit":"minutes","examples":[10]},"maxTokens":{"description":"Maximum of input and output tokens, including those of its agents. A request that may exceed it ends the run; its results so far stay.","type":"integer","minimum":1,"x-unit":"tokens","examples":[200000]},"maxCost":{"description":"Maximum cost, including that of its agents. The price of the model must be known.","type":"number","exclusiveMinimum":0,"x-unit":"USD","examples":[0.5]}},"examples":[{"maxIterations":20,"maxMinutes":10}]},"limits":{"description":"Limits of this agent over all runs. At a limit the run waits until requests are allowed again.","type":"object","additionalProperties":false,"properties":{"requestsPerHour":{"description":"Maximum number of model requests within any hour.","type":"integer","minimum":1,"x-unit":"requests","examples":[100]},"maxTokensPerRequest":{"description":"Longest answer of the model.","type":"integer","minimum":1,"x-unit":"tokens","examples":[4000]}},"examples":[{"requestsPerHour":100,"maxTokensPerRequest":4000}]}},"$defs":{"message":{"title":"PromptMessage","description":"One message in OpenAI's chat format.","type":"object","additionalProperties":false,"required":["role","content"],"properties":{"role":{"description":"Role of the message. Mail and other untrusted text are allowed only in role `user`. Role `tool` is an example of a tool's result; Callsheet adds the call before it.","type":"string","enum":["system","user","assistant","tool"],"examples":["system"]},"content":{"description":"The text. Variables: `{{email}}` (the mail as a marked envelope), `{{email.subject}}`, `{{email.from}}`, `{{email.to}}`, `{{email.cc}}`, `{{email.date}}`, `{{email.text}}`, `{{email.id}}`, `{{message}}` (what the person, director or task asks), `{{thread}}` (the stored mails of the thread before this one, oldest first: the newest 30 of them, up to 10,000 characters of each and 60,000 in all), `{{memories}}` (what the director or agent remembers that matches the mail or the message: at most 10 memories and 4,000 characters, each with its scope and date), `{{date}}` (now, ISO 8601), `{{account}}`, `{{director}}`, `{{director.id}}`, `{{director.name}}`, `{{director.description}}`, `{{agent}}`, `{{agent.id}}`, `{{agent.name}}`, `{{agent.description}}`, `{{agents}}` (the agents that the director may ask), `{{scope}}` (the notebooks, folders, file types and operations of `scope`, in words), and a template's own. `email…`, `message`, `thread` and `memories` come from outside and may be used in role `user` only.","type":"string","examples":["Answer in the language of the mail.","{{email}}","Today is {{date}}.","{{message}}","{{thread}}","{{memories}}","{{agents}}"]},"name":{"description":"In role `tool`: the name of the tool that was called.","type":"string","pattern":"^[A-Za-z0-9_-]{1,64}$","x-expected":"the name of a tool: 1 to 64 letters, digits, _ or -","examples":["calendar_read"]},"arguments":{"description":"In role `tool`: the arguments of the call. They are literal: variables are not replaced.","type":"object","additionalProperties":true,"examples":[{"query":"invoice"}]}}},"use":{"title":"PromptUse","description":"A template from `prompts/`, with values for its variables.","type":"object","additionalProperties":false,"required":["use"],"properties":{"use":{"description":"Id of the template, a file in `prompts/`.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["mood"]},"with":{"description":"Values for the variables of the template. Other variables keep the default of the template. Values are literal text: variables in them are not replaced.","type":"object","additionalProperties":{"type":"string"},"default":{},"examples":[{"language":"German"}],"maxProperties":1000}}},"prompt":{"title":"PromptSource","description":"Messages, or a template: `{ use: mood, with: { language: German } }`. Without a system message, Callsheet writes one from name and description. It appends the mail, message or ask that no variable places as the last user message.","if":{"type":"array"},"then":{"title":"PromptMessages","type":"array","items":{"$ref":"#/$defs/message"}},"else":{"$ref":"#/$defs/use"},"examples":[[{"role":"system","content":"Name the mood of the writer in one line and say why."},{"role":"user","content":"{{email}}"}]]},"permissions":{"title":"Permissions","description":"Rules for tool calls: `deny` is checked first, then `ask`, then `allow`. Names may contain `*`, and entries patterns for arguments. A call that an entry of `allow` names with other arguments asks. Discovery, the workspace and memory tools and `agent__<id>` of the listed agents are allowed unless denied. With `permissions`, a tool that no rule names is denied; without, it asks.","type":"object","additionalProperties":false,"properties":{"allow":{"description":"Tools that run without approval. A mail goes to others than those of its thread only where a pattern lists them, such as `mail_send(to=*@company.com)`.","type":"array","items":{"$ref":"#/$defs/glob"},"default":[],"examples":[["workspace_*"]],"maxItems":1000},"ask":{"description":"Tools that wait for the approval of a person.","type":"array","items":{"$ref":"#/$defs/glob"},"default":[],"examples":[["workspace_remove_item"]],"maxItems":1000},"deny":{"description":"Tools that are refused. The model does not see them, unless the entry has patterns for arguments.","type":"array","items":{"$ref":"#/$defs/glob"},"default":[],"examples":[["workspace_remove_item"]],"maxItems":1000}},"examples":[{"ask":["workspace_remove_item"]}]},"untrusted":{"title":"Untrusted","description":"What may happen without a person after text of strangers was read: a mail, an attachment, the result of a tool that reads elsewhere, an untrusted memory. From then on every call that writes to the world, or sends its arguments outward, waits for a person, whatever `permissions.allow` says. The workspace, memories, reminders, drafts, to-dos and questions to agents do not. For the calls of its agents, the file of the director decides; in a session that a person opened with an agent, the file of the agent. See docs/injection.md.","type":"object","additionalProperties":false,"properties":{"act":{"description":"Tools that run all the same where `permissions` allow them. Entries are as in `permissions`; the pattern `@thread` stands for the addresses of all who wrote or got a mail of the thread of the run's mail.","type":"array","items":{"$ref":"#/$defs/glob"},"default":[],"examples":[["mail_label","mail_send(to=@thread)"]],"maxItems":1000}},"examples":[{"act":["mail_label","mail_send(to=@thread)"]}]},"glob":{"description":"Name of a tool; `*` stands for any characters. Patterns for arguments stand in parentheses: `mail_send(to=*@company.com)`; several need quotes in YAML: `'mail_send(to=*@company.com, cc=*@company.com)'`. All of them must match, and of a list every element; a missing argument never matches. In `ask` and `deny` one element is enough. Addresses match without their display name; in paths and URLs `*` stops at `/`, and `**` does not.","type":"string","pattern":"^[A-Za-z0-9_*-]{1,64}(\\([^\\n]{1,900}\\))?$","x-expected":"a tool name of letters, digits, _ and -, with * for any characters, and patterns for arguments in parentheses; an entry with several arguments needs quotes","examples":["workspace_*","mail_*","calendar_*","todo_*","filesystem_*","document_*","reminder_*","notification_*","memory_*","notebook_*","person_*","agent__*","workspace_add_item","workspace_list_items","workspace_get_item","workspace_update_item","workspace_remove_item","mail_search","list_emails","mail_read","read_email","mail_draft","draft_reply","mail_send","mail_label","mail_archive","calendar_read","list_events","calendar_add","create_event","calendar_free_slots","calendar_list","todo_add","todo_list","filesystem_search","filesystem_retrieve","document_list","list_documents","document_read","read_document","document_summarize","summarize_document","reminder_create","create_reminder","reminder_list","reminder_cancel","notify","memory_search","memory_recall","memory_add","memory_store","memory_edit","memory_forget","notebook_read_file","read_file","notebook_list_files","list_files","notebook_search_content","search_content","notebook_get_metadata","get_file_metadata","notebook_update_properties","update_file_properties","notebook_write_file","write_file","notebook_create_file","create_file","notebook_delete_file","delete_file","ask_user","list_agents","list_tools","describe_tool","validate_tool_params","read_api_docs"]},"scope":{"title":"Scope","description":"Which files of which notebooks the notebook tools may touch, and what they may do. A notebook is a folder that `roots` of the settings names. Without `scope`, no notebook is open. The scope of a director holds for its own calls, that of an agent for the agent's calls. A call is checked in this order: operation, notebook, folder, file type.","type":"object","additionalProperties":false,"properties":{"notebooks":{"description":"Names of notebooks, as in `roots` of the settings; `*` stands for all of them.","type":"array","items":{"description":"Name of a notebook, or `*`.","type":"string","pattern":"^(\\*|[A-Za-z0-9_-]{1,48})$","x-expected":"the name of a notebook (1 to 48 letters, digits, _ or -), or *","examples":["lab"]},"default":[],"examples":[["lab"]],"maxItems":1000},"folders":{"description":"Folders and files inside the notebooks, as patterns of .gitignore, compared with the path from the root of the notebook: a leading `/` binds the pattern to the root, `*` stays inside one folder, `**` crosses folders, and a folder that matches includes everything below it. Upper and lower case differ. Default: every folder.","type":"array","items":{"description":"A pattern as in .gitignore, without `!`.","type":"string","minLength":1,"maxLength":500,"pattern":"^(?![!#\\s])(?![\\s\\S]*\\s$)[^\\u0000-\\u001f]+$","x-expected":"a pattern as in .gitignore, without ! or # at its start and without spaces around it","examples":["/experiments/*","/notes"]},"minItems":1,"default":["*"],"examples":[["/experiments/*","/notes"]],"maxItems":1000},"fileTypes":{"description":"Patterns for the name of a file, whatever its folder. Default: every name.","type":"array","items":{"description":"A pattern for the name alone, such as `*.md`.","type":"string","minLength":1,"maxLength":200,"pattern":"^(?![!#\\s])(?![\\s\\S]*\\s$)[^/\\\\\\u0000-\\u001f]+$","x-expected":"a pattern for a file name such as *.md, without / and without ! or # at its start","examples":["*.md"]},"minItems":1,"default":["*"],"examples":[["*.md","*.txt","*.json"]],"maxItems":1000},"operations":{"description":"What the tools may do: `read` (read, list and search), `write` (change files and their properties), `create` (new files), `delete`. A tool whose operation is not listed is not offered.","type":"array","items":{"description":"An operation.","type":"string","enum":["read","write","create","delete"],"examples":["read"]},"uniqueItems":true,"default":["read"],"examples":[["read","write","create"]]}},"examples":[{"notebooks":["lab"],"folders":["/notes"],"fileTypes":["*.md"],"operations":["read","write"]}]}}};
const schema28 = {"title":"PromptSource","description":"Messages, or a template: `{ use: mood, with: { language: German } }`. Without a system message, Callsheet writes one from name and description. It appends the mail, message or ask that no variable places as the last user message.","if":{"type":"array"},"then":{"title":"PromptMessages","type":"array","items":{"$ref":"#/$defs/message"}},"else":{"$ref":"#/$defs/use"},"examples":[[{"role":"system","content":"Name the mood of the writer in one line and say why."},{"role":"user","content":"{{email}}"}]]};
const schema29 = {"title":"PromptMessage","description":"One message in OpenAI's chat format.","type":"object","additionalProperties":false,"required":["role","content"],"properties":{"role":{"description":"Role of the message. Mail and other untrusted text are allowed only in role `user`. Role `tool` is an example of a tool's result; Callsheet adds the call before it.","type":"string","enum":["system","user","assistant","tool"],"examples":["system"]},"content":{"description":"The text. Variables: `{{email}}` (the mail as a marked envelope), `{{email.subject}}`, `{{email.from}}`, `{{email.to}}`, `{{email.cc}}`, `{{email.date}}`, `{{email.text}}`, `{{email.id}}`, `{{message}}` (what the person, director or task asks), `{{thread}}` (the stored mails of the thread before this one, oldest first: the newest 30 of them, up to 10,000 characters of each and 60,000 in all), `{{memories}}` (what the director or agent remembers that matches the mail or the message: at most 10 memories and 4,000 characters, each with its scope and date), `{{date}}` (now, ISO 8601), `{{account}}`, `{{director}}`, `{{director.id}}`, `{{director.name}}`, `{{director.description}}`, `{{agent}}`, `{{agent.id}}`, `{{agent.name}}`, `{{agent.description}}`, `{{agents}}` (the agents that the director may ask), `{{scope}}` (the notebooks, folders, file types and operations of `scope`, in words), and a template's own. `email…`, `message`, `thread` and `memories` come from outside and may be used in role `user` only.","type":"string","examples":["Answer in the language of the mail.","{{email}}","Today is {{date}}.","{{message}}","{{thread}}","{{memories}}","{{agents}}"]},"name":{"description":"In role `tool`: the name of the tool that was called.","type":"string","pattern":"^[A-Za-z0-9_-]{1,64}$","x-expected":"the name of a tool: 1 to 64 letters, digits, _ or -","examples":["calendar_read"]},"arguments":{"description":"In role `tool`: the arguments of the call. They are literal: variables are not replaced.","type":"object","additionalProperties":true,"examples":[{"query":"invoice"}]}}};

function validate57(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate57.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.role === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "role"},message:"must have required property '"+"role"+"'",schema:schema29.required,parentSchema:schema29,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.content === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "content"},message:"must have required property '"+"content"+"'",schema:schema29.required,parentSchema:schema29,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 in data){
if(!((((key0 === "role") || (key0 === "content")) || (key0 === "name")) || (key0 === "arguments"))){
const err2 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema29,data};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.role !== undefined){
let data0 = data.role;
if(typeof data0 !== "string"){
const err3 = {instancePath:instancePath+"/role",schemaPath:"#/properties/role/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema29.properties.role.type,parentSchema:schema29.properties.role,data:data0};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(!((((data0 === "system") || (data0 === "user")) || (data0 === "assistant")) || (data0 === "tool"))){
const err4 = {instancePath:instancePath+"/role",schemaPath:"#/properties/role/enum",keyword:"enum",params:{allowedValues: schema29.properties.role.enum},message:"must be equal to one of the allowed values",schema:schema29.properties.role.enum,parentSchema:schema29.properties.role,data:data0};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.content !== undefined){
let data1 = data.content;
if(typeof data1 !== "string"){
const err5 = {instancePath:instancePath+"/content",schemaPath:"#/properties/content/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema29.properties.content.type,parentSchema:schema29.properties.content,data:data1};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.name !== undefined){
let data2 = data.name;
if(typeof data2 === "string"){
if(!pattern43.test(data2)){
const err6 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{1,64}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{1,64}$"+"\"",schema:"^[A-Za-z0-9_-]{1,64}$",parentSchema:schema29.properties.name,data:data2};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema29.properties.name.type,parentSchema:schema29.properties.name,data:data2};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.arguments !== undefined){
let data3 = data.arguments;
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
}
else {
const err8 = {instancePath:instancePath+"/arguments",schemaPath:"#/properties/arguments/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema29.properties.arguments.type,parentSchema:schema29.properties.arguments,data:data3};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
}
else {
const err9 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema29.type,parentSchema:schema29,data};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
validate57.errors = vErrors;
return errors === 0;
}
validate57.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema30 = {"title":"PromptUse","description":"A template from `prompts/`, with values for its variables.","type":"object","additionalProperties":false,"required":["use"],"properties":{"use":{"description":"Id of the template, a file in `prompts/`.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["mood"]},"with":{"description":"Values for the variables of the template. Other variables keep the default of the template. Values are literal text: variables in them are not replaced.","type":"object","additionalProperties":{"type":"string"},"default":{},"examples":[{"language":"German"}],"maxProperties":1000}}};

function validate59(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate59.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.with === undefined){
data.with = {};
}
if(data.use === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "use"},message:"must have required property '"+"use"+"'",schema:schema30.required,parentSchema:schema30,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
for(const key0 in data){
if(!((key0 === "use") || (key0 === "with"))){
const err1 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema30,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.use !== undefined){
let data0 = data.use;
if(typeof data0 === "string"){
if(!pattern0.test(data0)){
const err2 = {instancePath:instancePath+"/use",schemaPath:"#/properties/use/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{1,48}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{1,48}$"+"\"",schema:"^[A-Za-z0-9_-]{1,48}$",parentSchema:schema30.properties.use,data:data0};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath:instancePath+"/use",schemaPath:"#/properties/use/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema30.properties.use.type,parentSchema:schema30.properties.use,data:data0};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
let data1 = data.with;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
if(Object.keys(data1).length > 1000){
const err4 = {instancePath:instancePath+"/with",schemaPath:"#/properties/with/maxProperties",keyword:"maxProperties",params:{limit: 1000},message:"must NOT have more than 1000 properties",schema:1000,parentSchema:schema30.properties.with,data:data1};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
for(const key1 in data1){
let data2 = data1[key1];
if(typeof data2 !== "string"){
const err5 = {instancePath:instancePath+"/with/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/with/additionalProperties/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema30.properties.with.additionalProperties.type,parentSchema:schema30.properties.with.additionalProperties,data:data2};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
else {
const err6 = {instancePath:instancePath+"/with",schemaPath:"#/properties/with/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema30.properties.with.type,parentSchema:schema30.properties.with,data:data1};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema30.type,parentSchema:schema30,data};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
validate59.errors = vErrors;
return errors === 0;
}
validate59.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate56(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate56.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs0 = errors;
let valid0 = true;
const _errs1 = errors;
if(!(Array.isArray(data))){
const err0 = {};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs1 === errors;
errors = _errs0;
if(vErrors !== null){
if(_errs0){
vErrors.length = _errs0;
}
else {
vErrors = null;
}
}
let ifClause0;
if(_valid0){
const _errs3 = errors;
if(Array.isArray(data)){
const len0 = data.length;
for(let i0=0; i0<len0; i0++){
if(!(validate57(data[i0], {instancePath:instancePath+"/" + i0,parentData:data,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate57.errors : vErrors.concat(validate57.errors);
errors = vErrors.length;
}
}
}
else {
const err1 = {instancePath,schemaPath:"#/then/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema28.then.type,parentSchema:schema28.then,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
var _valid0 = _errs3 === errors;
valid0 = _valid0;
if(valid0){
var items0 = true;
}
ifClause0 = "then";
}
else {
const _errs6 = errors;
if(!(validate59(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate59.errors : vErrors.concat(validate59.errors);
errors = vErrors.length;
}
var _valid0 = _errs6 === errors;
valid0 = _valid0;
if(valid0){
var props0 = true;
}
ifClause0 = "else";
}
if(!valid0){
const err2 = {instancePath,schemaPath:"#/if",keyword:"if",params:{failingKeyword: ifClause0},message:"must match \""+ifClause0+"\" schema",schema:schema28.if,parentSchema:schema28,data};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validate56.errors = vErrors;
evaluated0.props = props0;
evaluated0.items = items0;
return errors === 0;
}
validate56.evaluated = {"dynamicProps":true,"dynamicItems":true};

const schema31 = {"title":"Permissions","description":"Rules for tool calls: `deny` is checked first, then `ask`, then `allow`. Names may contain `*`, and entries patterns for arguments. A call that an entry of `allow` names with other arguments asks. Discovery, the workspace and memory tools and `agent__<id>` of the listed agents are allowed unless denied. With `permissions`, a tool that no rule names is denied; without, it asks.","type":"object","additionalProperties":false,"properties":{"allow":{"description":"Tools that run without approval. A mail goes to others than those of its thread only where a pattern lists them, such as `mail_send(to=*@company.com)`.","type":"array","items":{"$ref":"#/$defs/glob"},"default":[],"examples":[["workspace_*"]],"maxItems":1000},"ask":{"description":"Tools that wait for the approval of a person.","type":"array","items":{"$ref":"#/$defs/glob"},"default":[],"examples":[["workspace_remove_item"]],"maxItems":1000},"deny":{"description":"Tools that are refused. The model does not see them, unless the entry has patterns for arguments.","type":"array","items":{"$ref":"#/$defs/glob"},"default":[],"examples":[["workspace_remove_item"]],"maxItems":1000}},"examples":[{"ask":["workspace_remove_item"]}]};
const schema32 = {"description":"Name of a tool; `*` stands for any characters. Patterns for arguments stand in parentheses: `mail_send(to=*@company.com)`; several need quotes in YAML: `'mail_send(to=*@company.com, cc=*@company.com)'`. All of them must match, and of a list every element; a missing argument never matches. In `ask` and `deny` one element is enough. Addresses match without their display name; in paths and URLs `*` stops at `/`, and `**` does not.","type":"string","pattern":"^[A-Za-z0-9_*-]{1,64}(\\([^\\n]{1,900}\\))?$","x-expected":"a tool name of letters, digits, _ and -, with * for any characters, and patterns for arguments in parentheses; an entry with several arguments needs quotes","examples":["workspace_*","mail_*","calendar_*","todo_*","filesystem_*","document_*","reminder_*","notification_*","memory_*","notebook_*","person_*","agent__*","workspace_add_item","workspace_list_items","workspace_get_item","workspace_update_item","workspace_remove_item","mail_search","list_emails","mail_read","read_email","mail_draft","draft_reply","mail_send","mail_label","mail_archive","calendar_read","list_events","calendar_add","create_event","calendar_free_slots","calendar_list","todo_add","todo_list","filesystem_search","filesystem_retrieve","document_list","list_documents","document_read","read_document","document_summarize","summarize_document","reminder_create","create_reminder","reminder_list","reminder_cancel","notify","memory_search","memory_recall","memory_add","memory_store","memory_edit","memory_forget","notebook_read_file","read_file","notebook_list_files","list_files","notebook_search_content","search_content","notebook_get_metadata","get_file_metadata","notebook_update_properties","update_file_properties","notebook_write_file","write_file","notebook_create_file","create_file","notebook_delete_file","delete_file","ask_user","list_agents","list_tools","describe_tool","validate_tool_params","read_api_docs"]};

function validate63(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate63.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data === "string"){
if(!pattern88.test(data)){
const err0 = {instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_*-]{1,64}(\\([^\\n]{1,900}\\))?$"},message:"must match pattern \""+"^[A-Za-z0-9_*-]{1,64}(\\([^\\n]{1,900}\\))?$"+"\"",schema:"^[A-Za-z0-9_*-]{1,64}(\\([^\\n]{1,900}\\))?$",parentSchema:schema32,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
else {
const err1 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema32.type,parentSchema:schema32,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
validate63.errors = vErrors;
return errors === 0;
}
validate63.evaluated = {"dynamicProps":false,"dynamicItems":false};


function validate62(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate62.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.allow === undefined){
data.allow = [];
}
if(data.ask === undefined){
data.ask = [];
}
if(data.deny === undefined){
data.deny = [];
}
for(const key0 in data){
if(!(((key0 === "allow") || (key0 === "ask")) || (key0 === "deny"))){
const err0 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema31,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
let data0 = data.allow;
if(Array.isArray(data0)){
if(data0.length > 1000){
const err1 = {instancePath:instancePath+"/allow",schemaPath:"#/properties/allow/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items",schema:1000,parentSchema:schema31.properties.allow,data:data0};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
if(!(validate63(data0[i0], {instancePath:instancePath+"/allow/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate63.errors : vErrors.concat(validate63.errors);
errors = vErrors.length;
}
}
}
else {
const err2 = {instancePath:instancePath+"/allow",schemaPath:"#/properties/allow/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema31.properties.allow.type,parentSchema:schema31.properties.allow,data:data0};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
let data2 = data.ask;
if(Array.isArray(data2)){
if(data2.length > 1000){
const err3 = {instancePath:instancePath+"/ask",schemaPath:"#/properties/ask/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items",schema:1000,parentSchema:schema31.properties.ask,data:data2};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
const len1 = data2.length;
for(let i1=0; i1<len1; i1++){
if(!(validate63(data2[i1], {instancePath:instancePath+"/ask/" + i1,parentData:data2,parentDataProperty:i1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate63.errors : vErrors.concat(validate63.errors);
errors = vErrors.length;
}
}
}
else {
const err4 = {instancePath:instancePath+"/ask",schemaPath:"#/properties/ask/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema31.properties.ask.type,parentSchema:schema31.properties.ask,data:data2};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
let data4 = data.deny;
if(Array.isArray(data4)){
if(data4.length > 1000){
const err5 = {instancePath:instancePath+"/deny",schemaPath:"#/properties/deny/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items",schema:1000,parentSchema:schema31.properties.deny,data:data4};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
const len2 = data4.length;
for(let i2=0; i2<len2; i2++){
if(!(validate63(data4[i2], {instancePath:instancePath+"/deny/" + i2,parentData:data4,parentDataProperty:i2,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate63.errors : vErrors.concat(validate63.errors);
errors = vErrors.length;
}
}
}
else {
const err6 = {instancePath:instancePath+"/deny",schemaPath:"#/properties/deny/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema31.properties.deny.type,parentSchema:schema31.properties.deny,data:data4};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema31.type,parentSchema:schema31,data};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
validate62.errors = vErrors;
return errors === 0;
}
validate62.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema33 = {"title":"Untrusted","description":"What may happen without a person after text of strangers was read: a mail, an attachment, the result of a tool that reads elsewhere, an untrusted memory. From then on every call that writes to the world, or sends its arguments outward, waits for a person, whatever `permissions.allow` says. The workspace, memories, reminders, drafts, to-dos and questions to agents do not. For the calls of its agents, the file of the director decides; in a session that a person opened with an agent, the file of the agent. See docs/injection.md.","type":"object","additionalProperties":false,"properties":{"act":{"description":"Tools that run all the same where `permissions` allow them. Entries are as in `permissions`; the pattern `@thread` stands for the addresses of all who wrote or got a mail of the thread of the run's mail.","type":"array","items":{"$ref":"#/$defs/glob"},"default":[],"examples":[["mail_label","mail_send(to=@thread)"]],"maxItems":1000}},"examples":[{"act":["mail_label","mail_send(to=@thread)"]}]};

function validate68(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate68.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.act === undefined){
data.act = [];
}
for(const key0 in data){
if(!(key0 === "act")){
const err0 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema33,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
let data0 = data.act;
if(Array.isArray(data0)){
if(data0.length > 1000){
const err1 = {instancePath:instancePath+"/act",schemaPath:"#/properties/act/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items",schema:1000,parentSchema:schema33.properties.act,data:data0};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
if(!(validate63(data0[i0], {instancePath:instancePath+"/act/" + i0,parentData:data0,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate63.errors : vErrors.concat(validate63.errors);
errors = vErrors.length;
}
}
}
else {
const err2 = {instancePath:instancePath+"/act",schemaPath:"#/properties/act/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema33.properties.act.type,parentSchema:schema33.properties.act,data:data0};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema33.type,parentSchema:schema33,data};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
validate68.errors = vErrors;
return errors === 0;
}
validate68.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema34 = {"title":"Scope","description":"Which files of which notebooks the notebook tools may touch, and what they may do. A notebook is a folder that `roots` of the settings names. Without `scope`, no notebook is open. The scope of a director holds for its own calls, that of an agent for the agent's calls. A call is checked in this order: operation, notebook, folder, file type.","type":"object","additionalProperties":false,"properties":{"notebooks":{"description":"Names of notebooks, as in `roots` of the settings; `*` stands for all of them.","type":"array","items":{"description":"Name of a notebook, or `*`.","type":"string","pattern":"^(\\*|[A-Za-z0-9_-]{1,48})$","x-expected":"the name of a notebook (1 to 48 letters, digits, _ or -), or *","examples":["lab"]},"default":[],"examples":[["lab"]],"maxItems":1000},"folders":{"description":"Folders and files inside the notebooks, as patterns of .gitignore, compared with the path from the root of the notebook: a leading `/` binds the pattern to the root, `*` stays inside one folder, `**` crosses folders, and a folder that matches includes everything below it. Upper and lower case differ. Default: every folder.","type":"array","items":{"description":"A pattern as in .gitignore, without `!`.","type":"string","minLength":1,"maxLength":500,"pattern":"^(?![!#\\s])(?![\\s\\S]*\\s$)[^\\u0000-\\u001f]+$","x-expected":"a pattern as in .gitignore, without ! or # at its start and without spaces around it","examples":["/experiments/*","/notes"]},"minItems":1,"default":["*"],"examples":[["/experiments/*","/notes"]],"maxItems":1000},"fileTypes":{"description":"Patterns for the name of a file, whatever its folder. Default: every name.","type":"array","items":{"description":"A pattern for the name alone, such as `*.md`.","type":"string","minLength":1,"maxLength":200,"pattern":"^(?![!#\\s])(?![\\s\\S]*\\s$)[^/\\\\\\u0000-\\u001f]+$","x-expected":"a pattern for a file name such as *.md, without / and without ! or # at its start","examples":["*.md"]},"minItems":1,"default":["*"],"examples":[["*.md","*.txt","*.json"]],"maxItems":1000},"operations":{"description":"What the tools may do: `read` (read, list and search), `write` (change files and their properties), `create` (new files), `delete`. A tool whose operation is not listed is not offered.","type":"array","items":{"description":"An operation.","type":"string","enum":["read","write","create","delete"],"examples":["read"]},"uniqueItems":true,"default":["read"],"examples":[["read","write","create"]]}},"examples":[{"notebooks":["lab"],"folders":["/notes"],"fileTypes":["*.md"],"operations":["read","write"]}]};

function validate71(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate71.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.notebooks === undefined){
data.notebooks = [];
}
if(data.folders === undefined){
data.folders = ["*"];
}
if(data.fileTypes === undefined){
data.fileTypes = ["*"];
}
if(data.operations === undefined){
data.operations = ["read"];
}
for(const key0 in data){
if(!((((key0 === "notebooks") || (key0 === "folders")) || (key0 === "fileTypes")) || (key0 === "operations"))){
const err0 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema34,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
let data0 = data.notebooks;
if(Array.isArray(data0)){
if(data0.length > 1000){
const err1 = {instancePath:instancePath+"/notebooks",schemaPath:"#/properties/notebooks/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items",schema:1000,parentSchema:schema34.properties.notebooks,data:data0};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
let data1 = data0[i0];
if(typeof data1 === "string"){
if(!pattern98.test(data1)){
const err2 = {instancePath:instancePath+"/notebooks/" + i0,schemaPath:"#/properties/notebooks/items/pattern",keyword:"pattern",params:{pattern: "^(\\*|[A-Za-z0-9_-]{1,48})$"},message:"must match pattern \""+"^(\\*|[A-Za-z0-9_-]{1,48})$"+"\"",schema:"^(\\*|[A-Za-z0-9_-]{1,48})$",parentSchema:schema34.properties.notebooks.items,data:data1};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath:instancePath+"/notebooks/" + i0,schemaPath:"#/properties/notebooks/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema34.properties.notebooks.items.type,parentSchema:schema34.properties.notebooks.items,data:data1};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
}
else {
const err4 = {instancePath:instancePath+"/notebooks",schemaPath:"#/properties/notebooks/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema34.properties.notebooks.type,parentSchema:schema34.properties.notebooks,data:data0};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
let data2 = data.folders;
if(Array.isArray(data2)){
if(data2.length > 1000){
const err5 = {instancePath:instancePath+"/folders",schemaPath:"#/properties/folders/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items",schema:1000,parentSchema:schema34.properties.folders,data:data2};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data2.length < 1){
const err6 = {instancePath:instancePath+"/folders",schemaPath:"#/properties/folders/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items",schema:1,parentSchema:schema34.properties.folders,data:data2};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
const len1 = data2.length;
for(let i1=0; i1<len1; i1++){
let data3 = data2[i1];
if(typeof data3 === "string"){
if(func1(data3) > 500){
const err7 = {instancePath:instancePath+"/folders/" + i1,schemaPath:"#/properties/folders/items/maxLength",keyword:"maxLength",params:{limit: 500},message:"must NOT have more than 500 characters",schema:500,parentSchema:schema34.properties.folders.items,data:data3};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(func1(data3) < 1){
const err8 = {instancePath:instancePath+"/folders/" + i1,schemaPath:"#/properties/folders/items/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema34.properties.folders.items,data:data3};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(!pattern99.test(data3)){
const err9 = {instancePath:instancePath+"/folders/" + i1,schemaPath:"#/properties/folders/items/pattern",keyword:"pattern",params:{pattern: "^(?![!#\\s])(?![\\s\\S]*\\s$)[^\\u0000-\\u001f]+$"},message:"must match pattern \""+"^(?![!#\\s])(?![\\s\\S]*\\s$)[^\\u0000-\\u001f]+$"+"\"",schema:"^(?![!#\\s])(?![\\s\\S]*\\s$)[^\\u0000-\\u001f]+$",parentSchema:schema34.properties.folders.items,data:data3};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
else {
const err10 = {instancePath:instancePath+"/folders/" + i1,schemaPath:"#/properties/folders/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema34.properties.folders.items.type,parentSchema:schema34.properties.folders.items,data:data3};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
}
else {
const err11 = {instancePath:instancePath+"/folders",schemaPath:"#/properties/folders/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema34.properties.folders.type,parentSchema:schema34.properties.folders,data:data2};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
let data4 = data.fileTypes;
if(Array.isArray(data4)){
if(data4.length > 1000){
const err12 = {instancePath:instancePath+"/fileTypes",schemaPath:"#/properties/fileTypes/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items",schema:1000,parentSchema:schema34.properties.fileTypes,data:data4};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if(data4.length < 1){
const err13 = {instancePath:instancePath+"/fileTypes",schemaPath:"#/properties/fileTypes/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items",schema:1,parentSchema:schema34.properties.fileTypes,data:data4};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
const len2 = data4.length;
for(let i2=0; i2<len2; i2++){
let data5 = data4[i2];
if(typeof data5 === "string"){
if(func1(data5) > 200){
const err14 = {instancePath:instancePath+"/fileTypes/" + i2,schemaPath:"#/properties/fileTypes/items/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters",schema:200,parentSchema:schema34.properties.fileTypes.items,data:data5};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
if(func1(data5) < 1){
const err15 = {instancePath:instancePath+"/fileTypes/" + i2,schemaPath:"#/properties/fileTypes/items/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema34.properties.fileTypes.items,data:data5};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
if(!pattern100.test(data5)){
const err16 = {instancePath:instancePath+"/fileTypes/" + i2,schemaPath:"#/properties/fileTypes/items/pattern",keyword:"pattern",params:{pattern: "^(?![!#\\s])(?![\\s\\S]*\\s$)[^/\\\\\\u0000-\\u001f]+$"},message:"must match pattern \""+"^(?![!#\\s])(?![\\s\\S]*\\s$)[^/\\\\\\u0000-\\u001f]+$"+"\"",schema:"^(?![!#\\s])(?![\\s\\S]*\\s$)[^/\\\\\\u0000-\\u001f]+$",parentSchema:schema34.properties.fileTypes.items,data:data5};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
else {
const err17 = {instancePath:instancePath+"/fileTypes/" + i2,schemaPath:"#/properties/fileTypes/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema34.properties.fileTypes.items.type,parentSchema:schema34.properties.fileTypes.items,data:data5};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
}
else {
const err18 = {instancePath:instancePath+"/fileTypes",schemaPath:"#/properties/fileTypes/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema34.properties.fileTypes.type,parentSchema:schema34.properties.fileTypes,data:data4};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
let data6 = data.operations;
if(Array.isArray(data6)){
const len3 = data6.length;
for(let i3=0; i3<len3; i3++){
let data7 = data6[i3];
if(typeof data7 !== "string"){
const err19 = {instancePath:instancePath+"/operations/" + i3,schemaPath:"#/properties/operations/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema34.properties.operations.items.type,parentSchema:schema34.properties.operations.items,data:data7};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
if(!((((data7 === "read") || (data7 === "write")) || (data7 === "create")) || (data7 === "delete"))){
const err20 = {instancePath:instancePath+"/operations/" + i3,schemaPath:"#/properties/operations/items/enum",keyword:"enum",params:{allowedValues: schema34.properties.operations.items.enum},message:"must be equal to one of the allowed values",schema:schema34.properties.operations.items.enum,parentSchema:schema34.properties.operations.items,data:data7};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
let i4 = data6.length;
let j0;
if(i4 > 1){
const indices0 = {};
for(;i4--;){
let item0 = data6[i4];
if(typeof item0 !== "string"){
continue;
}
if(typeof indices0[item0] == "number"){
j0 = indices0[item0];
const err21 = {instancePath:instancePath+"/operations",schemaPath:"#/properties/operations/uniqueItems",keyword:"uniqueItems",params:{i: i4, j: j0},message:"must NOT have duplicate items (items ## "+j0+" and "+i4+" are identical)",schema:true,parentSchema:schema34.properties.operations,data:data6};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
break;
}
indices0[item0] = i4;
}
}
}
else {
const err22 = {instancePath:instancePath+"/operations",schemaPath:"#/properties/operations/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema34.properties.operations.type,parentSchema:schema34.properties.operations,data:data6};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
else {
const err23 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema34.type,parentSchema:schema34,data};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
validate71.errors = vErrors;
return errors === 0;
}
validate71.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate55(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="agent.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate55.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.description === undefined){
data.description = "";
}
if(data.enabled === undefined){
data.enabled = true;
}
if(data.tools === undefined){
data.tools = ["workspace"];
}
if(data.memoryAccess === undefined){
data.memoryAccess = [];
}
if(data.budget === undefined){
data.budget = {};
}
if(data.id === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'",schema:schema27.required,parentSchema:schema27,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
for(const key0 in data){
if(!(func0.call(schema27.properties, key0))){
const err1 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema27,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.$schema !== undefined){
let data0 = data.$schema;
if(typeof data0 !== "string"){
const err2 = {instancePath:instancePath+"/$schema",schemaPath:"#/properties/%24schema/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema27.properties.$schema.type,parentSchema:schema27.properties.$schema,data:data0};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.id !== undefined){
let data1 = data.id;
if(typeof data1 === "string"){
if(!pattern0.test(data1)){
const err3 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{1,48}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{1,48}$"+"\"",schema:"^[A-Za-z0-9_-]{1,48}$",parentSchema:schema27.properties.id,data:data1};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
else {
const err4 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema27.properties.id.type,parentSchema:schema27.properties.id,data:data1};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
let data2 = data.description;
if(typeof data2 !== "string"){
const err5 = {instancePath:instancePath+"/description",schemaPath:"#/properties/description/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema27.properties.description.type,parentSchema:schema27.properties.description,data:data2};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
let data3 = data.enabled;
if(typeof data3 !== "boolean"){
const err6 = {instancePath:instancePath+"/enabled",schemaPath:"#/properties/enabled/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema27.properties.enabled.type,parentSchema:schema27.properties.enabled,data:data3};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(data.order !== undefined){
let data4 = data.order;
if(!((typeof data4 == "number") && (isFinite(data4)))){
const err7 = {instancePath:instancePath+"/order",schemaPath:"#/properties/order/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema27.properties.order.type,parentSchema:schema27.properties.order,data:data4};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.name !== undefined){
let data5 = data.name;
if(typeof data5 === "string"){
if(func1(data5) > 200){
const err8 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters",schema:200,parentSchema:schema27.properties.name,data:data5};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(func1(data5) < 1){
const err9 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema27.properties.name,data:data5};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
else {
const err10 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema27.properties.name.type,parentSchema:schema27.properties.name,data:data5};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.apiConfigId !== undefined){
let data6 = data.apiConfigId;
if(typeof data6 === "string"){
if(!pattern0.test(data6)){
const err11 = {instancePath:instancePath+"/apiConfigId",schemaPath:"#/properties/apiConfigId/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{1,48}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{1,48}$"+"\"",schema:"^[A-Za-z0-9_-]{1,48}$",parentSchema:schema27.properties.apiConfigId,data:data6};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
else {
const err12 = {instancePath:instancePath+"/apiConfigId",schemaPath:"#/properties/apiConfigId/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema27.properties.apiConfigId.type,parentSchema:schema27.properties.apiConfigId,data:data6};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.credentials !== undefined){
let data7 = data.credentials;
if(data7 && typeof data7 == "object" && !Array.isArray(data7)){
for(const key1 in data7){
if(!((key1 === "apiKey") || (key1 === "organization"))){
const err13 = {instancePath:instancePath+"/credentials",schemaPath:"#/properties/credentials/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties",schema:false,parentSchema:schema27.properties.credentials,data:data7};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data7.apiKey !== undefined){
let data8 = data7.apiKey;
if(typeof data8 === "string"){
if(!pattern22.test(data8)){
const err14 = {instancePath:instancePath+"/credentials/apiKey",schemaPath:"#/properties/credentials/properties/apiKey/pattern",keyword:"pattern",params:{pattern: "^\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\}$"},message:"must match pattern \""+"^\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\}$"+"\"",schema:"^\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\}$",parentSchema:schema27.properties.credentials.properties.apiKey,data:data8};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
else {
const err15 = {instancePath:instancePath+"/credentials/apiKey",schemaPath:"#/properties/credentials/properties/apiKey/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema27.properties.credentials.properties.apiKey.type,parentSchema:schema27.properties.credentials.properties.apiKey,data:data8};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data7.organization !== undefined){
let data9 = data7.organization;
if(typeof data9 === "string"){
if(!pattern22.test(data9)){
const err16 = {instancePath:instancePath+"/credentials/organization",schemaPath:"#/properties/credentials/properties/organization/pattern",keyword:"pattern",params:{pattern: "^\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\}$"},message:"must match pattern \""+"^\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\}$"+"\"",schema:"^\\$\\{(env|secret):[A-Za-z_][A-Za-z0-9_]*\\}$",parentSchema:schema27.properties.credentials.properties.organization,data:data9};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
else {
const err17 = {instancePath:instancePath+"/credentials/organization",schemaPath:"#/properties/credentials/properties/organization/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema27.properties.credentials.properties.organization.type,parentSchema:schema27.properties.credentials.properties.organization,data:data9};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
}
else {
const err18 = {instancePath:instancePath+"/credentials",schemaPath:"#/properties/credentials/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema27.properties.credentials.type,parentSchema:schema27.properties.credentials,data:data7};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
let data10 = data.tools;
if(Array.isArray(data10)){
if(data10.length > 1000){
const err19 = {instancePath:instancePath+"/tools",schemaPath:"#/properties/tools/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items",schema:1000,parentSchema:schema27.properties.tools,data:data10};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
const len0 = data10.length;
for(let i0=0; i0<len0; i0++){
let data11 = data10[i0];
if(typeof data11 === "string"){
if(!pattern43.test(data11)){
const err20 = {instancePath:instancePath+"/tools/" + i0,schemaPath:"#/properties/tools/items/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{1,64}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{1,64}$"+"\"",schema:"^[A-Za-z0-9_-]{1,64}$",parentSchema:schema27.properties.tools.items,data:data11};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
else {
const err21 = {instancePath:instancePath+"/tools/" + i0,schemaPath:"#/properties/tools/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema27.properties.tools.items.type,parentSchema:schema27.properties.tools.items,data:data11};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
}
else {
const err22 = {instancePath:instancePath+"/tools",schemaPath:"#/properties/tools/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema27.properties.tools.type,parentSchema:schema27.properties.tools,data:data10};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
let data12 = data.memoryAccess;
if(Array.isArray(data12)){
if(data12.length > 1000){
const err23 = {instancePath:instancePath+"/memoryAccess",schemaPath:"#/properties/memoryAccess/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items",schema:1000,parentSchema:schema27.properties.memoryAccess,data:data12};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
const len1 = data12.length;
for(let i1=0; i1<len1; i1++){
let data13 = data12[i1];
if(typeof data13 === "string"){
if(!pattern0.test(data13)){
const err24 = {instancePath:instancePath+"/memoryAccess/" + i1,schemaPath:"#/properties/memoryAccess/items/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{1,48}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{1,48}$"+"\"",schema:"^[A-Za-z0-9_-]{1,48}$",parentSchema:schema27.properties.memoryAccess.items,data:data13};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
else {
const err25 = {instancePath:instancePath+"/memoryAccess/" + i1,schemaPath:"#/properties/memoryAccess/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema27.properties.memoryAccess.items.type,parentSchema:schema27.properties.memoryAccess.items,data:data13};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
}
else {
const err26 = {instancePath:instancePath+"/memoryAccess",schemaPath:"#/properties/memoryAccess/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema27.properties.memoryAccess.type,parentSchema:schema27.properties.memoryAccess,data:data12};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
if(data.imprint !== undefined){
let data14 = data.imprint;
if(typeof data14 !== "string"){
const err27 = {instancePath:instancePath+"/imprint",schemaPath:"#/properties/imprint/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema27.properties.imprint.type,parentSchema:schema27.properties.imprint,data:data14};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
if(data.prompt !== undefined){
if(!(validate56(data.prompt, {instancePath:instancePath+"/prompt",parentData:data,parentDataProperty:"prompt",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate56.errors : vErrors.concat(validate56.errors);
errors = vErrors.length;
}
}
if(data.permissions !== undefined){
if(!(validate62(data.permissions, {instancePath:instancePath+"/permissions",parentData:data,parentDataProperty:"permissions",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate62.errors : vErrors.concat(validate62.errors);
errors = vErrors.length;
}
}
if(data.untrusted !== undefined){
if(!(validate68(data.untrusted, {instancePath:instancePath+"/untrusted",parentData:data,parentDataProperty:"untrusted",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate68.errors : vErrors.concat(validate68.errors);
errors = vErrors.length;
}
}
if(data.output !== undefined){
let data18 = data.output;
if(data18 && typeof data18 == "object" && !Array.isArray(data18)){
if(data18.schema === undefined){
const err28 = {instancePath:instancePath+"/output",schemaPath:"#/properties/output/required",keyword:"required",params:{missingProperty: "schema"},message:"must have required property '"+"schema"+"'",schema:schema27.properties.output.required,parentSchema:schema27.properties.output,data:data18};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
for(const key2 in data18){
if(!(key2 === "schema")){
const err29 = {instancePath:instancePath+"/output",schemaPath:"#/properties/output/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2},message:"must NOT have additional properties",schema:false,parentSchema:schema27.properties.output,data:data18};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
if(data18.schema !== undefined){
let data19 = data18.schema;
if(data19 && typeof data19 == "object" && !Array.isArray(data19)){
if(Object.keys(data19).length < 1){
const err30 = {instancePath:instancePath+"/output/schema",schemaPath:"#/properties/output/properties/schema/minProperties",keyword:"minProperties",params:{limit: 1},message:"must NOT have fewer than 1 properties",schema:1,parentSchema:schema27.properties.output.properties.schema,data:data19};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
else {
const err31 = {instancePath:instancePath+"/output/schema",schemaPath:"#/properties/output/properties/schema/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema27.properties.output.properties.schema.type,parentSchema:schema27.properties.output.properties.schema,data:data19};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
}
else {
const err32 = {instancePath:instancePath+"/output",schemaPath:"#/properties/output/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema27.properties.output.type,parentSchema:schema27.properties.output,data:data18};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
if(data.scope !== undefined){
if(!(validate71(data.scope, {instancePath:instancePath+"/scope",parentData:data,parentDataProperty:"scope",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate71.errors : vErrors.concat(validate71.errors);
errors = vErrors.length;
}
}
let data21 = data.budget;
if(data21 && typeof data21 == "object" && !Array.isArray(data21)){
if(data21.maxIterations === undefined){
data21.maxIterations = 20;
}
if(data21.maxMinutes === undefined){
data21.maxMinutes = 10;
}
for(const key3 in data21){
if(!((((key3 === "maxIterations") || (key3 === "maxMinutes")) || (key3 === "maxTokens")) || (key3 === "maxCost"))){
const err33 = {instancePath:instancePath+"/budget",schemaPath:"#/properties/budget/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3},message:"must NOT have additional properties",schema:false,parentSchema:schema27.properties.budget,data:data21};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
let data22 = data21.maxIterations;
if(!(((typeof data22 == "number") && (!(data22 % 1) && !isNaN(data22))) && (isFinite(data22)))){
const err34 = {instancePath:instancePath+"/budget/maxIterations",schemaPath:"#/properties/budget/properties/maxIterations/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema27.properties.budget.properties.maxIterations.type,parentSchema:schema27.properties.budget.properties.maxIterations,data:data22};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
if((typeof data22 == "number") && (isFinite(data22))){
if(data22 > 10000 || isNaN(data22)){
const err35 = {instancePath:instancePath+"/budget/maxIterations",schemaPath:"#/properties/budget/properties/maxIterations/maximum",keyword:"maximum",params:{comparison: "<=", limit: 10000},message:"must be <= 10000",schema:10000,parentSchema:schema27.properties.budget.properties.maxIterations,data:data22};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
if(data22 < 1 || isNaN(data22)){
const err36 = {instancePath:instancePath+"/budget/maxIterations",schemaPath:"#/properties/budget/properties/maxIterations/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema27.properties.budget.properties.maxIterations,data:data22};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
}
let data23 = data21.maxMinutes;
if((typeof data23 == "number") && (isFinite(data23))){
if(data23 > 10080 || isNaN(data23)){
const err37 = {instancePath:instancePath+"/budget/maxMinutes",schemaPath:"#/properties/budget/properties/maxMinutes/maximum",keyword:"maximum",params:{comparison: "<=", limit: 10080},message:"must be <= 10080",schema:10080,parentSchema:schema27.properties.budget.properties.maxMinutes,data:data23};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
if(data23 <= 0 || isNaN(data23)){
const err38 = {instancePath:instancePath+"/budget/maxMinutes",schemaPath:"#/properties/budget/properties/maxMinutes/exclusiveMinimum",keyword:"exclusiveMinimum",params:{comparison: ">", limit: 0},message:"must be > 0",schema:0,parentSchema:schema27.properties.budget.properties.maxMinutes,data:data23};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
}
else {
const err39 = {instancePath:instancePath+"/budget/maxMinutes",schemaPath:"#/properties/budget/properties/maxMinutes/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema27.properties.budget.properties.maxMinutes.type,parentSchema:schema27.properties.budget.properties.maxMinutes,data:data23};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
if(data21.maxTokens !== undefined){
let data24 = data21.maxTokens;
if(!(((typeof data24 == "number") && (!(data24 % 1) && !isNaN(data24))) && (isFinite(data24)))){
const err40 = {instancePath:instancePath+"/budget/maxTokens",schemaPath:"#/properties/budget/properties/maxTokens/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema27.properties.budget.properties.maxTokens.type,parentSchema:schema27.properties.budget.properties.maxTokens,data:data24};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
if((typeof data24 == "number") && (isFinite(data24))){
if(data24 < 1 || isNaN(data24)){
const err41 = {instancePath:instancePath+"/budget/maxTokens",schemaPath:"#/properties/budget/properties/maxTokens/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema27.properties.budget.properties.maxTokens,data:data24};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
}
}
if(data21.maxCost !== undefined){
let data25 = data21.maxCost;
if((typeof data25 == "number") && (isFinite(data25))){
if(data25 <= 0 || isNaN(data25)){
const err42 = {instancePath:instancePath+"/budget/maxCost",schemaPath:"#/properties/budget/properties/maxCost/exclusiveMinimum",keyword:"exclusiveMinimum",params:{comparison: ">", limit: 0},message:"must be > 0",schema:0,parentSchema:schema27.properties.budget.properties.maxCost,data:data25};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
}
else {
const err43 = {instancePath:instancePath+"/budget/maxCost",schemaPath:"#/properties/budget/properties/maxCost/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema27.properties.budget.properties.maxCost.type,parentSchema:schema27.properties.budget.properties.maxCost,data:data25};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
}
}
else {
const err44 = {instancePath:instancePath+"/budget",schemaPath:"#/properties/budget/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema27.properties.budget.type,parentSchema:schema27.properties.budget,data:data21};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
if(data.limits !== undefined){
let data26 = data.limits;
if(data26 && typeof data26 == "object" && !Array.isArray(data26)){
for(const key4 in data26){
if(!((key4 === "requestsPerHour") || (key4 === "maxTokensPerRequest"))){
const err45 = {instancePath:instancePath+"/limits",schemaPath:"#/properties/limits/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key4},message:"must NOT have additional properties",schema:false,parentSchema:schema27.properties.limits,data:data26};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
}
if(data26.requestsPerHour !== undefined){
let data27 = data26.requestsPerHour;
if(!(((typeof data27 == "number") && (!(data27 % 1) && !isNaN(data27))) && (isFinite(data27)))){
const err46 = {instancePath:instancePath+"/limits/requestsPerHour",schemaPath:"#/properties/limits/properties/requestsPerHour/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema27.properties.limits.properties.requestsPerHour.type,parentSchema:schema27.properties.limits.properties.requestsPerHour,data:data27};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
if((typeof data27 == "number") && (isFinite(data27))){
if(data27 < 1 || isNaN(data27)){
const err47 = {instancePath:instancePath+"/limits/requestsPerHour",schemaPath:"#/properties/limits/properties/requestsPerHour/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema27.properties.limits.properties.requestsPerHour,data:data27};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
}
}
if(data26.maxTokensPerRequest !== undefined){
let data28 = data26.maxTokensPerRequest;
if(!(((typeof data28 == "number") && (!(data28 % 1) && !isNaN(data28))) && (isFinite(data28)))){
const err48 = {instancePath:instancePath+"/limits/maxTokensPerRequest",schemaPath:"#/properties/limits/properties/maxTokensPerRequest/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema27.properties.limits.properties.maxTokensPerRequest.type,parentSchema:schema27.properties.limits.properties.maxTokensPerRequest,data:data28};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
if((typeof data28 == "number") && (isFinite(data28))){
if(data28 < 1 || isNaN(data28)){
const err49 = {instancePath:instancePath+"/limits/maxTokensPerRequest",schemaPath:"#/properties/limits/properties/maxTokensPerRequest/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema27.properties.limits.properties.maxTokensPerRequest,data:data28};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
}
}
}
else {
const err50 = {instancePath:instancePath+"/limits",schemaPath:"#/properties/limits/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema27.properties.limits.type,parentSchema:schema27.properties.limits,data:data26};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
}
}
else {
const err51 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema27.type,parentSchema:schema27,data};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
}
validate55.errors = vErrors;
return errors === 0;
}
validate55.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const prompt = validate73;
const schema35 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"prompt.schema.json","title":"Prompt","description":"A template for directors and agents: a file in `prompts/`, used by `prompt: { use: <id>, with: { … } }`.","type":"object","additionalProperties":false,"required":["id","messages"],"properties":{"$schema":{"description":"The schema of a JSON file, for editors. YAML files name it in their first line.","type":"string","examples":["../../schemas/prompt.schema.json"]},"id":{"description":"Id of this template. Equals the file name.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["mood"]},"description":{"description":"A note for people.","type":"string","default":"","examples":["Asks for an answer in a given language."]},"enabled":{"description":"Set to false to disable this template without deleting its file.","type":"boolean","default":true,"examples":[false]},"order":{"description":"Position among the templates: lowest number first, then by id. Templates without a number come last.","type":"number","x-unit":"rank","examples":[10]},"variables":{"description":"Variables of this template with their defaults; `with` overrides them.","type":"object","default":{},"propertyNames":{"pattern":"^[A-Za-z][A-Za-z0-9_]{0,47}$","x-expected":"a name: a letter, then letters, digits or _"},"additionalProperties":{"type":"string"},"examples":[{"language":"English"}],"maxProperties":1000},"messages":{"description":"The messages.","type":"array","minItems":1,"items":{"$ref":"#/$defs/message"},"examples":[[{"role":"system","content":"Answer in {{language}}."}]],"maxItems":1000}},"$defs":{"message":{"title":"PromptMessage","description":"One message in OpenAI's chat format.","type":"object","additionalProperties":false,"required":["role","content"],"properties":{"role":{"description":"Role of the message. Mail and other untrusted text are allowed only in role `user`. Role `tool` is an example of a tool's result; Callsheet adds the call before it.","type":"string","enum":["system","user","assistant","tool"],"examples":["system"]},"content":{"description":"The text. Variables: `{{email}}` (the mail as a marked envelope), `{{email.subject}}`, `{{email.from}}`, `{{email.to}}`, `{{email.cc}}`, `{{email.date}}`, `{{email.text}}`, `{{email.id}}`, `{{message}}` (what the person, director or task asks), `{{thread}}` (the stored mails of the thread before this one, oldest first: the newest 30 of them, up to 10,000 characters of each and 60,000 in all), `{{memories}}` (what the director or agent remembers that matches the mail or the message: at most 10 memories and 4,000 characters, each with its scope and date), `{{date}}` (now, ISO 8601), `{{account}}`, `{{director}}`, `{{director.id}}`, `{{director.name}}`, `{{director.description}}`, `{{agent}}`, `{{agent.id}}`, `{{agent.name}}`, `{{agent.description}}`, `{{agents}}` (the agents that the director may ask), `{{scope}}` (the notebooks, folders, file types and operations of `scope`, in words), and a template's own. `email…`, `message`, `thread` and `memories` come from outside and may be used in role `user` only.","type":"string","examples":["Answer in the language of the mail.","{{email}}","Today is {{date}}.","{{message}}","{{thread}}","{{memories}}","{{agents}}"]},"name":{"description":"In role `tool`: the name of the tool that was called.","type":"string","pattern":"^[A-Za-z0-9_-]{1,64}$","x-expected":"the name of a tool: 1 to 64 letters, digits, _ or -","examples":["calendar_read"]},"arguments":{"description":"In role `tool`: the arguments of the call. They are literal: variables are not replaced.","type":"object","additionalProperties":true,"examples":[{"query":"invoice"}]}}}}};
const pattern117 = new RegExp("^[A-Za-z][A-Za-z0-9_]{0,47}$", "u");
const schema36 = {"title":"PromptMessage","description":"One message in OpenAI's chat format.","type":"object","additionalProperties":false,"required":["role","content"],"properties":{"role":{"description":"Role of the message. Mail and other untrusted text are allowed only in role `user`. Role `tool` is an example of a tool's result; Callsheet adds the call before it.","type":"string","enum":["system","user","assistant","tool"],"examples":["system"]},"content":{"description":"The text. Variables: `{{email}}` (the mail as a marked envelope), `{{email.subject}}`, `{{email.from}}`, `{{email.to}}`, `{{email.cc}}`, `{{email.date}}`, `{{email.text}}`, `{{email.id}}`, `{{message}}` (what the person, director or task asks), `{{thread}}` (the stored mails of the thread before this one, oldest first: the newest 30 of them, up to 10,000 characters of each and 60,000 in all), `{{memories}}` (what the director or agent remembers that matches the mail or the message: at most 10 memories and 4,000 characters, each with its scope and date), `{{date}}` (now, ISO 8601), `{{account}}`, `{{director}}`, `{{director.id}}`, `{{director.name}}`, `{{director.description}}`, `{{agent}}`, `{{agent.id}}`, `{{agent.name}}`, `{{agent.description}}`, `{{agents}}` (the agents that the director may ask), `{{scope}}` (the notebooks, folders, file types and operations of `scope`, in words), and a template's own. `email…`, `message`, `thread` and `memories` come from outside and may be used in role `user` only.","type":"string","examples":["Answer in the language of the mail.","{{email}}","Today is {{date}}.","{{message}}","{{thread}}","{{memories}}","{{agents}}"]},"name":{"description":"In role `tool`: the name of the tool that was called.","type":"string","pattern":"^[A-Za-z0-9_-]{1,64}$","x-expected":"the name of a tool: 1 to 64 letters, digits, _ or -","examples":["calendar_read"]},"arguments":{"description":"In role `tool`: the arguments of the call. They are literal: variables are not replaced.","type":"object","additionalProperties":true,"examples":[{"query":"invoice"}]}}};

function validate74(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate74.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.role === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "role"},message:"must have required property '"+"role"+"'",schema:schema36.required,parentSchema:schema36,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.content === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "content"},message:"must have required property '"+"content"+"'",schema:schema36.required,parentSchema:schema36,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 in data){
if(!((((key0 === "role") || (key0 === "content")) || (key0 === "name")) || (key0 === "arguments"))){
const err2 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema36,data};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.role !== undefined){
let data0 = data.role;
if(typeof data0 !== "string"){
const err3 = {instancePath:instancePath+"/role",schemaPath:"#/properties/role/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema36.properties.role.type,parentSchema:schema36.properties.role,data:data0};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(!((((data0 === "system") || (data0 === "user")) || (data0 === "assistant")) || (data0 === "tool"))){
const err4 = {instancePath:instancePath+"/role",schemaPath:"#/properties/role/enum",keyword:"enum",params:{allowedValues: schema36.properties.role.enum},message:"must be equal to one of the allowed values",schema:schema36.properties.role.enum,parentSchema:schema36.properties.role,data:data0};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.content !== undefined){
let data1 = data.content;
if(typeof data1 !== "string"){
const err5 = {instancePath:instancePath+"/content",schemaPath:"#/properties/content/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema36.properties.content.type,parentSchema:schema36.properties.content,data:data1};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.name !== undefined){
let data2 = data.name;
if(typeof data2 === "string"){
if(!pattern43.test(data2)){
const err6 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{1,64}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{1,64}$"+"\"",schema:"^[A-Za-z0-9_-]{1,64}$",parentSchema:schema36.properties.name,data:data2};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema36.properties.name.type,parentSchema:schema36.properties.name,data:data2};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.arguments !== undefined){
let data3 = data.arguments;
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
}
else {
const err8 = {instancePath:instancePath+"/arguments",schemaPath:"#/properties/arguments/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema36.properties.arguments.type,parentSchema:schema36.properties.arguments,data:data3};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
}
else {
const err9 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema36.type,parentSchema:schema36,data};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
validate74.errors = vErrors;
return errors === 0;
}
validate74.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate73(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="prompt.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate73.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.description === undefined){
data.description = "";
}
if(data.enabled === undefined){
data.enabled = true;
}
if(data.variables === undefined){
data.variables = {};
}
if(data.id === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'",schema:schema35.required,parentSchema:schema35,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.messages === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "messages"},message:"must have required property '"+"messages"+"'",schema:schema35.required,parentSchema:schema35,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 in data){
if(!(((((((key0 === "$schema") || (key0 === "id")) || (key0 === "description")) || (key0 === "enabled")) || (key0 === "order")) || (key0 === "variables")) || (key0 === "messages"))){
const err2 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema35,data};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.$schema !== undefined){
let data0 = data.$schema;
if(typeof data0 !== "string"){
const err3 = {instancePath:instancePath+"/$schema",schemaPath:"#/properties/%24schema/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema35.properties.$schema.type,parentSchema:schema35.properties.$schema,data:data0};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.id !== undefined){
let data1 = data.id;
if(typeof data1 === "string"){
if(!pattern0.test(data1)){
const err4 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{1,48}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{1,48}$"+"\"",schema:"^[A-Za-z0-9_-]{1,48}$",parentSchema:schema35.properties.id,data:data1};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema35.properties.id.type,parentSchema:schema35.properties.id,data:data1};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
let data2 = data.description;
if(typeof data2 !== "string"){
const err6 = {instancePath:instancePath+"/description",schemaPath:"#/properties/description/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema35.properties.description.type,parentSchema:schema35.properties.description,data:data2};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
let data3 = data.enabled;
if(typeof data3 !== "boolean"){
const err7 = {instancePath:instancePath+"/enabled",schemaPath:"#/properties/enabled/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema35.properties.enabled.type,parentSchema:schema35.properties.enabled,data:data3};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(data.order !== undefined){
let data4 = data.order;
if(!((typeof data4 == "number") && (isFinite(data4)))){
const err8 = {instancePath:instancePath+"/order",schemaPath:"#/properties/order/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema35.properties.order.type,parentSchema:schema35.properties.order,data:data4};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
let data5 = data.variables;
if(data5 && typeof data5 == "object" && !Array.isArray(data5)){
if(Object.keys(data5).length > 1000){
const err9 = {instancePath:instancePath+"/variables",schemaPath:"#/properties/variables/maxProperties",keyword:"maxProperties",params:{limit: 1000},message:"must NOT have more than 1000 properties",schema:1000,parentSchema:schema35.properties.variables,data:data5};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
for(const key1 in data5){
const _errs14 = errors;
if(typeof key1 === "string"){
if(!pattern117.test(key1)){
const err10 = {instancePath:instancePath+"/variables",schemaPath:"#/properties/variables/propertyNames/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z][A-Za-z0-9_]{0,47}$"},message:"must match pattern \""+"^[A-Za-z][A-Za-z0-9_]{0,47}$"+"\"",schema:"^[A-Za-z][A-Za-z0-9_]{0,47}$",parentSchema:schema35.properties.variables.propertyNames,data:key1,propertyName:key1};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
var valid1 = _errs14 === errors;
if(!valid1){
const err11 = {instancePath:instancePath+"/variables",schemaPath:"#/properties/variables/propertyNames",keyword:"propertyNames",params:{propertyName: key1},message:"property name must be valid",schema:schema35.properties.variables.propertyNames,parentSchema:schema35.properties.variables,data:data5};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
for(const key2 in data5){
let data6 = data5[key2];
if(typeof data6 !== "string"){
const err12 = {instancePath:instancePath+"/variables/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/variables/additionalProperties/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema35.properties.variables.additionalProperties.type,parentSchema:schema35.properties.variables.additionalProperties,data:data6};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
}
else {
const err13 = {instancePath:instancePath+"/variables",schemaPath:"#/properties/variables/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema35.properties.variables.type,parentSchema:schema35.properties.variables,data:data5};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if(data.messages !== undefined){
let data7 = data.messages;
if(Array.isArray(data7)){
if(data7.length > 1000){
const err14 = {instancePath:instancePath+"/messages",schemaPath:"#/properties/messages/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items",schema:1000,parentSchema:schema35.properties.messages,data:data7};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
if(data7.length < 1){
const err15 = {instancePath:instancePath+"/messages",schemaPath:"#/properties/messages/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items",schema:1,parentSchema:schema35.properties.messages,data:data7};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
const len0 = data7.length;
for(let i0=0; i0<len0; i0++){
if(!(validate74(data7[i0], {instancePath:instancePath+"/messages/" + i0,parentData:data7,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate74.errors : vErrors.concat(validate74.errors);
errors = vErrors.length;
}
}
}
else {
const err16 = {instancePath:instancePath+"/messages",schemaPath:"#/properties/messages/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema35.properties.messages.type,parentSchema:schema35.properties.messages,data:data7};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
}
else {
const err17 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema35.type,parentSchema:schema35,data};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
validate73.errors = vErrors;
return errors === 0;
}
validate73.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const tool = validate76;
const schema37 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"tool.schema.json","title":"DeclaredTool","description":"A tool that is declared as a file in `tools/`: an HTTP request, a command, or the tools of an MCP server. Directors and agents name its id in `tools`.","type":"object","required":["id","kind"],"discriminator":{"propertyName":"kind"},"oneOf":[{"$ref":"#/$defs/http"},{"$ref":"#/$defs/command"},{"$ref":"#/$defs/mcp"}],"$defs":{"http":{"title":"HttpTool","description":"A tool that sends one HTTP request to a fixed host.","type":"object","additionalProperties":false,"required":["id","kind","description","request"],"properties":{"$schema":{"description":"The schema of a JSON file, for editors. YAML files name it in their first line.","type":"string","examples":["../../schemas/tool.schema.json"]},"id":{"description":"Id of this tool, and the name that `tools` and `permissions` use. Equals the file name. It is not the name of a built-in tool, alias or family, and contains no `__`.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["web_research"]},"enabled":{"description":"Set to false to disable this tool without deleting its file. Runs that have already started lose it at once.","type":"boolean","default":true,"examples":[false]},"order":{"description":"Position among the declared tools: lowest number first, then by id. Tools without a number come last.","type":"number","x-unit":"rank","examples":[10]},"kind":{"description":"`http`: one HTTP request.","type":"string","const":"http","examples":["http"]},"description":{"description":"What the tool does, for the model.","type":"string","minLength":1,"maxLength":2000,"examples":["Search the web and return sourced answers."]},"parameters":{"description":"JSON Schema of the arguments, of type object. The engine checks the arguments of each call against it, and the model sees it. Each placeholder `{{name}}` names one of its properties.","type":"object","additionalProperties":true,"default":{"type":"object","properties":{},"additionalProperties":false},"examples":[{"type":"object","required":["query"],"additionalProperties":false,"properties":{"query":{"type":"string","description":"What to look up."}}}]},"request":{"description":"The request. `{{name}}` in a text stands for an argument, encoded for its place; `${env:NAME}` and `${secret:NAME}` stand for values that are never stored in a document.","type":"object","additionalProperties":false,"required":["url"],"properties":{"method":{"description":"Method of the request.","type":"string","enum":["GET","POST","PUT","PATCH","DELETE"],"default":"GET","examples":["POST"]},"url":{"description":"Address. Scheme, host and port are fixed; `{{name}}` may stand in the path and in values of the query, and cannot leave its segment or value.","type":"string","pattern":"^https?://[^\\s]+$","x-expected":"an address that starts with http:// or https://","maxLength":2000,"examples":["https://api.example.com/v1/items/{{id}}"]},"query":{"description":"Query of the address by name. A value that is only `{{name}}` is left out if the argument is missing.","type":"object","additionalProperties":{"type":"string","maxLength":2000},"maxProperties":100,"default":{},"examples":[{"q":"{{query}}","limit":"10"}]},"headers":{"description":"Headers by name. Values with a reference go only to the host of `url`.","type":"object","propertyNames":{"pattern":"^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$","x-expected":"the name of a header"},"additionalProperties":{"type":"string","maxLength":10000},"maxProperties":100,"default":{},"examples":[{"Authorization":"Bearer ${env:LINKUP_API_KEY}"}]},"json":{"description":"Body as JSON. A text that is only `{{name}}` becomes the argument with its type; a key whose argument is missing is left out.","examples":[{"q":"{{query}}","depth":"standard"}]},"form":{"description":"Body as an HTML form (application/x-www-form-urlencoded), by name.","type":"object","additionalProperties":{"type":"string","maxLength":10000},"maxProperties":100,"examples":[{"text":"{{text}}"}]}},"examples":[{"method":"GET","url":"https://api.example.com/v1/items/{{id}}"}]},"allowHosts":{"description":"Hosts that the tool may reach beside public addresses: a host with a private, loopback or link-local address, or a host that a redirect may lead to. Redirects to the same host need no entry.","type":"array","items":{"description":"A host name or an address; with a port if it is not the default.","type":"string","pattern":"^[^\\s/@?#]{1,255}$","x-expected":"a host such as search.lan or 192.168.1.10:8080","examples":["search.lan"]},"maxItems":100,"default":[],"examples":[["search.lan"]]},"idempotencyHeader":{"description":"Header in which the server takes a key that marks a repeated write, such as `Idempotency-Key`. With it a write whose outcome is unknown is sent again under the same key; without it the write is sent at most once.","type":"string","pattern":"^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$","x-expected":"the name of a header","examples":["Idempotency-Key"]},"timeoutSeconds":{"description":"Time limit of a call, with its retries.","type":"number","exclusiveMinimum":0,"maximum":600,"default":30,"x-unit":"seconds","examples":[10]},"maxBytes":{"description":"Longest response that is read, after it is decompressed. A longer one is cut, and the result says so.","type":"integer","minimum":1,"maximum":5000000,"default":100000,"x-unit":"bytes","examples":[20000]},"effects":{"description":"`read`: may be repeated, and is allowed unless a rule denies it. `write`: changes something, so the engine records the call before it is made, never repeats it, and asks a person unless a rule allows it.","type":"string","enum":["read","write"],"default":"write","examples":["read"]},"trust":{"description":"Whether the result may carry instructions of other people. `untrusted`: the result is marked as data for the model.","type":"string","enum":["untrusted","trusted"],"default":"untrusted","examples":["trusted"]}}},"command":{"title":"CommandTool","description":"A tool that runs a program, without a shell. It asks a person unless a rule names it.","type":"object","additionalProperties":false,"required":["id","kind","description","argv"],"properties":{"$schema":{"description":"The schema of a JSON file, for editors. YAML files name it in their first line.","type":"string","examples":["../../schemas/tool.schema.json"]},"id":{"description":"Id of this tool, and the name that `tools` and `permissions` use. Equals the file name. It is not the name of a built-in tool, alias or family, and contains no `__`.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["disk-usage"]},"enabled":{"description":"Set to false to disable this tool without deleting its file. Runs that have already started lose it at once.","type":"boolean","default":true,"examples":[false]},"order":{"description":"Position among the declared tools: lowest number first, then by id. Tools without a number come last.","type":"number","x-unit":"rank","examples":[10]},"kind":{"description":"`command`: a program on this machine.","type":"string","const":"command","examples":["command"]},"description":{"description":"What the tool does, for the model.","type":"string","minLength":1,"maxLength":2000,"examples":["How much space a folder takes."]},"parameters":{"description":"JSON Schema of the arguments, of type object. The engine checks the arguments of each call against it, and the model sees it. Each placeholder `{{name}}` names one of its properties.","type":"object","additionalProperties":true,"default":{"type":"object","properties":{},"additionalProperties":false},"examples":[{"type":"object","required":["query"],"additionalProperties":false,"properties":{"query":{"type":"string","description":"What to look up."}}}]},"argv":{"description":"The program and its arguments. `{{name}}` stands for an argument and always stays one argument. A value that begins with `-` is refused before `'--'`.","type":"array","minItems":1,"maxItems":100,"items":{"description":"The program, or one argument.","type":"string","maxLength":10000,"examples":["{{folder}}"]},"examples":[["du","-sh","--","{{folder}}"]]},"cwd":{"description":"Folder in which the program runs. Relative to the folder that contains `config/`.","type":"string","minLength":1,"maxLength":1000,"default":".","examples":["./workspace"]},"env":{"description":"Variables of the program. It gets these, `PATH`, `LANG` and `HOME`, and nothing else of the environment.","type":"object","propertyNames":{"pattern":"^[A-Za-z_][A-Za-z0-9_]{0,127}$","x-expected":"the name of a variable"},"additionalProperties":{"type":"string","maxLength":10000},"maxProperties":100,"default":{},"examples":[{"ACME_TOKEN":"${env:ACME_TOKEN}"}]},"sandbox":{"description":"Run the program under bubblewrap: without network, and with nothing of the disk but the system's programs and libraries (read only), `cwd` and `folders`. Refused where bubblewrap is missing.","type":"boolean","default":false,"examples":[true]},"folders":{"description":"With `sandbox`: further folders that the program sees, read only unless `write` is true. Relative to the folder that contains `config/`.","type":"array","items":{"type":"object","additionalProperties":false,"required":["path"],"properties":{"path":{"description":"The folder.","type":"string","minLength":1,"maxLength":1000,"examples":["./documents"]},"write":{"description":"Whether the program may change the folder.","type":"boolean","default":false,"examples":[true]}}},"maxItems":100,"default":[],"examples":[[{"path":"./documents"}]]},"timeoutSeconds":{"description":"Time limit of a call. The program and all processes that it started are then killed.","type":"number","exclusiveMinimum":0,"maximum":600,"default":30,"x-unit":"seconds","examples":[10]},"maxBytes":{"description":"Longest output that is kept, of each of standard output and standard error. The rest is dropped, and the result says so.","type":"integer","minimum":1,"maximum":5000000,"default":100000,"x-unit":"bytes","examples":[20000]},"effects":{"description":"`read`: may be repeated after a crash. `write`: is run at most once. Either asks a person unless a rule names the tool.","type":"string","enum":["read","write"],"default":"write","examples":["read"]},"trust":{"description":"Whether the result may carry instructions of other people. `untrusted`: the result is marked as data for the model.","type":"string","enum":["untrusted","trusted"],"default":"untrusted","examples":["trusted"]}}},"mcp":{"title":"McpTool","description":"The tools of an MCP server: either a program (`command`) or an address (`url`). The model sees each as `<id>__<tool>`.","type":"object","additionalProperties":false,"required":["id","kind","allow"],"oneOf":[{"required":["command"]},{"required":["url"]}],"dependentRequired":{"args":["command"],"env":["command"],"cwd":["command"],"headers":["url"],"allowHosts":["url"]},"properties":{"$schema":{"description":"The schema of a JSON file, for editors. YAML files name it in their first line.","type":"string","examples":["../../schemas/tool.schema.json"]},"id":{"description":"Id of this tool, and the name that `tools` and `permissions` use. Equals the file name. It is not the name of a built-in tool, alias or family, and contains no `__`.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["tickets"]},"enabled":{"description":"Set to false to disable this tool without deleting its file. Runs that have already started lose it at once.","type":"boolean","default":true,"examples":[false]},"order":{"description":"Position among the declared tools: lowest number first, then by id. Tools without a number come last.","type":"number","x-unit":"rank","examples":[10]},"kind":{"description":"`mcp`: the tools of an MCP server.","type":"string","const":"mcp","examples":["mcp"]},"description":{"description":"A note for people. The model sees the descriptions of the server.","type":"string","default":"","examples":["The ticket system of Acme."]},"command":{"description":"Program of the server, which speaks MCP over stdio.","type":"string","minLength":1,"maxLength":1000,"examples":["npx"]},"args":{"description":"Arguments of the program.","type":"array","items":{"description":"One argument.","type":"string","maxLength":10000,"examples":["-y"]},"maxItems":100,"examples":[["-y","@acme/tickets-mcp"]]},"env":{"description":"Variables of the program. It gets these, `PATH`, `LANG` and `HOME`, and nothing else of the environment.","type":"object","propertyNames":{"pattern":"^[A-Za-z_][A-Za-z0-9_]{0,127}$","x-expected":"the name of a variable"},"additionalProperties":{"type":"string","maxLength":10000},"maxProperties":100,"examples":[{"ACME_TOKEN":"${env:ACME_TOKEN}"}]},"cwd":{"description":"Folder in which the program runs. Relative to the folder that contains `config/`, which is the default.","type":"string","minLength":1,"maxLength":1000,"examples":["./workspace"]},"url":{"description":"Address of the server, which speaks MCP over streamable HTTP.","type":"string","pattern":"^https?://[^\\s]+$","x-expected":"an address that starts with http:// or https://","maxLength":2000,"examples":["https://mcp.acme.com/mcp"]},"headers":{"description":"Headers of each request to `url`, by name.","type":"object","propertyNames":{"pattern":"^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$","x-expected":"the name of a header"},"additionalProperties":{"type":"string","maxLength":10000},"maxProperties":100,"examples":[{"Authorization":"Bearer ${env:ACME_TOKEN}"}]},"allowHosts":{"description":"Hosts with a private, loopback or link-local address that `url` may have. Without it, the server must be on the internet.","type":"array","items":{"description":"A host name or an address; with a port if it is not the default.","type":"string","pattern":"^[^\\s/@?#]{1,255}$","x-expected":"a host such as tools.lan or 127.0.0.1:8080","examples":["127.0.0.1:8080"]},"maxItems":100,"examples":[["127.0.0.1:8080"]]},"allow":{"description":"Names of the server's tools that may be offered, as the server spells them; `*` stands for any characters.","type":"array","items":{"description":"A tool of the server.","type":"string","minLength":1,"maxLength":200,"examples":["search_tickets"]},"maxItems":1000,"examples":[["search_tickets","get_ticket"]]},"effects":{"description":"What the tools do: `read` or `write`. What the server says about its tools is only a hint, and can make a tool stricter, never laxer.","type":"string","enum":["read","write"],"default":"write","examples":["read"]},"timeoutSeconds":{"description":"Time limit of a call.","type":"number","exclusiveMinimum":0,"maximum":600,"default":60,"x-unit":"seconds","examples":[10]},"maxBytes":{"description":"Longest result that is kept. A longer one is cut, and the result says so.","type":"integer","minimum":1,"maximum":5000000,"default":100000,"x-unit":"bytes","examples":[20000]},"trust":{"description":"Whether the result may carry instructions of other people. `untrusted`: the result is marked as data for the model.","type":"string","enum":["untrusted","trusted"],"default":"untrusted","examples":["trusted"]}}}}};
const schema38 = {"title":"HttpTool","description":"A tool that sends one HTTP request to a fixed host.","type":"object","additionalProperties":false,"required":["id","kind","description","request"],"properties":{"$schema":{"description":"The schema of a JSON file, for editors. YAML files name it in their first line.","type":"string","examples":["../../schemas/tool.schema.json"]},"id":{"description":"Id of this tool, and the name that `tools` and `permissions` use. Equals the file name. It is not the name of a built-in tool, alias or family, and contains no `__`.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["web_research"]},"enabled":{"description":"Set to false to disable this tool without deleting its file. Runs that have already started lose it at once.","type":"boolean","default":true,"examples":[false]},"order":{"description":"Position among the declared tools: lowest number first, then by id. Tools without a number come last.","type":"number","x-unit":"rank","examples":[10]},"kind":{"description":"`http`: one HTTP request.","type":"string","const":"http","examples":["http"]},"description":{"description":"What the tool does, for the model.","type":"string","minLength":1,"maxLength":2000,"examples":["Search the web and return sourced answers."]},"parameters":{"description":"JSON Schema of the arguments, of type object. The engine checks the arguments of each call against it, and the model sees it. Each placeholder `{{name}}` names one of its properties.","type":"object","additionalProperties":true,"default":{"type":"object","properties":{},"additionalProperties":false},"examples":[{"type":"object","required":["query"],"additionalProperties":false,"properties":{"query":{"type":"string","description":"What to look up."}}}]},"request":{"description":"The request. `{{name}}` in a text stands for an argument, encoded for its place; `${env:NAME}` and `${secret:NAME}` stand for values that are never stored in a document.","type":"object","additionalProperties":false,"required":["url"],"properties":{"method":{"description":"Method of the request.","type":"string","enum":["GET","POST","PUT","PATCH","DELETE"],"default":"GET","examples":["POST"]},"url":{"description":"Address. Scheme, host and port are fixed; `{{name}}` may stand in the path and in values of the query, and cannot leave its segment or value.","type":"string","pattern":"^https?://[^\\s]+$","x-expected":"an address that starts with http:// or https://","maxLength":2000,"examples":["https://api.example.com/v1/items/{{id}}"]},"query":{"description":"Query of the address by name. A value that is only `{{name}}` is left out if the argument is missing.","type":"object","additionalProperties":{"type":"string","maxLength":2000},"maxProperties":100,"default":{},"examples":[{"q":"{{query}}","limit":"10"}]},"headers":{"description":"Headers by name. Values with a reference go only to the host of `url`.","type":"object","propertyNames":{"pattern":"^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$","x-expected":"the name of a header"},"additionalProperties":{"type":"string","maxLength":10000},"maxProperties":100,"default":{},"examples":[{"Authorization":"Bearer ${env:LINKUP_API_KEY}"}]},"json":{"description":"Body as JSON. A text that is only `{{name}}` becomes the argument with its type; a key whose argument is missing is left out.","examples":[{"q":"{{query}}","depth":"standard"}]},"form":{"description":"Body as an HTML form (application/x-www-form-urlencoded), by name.","type":"object","additionalProperties":{"type":"string","maxLength":10000},"maxProperties":100,"examples":[{"text":"{{text}}"}]}},"examples":[{"method":"GET","url":"https://api.example.com/v1/items/{{id}}"}]},"allowHosts":{"description":"Hosts that the tool may reach beside public addresses: a host with a private, loopback or link-local address, or a host that a redirect may lead to. Redirects to the same host need no entry.","type":"array","items":{"description":"A host name or an address; with a port if it is not the default.","type":"string","pattern":"^[^\\s/@?#]{1,255}$","x-expected":"a host such as search.lan or 192.168.1.10:8080","examples":["search.lan"]},"maxItems":100,"default":[],"examples":[["search.lan"]]},"idempotencyHeader":{"description":"Header in which the server takes a key that marks a repeated write, such as `Idempotency-Key`. With it a write whose outcome is unknown is sent again under the same key; without it the write is sent at most once.","type":"string","pattern":"^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$","x-expected":"the name of a header","examples":["Idempotency-Key"]},"timeoutSeconds":{"description":"Time limit of a call, with its retries.","type":"number","exclusiveMinimum":0,"maximum":600,"default":30,"x-unit":"seconds","examples":[10]},"maxBytes":{"description":"Longest response that is read, after it is decompressed. A longer one is cut, and the result says so.","type":"integer","minimum":1,"maximum":5000000,"default":100000,"x-unit":"bytes","examples":[20000]},"effects":{"description":"`read`: may be repeated, and is allowed unless a rule denies it. `write`: changes something, so the engine records the call before it is made, never repeats it, and asks a person unless a rule allows it.","type":"string","enum":["read","write"],"default":"write","examples":["read"]},"trust":{"description":"Whether the result may carry instructions of other people. `untrusted`: the result is marked as data for the model.","type":"string","enum":["untrusted","trusted"],"default":"untrusted","examples":["trusted"]}}};
const pattern121 = new RegExp("^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$", "u");
const pattern122 = new RegExp("^[^\\s/@?#]{1,255}$", "u");

function validate77(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate77.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.enabled === undefined){
data.enabled = true;
}
if(data.parameters === undefined){
data.parameters = {"type":"object","properties":{},"additionalProperties":false};
}
if(data.allowHosts === undefined){
data.allowHosts = [];
}
if(data.timeoutSeconds === undefined){
data.timeoutSeconds = 30;
}
if(data.maxBytes === undefined){
data.maxBytes = 100000;
}
if(data.effects === undefined){
data.effects = "write";
}
if(data.trust === undefined){
data.trust = "untrusted";
}
if(data.id === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'",schema:schema38.required,parentSchema:schema38,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.kind === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "kind"},message:"must have required property '"+"kind"+"'",schema:schema38.required,parentSchema:schema38,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.description === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "description"},message:"must have required property '"+"description"+"'",schema:schema38.required,parentSchema:schema38,data};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.request === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "request"},message:"must have required property '"+"request"+"'",schema:schema38.required,parentSchema:schema38,data};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
for(const key0 in data){
if(!(func0.call(schema38.properties, key0))){
const err4 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema38,data};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.$schema !== undefined){
let data0 = data.$schema;
if(typeof data0 !== "string"){
const err5 = {instancePath:instancePath+"/$schema",schemaPath:"#/properties/%24schema/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema38.properties.$schema.type,parentSchema:schema38.properties.$schema,data:data0};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.id !== undefined){
let data1 = data.id;
if(typeof data1 === "string"){
if(!pattern0.test(data1)){
const err6 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{1,48}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{1,48}$"+"\"",schema:"^[A-Za-z0-9_-]{1,48}$",parentSchema:schema38.properties.id,data:data1};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema38.properties.id.type,parentSchema:schema38.properties.id,data:data1};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
let data2 = data.enabled;
if(typeof data2 !== "boolean"){
const err8 = {instancePath:instancePath+"/enabled",schemaPath:"#/properties/enabled/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema38.properties.enabled.type,parentSchema:schema38.properties.enabled,data:data2};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(data.order !== undefined){
let data3 = data.order;
if(!((typeof data3 == "number") && (isFinite(data3)))){
const err9 = {instancePath:instancePath+"/order",schemaPath:"#/properties/order/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema38.properties.order.type,parentSchema:schema38.properties.order,data:data3};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.kind !== undefined){
let data4 = data.kind;
if(typeof data4 !== "string"){
const err10 = {instancePath:instancePath+"/kind",schemaPath:"#/properties/kind/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema38.properties.kind.type,parentSchema:schema38.properties.kind,data:data4};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if("http" !== data4){
const err11 = {instancePath:instancePath+"/kind",schemaPath:"#/properties/kind/const",keyword:"const",params:{allowedValue: "http"},message:"must be equal to constant",schema:"http",parentSchema:schema38.properties.kind,data:data4};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.description !== undefined){
let data5 = data.description;
if(typeof data5 === "string"){
if(func1(data5) > 2000){
const err12 = {instancePath:instancePath+"/description",schemaPath:"#/properties/description/maxLength",keyword:"maxLength",params:{limit: 2000},message:"must NOT have more than 2000 characters",schema:2000,parentSchema:schema38.properties.description,data:data5};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if(func1(data5) < 1){
const err13 = {instancePath:instancePath+"/description",schemaPath:"#/properties/description/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema38.properties.description,data:data5};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
else {
const err14 = {instancePath:instancePath+"/description",schemaPath:"#/properties/description/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema38.properties.description.type,parentSchema:schema38.properties.description,data:data5};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
let data6 = data.parameters;
if(data6 && typeof data6 == "object" && !Array.isArray(data6)){
}
else {
const err15 = {instancePath:instancePath+"/parameters",schemaPath:"#/properties/parameters/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema38.properties.parameters.type,parentSchema:schema38.properties.parameters,data:data6};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
if(data.request !== undefined){
let data7 = data.request;
if(data7 && typeof data7 == "object" && !Array.isArray(data7)){
if(data7.method === undefined){
data7.method = "GET";
}
if(data7.query === undefined){
data7.query = {};
}
if(data7.headers === undefined){
data7.headers = {};
}
if(data7.url === undefined){
const err16 = {instancePath:instancePath+"/request",schemaPath:"#/properties/request/required",keyword:"required",params:{missingProperty: "url"},message:"must have required property '"+"url"+"'",schema:schema38.properties.request.required,parentSchema:schema38.properties.request,data:data7};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
for(const key1 in data7){
if(!((((((key1 === "method") || (key1 === "url")) || (key1 === "query")) || (key1 === "headers")) || (key1 === "json")) || (key1 === "form"))){
const err17 = {instancePath:instancePath+"/request",schemaPath:"#/properties/request/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties",schema:false,parentSchema:schema38.properties.request,data:data7};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
let data8 = data7.method;
if(typeof data8 !== "string"){
const err18 = {instancePath:instancePath+"/request/method",schemaPath:"#/properties/request/properties/method/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema38.properties.request.properties.method.type,parentSchema:schema38.properties.request.properties.method,data:data8};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
if(!(((((data8 === "GET") || (data8 === "POST")) || (data8 === "PUT")) || (data8 === "PATCH")) || (data8 === "DELETE"))){
const err19 = {instancePath:instancePath+"/request/method",schemaPath:"#/properties/request/properties/method/enum",keyword:"enum",params:{allowedValues: schema38.properties.request.properties.method.enum},message:"must be equal to one of the allowed values",schema:schema38.properties.request.properties.method.enum,parentSchema:schema38.properties.request.properties.method,data:data8};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
if(data7.url !== undefined){
let data9 = data7.url;
if(typeof data9 === "string"){
if(func1(data9) > 2000){
const err20 = {instancePath:instancePath+"/request/url",schemaPath:"#/properties/request/properties/url/maxLength",keyword:"maxLength",params:{limit: 2000},message:"must NOT have more than 2000 characters",schema:2000,parentSchema:schema38.properties.request.properties.url,data:data9};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
if(!pattern24.test(data9)){
const err21 = {instancePath:instancePath+"/request/url",schemaPath:"#/properties/request/properties/url/pattern",keyword:"pattern",params:{pattern: "^https?://[^\\s]+$"},message:"must match pattern \""+"^https?://[^\\s]+$"+"\"",schema:"^https?://[^\\s]+$",parentSchema:schema38.properties.request.properties.url,data:data9};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
else {
const err22 = {instancePath:instancePath+"/request/url",schemaPath:"#/properties/request/properties/url/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema38.properties.request.properties.url.type,parentSchema:schema38.properties.request.properties.url,data:data9};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
let data10 = data7.query;
if(data10 && typeof data10 == "object" && !Array.isArray(data10)){
if(Object.keys(data10).length > 100){
const err23 = {instancePath:instancePath+"/request/query",schemaPath:"#/properties/request/properties/query/maxProperties",keyword:"maxProperties",params:{limit: 100},message:"must NOT have more than 100 properties",schema:100,parentSchema:schema38.properties.request.properties.query,data:data10};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
for(const key2 in data10){
let data11 = data10[key2];
if(typeof data11 === "string"){
if(func1(data11) > 2000){
const err24 = {instancePath:instancePath+"/request/query/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/request/properties/query/additionalProperties/maxLength",keyword:"maxLength",params:{limit: 2000},message:"must NOT have more than 2000 characters",schema:2000,parentSchema:schema38.properties.request.properties.query.additionalProperties,data:data11};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
else {
const err25 = {instancePath:instancePath+"/request/query/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/request/properties/query/additionalProperties/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema38.properties.request.properties.query.additionalProperties.type,parentSchema:schema38.properties.request.properties.query.additionalProperties,data:data11};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
}
else {
const err26 = {instancePath:instancePath+"/request/query",schemaPath:"#/properties/request/properties/query/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema38.properties.request.properties.query.type,parentSchema:schema38.properties.request.properties.query,data:data10};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
let data12 = data7.headers;
if(data12 && typeof data12 == "object" && !Array.isArray(data12)){
if(Object.keys(data12).length > 100){
const err27 = {instancePath:instancePath+"/request/headers",schemaPath:"#/properties/request/properties/headers/maxProperties",keyword:"maxProperties",params:{limit: 100},message:"must NOT have more than 100 properties",schema:100,parentSchema:schema38.properties.request.properties.headers,data:data12};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
for(const key3 in data12){
const _errs31 = errors;
if(typeof key3 === "string"){
if(!pattern121.test(key3)){
const err28 = {instancePath:instancePath+"/request/headers",schemaPath:"#/properties/request/properties/headers/propertyNames/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$"},message:"must match pattern \""+"^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$"+"\"",schema:"^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$",parentSchema:schema38.properties.request.properties.headers.propertyNames,data:key3,propertyName:key3};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
var valid3 = _errs31 === errors;
if(!valid3){
const err29 = {instancePath:instancePath+"/request/headers",schemaPath:"#/properties/request/properties/headers/propertyNames",keyword:"propertyNames",params:{propertyName: key3},message:"property name must be valid",schema:schema38.properties.request.properties.headers.propertyNames,parentSchema:schema38.properties.request.properties.headers,data:data12};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
for(const key4 in data12){
let data13 = data12[key4];
if(typeof data13 === "string"){
if(func1(data13) > 10000){
const err30 = {instancePath:instancePath+"/request/headers/" + key4.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/request/properties/headers/additionalProperties/maxLength",keyword:"maxLength",params:{limit: 10000},message:"must NOT have more than 10000 characters",schema:10000,parentSchema:schema38.properties.request.properties.headers.additionalProperties,data:data13};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
else {
const err31 = {instancePath:instancePath+"/request/headers/" + key4.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/request/properties/headers/additionalProperties/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema38.properties.request.properties.headers.additionalProperties.type,parentSchema:schema38.properties.request.properties.headers.additionalProperties,data:data13};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
}
else {
const err32 = {instancePath:instancePath+"/request/headers",schemaPath:"#/properties/request/properties/headers/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema38.properties.request.properties.headers.type,parentSchema:schema38.properties.request.properties.headers,data:data12};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
if(data7.form !== undefined){
let data14 = data7.form;
if(data14 && typeof data14 == "object" && !Array.isArray(data14)){
if(Object.keys(data14).length > 100){
const err33 = {instancePath:instancePath+"/request/form",schemaPath:"#/properties/request/properties/form/maxProperties",keyword:"maxProperties",params:{limit: 100},message:"must NOT have more than 100 properties",schema:100,parentSchema:schema38.properties.request.properties.form,data:data14};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
for(const key5 in data14){
let data15 = data14[key5];
if(typeof data15 === "string"){
if(func1(data15) > 10000){
const err34 = {instancePath:instancePath+"/request/form/" + key5.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/request/properties/form/additionalProperties/maxLength",keyword:"maxLength",params:{limit: 10000},message:"must NOT have more than 10000 characters",schema:10000,parentSchema:schema38.properties.request.properties.form.additionalProperties,data:data15};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
else {
const err35 = {instancePath:instancePath+"/request/form/" + key5.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/request/properties/form/additionalProperties/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema38.properties.request.properties.form.additionalProperties.type,parentSchema:schema38.properties.request.properties.form.additionalProperties,data:data15};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
}
}
else {
const err36 = {instancePath:instancePath+"/request/form",schemaPath:"#/properties/request/properties/form/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema38.properties.request.properties.form.type,parentSchema:schema38.properties.request.properties.form,data:data14};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
}
}
else {
const err37 = {instancePath:instancePath+"/request",schemaPath:"#/properties/request/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema38.properties.request.type,parentSchema:schema38.properties.request,data:data7};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
}
let data16 = data.allowHosts;
if(Array.isArray(data16)){
if(data16.length > 100){
const err38 = {instancePath:instancePath+"/allowHosts",schemaPath:"#/properties/allowHosts/maxItems",keyword:"maxItems",params:{limit: 100},message:"must NOT have more than 100 items",schema:100,parentSchema:schema38.properties.allowHosts,data:data16};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
const len0 = data16.length;
for(let i0=0; i0<len0; i0++){
let data17 = data16[i0];
if(typeof data17 === "string"){
if(!pattern122.test(data17)){
const err39 = {instancePath:instancePath+"/allowHosts/" + i0,schemaPath:"#/properties/allowHosts/items/pattern",keyword:"pattern",params:{pattern: "^[^\\s/@?#]{1,255}$"},message:"must match pattern \""+"^[^\\s/@?#]{1,255}$"+"\"",schema:"^[^\\s/@?#]{1,255}$",parentSchema:schema38.properties.allowHosts.items,data:data17};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
}
else {
const err40 = {instancePath:instancePath+"/allowHosts/" + i0,schemaPath:"#/properties/allowHosts/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema38.properties.allowHosts.items.type,parentSchema:schema38.properties.allowHosts.items,data:data17};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
}
}
else {
const err41 = {instancePath:instancePath+"/allowHosts",schemaPath:"#/properties/allowHosts/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema38.properties.allowHosts.type,parentSchema:schema38.properties.allowHosts,data:data16};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
if(data.idempotencyHeader !== undefined){
let data18 = data.idempotencyHeader;
if(typeof data18 === "string"){
if(!pattern121.test(data18)){
const err42 = {instancePath:instancePath+"/idempotencyHeader",schemaPath:"#/properties/idempotencyHeader/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$"},message:"must match pattern \""+"^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$"+"\"",schema:"^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$",parentSchema:schema38.properties.idempotencyHeader,data:data18};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
}
else {
const err43 = {instancePath:instancePath+"/idempotencyHeader",schemaPath:"#/properties/idempotencyHeader/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema38.properties.idempotencyHeader.type,parentSchema:schema38.properties.idempotencyHeader,data:data18};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
}
let data19 = data.timeoutSeconds;
if((typeof data19 == "number") && (isFinite(data19))){
if(data19 > 600 || isNaN(data19)){
const err44 = {instancePath:instancePath+"/timeoutSeconds",schemaPath:"#/properties/timeoutSeconds/maximum",keyword:"maximum",params:{comparison: "<=", limit: 600},message:"must be <= 600",schema:600,parentSchema:schema38.properties.timeoutSeconds,data:data19};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
if(data19 <= 0 || isNaN(data19)){
const err45 = {instancePath:instancePath+"/timeoutSeconds",schemaPath:"#/properties/timeoutSeconds/exclusiveMinimum",keyword:"exclusiveMinimum",params:{comparison: ">", limit: 0},message:"must be > 0",schema:0,parentSchema:schema38.properties.timeoutSeconds,data:data19};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
}
else {
const err46 = {instancePath:instancePath+"/timeoutSeconds",schemaPath:"#/properties/timeoutSeconds/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema38.properties.timeoutSeconds.type,parentSchema:schema38.properties.timeoutSeconds,data:data19};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
let data20 = data.maxBytes;
if(!(((typeof data20 == "number") && (!(data20 % 1) && !isNaN(data20))) && (isFinite(data20)))){
const err47 = {instancePath:instancePath+"/maxBytes",schemaPath:"#/properties/maxBytes/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema38.properties.maxBytes.type,parentSchema:schema38.properties.maxBytes,data:data20};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
if((typeof data20 == "number") && (isFinite(data20))){
if(data20 > 5000000 || isNaN(data20)){
const err48 = {instancePath:instancePath+"/maxBytes",schemaPath:"#/properties/maxBytes/maximum",keyword:"maximum",params:{comparison: "<=", limit: 5000000},message:"must be <= 5000000",schema:5000000,parentSchema:schema38.properties.maxBytes,data:data20};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
if(data20 < 1 || isNaN(data20)){
const err49 = {instancePath:instancePath+"/maxBytes",schemaPath:"#/properties/maxBytes/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema38.properties.maxBytes,data:data20};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
}
let data21 = data.effects;
if(typeof data21 !== "string"){
const err50 = {instancePath:instancePath+"/effects",schemaPath:"#/properties/effects/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema38.properties.effects.type,parentSchema:schema38.properties.effects,data:data21};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
if(!((data21 === "read") || (data21 === "write"))){
const err51 = {instancePath:instancePath+"/effects",schemaPath:"#/properties/effects/enum",keyword:"enum",params:{allowedValues: schema38.properties.effects.enum},message:"must be equal to one of the allowed values",schema:schema38.properties.effects.enum,parentSchema:schema38.properties.effects,data:data21};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
}
let data22 = data.trust;
if(typeof data22 !== "string"){
const err52 = {instancePath:instancePath+"/trust",schemaPath:"#/properties/trust/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema38.properties.trust.type,parentSchema:schema38.properties.trust,data:data22};
if(vErrors === null){
vErrors = [err52];
}
else {
vErrors.push(err52);
}
errors++;
}
if(!((data22 === "untrusted") || (data22 === "trusted"))){
const err53 = {instancePath:instancePath+"/trust",schemaPath:"#/properties/trust/enum",keyword:"enum",params:{allowedValues: schema38.properties.trust.enum},message:"must be equal to one of the allowed values",schema:schema38.properties.trust.enum,parentSchema:schema38.properties.trust,data:data22};
if(vErrors === null){
vErrors = [err53];
}
else {
vErrors.push(err53);
}
errors++;
}
}
else {
const err54 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema38.type,parentSchema:schema38,data};
if(vErrors === null){
vErrors = [err54];
}
else {
vErrors.push(err54);
}
errors++;
}
validate77.errors = vErrors;
return errors === 0;
}
validate77.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema39 = {"title":"CommandTool","description":"A tool that runs a program, without a shell. It asks a person unless a rule names it.","type":"object","additionalProperties":false,"required":["id","kind","description","argv"],"properties":{"$schema":{"description":"The schema of a JSON file, for editors. YAML files name it in their first line.","type":"string","examples":["../../schemas/tool.schema.json"]},"id":{"description":"Id of this tool, and the name that `tools` and `permissions` use. Equals the file name. It is not the name of a built-in tool, alias or family, and contains no `__`.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["disk-usage"]},"enabled":{"description":"Set to false to disable this tool without deleting its file. Runs that have already started lose it at once.","type":"boolean","default":true,"examples":[false]},"order":{"description":"Position among the declared tools: lowest number first, then by id. Tools without a number come last.","type":"number","x-unit":"rank","examples":[10]},"kind":{"description":"`command`: a program on this machine.","type":"string","const":"command","examples":["command"]},"description":{"description":"What the tool does, for the model.","type":"string","minLength":1,"maxLength":2000,"examples":["How much space a folder takes."]},"parameters":{"description":"JSON Schema of the arguments, of type object. The engine checks the arguments of each call against it, and the model sees it. Each placeholder `{{name}}` names one of its properties.","type":"object","additionalProperties":true,"default":{"type":"object","properties":{},"additionalProperties":false},"examples":[{"type":"object","required":["query"],"additionalProperties":false,"properties":{"query":{"type":"string","description":"What to look up."}}}]},"argv":{"description":"The program and its arguments. `{{name}}` stands for an argument and always stays one argument. A value that begins with `-` is refused before `'--'`.","type":"array","minItems":1,"maxItems":100,"items":{"description":"The program, or one argument.","type":"string","maxLength":10000,"examples":["{{folder}}"]},"examples":[["du","-sh","--","{{folder}}"]]},"cwd":{"description":"Folder in which the program runs. Relative to the folder that contains `config/`.","type":"string","minLength":1,"maxLength":1000,"default":".","examples":["./workspace"]},"env":{"description":"Variables of the program. It gets these, `PATH`, `LANG` and `HOME`, and nothing else of the environment.","type":"object","propertyNames":{"pattern":"^[A-Za-z_][A-Za-z0-9_]{0,127}$","x-expected":"the name of a variable"},"additionalProperties":{"type":"string","maxLength":10000},"maxProperties":100,"default":{},"examples":[{"ACME_TOKEN":"${env:ACME_TOKEN}"}]},"sandbox":{"description":"Run the program under bubblewrap: without network, and with nothing of the disk but the system's programs and libraries (read only), `cwd` and `folders`. Refused where bubblewrap is missing.","type":"boolean","default":false,"examples":[true]},"folders":{"description":"With `sandbox`: further folders that the program sees, read only unless `write` is true. Relative to the folder that contains `config/`.","type":"array","items":{"type":"object","additionalProperties":false,"required":["path"],"properties":{"path":{"description":"The folder.","type":"string","minLength":1,"maxLength":1000,"examples":["./documents"]},"write":{"description":"Whether the program may change the folder.","type":"boolean","default":false,"examples":[true]}}},"maxItems":100,"default":[],"examples":[[{"path":"./documents"}]]},"timeoutSeconds":{"description":"Time limit of a call. The program and all processes that it started are then killed.","type":"number","exclusiveMinimum":0,"maximum":600,"default":30,"x-unit":"seconds","examples":[10]},"maxBytes":{"description":"Longest output that is kept, of each of standard output and standard error. The rest is dropped, and the result says so.","type":"integer","minimum":1,"maximum":5000000,"default":100000,"x-unit":"bytes","examples":[20000]},"effects":{"description":"`read`: may be repeated after a crash. `write`: is run at most once. Either asks a person unless a rule names the tool.","type":"string","enum":["read","write"],"default":"write","examples":["read"]},"trust":{"description":"Whether the result may carry instructions of other people. `untrusted`: the result is marked as data for the model.","type":"string","enum":["untrusted","trusted"],"default":"untrusted","examples":["trusted"]}}};

function validate78(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate78.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.enabled === undefined){
data.enabled = true;
}
if(data.parameters === undefined){
data.parameters = {"type":"object","properties":{},"additionalProperties":false};
}
if(data.cwd === undefined){
data.cwd = ".";
}
if(data.env === undefined){
data.env = {};
}
if(data.sandbox === undefined){
data.sandbox = false;
}
if(data.folders === undefined){
data.folders = [];
}
if(data.timeoutSeconds === undefined){
data.timeoutSeconds = 30;
}
if(data.maxBytes === undefined){
data.maxBytes = 100000;
}
if(data.effects === undefined){
data.effects = "write";
}
if(data.trust === undefined){
data.trust = "untrusted";
}
if(data.id === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'",schema:schema39.required,parentSchema:schema39,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.kind === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "kind"},message:"must have required property '"+"kind"+"'",schema:schema39.required,parentSchema:schema39,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.description === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "description"},message:"must have required property '"+"description"+"'",schema:schema39.required,parentSchema:schema39,data};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.argv === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "argv"},message:"must have required property '"+"argv"+"'",schema:schema39.required,parentSchema:schema39,data};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
for(const key0 in data){
if(!(func0.call(schema39.properties, key0))){
const err4 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema39,data};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.$schema !== undefined){
let data0 = data.$schema;
if(typeof data0 !== "string"){
const err5 = {instancePath:instancePath+"/$schema",schemaPath:"#/properties/%24schema/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema39.properties.$schema.type,parentSchema:schema39.properties.$schema,data:data0};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.id !== undefined){
let data1 = data.id;
if(typeof data1 === "string"){
if(!pattern0.test(data1)){
const err6 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{1,48}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{1,48}$"+"\"",schema:"^[A-Za-z0-9_-]{1,48}$",parentSchema:schema39.properties.id,data:data1};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema39.properties.id.type,parentSchema:schema39.properties.id,data:data1};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
let data2 = data.enabled;
if(typeof data2 !== "boolean"){
const err8 = {instancePath:instancePath+"/enabled",schemaPath:"#/properties/enabled/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema39.properties.enabled.type,parentSchema:schema39.properties.enabled,data:data2};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(data.order !== undefined){
let data3 = data.order;
if(!((typeof data3 == "number") && (isFinite(data3)))){
const err9 = {instancePath:instancePath+"/order",schemaPath:"#/properties/order/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema39.properties.order.type,parentSchema:schema39.properties.order,data:data3};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.kind !== undefined){
let data4 = data.kind;
if(typeof data4 !== "string"){
const err10 = {instancePath:instancePath+"/kind",schemaPath:"#/properties/kind/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema39.properties.kind.type,parentSchema:schema39.properties.kind,data:data4};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if("command" !== data4){
const err11 = {instancePath:instancePath+"/kind",schemaPath:"#/properties/kind/const",keyword:"const",params:{allowedValue: "command"},message:"must be equal to constant",schema:"command",parentSchema:schema39.properties.kind,data:data4};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.description !== undefined){
let data5 = data.description;
if(typeof data5 === "string"){
if(func1(data5) > 2000){
const err12 = {instancePath:instancePath+"/description",schemaPath:"#/properties/description/maxLength",keyword:"maxLength",params:{limit: 2000},message:"must NOT have more than 2000 characters",schema:2000,parentSchema:schema39.properties.description,data:data5};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if(func1(data5) < 1){
const err13 = {instancePath:instancePath+"/description",schemaPath:"#/properties/description/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema39.properties.description,data:data5};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
else {
const err14 = {instancePath:instancePath+"/description",schemaPath:"#/properties/description/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema39.properties.description.type,parentSchema:schema39.properties.description,data:data5};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
let data6 = data.parameters;
if(data6 && typeof data6 == "object" && !Array.isArray(data6)){
}
else {
const err15 = {instancePath:instancePath+"/parameters",schemaPath:"#/properties/parameters/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema39.properties.parameters.type,parentSchema:schema39.properties.parameters,data:data6};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
if(data.argv !== undefined){
let data7 = data.argv;
if(Array.isArray(data7)){
if(data7.length > 100){
const err16 = {instancePath:instancePath+"/argv",schemaPath:"#/properties/argv/maxItems",keyword:"maxItems",params:{limit: 100},message:"must NOT have more than 100 items",schema:100,parentSchema:schema39.properties.argv,data:data7};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
if(data7.length < 1){
const err17 = {instancePath:instancePath+"/argv",schemaPath:"#/properties/argv/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items",schema:1,parentSchema:schema39.properties.argv,data:data7};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
const len0 = data7.length;
for(let i0=0; i0<len0; i0++){
let data8 = data7[i0];
if(typeof data8 === "string"){
if(func1(data8) > 10000){
const err18 = {instancePath:instancePath+"/argv/" + i0,schemaPath:"#/properties/argv/items/maxLength",keyword:"maxLength",params:{limit: 10000},message:"must NOT have more than 10000 characters",schema:10000,parentSchema:schema39.properties.argv.items,data:data8};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
else {
const err19 = {instancePath:instancePath+"/argv/" + i0,schemaPath:"#/properties/argv/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema39.properties.argv.items.type,parentSchema:schema39.properties.argv.items,data:data8};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
}
else {
const err20 = {instancePath:instancePath+"/argv",schemaPath:"#/properties/argv/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema39.properties.argv.type,parentSchema:schema39.properties.argv,data:data7};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
let data9 = data.cwd;
if(typeof data9 === "string"){
if(func1(data9) > 1000){
const err21 = {instancePath:instancePath+"/cwd",schemaPath:"#/properties/cwd/maxLength",keyword:"maxLength",params:{limit: 1000},message:"must NOT have more than 1000 characters",schema:1000,parentSchema:schema39.properties.cwd,data:data9};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
if(func1(data9) < 1){
const err22 = {instancePath:instancePath+"/cwd",schemaPath:"#/properties/cwd/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema39.properties.cwd,data:data9};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
else {
const err23 = {instancePath:instancePath+"/cwd",schemaPath:"#/properties/cwd/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema39.properties.cwd.type,parentSchema:schema39.properties.cwd,data:data9};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
let data10 = data.env;
if(data10 && typeof data10 == "object" && !Array.isArray(data10)){
if(Object.keys(data10).length > 100){
const err24 = {instancePath:instancePath+"/env",schemaPath:"#/properties/env/maxProperties",keyword:"maxProperties",params:{limit: 100},message:"must NOT have more than 100 properties",schema:100,parentSchema:schema39.properties.env,data:data10};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
for(const key1 in data10){
const _errs25 = errors;
if(typeof key1 === "string"){
if(!pattern38.test(key1)){
const err25 = {instancePath:instancePath+"/env",schemaPath:"#/properties/env/propertyNames/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z_][A-Za-z0-9_]{0,127}$"},message:"must match pattern \""+"^[A-Za-z_][A-Za-z0-9_]{0,127}$"+"\"",schema:"^[A-Za-z_][A-Za-z0-9_]{0,127}$",parentSchema:schema39.properties.env.propertyNames,data:key1,propertyName:key1};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
var valid3 = _errs25 === errors;
if(!valid3){
const err26 = {instancePath:instancePath+"/env",schemaPath:"#/properties/env/propertyNames",keyword:"propertyNames",params:{propertyName: key1},message:"property name must be valid",schema:schema39.properties.env.propertyNames,parentSchema:schema39.properties.env,data:data10};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
for(const key2 in data10){
let data11 = data10[key2];
if(typeof data11 === "string"){
if(func1(data11) > 10000){
const err27 = {instancePath:instancePath+"/env/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/env/additionalProperties/maxLength",keyword:"maxLength",params:{limit: 10000},message:"must NOT have more than 10000 characters",schema:10000,parentSchema:schema39.properties.env.additionalProperties,data:data11};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
else {
const err28 = {instancePath:instancePath+"/env/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/env/additionalProperties/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema39.properties.env.additionalProperties.type,parentSchema:schema39.properties.env.additionalProperties,data:data11};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
}
else {
const err29 = {instancePath:instancePath+"/env",schemaPath:"#/properties/env/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema39.properties.env.type,parentSchema:schema39.properties.env,data:data10};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
let data12 = data.sandbox;
if(typeof data12 !== "boolean"){
const err30 = {instancePath:instancePath+"/sandbox",schemaPath:"#/properties/sandbox/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema39.properties.sandbox.type,parentSchema:schema39.properties.sandbox,data:data12};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
let data13 = data.folders;
if(Array.isArray(data13)){
if(data13.length > 100){
const err31 = {instancePath:instancePath+"/folders",schemaPath:"#/properties/folders/maxItems",keyword:"maxItems",params:{limit: 100},message:"must NOT have more than 100 items",schema:100,parentSchema:schema39.properties.folders,data:data13};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
const len1 = data13.length;
for(let i1=0; i1<len1; i1++){
let data14 = data13[i1];
if(data14 && typeof data14 == "object" && !Array.isArray(data14)){
if(data14.write === undefined){
data14.write = false;
}
if(data14.path === undefined){
const err32 = {instancePath:instancePath+"/folders/" + i1,schemaPath:"#/properties/folders/items/required",keyword:"required",params:{missingProperty: "path"},message:"must have required property '"+"path"+"'",schema:schema39.properties.folders.items.required,parentSchema:schema39.properties.folders.items,data:data14};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
for(const key3 in data14){
if(!((key3 === "path") || (key3 === "write"))){
const err33 = {instancePath:instancePath+"/folders/" + i1,schemaPath:"#/properties/folders/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3},message:"must NOT have additional properties",schema:false,parentSchema:schema39.properties.folders.items,data:data14};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
if(data14.path !== undefined){
let data15 = data14.path;
if(typeof data15 === "string"){
if(func1(data15) > 1000){
const err34 = {instancePath:instancePath+"/folders/" + i1+"/path",schemaPath:"#/properties/folders/items/properties/path/maxLength",keyword:"maxLength",params:{limit: 1000},message:"must NOT have more than 1000 characters",schema:1000,parentSchema:schema39.properties.folders.items.properties.path,data:data15};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
if(func1(data15) < 1){
const err35 = {instancePath:instancePath+"/folders/" + i1+"/path",schemaPath:"#/properties/folders/items/properties/path/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema39.properties.folders.items.properties.path,data:data15};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
}
else {
const err36 = {instancePath:instancePath+"/folders/" + i1+"/path",schemaPath:"#/properties/folders/items/properties/path/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema39.properties.folders.items.properties.path.type,parentSchema:schema39.properties.folders.items.properties.path,data:data15};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
}
let data16 = data14.write;
if(typeof data16 !== "boolean"){
const err37 = {instancePath:instancePath+"/folders/" + i1+"/write",schemaPath:"#/properties/folders/items/properties/write/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema39.properties.folders.items.properties.write.type,parentSchema:schema39.properties.folders.items.properties.write,data:data16};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
}
else {
const err38 = {instancePath:instancePath+"/folders/" + i1,schemaPath:"#/properties/folders/items/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema39.properties.folders.items.type,parentSchema:schema39.properties.folders.items,data:data14};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
}
}
else {
const err39 = {instancePath:instancePath+"/folders",schemaPath:"#/properties/folders/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema39.properties.folders.type,parentSchema:schema39.properties.folders,data:data13};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
let data17 = data.timeoutSeconds;
if((typeof data17 == "number") && (isFinite(data17))){
if(data17 > 600 || isNaN(data17)){
const err40 = {instancePath:instancePath+"/timeoutSeconds",schemaPath:"#/properties/timeoutSeconds/maximum",keyword:"maximum",params:{comparison: "<=", limit: 600},message:"must be <= 600",schema:600,parentSchema:schema39.properties.timeoutSeconds,data:data17};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
if(data17 <= 0 || isNaN(data17)){
const err41 = {instancePath:instancePath+"/timeoutSeconds",schemaPath:"#/properties/timeoutSeconds/exclusiveMinimum",keyword:"exclusiveMinimum",params:{comparison: ">", limit: 0},message:"must be > 0",schema:0,parentSchema:schema39.properties.timeoutSeconds,data:data17};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
}
else {
const err42 = {instancePath:instancePath+"/timeoutSeconds",schemaPath:"#/properties/timeoutSeconds/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema39.properties.timeoutSeconds.type,parentSchema:schema39.properties.timeoutSeconds,data:data17};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
let data18 = data.maxBytes;
if(!(((typeof data18 == "number") && (!(data18 % 1) && !isNaN(data18))) && (isFinite(data18)))){
const err43 = {instancePath:instancePath+"/maxBytes",schemaPath:"#/properties/maxBytes/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema39.properties.maxBytes.type,parentSchema:schema39.properties.maxBytes,data:data18};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
if((typeof data18 == "number") && (isFinite(data18))){
if(data18 > 5000000 || isNaN(data18)){
const err44 = {instancePath:instancePath+"/maxBytes",schemaPath:"#/properties/maxBytes/maximum",keyword:"maximum",params:{comparison: "<=", limit: 5000000},message:"must be <= 5000000",schema:5000000,parentSchema:schema39.properties.maxBytes,data:data18};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
if(data18 < 1 || isNaN(data18)){
const err45 = {instancePath:instancePath+"/maxBytes",schemaPath:"#/properties/maxBytes/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema39.properties.maxBytes,data:data18};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
}
let data19 = data.effects;
if(typeof data19 !== "string"){
const err46 = {instancePath:instancePath+"/effects",schemaPath:"#/properties/effects/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema39.properties.effects.type,parentSchema:schema39.properties.effects,data:data19};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
if(!((data19 === "read") || (data19 === "write"))){
const err47 = {instancePath:instancePath+"/effects",schemaPath:"#/properties/effects/enum",keyword:"enum",params:{allowedValues: schema39.properties.effects.enum},message:"must be equal to one of the allowed values",schema:schema39.properties.effects.enum,parentSchema:schema39.properties.effects,data:data19};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
let data20 = data.trust;
if(typeof data20 !== "string"){
const err48 = {instancePath:instancePath+"/trust",schemaPath:"#/properties/trust/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema39.properties.trust.type,parentSchema:schema39.properties.trust,data:data20};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
if(!((data20 === "untrusted") || (data20 === "trusted"))){
const err49 = {instancePath:instancePath+"/trust",schemaPath:"#/properties/trust/enum",keyword:"enum",params:{allowedValues: schema39.properties.trust.enum},message:"must be equal to one of the allowed values",schema:schema39.properties.trust.enum,parentSchema:schema39.properties.trust,data:data20};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
}
else {
const err50 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema39.type,parentSchema:schema39,data};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
validate78.errors = vErrors;
return errors === 0;
}
validate78.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema40 = {"title":"McpTool","description":"The tools of an MCP server: either a program (`command`) or an address (`url`). The model sees each as `<id>__<tool>`.","type":"object","additionalProperties":false,"required":["id","kind","allow"],"oneOf":[{"required":["command"]},{"required":["url"]}],"dependentRequired":{"args":["command"],"env":["command"],"cwd":["command"],"headers":["url"],"allowHosts":["url"]},"properties":{"$schema":{"description":"The schema of a JSON file, for editors. YAML files name it in their first line.","type":"string","examples":["../../schemas/tool.schema.json"]},"id":{"description":"Id of this tool, and the name that `tools` and `permissions` use. Equals the file name. It is not the name of a built-in tool, alias or family, and contains no `__`.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["tickets"]},"enabled":{"description":"Set to false to disable this tool without deleting its file. Runs that have already started lose it at once.","type":"boolean","default":true,"examples":[false]},"order":{"description":"Position among the declared tools: lowest number first, then by id. Tools without a number come last.","type":"number","x-unit":"rank","examples":[10]},"kind":{"description":"`mcp`: the tools of an MCP server.","type":"string","const":"mcp","examples":["mcp"]},"description":{"description":"A note for people. The model sees the descriptions of the server.","type":"string","default":"","examples":["The ticket system of Acme."]},"command":{"description":"Program of the server, which speaks MCP over stdio.","type":"string","minLength":1,"maxLength":1000,"examples":["npx"]},"args":{"description":"Arguments of the program.","type":"array","items":{"description":"One argument.","type":"string","maxLength":10000,"examples":["-y"]},"maxItems":100,"examples":[["-y","@acme/tickets-mcp"]]},"env":{"description":"Variables of the program. It gets these, `PATH`, `LANG` and `HOME`, and nothing else of the environment.","type":"object","propertyNames":{"pattern":"^[A-Za-z_][A-Za-z0-9_]{0,127}$","x-expected":"the name of a variable"},"additionalProperties":{"type":"string","maxLength":10000},"maxProperties":100,"examples":[{"ACME_TOKEN":"${env:ACME_TOKEN}"}]},"cwd":{"description":"Folder in which the program runs. Relative to the folder that contains `config/`, which is the default.","type":"string","minLength":1,"maxLength":1000,"examples":["./workspace"]},"url":{"description":"Address of the server, which speaks MCP over streamable HTTP.","type":"string","pattern":"^https?://[^\\s]+$","x-expected":"an address that starts with http:// or https://","maxLength":2000,"examples":["https://mcp.acme.com/mcp"]},"headers":{"description":"Headers of each request to `url`, by name.","type":"object","propertyNames":{"pattern":"^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$","x-expected":"the name of a header"},"additionalProperties":{"type":"string","maxLength":10000},"maxProperties":100,"examples":[{"Authorization":"Bearer ${env:ACME_TOKEN}"}]},"allowHosts":{"description":"Hosts with a private, loopback or link-local address that `url` may have. Without it, the server must be on the internet.","type":"array","items":{"description":"A host name or an address; with a port if it is not the default.","type":"string","pattern":"^[^\\s/@?#]{1,255}$","x-expected":"a host such as tools.lan or 127.0.0.1:8080","examples":["127.0.0.1:8080"]},"maxItems":100,"examples":[["127.0.0.1:8080"]]},"allow":{"description":"Names of the server's tools that may be offered, as the server spells them; `*` stands for any characters.","type":"array","items":{"description":"A tool of the server.","type":"string","minLength":1,"maxLength":200,"examples":["search_tickets"]},"maxItems":1000,"examples":[["search_tickets","get_ticket"]]},"effects":{"description":"What the tools do: `read` or `write`. What the server says about its tools is only a hint, and can make a tool stricter, never laxer.","type":"string","enum":["read","write"],"default":"write","examples":["read"]},"timeoutSeconds":{"description":"Time limit of a call.","type":"number","exclusiveMinimum":0,"maximum":600,"default":60,"x-unit":"seconds","examples":[10]},"maxBytes":{"description":"Longest result that is kept. A longer one is cut, and the result says so.","type":"integer","minimum":1,"maximum":5000000,"default":100000,"x-unit":"bytes","examples":[20000]},"trust":{"description":"Whether the result may carry instructions of other people. `untrusted`: the result is marked as data for the model.","type":"string","enum":["untrusted","trusted"],"default":"untrusted","examples":["trusted"]}}};

function validate79(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate79.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
const _errs1 = errors;
let valid0 = false;
let passing0 = null;
const _errs2 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.command === undefined){
const err0 = {instancePath,schemaPath:"#/oneOf/0/required",keyword:"required",params:{missingProperty: "command"},message:"must have required property '"+"command"+"'",schema:schema40.oneOf[0].required,parentSchema:schema40.oneOf[0],data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
var _valid0 = _errs2 === errors;
if(_valid0){
valid0 = true;
passing0 = 0;
}
const _errs3 = errors;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.url === undefined){
const err1 = {instancePath,schemaPath:"#/oneOf/1/required",keyword:"required",params:{missingProperty: "url"},message:"must have required property '"+"url"+"'",schema:schema40.oneOf[1].required,parentSchema:schema40.oneOf[1],data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
var _valid0 = _errs3 === errors;
if(_valid0 && valid0){
valid0 = false;
passing0 = [passing0, 1];
}
else {
if(_valid0){
valid0 = true;
passing0 = 1;
}
}
if(!valid0){
const err2 = {instancePath,schemaPath:"#/oneOf",keyword:"oneOf",params:{passingSchemas: passing0},message:"must match exactly one schema in oneOf",schema:schema40.oneOf,parentSchema:schema40,data};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
else {
errors = _errs1;
if(vErrors !== null){
if(_errs1){
vErrors.length = _errs1;
}
else {
vErrors = null;
}
}
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.enabled === undefined){
data.enabled = true;
}
if(data.description === undefined){
data.description = "";
}
if(data.effects === undefined){
data.effects = "write";
}
if(data.timeoutSeconds === undefined){
data.timeoutSeconds = 60;
}
if(data.maxBytes === undefined){
data.maxBytes = 100000;
}
if(data.trust === undefined){
data.trust = "untrusted";
}
if(data.id === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'",schema:schema40.required,parentSchema:schema40,data};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.kind === undefined){
const err4 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "kind"},message:"must have required property '"+"kind"+"'",schema:schema40.required,parentSchema:schema40,data};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data.allow === undefined){
const err5 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "allow"},message:"must have required property '"+"allow"+"'",schema:schema40.required,parentSchema:schema40,data};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
for(const key0 in data){
if(!(func0.call(schema40.properties, key0))){
const err6 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema40,data};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.$schema !== undefined){
let data0 = data.$schema;
if(typeof data0 !== "string"){
const err7 = {instancePath:instancePath+"/$schema",schemaPath:"#/properties/%24schema/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema40.properties.$schema.type,parentSchema:schema40.properties.$schema,data:data0};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.id !== undefined){
let data1 = data.id;
if(typeof data1 === "string"){
if(!pattern0.test(data1)){
const err8 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{1,48}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{1,48}$"+"\"",schema:"^[A-Za-z0-9_-]{1,48}$",parentSchema:schema40.properties.id,data:data1};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
else {
const err9 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema40.properties.id.type,parentSchema:schema40.properties.id,data:data1};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
let data2 = data.enabled;
if(typeof data2 !== "boolean"){
const err10 = {instancePath:instancePath+"/enabled",schemaPath:"#/properties/enabled/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema40.properties.enabled.type,parentSchema:schema40.properties.enabled,data:data2};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(data.order !== undefined){
let data3 = data.order;
if(!((typeof data3 == "number") && (isFinite(data3)))){
const err11 = {instancePath:instancePath+"/order",schemaPath:"#/properties/order/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema40.properties.order.type,parentSchema:schema40.properties.order,data:data3};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.kind !== undefined){
let data4 = data.kind;
if(typeof data4 !== "string"){
const err12 = {instancePath:instancePath+"/kind",schemaPath:"#/properties/kind/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema40.properties.kind.type,parentSchema:schema40.properties.kind,data:data4};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if("mcp" !== data4){
const err13 = {instancePath:instancePath+"/kind",schemaPath:"#/properties/kind/const",keyword:"const",params:{allowedValue: "mcp"},message:"must be equal to constant",schema:"mcp",parentSchema:schema40.properties.kind,data:data4};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
let data5 = data.description;
if(typeof data5 !== "string"){
const err14 = {instancePath:instancePath+"/description",schemaPath:"#/properties/description/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema40.properties.description.type,parentSchema:schema40.properties.description,data:data5};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
if(data.command !== undefined){
let data6 = data.command;
if(typeof data6 === "string"){
if(func1(data6) > 1000){
const err15 = {instancePath:instancePath+"/command",schemaPath:"#/properties/command/maxLength",keyword:"maxLength",params:{limit: 1000},message:"must NOT have more than 1000 characters",schema:1000,parentSchema:schema40.properties.command,data:data6};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
if(func1(data6) < 1){
const err16 = {instancePath:instancePath+"/command",schemaPath:"#/properties/command/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema40.properties.command,data:data6};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
else {
const err17 = {instancePath:instancePath+"/command",schemaPath:"#/properties/command/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema40.properties.command.type,parentSchema:schema40.properties.command,data:data6};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
if(data.args !== undefined){
let data7 = data.args;
if(Array.isArray(data7)){
if(data7.length > 100){
const err18 = {instancePath:instancePath+"/args",schemaPath:"#/properties/args/maxItems",keyword:"maxItems",params:{limit: 100},message:"must NOT have more than 100 items",schema:100,parentSchema:schema40.properties.args,data:data7};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
const len0 = data7.length;
for(let i0=0; i0<len0; i0++){
let data8 = data7[i0];
if(typeof data8 === "string"){
if(func1(data8) > 10000){
const err19 = {instancePath:instancePath+"/args/" + i0,schemaPath:"#/properties/args/items/maxLength",keyword:"maxLength",params:{limit: 10000},message:"must NOT have more than 10000 characters",schema:10000,parentSchema:schema40.properties.args.items,data:data8};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
else {
const err20 = {instancePath:instancePath+"/args/" + i0,schemaPath:"#/properties/args/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema40.properties.args.items.type,parentSchema:schema40.properties.args.items,data:data8};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
}
else {
const err21 = {instancePath:instancePath+"/args",schemaPath:"#/properties/args/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema40.properties.args.type,parentSchema:schema40.properties.args,data:data7};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
if(data.env !== undefined){
let data9 = data.env;
if(data9 && typeof data9 == "object" && !Array.isArray(data9)){
if(Object.keys(data9).length > 100){
const err22 = {instancePath:instancePath+"/env",schemaPath:"#/properties/env/maxProperties",keyword:"maxProperties",params:{limit: 100},message:"must NOT have more than 100 properties",schema:100,parentSchema:schema40.properties.env,data:data9};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
for(const key1 in data9){
const _errs25 = errors;
if(typeof key1 === "string"){
if(!pattern38.test(key1)){
const err23 = {instancePath:instancePath+"/env",schemaPath:"#/properties/env/propertyNames/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z_][A-Za-z0-9_]{0,127}$"},message:"must match pattern \""+"^[A-Za-z_][A-Za-z0-9_]{0,127}$"+"\"",schema:"^[A-Za-z_][A-Za-z0-9_]{0,127}$",parentSchema:schema40.properties.env.propertyNames,data:key1,propertyName:key1};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
var valid4 = _errs25 === errors;
if(!valid4){
const err24 = {instancePath:instancePath+"/env",schemaPath:"#/properties/env/propertyNames",keyword:"propertyNames",params:{propertyName: key1},message:"property name must be valid",schema:schema40.properties.env.propertyNames,parentSchema:schema40.properties.env,data:data9};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
for(const key2 in data9){
let data10 = data9[key2];
if(typeof data10 === "string"){
if(func1(data10) > 10000){
const err25 = {instancePath:instancePath+"/env/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/env/additionalProperties/maxLength",keyword:"maxLength",params:{limit: 10000},message:"must NOT have more than 10000 characters",schema:10000,parentSchema:schema40.properties.env.additionalProperties,data:data10};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
else {
const err26 = {instancePath:instancePath+"/env/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/env/additionalProperties/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema40.properties.env.additionalProperties.type,parentSchema:schema40.properties.env.additionalProperties,data:data10};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
}
else {
const err27 = {instancePath:instancePath+"/env",schemaPath:"#/properties/env/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema40.properties.env.type,parentSchema:schema40.properties.env,data:data9};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
if(data.cwd !== undefined){
let data11 = data.cwd;
if(typeof data11 === "string"){
if(func1(data11) > 1000){
const err28 = {instancePath:instancePath+"/cwd",schemaPath:"#/properties/cwd/maxLength",keyword:"maxLength",params:{limit: 1000},message:"must NOT have more than 1000 characters",schema:1000,parentSchema:schema40.properties.cwd,data:data11};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
if(func1(data11) < 1){
const err29 = {instancePath:instancePath+"/cwd",schemaPath:"#/properties/cwd/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema40.properties.cwd,data:data11};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
else {
const err30 = {instancePath:instancePath+"/cwd",schemaPath:"#/properties/cwd/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema40.properties.cwd.type,parentSchema:schema40.properties.cwd,data:data11};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
if(data.url !== undefined){
let data12 = data.url;
if(typeof data12 === "string"){
if(func1(data12) > 2000){
const err31 = {instancePath:instancePath+"/url",schemaPath:"#/properties/url/maxLength",keyword:"maxLength",params:{limit: 2000},message:"must NOT have more than 2000 characters",schema:2000,parentSchema:schema40.properties.url,data:data12};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
if(!pattern24.test(data12)){
const err32 = {instancePath:instancePath+"/url",schemaPath:"#/properties/url/pattern",keyword:"pattern",params:{pattern: "^https?://[^\\s]+$"},message:"must match pattern \""+"^https?://[^\\s]+$"+"\"",schema:"^https?://[^\\s]+$",parentSchema:schema40.properties.url,data:data12};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
else {
const err33 = {instancePath:instancePath+"/url",schemaPath:"#/properties/url/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema40.properties.url.type,parentSchema:schema40.properties.url,data:data12};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
if(data.headers !== undefined){
let data13 = data.headers;
if(data13 && typeof data13 == "object" && !Array.isArray(data13)){
if(Object.keys(data13).length > 100){
const err34 = {instancePath:instancePath+"/headers",schemaPath:"#/properties/headers/maxProperties",keyword:"maxProperties",params:{limit: 100},message:"must NOT have more than 100 properties",schema:100,parentSchema:schema40.properties.headers,data:data13};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
for(const key3 in data13){
const _errs35 = errors;
if(typeof key3 === "string"){
if(!pattern121.test(key3)){
const err35 = {instancePath:instancePath+"/headers",schemaPath:"#/properties/headers/propertyNames/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$"},message:"must match pattern \""+"^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$"+"\"",schema:"^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$",parentSchema:schema40.properties.headers.propertyNames,data:key3,propertyName:key3};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
}
var valid6 = _errs35 === errors;
if(!valid6){
const err36 = {instancePath:instancePath+"/headers",schemaPath:"#/properties/headers/propertyNames",keyword:"propertyNames",params:{propertyName: key3},message:"property name must be valid",schema:schema40.properties.headers.propertyNames,parentSchema:schema40.properties.headers,data:data13};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
}
for(const key4 in data13){
let data14 = data13[key4];
if(typeof data14 === "string"){
if(func1(data14) > 10000){
const err37 = {instancePath:instancePath+"/headers/" + key4.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/headers/additionalProperties/maxLength",keyword:"maxLength",params:{limit: 10000},message:"must NOT have more than 10000 characters",schema:10000,parentSchema:schema40.properties.headers.additionalProperties,data:data14};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
}
else {
const err38 = {instancePath:instancePath+"/headers/" + key4.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/headers/additionalProperties/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema40.properties.headers.additionalProperties.type,parentSchema:schema40.properties.headers.additionalProperties,data:data14};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
}
}
else {
const err39 = {instancePath:instancePath+"/headers",schemaPath:"#/properties/headers/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema40.properties.headers.type,parentSchema:schema40.properties.headers,data:data13};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
}
if(data.allowHosts !== undefined){
let data15 = data.allowHosts;
if(Array.isArray(data15)){
if(data15.length > 100){
const err40 = {instancePath:instancePath+"/allowHosts",schemaPath:"#/properties/allowHosts/maxItems",keyword:"maxItems",params:{limit: 100},message:"must NOT have more than 100 items",schema:100,parentSchema:schema40.properties.allowHosts,data:data15};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
const len1 = data15.length;
for(let i1=0; i1<len1; i1++){
let data16 = data15[i1];
if(typeof data16 === "string"){
if(!pattern122.test(data16)){
const err41 = {instancePath:instancePath+"/allowHosts/" + i1,schemaPath:"#/properties/allowHosts/items/pattern",keyword:"pattern",params:{pattern: "^[^\\s/@?#]{1,255}$"},message:"must match pattern \""+"^[^\\s/@?#]{1,255}$"+"\"",schema:"^[^\\s/@?#]{1,255}$",parentSchema:schema40.properties.allowHosts.items,data:data16};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
}
else {
const err42 = {instancePath:instancePath+"/allowHosts/" + i1,schemaPath:"#/properties/allowHosts/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema40.properties.allowHosts.items.type,parentSchema:schema40.properties.allowHosts.items,data:data16};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
}
}
else {
const err43 = {instancePath:instancePath+"/allowHosts",schemaPath:"#/properties/allowHosts/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema40.properties.allowHosts.type,parentSchema:schema40.properties.allowHosts,data:data15};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
}
if(data.allow !== undefined){
let data17 = data.allow;
if(Array.isArray(data17)){
if(data17.length > 1000){
const err44 = {instancePath:instancePath+"/allow",schemaPath:"#/properties/allow/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items",schema:1000,parentSchema:schema40.properties.allow,data:data17};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
const len2 = data17.length;
for(let i2=0; i2<len2; i2++){
let data18 = data17[i2];
if(typeof data18 === "string"){
if(func1(data18) > 200){
const err45 = {instancePath:instancePath+"/allow/" + i2,schemaPath:"#/properties/allow/items/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters",schema:200,parentSchema:schema40.properties.allow.items,data:data18};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
if(func1(data18) < 1){
const err46 = {instancePath:instancePath+"/allow/" + i2,schemaPath:"#/properties/allow/items/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema40.properties.allow.items,data:data18};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
}
else {
const err47 = {instancePath:instancePath+"/allow/" + i2,schemaPath:"#/properties/allow/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema40.properties.allow.items.type,parentSchema:schema40.properties.allow.items,data:data18};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
}
}
else {
const err48 = {instancePath:instancePath+"/allow",schemaPath:"#/properties/allow/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema40.properties.allow.type,parentSchema:schema40.properties.allow,data:data17};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
}
let data19 = data.effects;
if(typeof data19 !== "string"){
const err49 = {instancePath:instancePath+"/effects",schemaPath:"#/properties/effects/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema40.properties.effects.type,parentSchema:schema40.properties.effects,data:data19};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
if(!((data19 === "read") || (data19 === "write"))){
const err50 = {instancePath:instancePath+"/effects",schemaPath:"#/properties/effects/enum",keyword:"enum",params:{allowedValues: schema40.properties.effects.enum},message:"must be equal to one of the allowed values",schema:schema40.properties.effects.enum,parentSchema:schema40.properties.effects,data:data19};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
let data20 = data.timeoutSeconds;
if((typeof data20 == "number") && (isFinite(data20))){
if(data20 > 600 || isNaN(data20)){
const err51 = {instancePath:instancePath+"/timeoutSeconds",schemaPath:"#/properties/timeoutSeconds/maximum",keyword:"maximum",params:{comparison: "<=", limit: 600},message:"must be <= 600",schema:600,parentSchema:schema40.properties.timeoutSeconds,data:data20};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
}
if(data20 <= 0 || isNaN(data20)){
const err52 = {instancePath:instancePath+"/timeoutSeconds",schemaPath:"#/properties/timeoutSeconds/exclusiveMinimum",keyword:"exclusiveMinimum",params:{comparison: ">", limit: 0},message:"must be > 0",schema:0,parentSchema:schema40.properties.timeoutSeconds,data:data20};
if(vErrors === null){
vErrors = [err52];
}
else {
vErrors.push(err52);
}
errors++;
}
}
else {
const err53 = {instancePath:instancePath+"/timeoutSeconds",schemaPath:"#/properties/timeoutSeconds/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema40.properties.timeoutSeconds.type,parentSchema:schema40.properties.timeoutSeconds,data:data20};
if(vErrors === null){
vErrors = [err53];
}
else {
vErrors.push(err53);
}
errors++;
}
let data21 = data.maxBytes;
if(!(((typeof data21 == "number") && (!(data21 % 1) && !isNaN(data21))) && (isFinite(data21)))){
const err54 = {instancePath:instancePath+"/maxBytes",schemaPath:"#/properties/maxBytes/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema40.properties.maxBytes.type,parentSchema:schema40.properties.maxBytes,data:data21};
if(vErrors === null){
vErrors = [err54];
}
else {
vErrors.push(err54);
}
errors++;
}
if((typeof data21 == "number") && (isFinite(data21))){
if(data21 > 5000000 || isNaN(data21)){
const err55 = {instancePath:instancePath+"/maxBytes",schemaPath:"#/properties/maxBytes/maximum",keyword:"maximum",params:{comparison: "<=", limit: 5000000},message:"must be <= 5000000",schema:5000000,parentSchema:schema40.properties.maxBytes,data:data21};
if(vErrors === null){
vErrors = [err55];
}
else {
vErrors.push(err55);
}
errors++;
}
if(data21 < 1 || isNaN(data21)){
const err56 = {instancePath:instancePath+"/maxBytes",schemaPath:"#/properties/maxBytes/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema40.properties.maxBytes,data:data21};
if(vErrors === null){
vErrors = [err56];
}
else {
vErrors.push(err56);
}
errors++;
}
}
let data22 = data.trust;
if(typeof data22 !== "string"){
const err57 = {instancePath:instancePath+"/trust",schemaPath:"#/properties/trust/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema40.properties.trust.type,parentSchema:schema40.properties.trust,data:data22};
if(vErrors === null){
vErrors = [err57];
}
else {
vErrors.push(err57);
}
errors++;
}
if(!((data22 === "untrusted") || (data22 === "trusted"))){
const err58 = {instancePath:instancePath+"/trust",schemaPath:"#/properties/trust/enum",keyword:"enum",params:{allowedValues: schema40.properties.trust.enum},message:"must be equal to one of the allowed values",schema:schema40.properties.trust.enum,parentSchema:schema40.properties.trust,data:data22};
if(vErrors === null){
vErrors = [err58];
}
else {
vErrors.push(err58);
}
errors++;
}
if(data.args !== undefined){
if(data.command === undefined){
const err59 = {instancePath,schemaPath:"#/dependentRequired",keyword:"dependentRequired",params:{property: "args",
    missingProperty: "command",
    depsCount: 1,
    deps: "command"},message:"must have property command when property args is present",schema:schema40.dependentRequired,parentSchema:schema40,data};
if(vErrors === null){
vErrors = [err59];
}
else {
vErrors.push(err59);
}
errors++;
}
}
if(data.env !== undefined){
if(data.command === undefined){
const err60 = {instancePath,schemaPath:"#/dependentRequired",keyword:"dependentRequired",params:{property: "env",
    missingProperty: "command",
    depsCount: 1,
    deps: "command"},message:"must have property command when property env is present",schema:schema40.dependentRequired,parentSchema:schema40,data};
if(vErrors === null){
vErrors = [err60];
}
else {
vErrors.push(err60);
}
errors++;
}
}
if(data.cwd !== undefined){
if(data.command === undefined){
const err61 = {instancePath,schemaPath:"#/dependentRequired",keyword:"dependentRequired",params:{property: "cwd",
    missingProperty: "command",
    depsCount: 1,
    deps: "command"},message:"must have property command when property cwd is present",schema:schema40.dependentRequired,parentSchema:schema40,data};
if(vErrors === null){
vErrors = [err61];
}
else {
vErrors.push(err61);
}
errors++;
}
}
if(data.headers !== undefined){
if(data.url === undefined){
const err62 = {instancePath,schemaPath:"#/dependentRequired",keyword:"dependentRequired",params:{property: "headers",
    missingProperty: "url",
    depsCount: 1,
    deps: "url"},message:"must have property url when property headers is present",schema:schema40.dependentRequired,parentSchema:schema40,data};
if(vErrors === null){
vErrors = [err62];
}
else {
vErrors.push(err62);
}
errors++;
}
}
if(data.allowHosts !== undefined){
if(data.url === undefined){
const err63 = {instancePath,schemaPath:"#/dependentRequired",keyword:"dependentRequired",params:{property: "allowHosts",
    missingProperty: "url",
    depsCount: 1,
    deps: "url"},message:"must have property url when property allowHosts is present",schema:schema40.dependentRequired,parentSchema:schema40,data};
if(vErrors === null){
vErrors = [err63];
}
else {
vErrors.push(err63);
}
errors++;
}
}
}
else {
const err64 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema40.type,parentSchema:schema40,data};
if(vErrors === null){
vErrors = [err64];
}
else {
vErrors.push(err64);
}
errors++;
}
validate79.errors = vErrors;
return errors === 0;
}
validate79.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate76(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="tool.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate76.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.id === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'",schema:schema37.required,parentSchema:schema37,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.kind === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "kind"},message:"must have required property '"+"kind"+"'",schema:schema37.required,parentSchema:schema37,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
const tag0 = data.kind;
if(typeof tag0 == "string"){
if(tag0 === "http"){
if(!(validate77(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate77.errors : vErrors.concat(validate77.errors);
errors = vErrors.length;
}
var props0 = true;
}
else if(tag0 === "command"){
if(!(validate78(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate78.errors : vErrors.concat(validate78.errors);
errors = vErrors.length;
}
if(props0 !== true){
props0 = true;
}
}
else if(tag0 === "mcp"){
if(!(validate79(data, {instancePath,parentData,parentDataProperty,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate79.errors : vErrors.concat(validate79.errors);
errors = vErrors.length;
}
if(props0 !== true){
props0 = true;
}
}
else {
const err2 = {instancePath,schemaPath:"#/discriminator",keyword:"discriminator",params:{error: "mapping", tag: "kind", tagValue: tag0},message:"value of tag \"kind\" must be in oneOf",schema:schema37.discriminator,parentSchema:schema37,data};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath,schemaPath:"#/discriminator",keyword:"discriminator",params:{error: "tag", tag: "kind", tagValue: tag0},message:"tag \"kind\" must be string",schema:schema37.discriminator,parentSchema:schema37,data};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
else {
const err4 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema37.type,parentSchema:schema37,data};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
validate76.errors = vErrors;
evaluated0.props = props0;
return errors === 0;
}
validate76.evaluated = {"dynamicProps":true,"dynamicItems":false};

export const chat = validate83;
const schema41 = {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"chat.schema.json","title":"ChatPreset","description":"A preset of group chats: a file in `chats/`. A new chat copies it, so a later change of the file changes no chat.","type":"object","additionalProperties":false,"required":["id","participants"],"properties":{"$schema":{"description":"The schema of a JSON file, for editors. YAML files name it in their first line.","type":"string","examples":["../../schemas/chat.schema.json"]},"id":{"description":"Id of this preset. Equals the file name.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["design-review"]},"description":{"description":"A note for people.","type":"string","default":"","examples":["Two reviewers with different views."]},"enabled":{"description":"Set to false to disable this preset without deleting its file.","type":"boolean","default":true,"examples":[false]},"order":{"description":"Position among the presets: lowest number first, then by id. Presets without a number come last.","type":"number","x-unit":"rank","examples":[10]},"title":{"description":"Title of a new chat. Default: `New chat` and the day.","type":"string","minLength":1,"maxLength":200,"examples":["Design review"]},"context":{"description":"What the chat is about: part of each prompt.","type":"string","maxLength":100000,"default":"","examples":["We review the payment service."]},"maxRounds":{"description":"Rounds of mentions after one message of a person. A person's next message starts again from the first.","type":"integer","minimum":1,"maximum":10,"default":3,"x-unit":"rounds","examples":[3]},"mentions":{"description":"How mentions are found in messages.","type":"object","additionalProperties":false,"default":{},"properties":{"caseSensitive":{"description":"Whether the names of `@DisplayName` must be written in the same case.","type":"boolean","default":false,"examples":[true]}},"examples":[{"caseSensitive":true}]},"files":{"description":"Files whose content is part of each prompt: at most 20, 256 KB together. They lie in folders of `roots` in `settings.yaml`: `lab:/plan.md` names the notebook `lab`, any other path counts from the folder that contains the config folder.","type":"array","items":{"description":"Path of a file.","type":"string","minLength":1,"maxLength":1000,"examples":["lab:/plan.md"]},"default":[],"maxItems":20,"examples":[["./notebooks/lab/plan.md"]]},"participants":{"description":"Who takes part besides the person.","type":"array","minItems":1,"maxItems":20,"items":{"$ref":"#/$defs/participant"},"examples":[[{"displayName":"Jane Doe","apiConfigId":"codex","persona":"A careful architect.","color":"#7c3aed"}]]}},"$defs":{"participant":{"title":"PresetParticipant","description":"A participant of the chat: a model or command-line agent (`apiConfigId`), or an agent of `agents/` (`agentId`).","type":"object","additionalProperties":false,"required":["displayName"],"properties":{"displayName":{"description":"Name in the chat. `@` and the name, or its handle, mentions the participant.","type":"string","minLength":1,"maxLength":60,"pattern":"^[^\\s@\\u0000-\\u001f][^@\\u0000-\\u001f]*$","x-expected":"a name without @ and without spaces before it","examples":["Jane Doe"]},"apiConfigId":{"description":"The API that speaks for the participant, a file in `apis/`. Either this or `agentId`.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["codex"]},"agentId":{"description":"The agent that speaks, with its tools, scope, permissions and budget: a file in `agents/`. Either this or `apiConfigId`.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["psychologist"]},"persona":{"description":"Role and instructions of the participant, in its prompt.","type":"string","maxLength":20000,"default":"","examples":["A careful architect."]},"color":{"description":"Colour of the name and the messages. Default: the next of eight colours that are readable in light and dark.","type":"string","pattern":"^#[0-9A-Fa-f]{6}$","x-expected":"a colour such as #7c3aed","examples":["#7c3aed"]},"permissions":{"description":"Judges the permission requests of a command-line agent while it works in a folder, by names such as `cli_read`, `cli_edit`, `cli_execute` or `cli_fetch`. `deny` is checked first, then `ask`, then `allow`. What no list names asks a person.","type":"object","additionalProperties":false,"properties":{"allow":{"description":"Requests that are allowed.","type":"array","items":{"description":"A name, perhaps with patterns for arguments: `*` stands for any characters.","type":"string","minLength":1,"maxLength":200,"examples":["cli_read"]},"default":[],"examples":[["cli_read"]],"maxItems":1000},"ask":{"description":"Requests that wait for the approval of a person.","type":"array","items":{"description":"A name, perhaps with patterns for arguments: `*` stands for any characters.","type":"string","minLength":1,"maxLength":200,"examples":["cli_read"]},"default":[],"examples":[["cli_edit"]],"maxItems":1000},"deny":{"description":"Requests that are refused.","type":"array","items":{"description":"A name, perhaps with patterns for arguments: `*` stands for any characters.","type":"string","minLength":1,"maxLength":200,"examples":["cli_read"]},"default":[],"examples":[["cli_fetch"]],"maxItems":1000}},"examples":[{"allow":["cli_read"],"deny":["cli_fetch"]}]},"roaming":{"description":"Lets a command-line agent read files and run commands in a folder. It stays off until a person has confirmed the warning in the chat.","type":"object","additionalProperties":false,"default":{},"properties":{"enabled":{"description":"Whether the participant may roam, once a person has confirmed it.","type":"boolean","default":false,"examples":[true]},"workspaceDir":{"description":"The folder. A path counts from the folder that contains the config folder. Needed with `enabled: true`.","type":"string","minLength":1,"maxLength":4096,"examples":["./workspace"]},"mode":{"description":"`safe`: the read-only or sandbox mode of the tool. `yolo`: the tool runs what it wants, without questions.","type":"string","enum":["safe","yolo"],"default":"safe","examples":["safe"]}},"examples":[{"enabled":true,"workspaceDir":"./workspace","mode":"safe"}]}}}}};
const schema42 = {"title":"PresetParticipant","description":"A participant of the chat: a model or command-line agent (`apiConfigId`), or an agent of `agents/` (`agentId`).","type":"object","additionalProperties":false,"required":["displayName"],"properties":{"displayName":{"description":"Name in the chat. `@` and the name, or its handle, mentions the participant.","type":"string","minLength":1,"maxLength":60,"pattern":"^[^\\s@\\u0000-\\u001f][^@\\u0000-\\u001f]*$","x-expected":"a name without @ and without spaces before it","examples":["Jane Doe"]},"apiConfigId":{"description":"The API that speaks for the participant, a file in `apis/`. Either this or `agentId`.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["codex"]},"agentId":{"description":"The agent that speaks, with its tools, scope, permissions and budget: a file in `agents/`. Either this or `apiConfigId`.","type":"string","pattern":"^[A-Za-z0-9_-]{1,48}$","x-expected":"an id: 1 to 48 letters, digits, _ or -","examples":["psychologist"]},"persona":{"description":"Role and instructions of the participant, in its prompt.","type":"string","maxLength":20000,"default":"","examples":["A careful architect."]},"color":{"description":"Colour of the name and the messages. Default: the next of eight colours that are readable in light and dark.","type":"string","pattern":"^#[0-9A-Fa-f]{6}$","x-expected":"a colour such as #7c3aed","examples":["#7c3aed"]},"permissions":{"description":"Judges the permission requests of a command-line agent while it works in a folder, by names such as `cli_read`, `cli_edit`, `cli_execute` or `cli_fetch`. `deny` is checked first, then `ask`, then `allow`. What no list names asks a person.","type":"object","additionalProperties":false,"properties":{"allow":{"description":"Requests that are allowed.","type":"array","items":{"description":"A name, perhaps with patterns for arguments: `*` stands for any characters.","type":"string","minLength":1,"maxLength":200,"examples":["cli_read"]},"default":[],"examples":[["cli_read"]],"maxItems":1000},"ask":{"description":"Requests that wait for the approval of a person.","type":"array","items":{"description":"A name, perhaps with patterns for arguments: `*` stands for any characters.","type":"string","minLength":1,"maxLength":200,"examples":["cli_read"]},"default":[],"examples":[["cli_edit"]],"maxItems":1000},"deny":{"description":"Requests that are refused.","type":"array","items":{"description":"A name, perhaps with patterns for arguments: `*` stands for any characters.","type":"string","minLength":1,"maxLength":200,"examples":["cli_read"]},"default":[],"examples":[["cli_fetch"]],"maxItems":1000}},"examples":[{"allow":["cli_read"],"deny":["cli_fetch"]}]},"roaming":{"description":"Lets a command-line agent read files and run commands in a folder. It stays off until a person has confirmed the warning in the chat.","type":"object","additionalProperties":false,"default":{},"properties":{"enabled":{"description":"Whether the participant may roam, once a person has confirmed it.","type":"boolean","default":false,"examples":[true]},"workspaceDir":{"description":"The folder. A path counts from the folder that contains the config folder. Needed with `enabled: true`.","type":"string","minLength":1,"maxLength":4096,"examples":["./workspace"]},"mode":{"description":"`safe`: the read-only or sandbox mode of the tool. `yolo`: the tool runs what it wants, without questions.","type":"string","enum":["safe","yolo"],"default":"safe","examples":["safe"]}},"examples":[{"enabled":true,"workspaceDir":"./workspace","mode":"safe"}]}}};
const pattern132 = new RegExp("^[^\\s@\\u0000-\\u001f][^@\\u0000-\\u001f]*$", "u");
const pattern135 = new RegExp("^#[0-9A-Fa-f]{6}$", "u");

function validate84(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate84.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.persona === undefined){
data.persona = "";
}
if(data.roaming === undefined){
data.roaming = {};
}
if(data.displayName === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "displayName"},message:"must have required property '"+"displayName"+"'",schema:schema42.required,parentSchema:schema42,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
for(const key0 in data){
if(!(((((((key0 === "displayName") || (key0 === "apiConfigId")) || (key0 === "agentId")) || (key0 === "persona")) || (key0 === "color")) || (key0 === "permissions")) || (key0 === "roaming"))){
const err1 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema42,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.displayName !== undefined){
let data0 = data.displayName;
if(typeof data0 === "string"){
if(func1(data0) > 60){
const err2 = {instancePath:instancePath+"/displayName",schemaPath:"#/properties/displayName/maxLength",keyword:"maxLength",params:{limit: 60},message:"must NOT have more than 60 characters",schema:60,parentSchema:schema42.properties.displayName,data:data0};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(func1(data0) < 1){
const err3 = {instancePath:instancePath+"/displayName",schemaPath:"#/properties/displayName/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema42.properties.displayName,data:data0};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(!pattern132.test(data0)){
const err4 = {instancePath:instancePath+"/displayName",schemaPath:"#/properties/displayName/pattern",keyword:"pattern",params:{pattern: "^[^\\s@\\u0000-\\u001f][^@\\u0000-\\u001f]*$"},message:"must match pattern \""+"^[^\\s@\\u0000-\\u001f][^@\\u0000-\\u001f]*$"+"\"",schema:"^[^\\s@\\u0000-\\u001f][^@\\u0000-\\u001f]*$",parentSchema:schema42.properties.displayName,data:data0};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/displayName",schemaPath:"#/properties/displayName/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema42.properties.displayName.type,parentSchema:schema42.properties.displayName,data:data0};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.apiConfigId !== undefined){
let data1 = data.apiConfigId;
if(typeof data1 === "string"){
if(!pattern0.test(data1)){
const err6 = {instancePath:instancePath+"/apiConfigId",schemaPath:"#/properties/apiConfigId/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{1,48}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{1,48}$"+"\"",schema:"^[A-Za-z0-9_-]{1,48}$",parentSchema:schema42.properties.apiConfigId,data:data1};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/apiConfigId",schemaPath:"#/properties/apiConfigId/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema42.properties.apiConfigId.type,parentSchema:schema42.properties.apiConfigId,data:data1};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.agentId !== undefined){
let data2 = data.agentId;
if(typeof data2 === "string"){
if(!pattern0.test(data2)){
const err8 = {instancePath:instancePath+"/agentId",schemaPath:"#/properties/agentId/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{1,48}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{1,48}$"+"\"",schema:"^[A-Za-z0-9_-]{1,48}$",parentSchema:schema42.properties.agentId,data:data2};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
else {
const err9 = {instancePath:instancePath+"/agentId",schemaPath:"#/properties/agentId/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema42.properties.agentId.type,parentSchema:schema42.properties.agentId,data:data2};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
let data3 = data.persona;
if(typeof data3 === "string"){
if(func1(data3) > 20000){
const err10 = {instancePath:instancePath+"/persona",schemaPath:"#/properties/persona/maxLength",keyword:"maxLength",params:{limit: 20000},message:"must NOT have more than 20000 characters",schema:20000,parentSchema:schema42.properties.persona,data:data3};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
else {
const err11 = {instancePath:instancePath+"/persona",schemaPath:"#/properties/persona/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema42.properties.persona.type,parentSchema:schema42.properties.persona,data:data3};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if(data.color !== undefined){
let data4 = data.color;
if(typeof data4 === "string"){
if(!pattern135.test(data4)){
const err12 = {instancePath:instancePath+"/color",schemaPath:"#/properties/color/pattern",keyword:"pattern",params:{pattern: "^#[0-9A-Fa-f]{6}$"},message:"must match pattern \""+"^#[0-9A-Fa-f]{6}$"+"\"",schema:"^#[0-9A-Fa-f]{6}$",parentSchema:schema42.properties.color,data:data4};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
else {
const err13 = {instancePath:instancePath+"/color",schemaPath:"#/properties/color/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema42.properties.color.type,parentSchema:schema42.properties.color,data:data4};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data.permissions !== undefined){
let data5 = data.permissions;
if(data5 && typeof data5 == "object" && !Array.isArray(data5)){
if(data5.allow === undefined){
data5.allow = [];
}
if(data5.ask === undefined){
data5.ask = [];
}
if(data5.deny === undefined){
data5.deny = [];
}
for(const key1 in data5){
if(!(((key1 === "allow") || (key1 === "ask")) || (key1 === "deny"))){
const err14 = {instancePath:instancePath+"/permissions",schemaPath:"#/properties/permissions/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties",schema:false,parentSchema:schema42.properties.permissions,data:data5};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
let data6 = data5.allow;
if(Array.isArray(data6)){
if(data6.length > 1000){
const err15 = {instancePath:instancePath+"/permissions/allow",schemaPath:"#/properties/permissions/properties/allow/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items",schema:1000,parentSchema:schema42.properties.permissions.properties.allow,data:data6};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
const len0 = data6.length;
for(let i0=0; i0<len0; i0++){
let data7 = data6[i0];
if(typeof data7 === "string"){
if(func1(data7) > 200){
const err16 = {instancePath:instancePath+"/permissions/allow/" + i0,schemaPath:"#/properties/permissions/properties/allow/items/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters",schema:200,parentSchema:schema42.properties.permissions.properties.allow.items,data:data7};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
if(func1(data7) < 1){
const err17 = {instancePath:instancePath+"/permissions/allow/" + i0,schemaPath:"#/properties/permissions/properties/allow/items/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema42.properties.permissions.properties.allow.items,data:data7};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
else {
const err18 = {instancePath:instancePath+"/permissions/allow/" + i0,schemaPath:"#/properties/permissions/properties/allow/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema42.properties.permissions.properties.allow.items.type,parentSchema:schema42.properties.permissions.properties.allow.items,data:data7};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
}
else {
const err19 = {instancePath:instancePath+"/permissions/allow",schemaPath:"#/properties/permissions/properties/allow/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema42.properties.permissions.properties.allow.type,parentSchema:schema42.properties.permissions.properties.allow,data:data6};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
let data8 = data5.ask;
if(Array.isArray(data8)){
if(data8.length > 1000){
const err20 = {instancePath:instancePath+"/permissions/ask",schemaPath:"#/properties/permissions/properties/ask/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items",schema:1000,parentSchema:schema42.properties.permissions.properties.ask,data:data8};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
const len1 = data8.length;
for(let i1=0; i1<len1; i1++){
let data9 = data8[i1];
if(typeof data9 === "string"){
if(func1(data9) > 200){
const err21 = {instancePath:instancePath+"/permissions/ask/" + i1,schemaPath:"#/properties/permissions/properties/ask/items/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters",schema:200,parentSchema:schema42.properties.permissions.properties.ask.items,data:data9};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
if(func1(data9) < 1){
const err22 = {instancePath:instancePath+"/permissions/ask/" + i1,schemaPath:"#/properties/permissions/properties/ask/items/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema42.properties.permissions.properties.ask.items,data:data9};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
else {
const err23 = {instancePath:instancePath+"/permissions/ask/" + i1,schemaPath:"#/properties/permissions/properties/ask/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema42.properties.permissions.properties.ask.items.type,parentSchema:schema42.properties.permissions.properties.ask.items,data:data9};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
}
else {
const err24 = {instancePath:instancePath+"/permissions/ask",schemaPath:"#/properties/permissions/properties/ask/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema42.properties.permissions.properties.ask.type,parentSchema:schema42.properties.permissions.properties.ask,data:data8};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
let data10 = data5.deny;
if(Array.isArray(data10)){
if(data10.length > 1000){
const err25 = {instancePath:instancePath+"/permissions/deny",schemaPath:"#/properties/permissions/properties/deny/maxItems",keyword:"maxItems",params:{limit: 1000},message:"must NOT have more than 1000 items",schema:1000,parentSchema:schema42.properties.permissions.properties.deny,data:data10};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
const len2 = data10.length;
for(let i2=0; i2<len2; i2++){
let data11 = data10[i2];
if(typeof data11 === "string"){
if(func1(data11) > 200){
const err26 = {instancePath:instancePath+"/permissions/deny/" + i2,schemaPath:"#/properties/permissions/properties/deny/items/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters",schema:200,parentSchema:schema42.properties.permissions.properties.deny.items,data:data11};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
if(func1(data11) < 1){
const err27 = {instancePath:instancePath+"/permissions/deny/" + i2,schemaPath:"#/properties/permissions/properties/deny/items/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema42.properties.permissions.properties.deny.items,data:data11};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
else {
const err28 = {instancePath:instancePath+"/permissions/deny/" + i2,schemaPath:"#/properties/permissions/properties/deny/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema42.properties.permissions.properties.deny.items.type,parentSchema:schema42.properties.permissions.properties.deny.items,data:data11};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
}
else {
const err29 = {instancePath:instancePath+"/permissions/deny",schemaPath:"#/properties/permissions/properties/deny/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema42.properties.permissions.properties.deny.type,parentSchema:schema42.properties.permissions.properties.deny,data:data10};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
else {
const err30 = {instancePath:instancePath+"/permissions",schemaPath:"#/properties/permissions/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema42.properties.permissions.type,parentSchema:schema42.properties.permissions,data:data5};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
let data12 = data.roaming;
if(data12 && typeof data12 == "object" && !Array.isArray(data12)){
if(data12.enabled === undefined){
data12.enabled = false;
}
if(data12.mode === undefined){
data12.mode = "safe";
}
for(const key2 in data12){
if(!(((key2 === "enabled") || (key2 === "workspaceDir")) || (key2 === "mode"))){
const err31 = {instancePath:instancePath+"/roaming",schemaPath:"#/properties/roaming/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2},message:"must NOT have additional properties",schema:false,parentSchema:schema42.properties.roaming,data:data12};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
let data13 = data12.enabled;
if(typeof data13 !== "boolean"){
const err32 = {instancePath:instancePath+"/roaming/enabled",schemaPath:"#/properties/roaming/properties/enabled/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema42.properties.roaming.properties.enabled.type,parentSchema:schema42.properties.roaming.properties.enabled,data:data13};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
if(data12.workspaceDir !== undefined){
let data14 = data12.workspaceDir;
if(typeof data14 === "string"){
if(func1(data14) > 4096){
const err33 = {instancePath:instancePath+"/roaming/workspaceDir",schemaPath:"#/properties/roaming/properties/workspaceDir/maxLength",keyword:"maxLength",params:{limit: 4096},message:"must NOT have more than 4096 characters",schema:4096,parentSchema:schema42.properties.roaming.properties.workspaceDir,data:data14};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
if(func1(data14) < 1){
const err34 = {instancePath:instancePath+"/roaming/workspaceDir",schemaPath:"#/properties/roaming/properties/workspaceDir/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema42.properties.roaming.properties.workspaceDir,data:data14};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
else {
const err35 = {instancePath:instancePath+"/roaming/workspaceDir",schemaPath:"#/properties/roaming/properties/workspaceDir/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema42.properties.roaming.properties.workspaceDir.type,parentSchema:schema42.properties.roaming.properties.workspaceDir,data:data14};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
}
let data15 = data12.mode;
if(typeof data15 !== "string"){
const err36 = {instancePath:instancePath+"/roaming/mode",schemaPath:"#/properties/roaming/properties/mode/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema42.properties.roaming.properties.mode.type,parentSchema:schema42.properties.roaming.properties.mode,data:data15};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
if(!((data15 === "safe") || (data15 === "yolo"))){
const err37 = {instancePath:instancePath+"/roaming/mode",schemaPath:"#/properties/roaming/properties/mode/enum",keyword:"enum",params:{allowedValues: schema42.properties.roaming.properties.mode.enum},message:"must be equal to one of the allowed values",schema:schema42.properties.roaming.properties.mode.enum,parentSchema:schema42.properties.roaming.properties.mode,data:data15};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
}
else {
const err38 = {instancePath:instancePath+"/roaming",schemaPath:"#/properties/roaming/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema42.properties.roaming.type,parentSchema:schema42.properties.roaming,data:data12};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
}
else {
const err39 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema42.type,parentSchema:schema42,data};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
validate84.errors = vErrors;
return errors === 0;
}
validate84.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate83(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="chat.schema.json" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate83.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.description === undefined){
data.description = "";
}
if(data.enabled === undefined){
data.enabled = true;
}
if(data.context === undefined){
data.context = "";
}
if(data.maxRounds === undefined){
data.maxRounds = 3;
}
if(data.mentions === undefined){
data.mentions = {};
}
if(data.files === undefined){
data.files = [];
}
if(data.id === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'",schema:schema41.required,parentSchema:schema41,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.participants === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "participants"},message:"must have required property '"+"participants"+"'",schema:schema41.required,parentSchema:schema41,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 in data){
if(!(func0.call(schema41.properties, key0))){
const err2 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema41,data};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.$schema !== undefined){
let data0 = data.$schema;
if(typeof data0 !== "string"){
const err3 = {instancePath:instancePath+"/$schema",schemaPath:"#/properties/%24schema/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema41.properties.$schema.type,parentSchema:schema41.properties.$schema,data:data0};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.id !== undefined){
let data1 = data.id;
if(typeof data1 === "string"){
if(!pattern0.test(data1)){
const err4 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{1,48}$"},message:"must match pattern \""+"^[A-Za-z0-9_-]{1,48}$"+"\"",schema:"^[A-Za-z0-9_-]{1,48}$",parentSchema:schema41.properties.id,data:data1};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema41.properties.id.type,parentSchema:schema41.properties.id,data:data1};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
let data2 = data.description;
if(typeof data2 !== "string"){
const err6 = {instancePath:instancePath+"/description",schemaPath:"#/properties/description/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema41.properties.description.type,parentSchema:schema41.properties.description,data:data2};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
let data3 = data.enabled;
if(typeof data3 !== "boolean"){
const err7 = {instancePath:instancePath+"/enabled",schemaPath:"#/properties/enabled/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema41.properties.enabled.type,parentSchema:schema41.properties.enabled,data:data3};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(data.order !== undefined){
let data4 = data.order;
if(!((typeof data4 == "number") && (isFinite(data4)))){
const err8 = {instancePath:instancePath+"/order",schemaPath:"#/properties/order/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema41.properties.order.type,parentSchema:schema41.properties.order,data:data4};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.title !== undefined){
let data5 = data.title;
if(typeof data5 === "string"){
if(func1(data5) > 200){
const err9 = {instancePath:instancePath+"/title",schemaPath:"#/properties/title/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters",schema:200,parentSchema:schema41.properties.title,data:data5};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(func1(data5) < 1){
const err10 = {instancePath:instancePath+"/title",schemaPath:"#/properties/title/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema41.properties.title,data:data5};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
else {
const err11 = {instancePath:instancePath+"/title",schemaPath:"#/properties/title/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema41.properties.title.type,parentSchema:schema41.properties.title,data:data5};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
let data6 = data.context;
if(typeof data6 === "string"){
if(func1(data6) > 100000){
const err12 = {instancePath:instancePath+"/context",schemaPath:"#/properties/context/maxLength",keyword:"maxLength",params:{limit: 100000},message:"must NOT have more than 100000 characters",schema:100000,parentSchema:schema41.properties.context,data:data6};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
else {
const err13 = {instancePath:instancePath+"/context",schemaPath:"#/properties/context/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema41.properties.context.type,parentSchema:schema41.properties.context,data:data6};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
let data7 = data.maxRounds;
if(!(((typeof data7 == "number") && (!(data7 % 1) && !isNaN(data7))) && (isFinite(data7)))){
const err14 = {instancePath:instancePath+"/maxRounds",schemaPath:"#/properties/maxRounds/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema41.properties.maxRounds.type,parentSchema:schema41.properties.maxRounds,data:data7};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
if((typeof data7 == "number") && (isFinite(data7))){
if(data7 > 10 || isNaN(data7)){
const err15 = {instancePath:instancePath+"/maxRounds",schemaPath:"#/properties/maxRounds/maximum",keyword:"maximum",params:{comparison: "<=", limit: 10},message:"must be <= 10",schema:10,parentSchema:schema41.properties.maxRounds,data:data7};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
if(data7 < 1 || isNaN(data7)){
const err16 = {instancePath:instancePath+"/maxRounds",schemaPath:"#/properties/maxRounds/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1",schema:1,parentSchema:schema41.properties.maxRounds,data:data7};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
let data8 = data.mentions;
if(data8 && typeof data8 == "object" && !Array.isArray(data8)){
if(data8.caseSensitive === undefined){
data8.caseSensitive = false;
}
for(const key1 in data8){
if(!(key1 === "caseSensitive")){
const err17 = {instancePath:instancePath+"/mentions",schemaPath:"#/properties/mentions/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties",schema:false,parentSchema:schema41.properties.mentions,data:data8};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
let data9 = data8.caseSensitive;
if(typeof data9 !== "boolean"){
const err18 = {instancePath:instancePath+"/mentions/caseSensitive",schemaPath:"#/properties/mentions/properties/caseSensitive/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema41.properties.mentions.properties.caseSensitive.type,parentSchema:schema41.properties.mentions.properties.caseSensitive,data:data9};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
else {
const err19 = {instancePath:instancePath+"/mentions",schemaPath:"#/properties/mentions/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema41.properties.mentions.type,parentSchema:schema41.properties.mentions,data:data8};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
let data10 = data.files;
if(Array.isArray(data10)){
if(data10.length > 20){
const err20 = {instancePath:instancePath+"/files",schemaPath:"#/properties/files/maxItems",keyword:"maxItems",params:{limit: 20},message:"must NOT have more than 20 items",schema:20,parentSchema:schema41.properties.files,data:data10};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
const len0 = data10.length;
for(let i0=0; i0<len0; i0++){
let data11 = data10[i0];
if(typeof data11 === "string"){
if(func1(data11) > 1000){
const err21 = {instancePath:instancePath+"/files/" + i0,schemaPath:"#/properties/files/items/maxLength",keyword:"maxLength",params:{limit: 1000},message:"must NOT have more than 1000 characters",schema:1000,parentSchema:schema41.properties.files.items,data:data11};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
if(func1(data11) < 1){
const err22 = {instancePath:instancePath+"/files/" + i0,schemaPath:"#/properties/files/items/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema41.properties.files.items,data:data11};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
else {
const err23 = {instancePath:instancePath+"/files/" + i0,schemaPath:"#/properties/files/items/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema41.properties.files.items.type,parentSchema:schema41.properties.files.items,data:data11};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
}
else {
const err24 = {instancePath:instancePath+"/files",schemaPath:"#/properties/files/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema41.properties.files.type,parentSchema:schema41.properties.files,data:data10};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
if(data.participants !== undefined){
let data12 = data.participants;
if(Array.isArray(data12)){
if(data12.length > 20){
const err25 = {instancePath:instancePath+"/participants",schemaPath:"#/properties/participants/maxItems",keyword:"maxItems",params:{limit: 20},message:"must NOT have more than 20 items",schema:20,parentSchema:schema41.properties.participants,data:data12};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
if(data12.length < 1){
const err26 = {instancePath:instancePath+"/participants",schemaPath:"#/properties/participants/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items",schema:1,parentSchema:schema41.properties.participants,data:data12};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
const len1 = data12.length;
for(let i1=0; i1<len1; i1++){
if(!(validate84(data12[i1], {instancePath:instancePath+"/participants/" + i1,parentData:data12,parentDataProperty:i1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate84.errors : vErrors.concat(validate84.errors);
errors = vErrors.length;
}
}
}
else {
const err27 = {instancePath:instancePath+"/participants",schemaPath:"#/properties/participants/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema41.properties.participants.type,parentSchema:schema41.properties.participants,data:data12};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
}
else {
const err28 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema41.type,parentSchema:schema41,data};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
validate83.errors = vErrors;
return errors === 0;
}
validate83.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};
