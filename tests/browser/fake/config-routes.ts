import type Router from '@koa/router';
import { parse, stringify } from 'yaml';
import { KINDS, type Kind } from '../../../engine/src/config/config.ts';
import { SCHEMAS } from '../../../engine/src/config/parse/schema.ts';
import type { World } from './fixtures.ts';
import { fail } from './answers.ts';

/** Texts of a few files; every other one has only its id. */
const TEXTS: Readonly<Record<string, string>> = {
  'director/client-manager': `# Who answers clients.
id: client-manager
name: Client manager
apiConfigId: main
agents: [psychologist, responder] # in this order
prompt:
  - role: system
    content: You direct specialists.
  - role: user
    content: 'About {{email.subject}} and {{nmae}}'
`,
  'filter/clients': 'id: clients\nfield: From\nregex: "@example\\\\.org$"\ndirectorId: client-manager\n',
  'account/support':
    'id: support\nprovider: folder\nemail: support@example.org\npath: ./inbox\nsignature: |\n  Kind regards\n  Support\n',
};

const kinds = Object.keys(KINDS) as Kind[];

/** Files, schemas, links and previews of the config. */
export function addConfigRoutes(router: Router, world: World): void {
  const textOf = (kind: Kind, id: string) => TEXTS[`${kind}/${id}`] ?? (kind === 'settings' ? '{}\n' : `id: ${id}\n`);
  const view = (kind: Kind, id: string) => {
    const state = world.config.documents.find((one) => one.kind === kind && one.id === id);
    const text = textOf(kind, id);
    const written: unknown = parse(text);
    return { ...(written as object), document: { ...state, text, written, fileHash: 'f'.repeat(64) } };
  };
  router.get('/api/config/links', (ctx) => {
    ctx.body = {
      items: [
        { from: 'directors/client-manager', to: 'apis/main', path: '/apiConfigId' },
        { from: 'directors/client-manager', to: 'agents/psychologist', path: '/agents/0' },
        { from: 'directors/client-manager', to: 'agents/responder', path: '/agents/1' },
        { from: 'filters/clients', to: 'directors/client-manager', path: '/directorId' },
      ],
      tools: [{ from: 'agents/responder', name: 'workspace' }],
      openFilters: ['filters/clients'],
    };
  });
  router.get('/api/config/forms/:kind', (ctx) => {
    const kind = kinds.find((one) => one === ctx.params['kind']);
    if (kind === undefined) return fail(ctx, 404, 'NOT_FOUND', 'no such kind');
    const variables = [
      { name: 'email', isUntrusted: true },
      { name: 'email.subject', isUntrusted: true },
      { name: 'director.name', isUntrusted: false },
    ];
    ctx.body = { schema: SCHEMAS[kind], variables };
  });
  router.post('/api/config/yaml', (ctx) => {
    const { text, value } = ctx.request.body as { text?: string; value?: unknown };
    ctx.body = text === undefined ? { text: stringify(value) } : { value: parse(text) as unknown };
  });
  router.post('/api/config/regex', (ctx) => {
    const { regex, text } = ctx.request.body as { regex: string; text: string };
    ctx.body = { matched: new RegExp(regex).test(text), engine: 'native' };
  });
  router.post('/api/prompts/preview', (ctx) => {
    ctx.body = {
      messages: [
        { role: 'system', content: 'You direct specialists.' },
        { role: 'user', content: 'About Invoice 4411 and {{nmae}}' },
      ],
      unknown: ['nmae'],
      empty: [],
      tokens: 1234,
    };
  });
  router.get(
    '/api/folders',
    (ctx) => (ctx.body = { notebook: null, path: '/', folders: ['clients'], isTruncated: false }),
  );
  router.get('/api/encryption', (ctx) => {
    const { storage = 'encrypted' } = world;
    const obstacle = storage === 'encrypted' ? 'the stored data are encrypted already' : null;
    ctx.body = { storage, envFile: '/srv/desk/.env', obstacle, isUnderWay: false, failure: null };
  });
  router.get('/api/secrets', (ctx) => (ctx.body = { items: [], nextCursor: null }));
  router.get('/api/tools/catalog', (ctx) => {
    ctx.body = {
      families: [{ name: 'workspace', use: 'named', tools: [{ name: 'workspace_add_item' }] }],
      servers: [],
    };
  });
  router.get('/api/settings', (ctx) => (ctx.body = view('settings', 'settings')));
  for (const kind of kinds.filter((one) => KINDS[one] !== '' && one !== 'chat')) {
    router.get(`/api/${KINDS[kind]}`, (ctx) => {
      const own = world.config.documents.filter((one) => one.kind === kind);
      ctx.body = { items: own.map(({ id }) => view(kind, id)), nextCursor: null };
    });
    router.get(`/api/${KINDS[kind]}/:id`, (ctx) => (ctx.body = view(kind, String(ctx.params['id']))));
  }
}
