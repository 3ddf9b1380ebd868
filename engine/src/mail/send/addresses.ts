import { domainToASCII } from 'node:url';
import { addressParser } from 'postal-mime';
import { EngineError } from '../../base/error.ts';
import type { Address } from '../mail.ts';

/** Line ends and control characters: behind them a sender could add header lines of their own. */
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f\u0085\u2028\u2029]/;

/** RFC 5321 4.1.2: letters, digits and these characters, in parts separated by dots. */
const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
/** `_` is not allowed in a host name, but real mail comes from such domains, so it is accepted. */
const DOMAIN = /^\w(?:[\w-]{0,61}\w)?(?:\.\w(?:[\w-]{0,61}\w)?)*$/;

/**
 * The address for SMTP: a domain in other scripts is converted to ASCII (RFC 5890). Returns a `fault` in words where no
 * mail can be sent to the address.
 */
export function wireAddress(address: string): { readonly address: string } | { readonly fault: string } {
  const at = address.lastIndexOf('@');
  const [local, domain] = [address.slice(0, Math.max(at, 0)), address.slice(at + 1)];
  if (at < 1 || domain === '') return { fault: 'is no e-mail address' };
  // eslint-disable-next-line no-control-regex
  if (/[^\u0000-\u007f]/.test(local))
    return { fault: 'has characters outside ASCII before the @, which need SMTPUTF8' };
  const ascii = domainToASCII(domain);
  if (!LOCAL.test(local) || local.length > 64 || !DOMAIN.test(ascii) || ascii.length > 253)
    return { fault: 'is no e-mail address' };
  return { address: `${local}@${ascii}` };
}

/** Parses addresses that a person or a model wrote: `a@b.org` or `Ann <a@b.org>`. `BAD_REQUEST` for an invalid one. */
export function readAddresses(texts: readonly string[], field: string): Address[] {
  return texts.flatMap((text) => {
    expectOneLine(text, field);
    const found = addressParser(text, { flatten: true });
    if (found.length === 0) throw refused(text, field, 'is no e-mail address');
    return found.map(({ name, address = '' }) => {
      const wire = wireAddress(address);
      if ('fault' in wire) throw refused(text, field, wire.fault);
      return { name: name ?? '', address: wire.address };
    });
  });
}

/** The valid addresses of a mail, each once. */
export function usableAddresses(addresses: readonly Address[]): Address[] {
  const seen = new Set<string>();
  return addresses.flatMap(({ name, address }) => {
    const wire = wireAddress(address);
    if ('fault' in wire || seen.has(wire.address.toLowerCase())) return [];
    seen.add(wire.address.toLowerCase());
    return [{ name: oneLine(name), address: wire.address }];
  });
}

/** Throws `BAD_REQUEST` for a text that would end a header line and begin another. */
export function expectOneLine(text: string, field: string): void {
  if (!CONTROL.test(text)) return;
  throw new EngineError('BAD_REQUEST', `"${field}" has a line break or another control character`, {
    hint: 'Write it in one line.',
  });
}

/** A text of a received mail, as one line. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(new RegExp(`${CONTROL.source}+`, 'g'), ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function refused(text: string, field: string, fault: string): EngineError {
  return new EngineError('BAD_REQUEST', `${field}: ${JSON.stringify(text.slice(0, 200))} ${fault}`, {
    // No example: with `privacy` an address in it would become a placeholder that the model may use.
    hint: 'Write the address alone, or a name before it and the address in < >.',
  });
}
