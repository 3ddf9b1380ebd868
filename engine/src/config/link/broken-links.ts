import type { ValidDocument } from '../validate/validate.ts';
import type { Link } from '../validate/links.ts';
import { type Finding, MAX_FINDINGS } from '../problem.ts';
import { didYouMean, listOf } from '../../base/did-you-mean.ts';
import type { ToolCatalog } from '../config.ts';
import { catalogTools, declaresName } from '../tool-name.ts';
import type { BrokenLink } from './broken-link.ts';
import type { Others } from './config-view.ts';

/** What is wrong with the links of one document. */
export interface LinkNotes {
  readonly broken: readonly BrokenLink[];
  /** Of an API: the fallback that is part of a cycle. */
  readonly cycle: BrokenLink | undefined;
  /** Findings about intact links whose target was deleted or is disabled. */
  readonly inUse: readonly Finding[];
}

/** Checks the links of one document; undefined if nothing is wrong. Links of a disabled document are not checked. */
export function linkNotes(document: ValidDocument, others: Others): LinkNotes | undefined {
  if (!document.isEnabled || document.links.length === 0) return undefined;
  const broken = brokenLinks(document, others);
  const cycle = document.typed.kind === 'api' ? others.cycleOf(document) : undefined;
  const inUse = document.links.flatMap((link) => noteOn(link, others));
  return broken.length === 0 && cycle === undefined && inUse.length === 0 ? undefined : { broken, cycle, inUse };
}

/** The broken links of a document. Links of a disabled document are not checked. */
export function brokenLinks(document: ValidDocument, others: Others): BrokenLink[] {
  if (!document.isEnabled) return [];
  let broken: BrokenLink[] | undefined;
  for (const link of document.links) {
    const target = others.get(link.to);
    // Nobody reads the hints of findings that are cut off, and composing them takes long in a large config.
    const hasHint = (broken?.length ?? 0) <= MAX_FINDINGS;
    const findings = target === undefined ? [missing(link, others, hasHint)] : unfit(link, target);
    for (const finding of findings) (broken ??= []).push({ to: link.to, isMissing: target === undefined, finding });
  }
  return broken ?? [];
}

/** `hasHint`: whether other documents are named. */
function missing(link: Link, others: Others, hasHint: boolean): Finding {
  const { path, kind, id, to } = link;
  if (others.isUnusable(to)) {
    const message = `the file of ${kind} "${id}" has errors, and there is no earlier valid version to use`;
    return { code: 'CONFIG_DEPENDS_ON_INVALID', path, message, hint: `correct the errors in ${to}`, causedBy: to };
  }
  const prefix = to.slice(0, to.length - id.length);
  const ids = hasHint ? others.in(prefix).map(({ name }) => name.slice(prefix.length)) : [];
  if (kind === 'tool') return noTool(link, others.catalog, ids);
  const what =
    link.code === 'CONFIG_UNKNOWN_TOOL' ? `tool "agent__${id}": there is no agent "${id}"` : `${kind} "${id}"`;
  const hint = ids.length === 0 ? `create ${to}.yaml` : `create ${to}.yaml, or write ${listOf(ids.sort())}`;
  return { code: link.code, path, message: `no ${what}${didYouMean(id, ids)}`, hint };
}

/** A name in `tools` or `permissions` that no tool, family or document has. */
function noTool({ path, toolName = '' }: Link, { tools }: ToolCatalog, declared: string[]): Finding {
  const families = new Set(Array.from(tools.values(), ({ family }) => family));
  const isListed = path[0] === 'tools';
  const what = isListed ? 'tool or family' : 'tool';
  const names = [...(isListed ? families : []), ...tools.keys(), ...declared];
  const message = `no ${what} "${toolName}"${didYouMean(toolName, names)}`;
  const hint = declared.length === 0 ? '' : `; declared tools: ${listOf(declared.sort())}`;
  return {
    code: 'CONFIG_UNKNOWN_TOOL',
    path,
    message,
    ...(isListed && { hint: `families: ${listOf(families)}${hint}` }),
  };
}

function unfit(link: Link, target: ValidDocument): Finding[] {
  if (link.toolName !== undefined && target.typed.kind === 'tool' && !declaresName(target.typed.value, link.toolName)) {
    const names = catalogTools(target.typed.value).map(([name]) => name);
    const message = `"${link.id}" has no tool "${link.toolName}"${didYouMean(link.toolName, names)}`;
    return [{ code: 'CONFIG_UNKNOWN_TOOL', path: link.path, message, hint: `its tools: ${listOf(names)}` }];
  }
  if (!target.isEnabled && link.disabled === 'need') {
    const message = `${link.kind} "${link.id}" is disabled`;
    return [{ code: 'CONFIG_DISABLED', path: link.path, message, hint: `enable ${link.to}, or write another id` }];
  }
  if (link.with === undefined || target.typed.kind !== 'prompt') return [];
  const known = Object.keys(target.typed.value.variables);
  return link.with
    .filter((name) => !known.includes(name))
    .map((name) => ({
      code: 'CONFIG_UNKNOWN_VARIABLE' as const,
      path: ['prompt', 'with', name],
      part: 'key' as const,
      message: `template "${link.id}" has no variable "${name}"${didYouMean(name, known)}`,
      hint: known.length === 0 ? 'the template has no variables' : `its variables: ${listOf(known)}`,
    }));
}

function noteOn(link: Link, others: Others): Finding[] {
  if (others.isDeleted(link.to)) {
    const message = `${link.kind} "${link.id}" was deleted; its last good version keeps running while a document uses it`;
    return [
      { code: 'CONFIG_DELETED_IN_USE', path: link.path, message, hint: `restore ${link.to}, or remove the id here` },
    ];
  }
  if (others.get(link.to)?.isEnabled !== false || link.disabled === 'need') return [];
  const message = `${link.kind} "${link.id}" is disabled, so this id has no effect`;
  return [
    { code: 'CONFIG_DISABLED_IN_USE', path: link.path, message, hint: `enable ${link.to}, or remove the id here` },
  ];
}
