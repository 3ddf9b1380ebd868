import { isDeepStrictEqual } from 'node:util';
import type { ToolCatalog } from '../config.ts';
import type { NotebookFolders } from '../permissions.ts';
import { nameOf } from '../parse/read.ts';
import { catalogTools } from '../tool-name.ts';
import type { ValidDocument } from '../validate/validate.ts';
import type { BrokenLink } from './broken-link.ts';
import { fallbackCycle } from './fallback-cycle.ts';

type Tools = ToolCatalog['tools'];

interface ViewOptions {
  /** The documents that would run. */
  readonly chosen: ReadonlyMap<string, ValidDocument>;
  /** Names of documents that have a file, but no version that could run. */
  readonly unusable: ReadonlySet<string>;
  /** Names of deleted documents that keep running. */
  readonly deleted: ReadonlySet<string>;
  readonly catalog: ToolCatalog;
  /** Invalid settings, whose notebooks count all the same. */
  readonly settingsDraft?: ValidDocument | undefined;
}

/** Keys of what checks read that is no document. */
const TOOLS = '*tools';
const ROOTS = '*roots';
const NO_ROOTS: NotebookFolders = {};

/** The documents that would run, as the checks of links see them. A view never changes: a change makes another one. */
export class ConfigView {
  readonly chosen: ViewOptions['chosen'];
  readonly unusable: ViewOptions['unusable'];
  readonly deleted: ViewOptions['deleted'];
  readonly #options: ViewOptions;
  readonly #folders = new Map<string, readonly ValidDocument[]>();
  #tools: Tools | undefined;

  constructor(options: ViewOptions) {
    this.#options = options;
    this.chosen = options.chosen;
    this.unusable = options.unusable;
    this.deleted = options.deleted;
  }

  /** The documents of a folder such as `agents/`, in the order of `chosen`. */
  in(folder: string): readonly ValidDocument[] {
    let found = this.#folders.get(folder);
    if (found === undefined) {
      found = [...this.chosen.values()].filter(({ name }) => name.startsWith(folder));
      this.#folders.set(folder, found);
    }
    return found;
  }

  /** The built-in tools and those that enabled documents declare. */
  get tools(): Tools {
    if (this.#tools !== undefined) return this.#tools;
    const builtIn = this.#options.catalog.tools;
    const declared = this.in(nameOf('tool', '')).flatMap(({ typed, isEnabled }) =>
      typed.kind === 'tool' && isEnabled ? catalogTools(typed.value) : [],
    );
    return (this.#tools = declared.length === 0 ? builtIn : new Map([...builtIn, ...declared]));
  }

  /** The built-in tools. They stay the same. */
  get catalog(): ToolCatalog {
    return this.#options.catalog;
  }

  /** The folders of notebooks. */
  get roots(): NotebookFolders {
    const settings = (this.#options.settingsDraft ?? this.chosen.get('settings'))?.typed;
    return settings?.kind === 'settings' ? settings.value.roots : NO_ROOTS;
  }
}

/** What the check of one document reads of the others. It records the keys of what was read. */
export class Others {
  readonly reads: string[] = [];
  readonly #view: ConfigView;

  constructor(view: ConfigView) {
    this.#view = view;
  }

  /** The version of a document that would run. */
  get(name: string): ValidDocument | undefined {
    this.reads.push(name);
    return this.#view.chosen.get(name);
  }

  /** Whether a document has a file, but no version that could run. */
  isUnusable(name: string): boolean {
    this.reads.push(name);
    return this.#view.unusable.has(name);
  }

  /** Whether a document was deleted and keeps running. */
  isDeleted(name: string): boolean {
    this.reads.push(name);
    return this.#view.deleted.has(name);
  }

  /** The documents of a folder such as `agents/`. */
  in(folder: string): readonly ValidDocument[] {
    this.reads.push(folder);
    return this.#view.in(folder);
  }

  /** See `fallbackCycle`. */
  cycleOf(api: ValidDocument): BrokenLink | undefined {
    this.reads.push(nameOf('api', ''));
    return fallbackCycle(api, this.#view.chosen);
  }

  /** The built-in tools. */
  get catalog(): ToolCatalog {
    return this.#view.catalog;
  }

  /** See `ConfigView.tools`. */
  get tools(): Tools {
    this.reads.push(TOOLS);
    return this.#view.tools;
  }

  /** See `ConfigView.roots`. */
  get roots(): NotebookFolders {
    this.reads.push(ROOTS);
    return this.#view.roots;
  }
}

/** The keys of all that differs between two views: names of documents, their folders, tools and notebooks. */
export function changedKeys(before: ConfigView, now: ConfigView): Set<string> {
  const keys = new Set<string>();
  const add = (name: string) => keys.add(name).add(name.slice(0, name.indexOf('/') + 1));
  let kept = 0;
  for (const [name, document] of now.chosen) {
    const old = before.chosen.get(name);
    if (old !== undefined) kept++;
    if (old !== document) add(name);
  }
  if (kept < before.chosen.size) for (const name of before.chosen.keys()) if (!now.chosen.has(name)) add(name);
  for (const name of before.unusable.symmetricDifference(now.unusable)) add(name);
  for (const name of before.deleted.symmetricDifference(now.deleted)) add(name);
  if (keys.has(nameOf('tool', '')) && !isDeepStrictEqual([...before.tools], [...now.tools])) keys.add(TOOLS);
  if (before.roots !== now.roots) keys.add(ROOTS);
  return keys;
}
