/** True where two addresses belong to one mailbox: case never counts, and Gmail ignores dots. */
export function isSameAddress(one: string, other: string): boolean {
  return canonical(one) === canonical(other);
}

function canonical(address: string): string {
  const [, name = '', host = ''] = /^(.*)@([^@]*)$/.exec(address.trim().toLowerCase()) ?? [];
  if (host !== 'gmail.com' && host !== 'googlemail.com') return `${name}@${host}`;
  return `${name.replaceAll('.', '')}@gmail.com`;
}
