import { fallbackOf } from '../../../engine/src/config/parse/fallback.ts';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Snapshot } from '../../../engine/src/config/config.ts';
import { isFull } from '../../available.ts';
import { makeFolder, MemoryPlace, open, save } from '../folder.ts';

const IDS = ['a', 'b', 'c'] as const;
const id = fc.constantFrom(...IDS);
const ids = fc.uniqueArray(id, { maxLength: 2 });
const enabled = fc.constantFrom('', 'enabled: false\n');

/** Texts of documents that are valid, broken, or point to others that may not be there. */
const documents = {
  apis: fc
    .tuple(ids, enabled)
    .map(([fallback, off]) => `provider: ollama\nmodel: m\nfallback: [${fallback.join(', ')}]\n${off}`),
  agents: fc
    .tuple(fc.option(id), enabled)
    .map(([api, off]) => (api === null ? `name: N\n${off}` : `apiConfigId: ${api}\n${off}`)),
  prompts: fc.constantFrom(
    'variables: { x: a }\nmessages: [{ role: user, content: "{{x}}" }]\n',
    'messages: [{ role: user, content: hi }]\n',
  ),
  directors: fc
    .tuple(id, ids, fc.option(id), enabled)
    .map(
      ([api, agents, use, off]) =>
        `apiConfigId: ${api}\nagents: [${agents.join(', ')}]\n${off}${use === null ? '' : `prompt: { use: ${use}, with: { x: b } }\n`}`,
    ),
  filters: fc
    .tuple(ids, enabled)
    .map(
      ([to, off]) => `field: To\nregex: a\ndirectorId: [${to.concat(to.length === 0 ? ['a'] : []).join(', ')}]\n${off}`,
    ),
};

type Edit = { readonly path: string; readonly text: string | null };

const edit: fc.Arbitrary<Edit> = fc
  .constantFrom(...(Object.keys(documents) as (keyof typeof documents)[]))
  .chain((folder) =>
    fc
      .tuple(
        id,
        fc.oneof(
          { weight: 6, arbitrary: documents[folder] },
          { weight: 1, arbitrary: fc.constantFrom('oops: [\n', 'unknown: 1\n') },
          { weight: 2, arbitrary: fc.constant(null) },
        ),
      )
      .map(([name, text]) => ({ path: `${folder}/${name}.yaml`, text: text === null ? null : `id: ${name}\n${text}` })),
  );

/** Every id that a document of the snapshot names, and does need, is there. */
function expectLinked(snapshot: Snapshot): void {
  const { apis, agents, directors, prompts, filters, documents: all } = snapshot;
  const variables = (use: string) => Object.keys(prompts.get(use)?.variables ?? {});
  for (const api of apis.values()) for (const one of fallbackOf(api).to) expect(apis.has(one)).toBe(true);
  for (const { apiConfigId, prompt } of [...agents.values(), ...directors.values()]) {
    if (apiConfigId !== undefined) expect(apis.has(apiConfigId)).toBe(true);
    if (prompt === undefined || !('use' in prompt)) continue;
    expect(prompts.has(prompt.use)).toBe(true);
    expect(variables(prompt.use)).toEqual(expect.arrayContaining(Object.keys(prompt.with)));
  }
  for (const director of directors.values()) for (const agent of director.agents) expect(agents.has(agent)).toBe(true);
  for (const { directorId } of filters)
    for (const one of [directorId].flat()) expect(all.has(`directors/${one}`)).toBe(true);
  for (const start of apis.keys()) {
    const seen = new Set<string>();
    const fallbacks = (id: string) => [...apis].flatMap(([own, api]) => (own === id ? fallbackOf(api).to : []));
    const queue = fallbacks(start);
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      expect(next).not.toBe(start);
      if (!seen.has(next)) queue.push(...fallbacks(next));
      seen.add(next);
    }
  }
}

describe('whatever is edited', () => {
  test(
    'what runs always links, also after a restart, and a document that ran and is still there goes on',
    { timeout: 120_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(edit, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 8 }),
          async (rounds) => {
            const { dir } = await makeFolder({});
            const place = new MemoryPlace();
            let config = await open(dir, { place });
            for (const [i, edits] of rounds.entries()) {
              const before = config.current();
              for (const { path, text } of edits)
                await (text === null ? rm(join(dir, path), { force: true }) : save(dir, path, text));
              await config.refresh();
              expectLinked(config.current());
              const there = new Set(
                config.documents().map(({ file }) => file.slice('config/'.length).replace('.yaml', '')),
              );
              const deleted = new Set(
                edits.filter(({ text }) => text === null).map(({ path }) => path.replace('.yaml', '')),
              );
              for (const name of before.documents.keys())
                if (there.has(name) && !deleted.has(name))
                  expect([name, config.current().documents.has(name)]).toEqual([name, true]);
              if (i !== rounds.length >> 1) continue;
              const { revision } = config.current();
              await config.close();
              config = await open(dir, { place });
              expect(config.current().revision).toBe(revision);
            }
          },
        ),
        { numRuns: isFull ? 60 : 20 },
      );
    },
  );
});
