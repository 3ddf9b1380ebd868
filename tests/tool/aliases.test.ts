import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { TOOL_ALIASES } from '../../engine/src/tool/registry.ts';
import { builtInToolCatalog } from '../../engine/src/app/tool-catalog.ts';
import { validateConfig } from '../../engine/src/config/validate-folder.ts';
import { root } from '../available.ts';
import { makeFolder, VALID } from '../config/folder.ts';

/** The tools of seed 003 by the names of that seed, and the tools that they are here. */
const SEED_003 = {
  web_research: 'web_research',
  list_emails: 'mail_search',
  read_email: 'mail_read',
  draft_reply: 'mail_draft',
  read_document: 'document_read',
  list_documents: 'document_list',
  summarize_document: 'document_summarize',
  list_events: 'calendar_read',
  create_event: 'calendar_add',
  create_reminder: 'reminder_create',
  memory_store: 'memory_add',
  memory_recall: 'memory_search',
} as const;

/** The shipped document of `web_research`, switched on: it is a declared tool, and no built-in one. */
const WEB_RESEARCH = readFileSync(join(root, 'config/tools/web_research.yaml'), 'utf8').replace(
  /^enabled: false/m,
  'enabled: true',
);

/** Errors of a config whose director names the tool in `tools` and `permissions`. */
async function errorsWith(name: string): Promise<readonly string[]> {
  const boss = `id: boss\nname: Boss\napiConfigId: main\ntools: [${name}]\npermissions: { ask: [${name}] }\n`;
  const { dir } = await makeFolder({ ...VALID, 'directors/boss.yaml': boss, 'tools/web_research.yaml': WEB_RESEARCH });
  const { problems } = await validateConfig({ dir, catalog: builtInToolCatalog(), env: () => 'set' });
  return problems.map(({ code, message }) => `${code}: ${message}`);
}

describe('the tool names of seed 003', () => {
  test('are twelve', () => {
    expect(Object.keys(SEED_003)).toHaveLength(12);
  });

  test.each(Object.entries(SEED_003))('%s in tools and permissions is %s', async (name, tool) => {
    expect(await errorsWith(name)).toEqual([]);
    expect(TOOL_ALIASES.get(name) ?? name).toBe(tool);
  });
});
