import { countrySpecs, isValidIBAN } from 'ibantools';
import type { PrivateSpan } from './private-span.ts';

/** How an IBAN begins: a country and two check digits, in any case. */
const IBAN_START = /(?<![\p{L}\p{N}])[A-Z]{2}[ -]?\d{2}/giu;
/** What people put between the characters of a number, and how many of them. */
const SEPARATOR = /[\s\u00a0\u202f\u2011-]/;
const MAX_SEPARATORS = 2;

/** The IBANs of a text: as long as the country says, with the right check digits (ISO 13616). */
export function findIbans(text: string): PrivateSpan[] {
  return [...text.matchAll(IBAN_START)].flatMap(({ 0: begin, index }): PrivateSpan[] => {
    const length = countrySpecs[begin.slice(0, 2).toUpperCase()]?.chars;
    const read = typeof length === 'number' ? readCharacters(text, index, length) : undefined;
    if (read === undefined || !isValidIBAN(read.characters.toUpperCase())) return [];
    return [{ start: index, end: read.end, kind: 'iban', text: text.slice(index, read.end) }];
  });
}

/** Reads `count` letters and digits, passing over separators; undefined where the text has fewer or a longer word. */
function readCharacters(text: string, from: number, count: number): { characters: string; end: number } | undefined {
  let characters = '';
  let separators = 0;
  let at = from;
  for (; characters.length < count; at++) {
    const char = text.charAt(at);
    if (/[A-Za-z0-9]/.test(char)) {
      characters += char;
      separators = 0;
    } else if (!SEPARATOR.test(char) || ++separators > MAX_SEPARATORS) return undefined;
  }
  return /[\p{L}\p{N}]/u.test(text.charAt(at)) ? undefined : { characters, end: at };
}

/** 13 to 19 digits, with or without a blank or a hyphen between two of them. */
const CARD = /(?<![\p{L}\p{N}])(?<!\d[.,-])\d(?:[ \u00a0\u2011-]?\d){12,18}(?![\p{L}\p{N}])/gu;

/**
 * How the numbers of payment cards begin (ISO/IEC 7812, issuers' own tables): American Express, Diners, JCB, Visa, Mastercard,
 * Maestro, UnionPay, Discover. Numbers of other things that pass the check by chance (one in ten) mostly begin otherwise.
 */
const ISSUER =
  /^(?:3[47]\d{13}|3(?:0[0-59]|[689]\d)\d{11,16}|35\d{14,17}|(?:1800|2131)\d{11}|4\d{12}(?:\d{3}){0,2}|5[1-5]\d{14}|2[2-7]\d{14}|(?:50|5[6-9]|6\d)\d{10,17})$/;

/** The numbers of payment cards of a text: an issuer's number whose check digit is right. */
export function findCards(text: string): PrivateSpan[] {
  return [...text.matchAll(CARD)].flatMap(({ 0: found, index }): PrivateSpan[] => {
    const digits = found.replace(/\D/g, '');
    if (!ISSUER.test(digits) || !hasCheckDigit(digits)) return [];
    return [{ start: index, end: index + found.length, kind: 'card', text: found }];
  });
}

/** Luhn's check (ISO/IEC 7812-1, annex B). */
function hasCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0 && /[1-9]/.test(digits);
}
