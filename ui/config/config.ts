import { computed } from '@preact/signals';
import { request } from '../http/request.ts';
import { createResource } from '../http/resource.ts';
import type { ConfigState } from '../http/api-types.ts';

/** Revision, documents and problems of what runs. */
export const config = createResource((_key, signal) => request<ConfigState>('GET', '/api/config', { signal }));

/** Number of errors, for the tab; `''` for none. Warnings do not count. */
export const errorCount = computed(() => {
  const errors = (config.state.value.data?.problems ?? []).filter(({ severity }) => severity === 'error');
  return errors.length === 0 ? '' : String(errors.length);
});

/** Where an editor opens a file at a place, or undefined while the server does not say where the folder is. */
export function editorLink(root: string | undefined, file: string, line: number, column: number): string | undefined {
  if (root === undefined || !/^(?:\/|[A-Za-z]:[\\/])/.test(root)) return undefined;
  const folder = root.replaceAll('\\', '/').replace(/\/+$/, '');
  const absolute = `${folder.startsWith('/') ? '' : '/'}${folder}/${file}`;
  return `vscode://file${absolute.split('/').map(encodeURIComponent).join('/').replace(/%3A/i, ':')}:${line}:${column}`;
}
