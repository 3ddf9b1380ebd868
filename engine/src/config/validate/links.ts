import type { Agent, Director, Kind, ToolCatalog, TypedDocument } from '../config.ts';
import type { ApprovalSettings, Permissions, PromptSource } from '../documents.gen.ts';
import { fallbackOf } from '../parse/fallback.ts';
import type { DocumentPath, ProblemCode } from '../problem.ts';
import { nameOf } from '../parse/read.ts';
import { toolOfRule } from '../rule/parse-rule.ts';
import { declaredIdOf } from '../tool-name.ts';

/** A reference from one document to another. */
export interface Link {
  readonly path: DocumentPath;
  readonly kind: Kind;
  readonly id: string;
  /** Name of the target: `agents/reply`. */
  readonly to: string;
  /** The problem code if no document has that id. */
  readonly code: ProblemCode;
  /**
   * The effect of a disabled target. `need`: it is an error. `drop`: the id is removed from the list. `keep`: the id stays
   * in the list and has no effect.
   */
  readonly disabled: 'need' | 'drop' | 'keep';
  /** Of a link to a template: the variables that `with` sets. */
  readonly with?: readonly string[];
  /** Of a link to a declared tool: the name as it is written, such as `tickets__search`. */
  readonly toolName?: string;
}

const CODE_OF: Readonly<Record<Kind, ProblemCode>> = {
  settings: 'CONFIG_UNREADABLE', // never used: no link leads to the settings
  filter: 'CONFIG_UNREADABLE', // never used: no link leads to a filter
  api: 'CONFIG_UNKNOWN_API',
  account: 'CONFIG_UNKNOWN_ACCOUNT',
  director: 'CONFIG_UNKNOWN_DIRECTOR',
  agent: 'CONFIG_UNKNOWN_AGENT',
  prompt: 'CONFIG_UNKNOWN_PROMPT',
  tool: 'CONFIG_UNKNOWN_TOOL',
  chat: 'CONFIG_UNREADABLE', // never used: no link leads to a preset
};

/** All links from a document to others. A tool that is not in the catalog of built-in ones is a link to a declared tool. */
export function linksOf(typed: TypedDocument, catalog: ToolCatalog): Link[] {
  switch (typed.kind) {
    case 'settings': {
      const { learn, memory, notify, test } = typed.value;
      const { apiConfigId } = memory.embeddings;
      const path = ['memory', 'embeddings', 'apiConfigId'];
      const api = apiConfigId === undefined ? [] : [link(path, 'api', apiConfigId, 'keep')];
      const account = notify.mail?.accountId;
      const sender = account === undefined ? [] : [link(['notify', 'mail', 'accountId'], 'account', account, 'keep')];
      const learner = learn.agent === undefined ? [] : [link(['learn', 'agent'], 'agent', learn.agent, 'keep')];
      const judge = test.judge === undefined ? [] : [link(['test', 'judge'], 'api', test.judge, 'keep')];
      return [...api, ...sender, ...learner, ...judge, ...approvalSenders(typed.value.approvals)];
    }
    case 'account':
    case 'prompt':
    case 'tool':
      return [];
    case 'chat':
      // A preset only fills in the form of a new chat, so nothing stops when an API is removed: `link/chat-warnings.ts` warns.
      return [];
    case 'api':
      return list(
        'to' in typed.value.fallback ? ['fallback', 'to'] : ['fallback'],
        'api',
        fallbackOf(typed.value).to,
        'drop',
      );
    case 'filter': {
      const { directorId, accountIds = [] } = typed.value;
      const directors =
        typeof directorId === 'string'
          ? [link(['directorId'], 'director', directorId, 'keep')]
          : list(['directorId'], 'director', directorId, 'keep');
      return [...directors, ...list(['accountIds'], 'account', accountIds, 'keep')];
    }
    case 'director': {
      const { apiConfigId, accountIds = [], agents, memoryAccess, objective } = typed.value;
      const roles = (['intake', 'planner', 'writer'] as const).flatMap((role) => {
        const id = objective[role];
        return id === undefined ? [] : [link(['objective', role], 'agent', id, 'need')];
      });
      return [
        link(['apiConfigId'], 'api', apiConfigId, 'need'),
        ...roles,
        ...list(['accountIds'], 'account', accountIds, 'keep'),
        ...list(['agents'], 'agent', agents, 'drop'),
        ...list(['memoryAccess'], 'agent', memoryAccess, 'keep'),
        ...template(typed.value.prompt),
        ...permitted(typed.value.permissions, agents),
        ...declaredTools(typed.value, catalog),
        ...approvalSenders(typed.value.approvals),
      ];
    }
    case 'agent': {
      const { apiConfigId, memoryAccess } = typed.value;
      const api = apiConfigId === undefined ? [] : [link(['apiConfigId'], 'api', apiConfigId, 'need')];
      const access = list(['memoryAccess'], 'agent', memoryAccess, 'keep');
      return [
        ...api,
        ...access,
        ...template(typed.value.prompt),
        ...permitted(typed.value.permissions, []),
        ...declaredTools(typed.value, catalog),
      ];
    }
    default:
      return typed satisfies never;
  }
}

