import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultSettings } from '../../../engine/src/config/config-folder.ts';
import { type Candidate, CandidateChooser, type Versions } from '../../../engine/src/config/link/candidate.ts';
import { allProblems, LinkProblems } from '../../../engine/src/config/live/document-states.ts';
import { locationOf, sourceOf } from '../../../engine/src/config/parse/read.ts';
import { createShapeCheck } from '../../../engine/src/config/parse/schema.ts';
import { buildRevision, type Revision } from '../../../engine/src/config/revision/build-snapshot.ts';
import type { SecretHosts } from '../../../engine/src/config/secrets.ts';
import { FileTable } from '../../../engine/src/config/validate/file-table.ts';
import type { ValidDocument } from '../../../engine/src/config/validate/validate.ts';
import { isFull } from '../../available.ts';
import { catalog, env } from '../folder.ts';
import { anyEdit, type Edit, wholeFolder } from './random-config.ts';

const checkShape = createShapeCheck();
const defaults = defaultSettings(checkShape);

/** Some edits that are saved together, those that somebody only asks about, and whether a person has allowed all hosts. */
interface Round {
  readonly saved: readonly Edit[];
  readonly asked: readonly Edit[];
  readonly isAllowed: boolean;
}

const rounds: fc.Arbitrary<Round[]> = fc
  .tuple(
    wholeFolder,
    fc.array(
      fc.record({
        saved: fc.array(anyEdit, { minLength: 0, maxLength: 3 }),
        asked: fc.oneof(fc.constant([]), fc.array(anyEdit, { minLength: 1, maxLength: 2 })),
        isAllowed: fc.boolean(),
      }),
      { minLength: 6, maxLength: 14 },
    ),
  )
  .map(([first, rest]) => [{ saved: first, asked: [], isAllowed: true }, ...rest]);

async function put(table: FileTable, { path, text }: Edit): Promise<void> {
  const location = locationOf(path, 'config');
  if ('code' in location) throw new Error(location.message);
  await table.put(path, text === null ? undefined : sourceOf(location, `config/${path}`, Buffer.from(text)));
}

/** A folder of the edits, without what runs of it. */
async function tableOf(edits: Iterable<Edit>): Promise<FileTable> {
  const table = new FileTable({ checkShape, catalog, env });
  for (const edit of edits) await put(table, edit);
  return table;
}

function hosts(isAllowed: boolean): SecretHosts {
  return {
    hasValue: () => isAllowed,
    allowsHost: () => isAllowed,
    bindFirst: () => Promise.resolve(),
    reload: () => Promise.resolve(),
    onHostsChange: () => () => {},
  };
}

/** A candidate with the order of all that it has. Documents are the same objects or not at all the same. */
function inOrder({ accepted, deletedInUse, findings }: Candidate) {
  return {
    accepted: Array.from(accepted, ([name, { source }]) => `${name} ${source.hash}`),
    deletedInUse: [...deletedInUse],
    findings: findings.map(({ document, findings: list }) => [document.source.file, document.source.hash, list]),
  };
}

function snapshotInOrder({ snapshot: { settings, filters, revision, ...maps } }: Revision) {
  return { settings, filters, revision, maps: Object.entries(maps).map(([key, map]) => [key, [...map]]) };
}

describe('after any saves, what was kept from earlier ones gives the same as checking every document anew', () => {
  test(
    'which documents run, the findings in their order, the problems and the snapshot',
    { timeout: 240_000 },
    async () => {
      const codes = new Set<string>();
      await fc.assert(
        fc.asyncProperty(rounds, async (all) => {
          const table = await tableOf([]);
          const kept = new CandidateChooser(catalog);
          const keptProblems = new LinkProblems();
          let good: ReadonlyMap<string, ValidDocument> = new Map();
          let running: Revision | undefined;
          for (const { saved, asked, isAllowed } of all) {
            for (const edit of saved) await put(table, edit);
            const versions: Versions = {
              newest: table.newest(),
              good: (name) => good.get(name),
              drafts: table.drafts(),
              secretHosts: hosts(isAllowed),
              isSet: () => isAllowed,
            };
            const candidate = await kept.choose(versions);
            const anew = await new CandidateChooser(catalog).choose(versions);
            expect(inOrder(candidate)).toEqual(inOrder(anew));
            const problems = allProblems(table, candidate, await keptProblems.locate(candidate.findings));
            expect(problems).toEqual(allProblems(table, anew, await new LinkProblems().locate(anew.findings)));
            running = buildRevision(candidate.accepted, defaults, running);
            expect(snapshotInOrder(running)).toEqual(snapshotInOrder(buildRevision(anew.accepted, defaults)));
            good = candidate.accepted;
            for (const { code } of problems) codes.add(code);
            if (asked.length === 0) continue;
            const edited = await tableOf(
              asked.map(({ path, text }) => ({ path: path.replace('.yml', '.yaml'), text })),
            );
            const newest = new Map(table.newest());
            for (const [name, document] of edited.newest()) newest.set(name, document);
            const wanted = { newest, good: (name: string) => good.get(name) };
            expect(inOrder(await kept.chooseLinked(wanted))).toEqual(
              inOrder(await new CandidateChooser(catalog).chooseLinked(wanted)),
            );
          }
        }),
        { numRuns: isFull ? 1_000 : 60, seed: 18 },
      );
      // The configs have mistakes of all kinds, or this test would say little.
      expect([...codes].sort()).toEqual(expect.arrayContaining(CODES));
    },
  );
});

const CODES = [
  ...['CONFIG_ASKS_ANYWAY', 'CONFIG_CAN_LEAK', 'CONFIG_CHAT_FILE', 'CONFIG_CLI_TOOLS', 'CONFIG_DELETED_IN_USE'],
  ...['CONFIG_DEPENDS_ON_INVALID', 'CONFIG_DISABLED', 'CONFIG_DISABLED_IN_USE', 'CONFIG_EMPTY_VARIABLE'],
  ...['CONFIG_ENV_UNSET', 'CONFIG_FALLBACK_CYCLE', 'CONFIG_GLOB_UNMATCHED', 'CONFIG_PARTICIPANT_UNKNOWN'],
  ...[
    'CONFIG_PERMISSION_UNUSED',
    'CONFIG_REMOTE_API',
    'CONFIG_REMOTE_TOOL',
    'CONFIG_SCOPE_UNUSED',
    'CONFIG_SCRIPT_TOOL',
  ],
  ...['CONFIG_SECRET_NEW_HOST', 'CONFIG_UNKNOWN_AGENT', 'CONFIG_UNKNOWN_API', 'CONFIG_UNKNOWN_NOTEBOOK'],
  ...['CONFIG_UNKNOWN_PROMPT', 'CONFIG_UNKNOWN_TOOL', 'CONFIG_UNKNOWN_VARIABLE', 'CONFIG_DUPLICATE_ID'],
];
