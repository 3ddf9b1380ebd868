/** The loop that the gate compares with: the official client and nothing stored. `gate.ts` starts this process. */
import { OpenAI } from 'openai';
import { serveOrders, task } from './task.ts';

const [baseURL = ''] = process.argv.slice(2);
const client = new OpenAI({ baseURL, apiKey: task.APIKEY, maxRetries: 0 });
const tool = { name: task.TOOL_NAME, description: task.TOOL_DESC, parameters: task.TOOL_SCHEMA };

serveOrders(async (runId, turns) => {
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'system', content: task.SYSTEM },
    { role: 'user', content: task.mail(runId, turns) },
  ];
  for (;;) {
    const tools = [{ type: 'function' as const, function: tool }];
    const { choices } = await client.chat.completions.create({ model: task.MODEL, messages, tools });
    const message = choices[0]?.message;
    if (message === undefined) throw new Error('the model gave no answer');
    messages.push(message);
    const calls = message.tool_calls ?? [];
    if (calls.length === 0) return message.content ?? '';
    for (const call of calls)
      if (call.type === 'function') {
        const content = task.workspaceAddItem(JSON.parse(call.function.arguments));
        messages.push({ role: 'tool', tool_call_id: call.id, content });
      }
  }
});
