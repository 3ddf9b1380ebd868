import type { Problem } from '../../engine/src/config/config.ts';
import { computed } from '@preact/signals';
import { request } from '../http/request.ts';
import { createResource } from '../http/resource.ts';
import type { ConfigState } from '../http/api-types.ts';

/** The config that runs: revision, documents and problems. */
export const config = createResource((_key, signal) => request<ConfigState>('GET', '/api/config', { signal }));

/** Number of errors, for the tab; `''` for none. Warnings do not count. */
export const errorCount = computed(() => {
  const errors = (config.state.value.data?.problems ?? []).filter(({ severity }) => severity === 'error');
  return errors.length === 0 ? '' : String(errors.length);
});

/** Link that opens a file in VS Code at a line and column; undefined when the server sends no absolute folder. */
export function editorLink(root: string | undefined, file: string, line: number, column: number): string | undefined {
  if (root === undefined || !/^(?:\/|[A-Za-z]:[\\/])/.test(root)) return undefined;
  const folder = root.replaceAll('\\', '/').replace(/\/+$/, '');
  const absolute = `${folder.startsWith('/') ? '' : '/'}${folder}/${file}`;
  return `vscode://file${absolute.split('/').map(encodeURIComponent).join('/').replace(/%3A/i, ':')}:${line}:${column}`;
}

/** Whether a problem is in a file, or keeps its document from running. */
export function concerns({ file, stops = [] }: Problem, wanted: string): boolean {
  return file === wanted || stops.includes(wanted.slice(wanted.indexOf('/') + 1).replace(/\.[^./]*$/, ''));
}
