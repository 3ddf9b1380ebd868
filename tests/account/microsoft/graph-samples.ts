import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { corpora } from '../../available.ts';

/** A request of Microsoft's documentation with its answer. */
export interface Sample {
  readonly id: string;
  readonly request: { readonly line: string; readonly headers: readonly string[]; readonly body?: unknown } | null;
  readonly response: { readonly status: number | null; readonly headers: readonly string[]; readonly body?: unknown };
}

/** The samples of the corpus; none where there is no corpus. */
export const samples: readonly Sample[] =
  corpora === undefined
    ? []
    : readFileSync(join(corpora, 'graph', 'graph-docs.jsonl'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Sample);

/** Method and path below `/v1.0` of a request line, as `GET https://graph.microsoft.com/v1.0/me/messages HTTP/1.1` has them. */
export function requestOf(line: string): { readonly method: 'GET' | 'POST'; readonly path: string } {
  const [method, url = ''] = line.split(' ');
  return { method: method === 'POST' ? 'POST' : 'GET', path: url.replace('https://graph.microsoft.com/v1.0', '') };
}