function link(path: DocumentPath, kind: Kind, id: string, disabled: Link['disabled']): Link {
  return { path, kind, id, to: nameOf(kind, id), code: CODE_OF[kind], disabled };
}

function list(path: DocumentPath, kind: Kind, ids: readonly string[], disabled: Link['disabled']): Link[] {
  return ids.map((id, i) => link([...path, i], kind, id, disabled));
}

function template(prompt: PromptSource | undefined): Link[] {
  if (prompt === undefined || !('use' in prompt)) return [];
  return [{ ...link(['prompt', 'use'], 'prompt', prompt.use, 'need'), with: Object.keys(prompt.with) }];
}

/** The accounts that send mails about approvals. */
function approvalSenders(approvals: ApprovalSettings | undefined): Link[] {
  return (['notify', 'escalateTo'] as const).flatMap((key) => {
    const id = approvals?.[key]?.mail?.accountId;
    return id === undefined ? [] : [link(['approvals', key, 'mail', 'accountId'], 'account', id, 'keep')];
  });
}

/** Links of permissions `agent__<id>` whose id is not in the document's own `agents`: that agent must exist. */
function permitted(permissions: Permissions | undefined, own: readonly string[]): Link[] {
  return (['allow', 'ask', 'deny'] as const).flatMap((rule) =>
    (permissions?.[rule] ?? []).flatMap((text, i) => {
      const id = agentOfTool(toolOfRule(text));
      if (id === undefined || own.includes(id)) return [];
      return [{ ...link(['permissions', rule, i], 'agent', id, 'keep'), code: 'CONFIG_UNKNOWN_TOOL' as const }];
    }),
  );
}

/**
 * Links of `tools`, `permissions`, `guards` and `checks` to declared tools: every name that is neither built in, nor an
 * agent, nor a pattern.
 */
function declaredTools(actor: Director | Agent, catalog: ToolCatalog): Link[] {
  const { tools, permissions } = actor;
  const isDeclared = (name: string) =>
    !catalog.tools.has(name) &&
    !catalog.discovery.includes(name) &&
    !name.includes('*') &&
    agentOfTool(name) === undefined &&
    !isFamily(name, catalog);
  const linksAt = (path: DocumentPath, names: readonly string[]) =>
    names.flatMap((name, i) =>
      isDeclared(name) ? [{ ...link([...path, i], 'tool', declaredIdOf(name), 'keep'), toolName: name }] : [],
    );
  const rules = (['allow', 'ask', 'deny'] as const).flatMap((rule) =>
    linksAt(['permissions', rule], (permissions?.[rule] ?? []).map(toolOfRule)),
  );
  const { guards, checks } = 'guards' in actor ? actor : { guards: [], checks: [] };
  const gates = guards.flatMap((guard, i) => linksAt(['guards', i, 'tools'], guard.tools));
  const proofs = checks.flatMap(({ needs = [] }, i) => {
    const path = ['checks', i, 'needs'];
    return typeof needs === 'string' ? linksAt(path, [needs]).map((one) => ({ ...one, path })) : linksAt(path, needs);
  });
  return [...linksAt(['tools'], tools), ...rules, ...gates, ...proofs];
}

/** Whether a name is a family of built-in tools. */
export function isFamily(name: string, { tools }: Pick<ToolCatalog, 'tools'>): boolean {
  for (const { family } of tools.values()) if (family === name) return true;
  return false;
}

/** The id in a tool name `agent__<id>`; undefined if `name` is another tool or a pattern. */
export function agentOfTool(name: string): string | undefined {
  return name.startsWith('agent__') && !name.includes('*') ? name.slice('agent__'.length) : undefined;
}
