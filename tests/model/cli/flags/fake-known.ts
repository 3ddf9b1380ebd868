/** Stands for one of the three known tools: `node fake-known.ts NAME …`. Writes what the real ones write, with its arguments as the message. */
import { existsSync, readFileSync } from 'node:fs';

const [name = '', ...args] = process.argv.slice(2);
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);
const versions: Record<string, string> = {
  codex: 'codex-cli 0.169.0',
  claude: '2.1.197 (Claude Code)',
  gemini: '0.99.0',
};

if (args[0] === '--version') {
  console.log(versions[name]);
} else if (args[0] === '--acp') {
  console.error('Unknown argument: acp');
  process.exitCode = 1;
} else if (args[1] === 'status') {
  // Signed in where the person's home folder has a file that says so.
  process.exitCode = existsSync(`${process.env['HOME']}/signed-in`) ? 0 : 1;
} else {
  const prompt = readFileSync(0, 'utf8');
  const message = JSON.stringify({ args, prompt, cwd: process.cwd() });
  if (name === 'codex') {
    say({ type: 'thread.started', thread_id: 't-1' });
    say({ type: 'item.completed', item: { id: 'i0', type: 'agent_message', text: 'I look first.' } });
    say({ type: 'item.started', item: { id: 'i1', type: 'command_execution', command: 'ls', status: 'in_progress' } });
    say({ type: 'item.completed', item: { id: 'i1', type: 'command_execution', command: 'ls', status: 'completed' } });
    const changes = [{ path: 'a.txt', kind: 'add' }];
    say({ type: 'item.completed', item: { id: 'i2', type: 'file_change', changes, status: 'completed' } });
    say({ type: 'item.completed', item: { id: 'i3', type: 'agent_message', text: message } });
    say({ type: 'turn.completed', usage: { input_tokens: 7, cached_input_tokens: 2, output_tokens: 3 } });
  }
  if (name === 'claude') {
    say({ type: 'system', subtype: 'init', session_id: 's-1', tools: [] });
    const use = { type: 'tool_use', id: 'u1', name: 'Write', input: { file_path: '/w/a.txt', content: 'x' } };
    say({ type: 'assistant', session_id: 's-1', message: { content: [{ type: 'text', text: 'I write.' }, use] } });
    const result = { type: 'tool_result', tool_use_id: 'u1', is_error: true, content: 'refused' };
    say({ type: 'user', session_id: 's-1', message: { content: [result] } });
    const usage = { input_tokens: 7, cache_read_input_tokens: 2, output_tokens: 3 };
    say({ type: 'result', subtype: 'success', is_error: false, result: message, session_id: 's-1', usage });
  }
  if (name === 'gemini') {
    say({ type: 'init', session_id: 's-1', model: 'auto' });
    say({ type: 'message', role: 'user', content: prompt });
    say({ type: 'message', role: 'assistant', content: 'I read.', delta: true });
    say({ type: 'tool_use', tool_name: 'read_file', tool_id: 'u1', parameters: { path: 'a.txt' } });
    say({ type: 'tool_result', tool_id: 'u1', status: 'success' });
    say({ type: 'message', role: 'assistant', content: message.slice(0, 9), delta: true });
    say({ type: 'message', role: 'assistant', content: message.slice(9), delta: true });
    say({ type: 'result', status: 'success', stats: { input_tokens: 7, cached: 2, output_tokens: 3 } });
  }
}
