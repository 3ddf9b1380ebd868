import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { director, type ObjectiveStage, objectiveStage } from './players.ts';

const NAME = 'Karla Tremblay';
const ADDRESS = 'karla@tremblay.example';
const PHONE = '+49 30 901820';

let stage: ObjectiveStage;
beforeAll(async () => {
  const privacy = 'privacy: { redact: [person, email, phone], restoreIn: [mail_draft] }';
  stage = await objectiveStage(undefined, { files: director('sendDrafts: never', privacy) });
});
afterAll(() => stage.close());

/** The placeholder of a kind that stands before or after some words of what a role reads. */
function placeholder(data: string, pattern: RegExp): string {
  const found = pattern.exec(data)?.[1];
  if (found === undefined) throw new Error(`${pattern} is not in ${data}`);
  return found;
}

test('the roles of a director with privacy read placeholders; the record, the story and the draft have real values', async () => {
  stage.answer = (role, data) => {
    const address = placeholder(data, /write to (<EMAIL_\d+>)/);
    const name = placeholder(data, /ask for (<PERSON_\d+>)/);
    if (role === 'intake')
      return {
        summary: `${name} sells paper.`,
        dates: [],
        names: [name],
        openQuestions: [],
        wishes: [],
        userQuery: `Ask ${name}`,
      };
    if (role === 'planner')
      return { action: 'draft', reason: `${name} knows`, instructions: `ask ${name}`, to: [address], subject: 'Paper' };
    return `Hello ${name}, do you have paper?`;
  };
  const text = `For paper write to ${ADDRESS} and ask for ${NAME}, phone ${PHONE}.`;
  await stage.fetch(stage.mail('1', { labels: ['Autopilot'], text }));
  const asks = await stage.reached(({ waitingFor }) => waitingFor === 'answer');
  expect(asks).toMatchObject({ proposal: `Ask ${NAME}`, summary: `${NAME} sells paper.` });
  expect(asks.constraints['names']).toEqual([NAME]);
  await stage.app.engine.message(asks.id, { text: `Yes, ask ${NAME}`, by: 'user' });
  const { history, draft } = await stage.reached(({ waitingFor }) => waitingFor === 'draft');

  expect(stage.asked.map(({ role }) => role)).toEqual(['intake', 'intake', 'planner', 'writer']);
  const sent = JSON.stringify(stage.asked.map(({ request }) => [request.messages, request.tools]));
  for (const real of ['Karla', 'Tremblay', ADDRESS, PHONE, '901820']) expect(sent).not.toContain(real);
  expect(history.map((line) => line.text)).toContain(`Writes a draft: ${NAME} knows`);
  expect(draft?.to).toEqual([ADDRESS]);
  const [file = ''] = readdirSync(join(stage.root, 'drafts'));
  const mail = readFileSync(join(stage.root, 'drafts', file), 'utf8');
  expect(mail).toContain(`To: ${ADDRESS}\r\n`);
  expect(mail).toContain(`Hello ${NAME}, do you have paper?`);
});
