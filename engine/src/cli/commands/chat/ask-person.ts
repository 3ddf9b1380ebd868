import type { Page } from '../../../api/http/paging.ts';
import type { ApprovalView } from '../../../api/routes/run/approval-view.ts';
import { EngineError } from '../../../base/error.ts';
import type { CallDraft } from '../../../run/turn/preview-call.ts';
import { callTitle } from '../../../tool/call-title.ts';
import { type ApiClient, path } from '../../client.ts';
import type { LineReader } from '../../terminal/line-reader.ts';
import { oneLine, plain } from '../../terminal/table.ts';
import { formatApproval } from '../run/format-approval.ts';
import { editArguments, readArguments } from './edit-arguments.ts';

/** How a wait for the person ended: all is answered, the person wants to cancel the run, or there is no more input. */
export type Answered = 'answered' | 'interrupt' | 'end';

/** An answer is no message, and nobody answers before they have read the question. */
const ASKED = { isPrivate: true, isFresh: true } as const;

interface Options {
  readonly client: ApiClient;
  readonly lines: LineReader;
  /** Prints a message and a line break. */
  readonly say: (text: string) => void;
  readonly width: number;
  readonly mark: string;
}

/** Asks the person everything that a run waits for: questions of its director, and calls that need an approval. */
export async function askPerson(options: Options, runId: string): Promise<Answered> {
  const { client } = options;
  const query = new URLSearchParams({ status: 'pending', runId, limit: '200' });
  const { items } = await client.request<Page<ApprovalView>>('GET', `/api/approvals?${query}`);
  for (const approval of items) {
    const how = await (approval.kind === 'question' ? answer : decide)(options, approval).catch((error: unknown) => {
      // Somebody else was faster, or the call holds no longer.
      if (!(error instanceof EngineError) || error.code === 'INTERNAL') throw error;
      options.say(`  ${oneLine(error.message)}${error.hint === undefined ? '' : `: ${oneLine(error.hint)}`}`);
      return 'answered' as const;
    });
    if (how !== 'answered') return how;
  }
  return 'answered';
}

async function answer({ client, lines, say, mark }: Options, approval: ApprovalView): Promise<Answered> {
  const { question, choices } = approval.arguments;
  say(`\n? ${plain(String(question))}`);
  const known = Array.isArray(choices) ? choices.map(String) : [];
  for (const [n, choice] of known.entries()) say(`  ${n + 1}. ${oneLine(choice)}`);
  for (;;) {
    const input = await lines.next(`  answer ${mark} `, ASKED);
    if (input.kind !== 'line') return input.kind;
    const text = input.text.trim();
    if (text === '') continue;
    const message = known[/^\d{1,3}$/.test(text) ? Number(text) - 1 : -1] ?? text;
    const body = { message, questionId: approval.id };
    await client.request('POST', path`/api/runs/${approval.runId}/message`, { body });
    return 'answered';
  }
}

/** A call as it would be made: with the arguments of the model, or with those of the person. */
type Draft = Pick<ApprovalView, 'preview' | 'warnings' | 'arguments'> & { readonly isEdited: boolean };

async function decide(options: Options, approval: ApprovalView): Promise<Answered> {
  const { client, lines, say, mark } = options;
  const address = path`/api/approvals/${approval.id}`;
  // A command-line agent runs its own input.
  const canEdit = approval.kind !== 'permission';
  let draft: Draft = { ...approval, isEdited: false };
  show(options, approval, draft);
  for (;;) {
    const warns = (draft.warnings ?? []).length > 0;
    const input = await lines.next(`  ${warns ? '[yes]' : '[y]es'}, [n]o${canEdit ? ', [e]dit' : ''} ${mark} `, ASKED);
    if (input.kind !== 'line') return input.kind;
    const [, word = '', rest = ''] = /^\s*(\S*)\s*(.*?)\s*$/.exec(input.text) ?? [];
    if (/^yes$/i.test(word) || (/^y$/i.test(word) && !warns)) {
      const body = { decision: 'allow', ...(draft.isEdited && { arguments: draft.arguments }) };
      await client.request('POST', address, { body });
      return 'answered';
    }
    if (/^no?$/i.test(word)) {
      await client.request('POST', address, { body: { decision: 'deny', ...(rest !== '' && { reason: rest }) } });
      return 'answered';
    }
    if (/^y$/i.test(word)) say('  There are warnings, above. Type yes to allow the call all the same.');
    else if (canEdit && /^e(dit)?$/i.test(word)) draft = (await edited(options, approval, draft, rest)) ?? draft;
    else
      say(
        `  Type ${warns ? 'yes' : 'y'} to allow the call, n to deny it (n and a reason)${canEdit ? ', e to change it' : ''}.`,
      );
  }
}

function show({ say, width }: Options, approval: ApprovalView, { preview, warnings, arguments: args }: Draft): void {
  say('');
  const title = callTitle(approval.tool, args, preview);
  say(formatApproval({ ...approval, title, preview, arguments: args, ...(warnings && { warnings }) }, width).trimEnd());
}

/** The call with arguments that the person changes, or gives as JSON; undefined where they stay as they are. */
async function edited(
  options: Options,
  approval: ApprovalView,
  before: Draft,
  given: string,
): Promise<Draft | undefined> {
  const { client, lines, say } = options;
  const isTyped = given === '' && lines.isInteractive;
  const args = isTyped ? await editArguments(before.arguments, { lines, say }) : readArguments(given);
  if (args === undefined) {
    say('  Nothing was changed. Arguments can be given as JSON: e {"to": "ada@example.org"}');
    return undefined;
  }
  try {
    const body = { arguments: args };
    const draft = await client.request<CallDraft>('POST', path`/api/approvals/${approval.id}/preview`, { body });
    const next = { preview: draft.preview, warnings: draft.warnings, arguments: draft.arguments, isEdited: true };
    show(options, approval, next);
    return next;
  } catch (error) {
    if (!(error instanceof EngineError) || error.code === 'INTERNAL') throw error;
    say(`  ${oneLine(error.message)}`);
    return undefined;
  }
}
