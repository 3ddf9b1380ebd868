import type { Files } from '../folder.ts';
import { agent, director, type ProblemCase } from '../problem-cases.ts';

const http = (rest: string, id = 'x'): Files => ({
  [`tools/${id}.yaml`]: `id: ${id}\nkind: http\ndescription: Looks up.\n${rest}`,
});
const command = (rest: string): Files => ({ 'tools/x.yaml': `id: x\nkind: command\ndescription: Counts.\n${rest}` });
const mcp = (rest: string): Files => ({ 'tools/tickets.yaml': `id: tickets\nkind: mcp\n${rest}` });
const TICKETS = mcp('command: npx\nallow: [search_tickets, get.ticket]\neffects: read\n');
const URL = 'request: { url: https://api.example.org/v1 }\n';
const QUERY = 'parameters: { type: object, properties: { query: { type: string } } }\n';

/** Tools that are declared as files, and the names that directors and agents write. */
export const DECLARED_TOOLS: readonly ProblemCase[] = [
  {
    name: 'a declared tool that a director uses',
    files: director('tools: [lookup]\npermissions: { ask: [lookup] }\n'),
    found: [],
  },
  {
    name: 'a misspelt declared tool',
    files: director('tools: [lokup]\n'),
    found: ['directors/boss.yaml:3:9 CONFIG_UNKNOWN_TOOL'],
    says: 'did you mean "lookup"? families: "workspace", "mail", "web", "notebook", "document", "memory" or "reminder"; declared tools: "lookup"',
  },
  {
    name: 'a misspelt declared tool in a rule',
    files: director('tools: [lookup]\npermissions: { ask: [lokup] }\n'),
    found: ['directors/boss.yaml:4:22 CONFIG_UNKNOWN_TOOL'],
    says: 'did you mean "lookup"?',
  },
  {
    name: 'a rule for a declared tool that the director does not have',
    files: director('permissions: { ask: [lookup, look*] }\n'),
    found: ['directors/boss.yaml:3:22 CONFIG_PERMISSION_UNUSED', 'directors/boss.yaml:3:30 CONFIG_PERMISSION_UNUSED'],
  },
  {
    name: 'rules of a director for tools that its agents alone have',
    files: {
      ...director('agents: [reader]\npermissions: { allow: [mail_read], ask: [lookup], deny: [mail_send] }\n'),
      ...agent('tools: [mail, lookup]\n'),
    },
    found: [],
  },
  {
    name: 'rules of a director for tools that neither it nor its agents have',
    files: {
      ...director('agents: [reader]\npermissions: { ask: [mail_read, lookup] }\n'),
      ...agent('tools: [mail_send]\n'),
    },
    found: ['directors/boss.yaml:4:22 CONFIG_PERMISSION_UNUSED', 'directors/boss.yaml:4:33 CONFIG_PERMISSION_UNUSED'],
    says: 'nor of those of its agents',
  },
  {
    name: 'rules with patterns for arguments, of built-in and declared tools, by alias and by glob',
    files: {
      ...http(`${URL}${QUERY}`),
      ...director(
        "tools: [mail, x]\npermissions: { allow: ['mail_send(to=*@a.org, cc=@thread)', x(query=a*)], deny: [mail_*(to=*)], ask: [read_email] }\n",
      ),
    },
    found: ['directors/boss.yaml:4:24 CONFIG_ASKS_ANYWAY', 'directors/boss.yaml:4:61 CONFIG_ASKS_ANYWAY'],
  },
  {
    name: 'a rule with an argument that its tool does not have',
    files: director('tools: [mail]\npermissions: { allow: [mail_send(tto=*@a.org)] }\n'),
    found: ['directors/boss.yaml:4:24 CONFIG_RULE'],
    says: '"mail_send" has no argument "tto"; did you mean "to"?',
  },
  {
    name: 'a rule that cannot be read',
    files: agent('tools: [mail]\npermissions: { allow: [mail_send(to:a@a.org)] }\n'),
    found: ['agents/reader.yaml:3:24 CONFIG_RULE'],
    says: '"to:a@a.org" has no =',
  },
  {
    name: 'a rule that two arguments without quotes tear apart',
    files: agent('tools: [mail]\npermissions: { allow: [mail_send(to=*, cc=*)] }\n'),
    found: ['agents/reader.yaml:3:24 CONFIG_VALUE', 'agents/reader.yaml:3:40 CONFIG_VALUE'],
    says: 'quotes',
  },
  {
    name: 'a rule whose pattern matches no address',
    files: agent('tools: [mail]\npermissions: { allow: [mail_send(to=@a.org)] }\n'),
    found: ['agents/reader.yaml:3:24 CONFIG_RULE'],
    says: '"@a.org" matches none write *@a.org',
  },
  {
    name: 'a rule with an argument that the tools of its glob do not have',
    files: agent('tools: [mail]\npermissions: { allow: ["mail_*(path=a)"] }\n'),
    found: ['agents/reader.yaml:3:24 CONFIG_RULE_UNMATCHED'],
  },
  {
    name: 'a rule with an argument that a declared tool does not have',
    files: { ...http(`${URL}${QUERY}`), ...agent('tools: [x]\npermissions: { allow: [x(qery=a)] }\n') },
    found: ['agents/reader.yaml:3:24 CONFIG_RULE_UNMATCHED'],
    says: 'did you mean "query"?',
  },
  {
    name: 'a rule with an argument of a tool that is not there',
    files: agent('tools: [mail]\npermissions: { allow: [mail_sent(to=*)] }\n'),
    found: ['agents/reader.yaml:3:24 CONFIG_UNKNOWN_TOOL'],
    says: 'did you mean "mail_send"?',
  },
  {
    name: 'a disabled tool that an agent names',
    files: { ...http(`${URL}enabled: false\n`), ...agent('tools: [x]\n') },
    found: ['agents/reader.yaml:2:9 CONFIG_DISABLED_IN_USE'],
    says: 'enable tools/x',
  },
  {
    name: 'the tools of an MCP server, by its id and by their names',
    files: {
      ...TICKETS,
      ...agent(
        'tools: [tickets]\npermissions: { allow: [tickets__search_tickets, tickets__*], ask: [tickets__get_ticket] }\n',
      ),
    },
    found: ['agents/reader.yaml:3:24 CONFIG_ASKS_ANYWAY', 'agents/reader.yaml:3:49 CONFIG_ASKS_ANYWAY'],
  },
  {
    name: 'a tool that the MCP document does not allow',
    files: { ...TICKETS, ...agent('tools: [tickets__serch_tickets]\n') },
    found: ['agents/reader.yaml:2:9 CONFIG_UNKNOWN_TOOL'],
    says: 'did you mean "tickets__search_tickets"?',
  },
  {
    name: 'an MCP server with a command and an address',
    files: mcp('command: npx\nurl: https://mcp.example.org\nallow: [a]\n'),
    found: ['tools/tickets.yaml:1:1 CONFIG_VALUE'],
    says: 'expected exactly one of "command" or "url"',
  },
  {
    name: 'the arguments of a program for an address',
    files: mcp('url: https://mcp.example.org\nargs: [a]\nallow: [a]\n'),
    found: ['tools/tickets.yaml:1:1 CONFIG_MISSING_KEY'],
  },
  {
    name: 'an unknown kind of tool',
    files: { 'tools/x.yaml': 'id: x\nkind: htp\n' },
    found: ['tools/x.yaml:2:7 CONFIG_VALUE'],
    says: 'did you mean "http"?',
  },
  ...(
    [
      ['mail_read', 'is the name of a built-in tool'],
      ['read_email', 'is another name of the built-in tool "mail_read"'],
      ['mail', 'is the name of a family'],
      ['list_tools', 'is the name of a built-in tool'],
      ['agent', 'is reserved'],
      ['catalog', 'is reserved'],
      ['agent__x', 'contains "__"'],
      ['a_', 'ends with "_"'],
    ] as const
  ).map(([id, says]) => ({
    name: `a declared tool called ${id}`,
    files: http(URL, id),
    found: [`tools/${id}.yaml:1:5 CONFIG_TOOL_NAME`],
    says,
  })),
  {
    name: 'parameters that are no object',
    files: http(`${URL}parameters: { type: string }\n`),
    found: ['tools/x.yaml:5:13 CONFIG_TOOL_PARAMETERS'],
    says: 'write type: object',
  },
  {
    name: 'parameters that are no JSON Schema',
    files: http(`${URL}parameters: { type: object, properties: { a: { type: text } } }\n`),
    found: ['tools/x.yaml:5:54 CONFIG_TOOL_PARAMETERS'],
    says: 'not a valid JSON Schema: properties.a.type',
  },
  {
    name: 'a pattern of a parameter that may take for ever',
    files: http(`${URL}parameters: { type: object, properties: { a: { type: string, pattern: '(?=a)b' } } }\n`),
    found: ['tools/x.yaml:5:71 CONFIG_TOOL_PARAMETERS'],
    says: 'cannot be used: look-ahead',
  },
  {
    name: 'a placeholder that is no parameter',
    files: http(`${QUERY}request: { url: "https://api.example.org/v1?q={{qery}}" }\n`),
    found: ['tools/x.yaml:5:17 CONFIG_UNKNOWN_VARIABLE'],
    says: 'did you mean "query"?',
  },
  {
    name: 'a placeholder in the host',
    files: http(`${QUERY}request: { url: "https://{{query}}.example.org/v1" }\n`),
    found: ['tools/x.yaml:5:17 CONFIG_TOOL_TEMPLATE'],
    says: 'the host is fixed',
  },
  {
    name: 'an optional parameter in the path',
    files: http(`${QUERY}request: { url: "https://api.example.org/{{query}}" }\n`),
    found: ['tools/x.yaml:5:17 CONFIG_TOOL_TEMPLATE'],
    says: 'add query to parameters.required',
  },
  ...['https://user:pw@api.example.org/', 'https://api.example.org/#a', 'https://api.example.org/a/../b'].map(
    (url) => ({
      name: `the address ${url}`,
      files: http(`request: { url: "${url}" }\n`),
      found: ['tools/x.yaml:4:17 CONFIG_TOOL_TEMPLATE'],
      says: 'the address cannot be used',
    }),
  ),
  {
    name: 'a placeholder in a name of the query',
    files: http(`${QUERY}request: { url: https://api.example.org/, query: { "{{query}}": a } }\n`),
    found: ['tools/x.yaml:5:52 CONFIG_TOOL_TEMPLATE'],
    says: 'is not fixed',
  },
  {
    name: 'a key in the open',
    files: http('request: { url: https://api.example.org/, headers: { X-Api-Key: hush-hush } }\n'),
    found: ['tools/x.yaml:4:65 CONFIG_SECRET_LITERAL'],
    says: 'must contain a reference',
  },
  {
    name: 'a header that the engine writes itself',
    files: http('request: { url: https://api.example.org/, headers: { Host: evil.example } }\n'),
    found: ['tools/x.yaml:4:54 CONFIG_VALUE'],
  },
  {
    name: 'a GET request with a body',
    files: http('request: { url: https://api.example.org/, json: {} }\n'),
    found: ['tools/x.yaml:4:10 CONFIG_TOOL_TEMPLATE'],
    says: 'write method: POST',
  },
  {
    name: 'two bodies',
    files: http('request: { method: POST, url: https://api.example.org/, json: {}, form: {} }\n'),
    found: ['tools/x.yaml:4:73 CONFIG_TOOL_TEMPLATE'],
    says: 'remove one of the two',
  },
  {
    name: 'a missing key within a longer text',
    files: http('request: { url: https://api.example.org/, headers: { Authorization: "Bearer ${env:NONE}" } }\n'),
    found: ['tools/x.yaml:4:69 CONFIG_ENV_UNSET'],
    says: 'so calls of this tool fail',
  },
  {
    name: 'a missing key of a disabled tool',
    files: http(
      'enabled: false\nrequest: { url: https://api.example.org/, headers: { Authorization: "Bearer ${env:NONE}" } }\n',
    ),
    found: [],
  },
  {
    name: 'a variable of the engine itself in a tool',
    files: http('request: { url: https://api.example.org/, headers: { X-A: "a ${env:DATABASE_URL}" } }\n'),
    found: ['tools/x.yaml:4:59 CONFIG_ENV_OWN'],
  },
  {
    name: 'a reference in the arguments of a command, which others can read',
    files: command('argv: [du, "${env:KEY}"]\n'),
    found: ['tools/x.yaml:4:12 CONFIG_REFERENCE_LITERAL'],
  },
  {
    name: 'a program that is not fixed',
    files: command(`${QUERY}argv: ["{{query}}"]\n`),
    found: ['tools/x.yaml:5:8 CONFIG_TOOL_TEMPLATE'],
    says: 'the program is not fixed',
  },
  {
    name: 'folders without a sandbox',
    files: command('argv: [du]\nfolders: [{ path: ./a }]\n'),
    found: ['tools/x.yaml:5:10 CONFIG_VALUE'],
  },
  {
    name: 'a local director with a tool of another network',
    files: {
      'apis/main.yaml': 'id: main\nprovider: ollama\nmodel: m\nlocality: local\n',
      ...director('locality: local\ntools: [lookup]\n'),
    },
    found: ['directors/boss.yaml:4:9 CONFIG_REMOTE_TOOL'],
    says: 'sends its arguments to api.example.org',
  },
  {
    name: 'a director that reads mail and may call a declared tool',
    files: director('tools: [mail_read, lookup]\nuntrusted: { act: [lookup] }\n'),
    found: ['directors/boss.yaml:4:20 CONFIG_CAN_LEAK'],
    says: 'lookup',
  },
  {
    name: 'a director that reads mail and asks before a command runs',
    files: { ...command('argv: [du]\neffects: read\n'), ...director('tools: [mail_read, x]\n') },
    found: [],
  },
  {
    name: 'a script that calls a declared tool, and one that nobody has',
    files: {
      'apis/offline.yaml':
        'id: offline\nprovider: scripted\nscript:\n  - when: { any: true }\n    call: [{ tool: lookup, arguments: {} }, { tool: lokup, arguments: {} }]\n',
    },
    found: ['apis/offline.yaml:5:53 CONFIG_SCRIPT_TOOL'],
    says: 'did you mean "lookup"?',
  },
];
