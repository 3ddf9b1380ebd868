import { parameters } from './parameters.ts';
import type { ToolFamily } from './tool-family.ts';
import type { QuestionTool } from './tool.ts';

/** The name of the tool with which a director asks the user. */
export const ASK_USER = 'ask_user';

const askUser: QuestionTool = {
  name: ASK_USER,
  family: 'person',
  effects: 'none',
  answeredBy: 'person',
  description:
    'Asks the user one question, and waits for the answer, for days if need be. Put everything you need to know into it. Do not ask what you can find out yourself.',
  parameters: parameters(
    {
      question: {
        type: 'string',
        minLength: 1,
        maxLength: 4000,
        description: 'The question, with all that the user needs to know to answer it. Plain text.',
      },
      choices: {
        type: 'array',
        items: { type: 'string', minLength: 1, maxLength: 200 },
        maxItems: 8,
        description: 'Answers to choose from. The user may write another one.',
      },
    },
    ['question'],
  ),
};

/** The tool that asks the user. */
export const personFamily: ToolFamily = { name: 'person', tools: () => [askUser] };
