import { isRecord } from '../../base/json.ts';
import type { Redactor } from '../../base/redact.ts';
import type { ConfigService, Snapshot } from '../../config/config.ts';
import { parseReference, resolveReference } from '../../config/reference.ts';
import { referencesIn } from '../../config/tool-template.ts';
import { secretVariables } from '../../model/cli/secret-variables.ts';

/** Key whose value is no secret, although it may be a reference: people see it in the address of a sign-in. */
const PUBLIC_KEY = 'clientId';

/**
 * Redacts the variables that the config names: `${env:NAME}`, and `env` of command-line agents. From the start and after each change, since
 * a value may appear in an output before its api or account is used.
 */
export function redactVariables(
  config: Pick<ConfigService, 'current' | 'onChange'>,
  env: (name: string) => string | undefined,
  redactor: Pick<Redactor, 'add'>,
): void {
  const add = (snapshot: Snapshot) => {
    for (const value of variablesOf(snapshot, env)) redactor.add(value);
  };
  config.onChange(({ snapshot }) => add(snapshot));
  add(config.current());
}

function variablesOf(snapshot: Snapshot, env: (name: string) => string | undefined): string[] {
  const { settings, apis, accounts, agents, directors, tools } = snapshot;
  const documents = [settings, ...[apis, accounts, agents, directors, tools].flatMap((kind) => [...kind.values()])];
  const references = new Set(documents.flatMap(textsIn).flatMap(referencesIn));
  const named = [...apis.values()].flatMap((api) => (api.provider === 'cli' ? api.env : []));
  return [
    ...[...references].flatMap((reference) => {
      const isVariable = parseReference(reference)?.source === 'env';
      return (isVariable ? resolveReference(reference, { env, secret: () => undefined }) : undefined) ?? [];
    }),
    ...secretVariables(named, env),
  ];
}

/** All texts in a document that can hold a reference to a secret. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.includes('${env:') ? [value] : [];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => (key === PUBLIC_KEY ? [] : textsIn(member)));
}
