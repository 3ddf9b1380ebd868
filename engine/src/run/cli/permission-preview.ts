import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import { isRecord } from '../../base/json.ts';
import { visible } from '../../base/visible.ts';
import type { CliPermission } from '../../model/model.ts';
import { DIFF_TYPE, toolPreview } from '../../tool/preview.ts';
import type { ToolPreview } from '../../tool/tool.ts';

/** Where the tool works, for the person who is asked. */
export interface WorkFolder {
  /** The folder in which it works. */
  readonly dir: string;
  readonly isSandboxed: boolean;
}

/** Longest text of which a difference is made, in characters. */
const MAX_TEXT = 200_000;
/** Longest time for a difference, in milliseconds; the input is shown as it is after that. */
const DIFF_MS = 1000;

/** What a person sees of a permission request: a command, a difference, or else the exact input. */
export function permissionPreview(
  { kind, input, title }: CliPermission,
  folder: WorkFolder,
): Pick<ToolPreview, 'mimeType' | 'data'> {
  const args = isRecord(input) ? input : {};
  const argv = kind === 'execute' ? commandIn(args) : undefined;
  if (argv !== undefined) {
    const cwd = typeof args['cwd'] === 'string' ? args['cwd'] : folder.dir;
    return toolPreview({ kind: 'command', argv, cwd, isSandboxed: folder.isSandboxed });
  }
  const diff = kind === 'edit' ? diffIn(args) : undefined;
  if (diff !== undefined) return { mimeType: DIFF_TYPE, data: diff };
  const shown = input === undefined ? { title, input: 'the tool does not say' } : input;
  return { mimeType: 'application/json', data: JSON.stringify(shown, null, 2) };
}

/** The command of an input that has nothing else which decides about what runs. */
function commandIn({ command }: Readonly<Record<string, unknown>>): readonly string[] | undefined {
  if (typeof command === 'string') return [command];
  return Array.isArray(command) && command.length > 0 && command.every((one) => typeof one === 'string')
    ? command
    : undefined;
}

/** The difference that an edit makes: of a text that is replaced, or of a whole new file. */
function diffIn(args: Readonly<Record<string, unknown>>): string | undefined {
  const path = ['file_path', 'path', 'filePath', 'abs_path']
    .map((name) => args[name])
    .find((one) => typeof one === 'string');
  const before = args['old_string'] ?? args['oldText'] ?? '';
  const after = args['new_string'] ?? args['newText'] ?? args['content'];
  if (typeof path !== 'string' || typeof before !== 'string' || typeof after !== 'string') return undefined;
  // An input with more in it than is shown is shown as it is.
  const known = new Set([
    'file_path',
    'path',
    'filePath',
    'abs_path',
    'old_string',
    'oldText',
    'new_string',
    'newText',
    'content',
  ]);
  if (Object.keys(args).some((key) => !known.has(key)) || before.length + after.length > MAX_TEXT) return undefined;
  const name = visible(path);
  const options = { timeout: DIFF_MS, headerOptions: FILE_HEADERS_ONLY } as const;
  return createTwoFilesPatch(name, name, before, after, '', '', options);
}
