import type { ChangesView, Chat, ChatMessage, Participant } from '../../../ui/http/api-types.ts';
import type { Choices } from '../../../ui/chat/form/choices.ts';
import { minutesAgo } from './fixtures.ts';

/** The chats of the fake API. */
export interface ChatWorld {
  chats: Chat[];
  /** By chat, oldest first. */
  messages: Map<string, ChatMessage[]>;
  changes: ChangesView[];
  choices: Choices;
}

/** A participant of a model API. */
export function makeParticipant(id: string, over: Partial<Participant> = {}): Participant {
  const displayName = over.displayName ?? `Name of ${id}`;
  return {
    ...{ id, type: 'api', displayName, handle: displayName.toLowerCase().replaceAll(' ', '-') },
    ...{ colorHex: '#7c3aed', persona: 'A careful architect.', apiConfigId: 'main', roaming: { enabled: false } },
    ...over,
  };
}

/** An open chat without messages. */
export function makeChat(id: string, over: Partial<Chat> = {}): Chat {
  return {
    ...{ id, title: `Chat ${id}`, context: '', participants: [], files: [], maxRounds: 3, archived: false },
    ...{ mentions: { caseSensitive: false }, createdBy: 'local', createdAt: minutesAgo(90), updatedAt: minutesAgo(3) },
    ...over,
  };
}

/** A message of the person. */
export function makeMessage(seq: number, over: Partial<ChatMessage> = {}): ChatMessage {
  return {
    ...{
      id: `m_${seq}`,
      seq,
      ts: minutesAgo(60 - seq),
      authorKind: 'user',
      authorId: 'user',
      authorDisplayName: 'Jane',
    },
    ...{ text: `Message ${seq}`, meta: {} },
    ...over,
  };
}

/** The three participants of the first chat. */
export const JANE = makeParticipant('a_jane', { displayName: 'Jane Doe', type: 'codex', apiConfigId: 'codex' });
export const MAX = makeParticipant('a_max', {
  ...{ displayName: 'Max', type: 'claude', apiConfigId: 'claude', colorHex: '#0891b2' },
  persona: 'Breaks things on purpose.',
  roaming: {
    ...{ enabled: true, workspaceDir: '/home/jane/payments', mode: 'safe' as const },
    ...{ confirmedBy: 'local', confirmedAt: minutesAgo(80) },
  },
});
export const RESEARCHER = makeParticipant('a_res', {
  ...{ displayName: 'Researcher', type: 'agent', agentId: 'research-assistant', colorHex: '#16a34a', persona: '' },
});

const by = (author: Participant, seq: number, text: string, meta: ChatMessage['meta'] = {}) =>
  makeMessage(seq, {
    ...{ authorKind: 'agent', authorId: author.id, authorDisplayName: author.displayName, text },
    meta: { trigger: 'mention', tagSessionIndex: 1, triggeredByMessageId: 'm_1', runId: `run-${seq}`, ...meta },
  });

const REVIEW = `The retry loop is the weak point. **Three things** to look at:

1. \`charge()\` is called again without an idempotency key
2. The timeout is *shorter* than the provider's
   - ours: 5 s
   - theirs: 30 s
3. See [the provider's page](https://example.org/retries)

\`\`\`ts
await charge(order, { key: order.id });
\`\`\`

@Max can you break it? <b>Not bold</b>`;

const DIFF = `--- a/src/charge.ts
+++ b/src/charge.ts
@@ -4,3 +4,3 @@
 export async function charge(order: Order) {
-  return post('/charge', order);
+  return post('/charge', order, { key: order.id });
 }
`;

/** A small world of chats with one example of everything. */
export function makeChatWorld(): ChatWorld {
  return {
    chats: [
      makeChat('c_review', {
        ...{ title: 'Design review', participants: [JANE, MAX, RESEARCHER] },
        context:
          'We review the payment service.\nThe question is what happens when the provider answers late, and who pays for it.',
      }),
      makeChat('c_names', { title: 'Names for the release', participants: [RESEARCHER], updatedAt: minutesAgo(300) }),
      makeChat('c_old', { title: 'Last year', participants: [JANE], archived: true, updatedAt: minutesAgo(9000) }),
    ],
    messages: new Map([
      [
        'c_review',
        [
          makeMessage(1, { text: 'Look at the retry of payments, @jane-doe. What can go wrong?' }),
          by(JANE, 2, REVIEW, { provider: 'codex' }),
          by(MAX, 3, 'It is easy to charge twice. I have put the key in, see the changes.', {
            tagSessionIndex: 2,
            provider: 'claude',
            changesId: 'ch_1',
          }),
          by(RESEARCHER, 4, 'Researcher could not answer: the provider refused 5 times.', {
            error: { code: 'MODEL_RATE_LIMIT', message: 'too many requests', hint: 'Wait a minute.' },
          }),
          makeMessage(5, { text: 'Thanks. Who writes the test?' }),
        ],
      ],
    ]),
    changes: [
      {
        ...{ id: 'ch_1', participantId: 'a_max', runId: 'run-3', at: minutesAgo(57), folder: '/home/jane/payments' },
        ...{ diff: DIFF, status: 'open', isCut: false, leftOut: [] },
        files: [{ path: 'src/charge.ts', status: 'changed', isBinary: false, added: 1, removed: 1 }],
        decisions: ['apply', 'branch', 'drop'],
      },
    ],
    choices: {
      apis: [
        { id: 'main', provider: 'openai', description: 'The model that the desk uses.' },
        { id: 'codex', provider: 'cli', description: 'Codex on this computer.' },
        { id: 'claude', provider: 'cli' },
      ],
      agents: [{ id: 'research-assistant', name: 'Research assistant', description: 'Reads the documents.' }],
      presets: [
        {
          ...{ id: 'design-review', title: 'Design review', context: 'We review the payment service.', maxRounds: 3 },
          participants: [
            { displayName: 'Jane Doe', apiConfigId: 'codex', persona: 'A careful architect.', color: '#7c3aed' },
            {
              ...{ displayName: 'Max', apiConfigId: 'claude', persona: 'Breaks things on purpose.', color: '#0891b2' },
              roaming: { enabled: true, workspaceDir: '/home/jane/payments', mode: 'safe' },
            },
            { displayName: 'Researcher', agentId: 'research-assistant', color: '#16a34a' },
          ],
        },
      ],
    },
  };
}
