import type { Page } from '../../../api/http/paging.ts';
import { EngineError } from '../../../base/error.ts';
import { path } from '../../client.ts';
import type { CommandContext } from '../../context.ts';
import { withApi } from '../../with-api.ts';
import { EXIT, type Terminal } from '../../terminal/terminal.ts';

interface ListedSecret {
  readonly name: string;
  readonly hosts: readonly string[];
}

/** `secrets list`: the names of all secrets with the hosts that may get them, never the values. */
export async function listSecrets(context: CommandContext): Promise<number> {
  const page = await withApi(context, { isDriving: false }, (client) =>
    client.request<Page<ListedSecret>>('GET', '/api/secrets?limit=200'),
  );
  if (context.isJson) context.print(page);
  else if (page.items.length === 0) context.say('no secrets');
  else
    context.terminal.out(
      page.items.map(({ name, hosts }) => `${[name, hosts.join(', ')].join('  ').trim()}\n`).join(''),
    );
  return EXIT.fine;
}

/**
 * `secrets set <name>`: reads the value from stdin, since every process of the machine can see arguments. Exit 2 if the data
 * folder is in plain text and neither `--plaintext` nor CALLSHEET_PLAINTEXT=1 allows that.
 */
export async function setSecret(
  context: CommandContext,
  { plaintext = false }: { readonly plaintext?: boolean },
  [name = '']: readonly string[],
): Promise<number> {
  const value = await readSecret(context.terminal, `value of ${name} (not shown): `);
  if (value === '')
    throw new EngineError('USAGE', `stdin contains no value for ${name}`, {
      hint: `pipe the value: callsheet secrets set ${name} < file`,
    });
  context.redactor.add(value);
  const allows = plaintext || context.env('CALLSHEET_PLAINTEXT') === '1';
  await withApi(context, { isDriving: false }, (client) =>
    client.request('PUT', path`/api/secrets/${name}`, { body: { value, ...(allows && { plaintext: true }) } }),
  );
  context.say(`stored ${name}; refer to it as \${secret:${name}}`);
  return EXIT.fine;
}

/** `secrets allow <name> <host>`: the host may get the value from now on; documents that waited for that run at once. */
export async function allowHost(
  context: CommandContext,
  _options: object,
  [name = '', host = '']: readonly string[],
): Promise<number> {
  const secret = await withApi(context, { isDriving: false }, (client) =>
    client.request<ListedSecret>('POST', path`/api/secrets/${name}/hosts`, { body: { host } }),
  );
  if (context.isJson) context.print(secret);
  else context.say(`${name} may be sent to ${secret.hosts.join(', ')}`);
  return EXIT.fine;
}

/** `secrets delete <name>` */
export async function deleteSecret(
  context: CommandContext,
  _options: object,
  [name = '']: readonly string[],
): Promise<number> {
  await withApi(context, { isDriving: false }, (client) => client.request('DELETE', path`/api/secrets/${name}`));
  context.say(`deleted ${name}`);
  return EXIT.fine;
}

/** Reads all of stdin without the last line break; in a terminal one line, not shown while typed. */
function readSecret({ openStdin, err }: Terminal, question: string): Promise<string> {
  const stdin = openStdin();
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const chunks: Buffer[] = [];
  const finish = () => {
    stdin.off('data', onData);
    stdin.off('end', finish);
    if (stdin.isTTY) {
      stdin.setRawMode(false);
      err('\n');
    }
    stdin.pause();
    resolve(
      Buffer.concat(chunks)
        .toString('utf8')
        .replace(/\r?\n$/, ''),
    );
  };
  const onData = (chunk: Buffer) => {
    if (!stdin.isTTY) return void chunks.push(chunk);
    for (const byte of chunk) {
      if (byte === 0x0d || byte === 0x0a || byte === 0x04) return finish();
      if (byte === 0x03) {
        chunks.length = 0;
        finish();
        return reject(new EngineError('USAGE', 'stopped'));
      }
      // Backspace removes one byte only; secrets are ASCII in practice.
      if (byte === 0x7f || byte === 0x08) chunks.pop();
      else chunks.push(Buffer.from([byte]));
    }
  };
  if (stdin.isTTY) {
    err(question);
    stdin.setRawMode(true);
  }
  stdin.on('data', onData);
  stdin.on('end', finish);
  stdin.resume();
  return promise;
}
