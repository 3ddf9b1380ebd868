import type { PrivateSpan } from './private-span.ts';

/** Digits with up to three separators between two of them, and an extension. */
const CANDIDATE =
  /(?<![\p{L}\p{N}_@#&=])(?<![\p{N}][.,:/-])(?:\+|\(\+?)?\d(?:[ \u00a0.()/\u2010-\u2013-]{0,3}\d){5,17}(?:[ ,;]{0,2}(?:x|ext\.?|extension|durchwahl|dw|poste)[ .:]{0,2}\d{1,6})?(?![\p{N}_])/giu;

/** Words before a number, or behind it, that say that it is a phone. Without accents. */
const CUE =
  /\b(?:phones?|telephone|tel|tele?fon[oe]?|telefonnummer|rufnummer|fon|mobile?|mobilnummer|handy(?:nummer)?|cell(?:phone)?|fax|telefax|call(?:ed|ing|s)?|ring|dial|text(?:ed)?|sms|whatsapp|signal|reach(?:ed|able)?|contact(?:ed)?|answer(?:ing|ed)?|messages?|hotline|landline|desk|office|home|work|direct|extension|anruf(?:en)?|ruf(?:en)?|anrufe|durchwahl|zentrale|erreich(?:en|bar)|portable|fixe|appel(?:er|ez|le)?|joindre|joignable|standard|llam(?:a|ar|e|eme|ame)|movil|fijo|celular|marcar|number(?: is)?|nummer(?: ist)?|numero(?: est| es)?|registered)\b/g;
/** Words before a number that say that it is something else. */
const OTHER =
  /\b(?:zip|plz|postcode|postal|cp|suite|apt|apartment|unit|box|room|zimmer|raum|floor|order|orders|invoice|ticket|case|account|konto|kontonummer|article|artikel|serial|tracking|sendungsnummer|rechnung|rechnungsnummer|bestellung|bestellnummer|kundennummer|customer number|commande|facture|pedido|factura|reference|referenz|ref|id|ids|isbn|issn|ssn|social security|passport|pass|licen[cs]e|tax|steuernummer|ust|vat|siret|siren|nif|dni|iban|bic|blz|card|karte|carte|tarjeta|cc|version|build|commit|sku|model|year|jahr|since|from|nhs|pin|code|po|psc|date|datum|amount|total|betrag|eur|usd|chf|gbp|number of|patent|claim|policy|police|vertrag|vertragsnummer|booking|flight|zug|train)\b|[#€$£§№]\s*$/g;
const AFTER =
  /^[ \t]*(?:[-–—,:;]|\\,|\()?[ \t]*\(?(?:phone|tel|mobile?|cell|fax|office|home|work|desk|direct|handy|mobil|fest|privat|portable|bureau|movil|fijo|oficina|whatsapp)\b/i;
const UNIT_AFTER =
  /^(?:,\d\d(?!\d)|[ \t]*(?:%|€|\$|£|eur|usd|chf|gbp|euros?|dollars?|kb|mb|gb|kg|km|mm|cm|people|users|st(?:ück|\.)|pcs|:\d))/i;
/** How far before a number its cue may stand. */
const CUE_REACH = 48;

/** Options of `findPhones`. */
export interface PhoneOptions {
  /** In the user's own words a bare number of phone length is a phone (seed 003). */
  readonly isUserWords: boolean;
  readonly keepsDates: boolean;
  /** Whether a number with separators is one of a country's numbering plan. */
  readonly isInPlan: (number: string) => boolean;
}

/** The phone numbers of a text. */
export function findPhones(text: string, options: PhoneOptions): PrivateSpan[] {
  const spans: PrivateSpan[] = [];
  for (const { 0: found, index } of text.matchAll(CANDIDATE)) {
    const number = found.replace(/[ \u00a0.(/-]+$/, '');
    if (!isPhone(text, index, number, options)) continue;
    spans.push({ start: index, end: index + number.length, kind: 'phone', text: number });
  }
  return spans;
}

function isPhone(text: string, start: number, found: string, options: PhoneOptions): boolean {
  const number = found.replace(/[ ,;]*(?:x|e|d|p).*$/i, '');
  const digits = number.replace(/\D/g, '');
  const rest = text.slice(start + found.length, start + found.length + 24);
  const isInternational = /^\(?\+|^00[1-9]/.test(number);
  if (digits.length < 6 || digits.length > 15 || (options.keepsDates && isDate(number, rest)) || isOther(number))
    return false;
  if (isInternational && digits.length >= 8) return true;
  const cue = cueBefore(text, start);
  if (cue === 'other') return false;
  if (cue === 'phone' || AFTER.test(plain(rest))) return digits.length <= 13;
  if (UNIT_AFTER.test(rest)) return false;
  if (/^0\d{9,11}$/.test(number) && isAlone(text, start, rest)) return true;
  if (options.isUserWords && digits.length >= 7 && /^\d+$/.test(number)) return true;
  return digits.length >= 7 && hasPhoneForm(number) && (isLocalForm(number) || options.isInPlan(number));
}

/** Whether a number has its line for itself, or follows a label. */
function isAlone(text: string, start: number, rest: string): boolean {
  return (
    /^[ \t.]*(?:[\r\n]|$)/.test(rest) && /(?:^|[\r\n:])[ \t>]*$/.test(text.slice(Math.max(0, start - CUE_REACH), start))
  );
}

function plain(text: string): string {
  return text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
}

/** What the words before a number say about it: the nearest counts. */
function cueBefore(text: string, start: number): 'phone' | 'other' | undefined {
  const stretch = text.slice(Math.max(0, start - CUE_REACH), start);
  // The line of the number, with the one before it where that is a label: "Phone:\n0487 98 11 92".
  const line = /(?:[^\n]*:[ \t]*\r?\n\s*)?[^\n]*$/.exec(stretch)?.[0] ?? '';
  const last = (pattern: RegExp) => [...plain(line).matchAll(pattern)].at(-1)?.index ?? -1;
  const [phone, other] = [last(CUE), last(OTHER)];
  if (phone < 0 && other < 0) return undefined;
  // "registered number", "order number": what stands before `number` says which.
  return other >= 0 &&
    /^(?:number|nummer|numero|registered|text|message)/.test(plain(line).slice(phone)) &&
    phone - other < 24
    ? 'other'
    : phone > other
      ? 'phone'
      : 'other';
}

/** Dates, times, ranges of years, and numbers in groups of thousands. */
function isDate(number: string, rest: string): boolean {
  if (/^:\d\d/.test(rest)) return true;
  if (/^(?:19|20)\d\d[-./ ]?(?:0[1-9]|1[0-2])[-./ ]?(?:0[1-9]|[12]\d|3[01])(?!\d)/.test(number)) return true;
  if (
    /^(?:0?[1-9]|[12]\d|3[01])[-./ ]{1,2}(?:0?[1-9]|1[0-2])[-./ ]{1,2}(?:19|20)?\d\d(?:$|[ -])/.test(number) &&
    !/^0?\d(?:[ .]\d\d){4}$/.test(number)
  )
    return true;
  if (/^(?:0?[1-9]|1[0-2])[-./](?:0?[1-9]|[12]\d|3[01])[-./](?:19|20)\d\d/.test(number)) return true;
  return /^(?:19|20)\d\d ?[-–/] ?(?:19|20)\d\d$/.test(number);
}

/** Numbers that are written in another way than phones: of social security, of networks, amounts. */
function isOther(number: string): boolean {
  if (/^\d{3}[- .]\d{2}[- .]\d{4}$/.test(number)) return true;
  if (/^\d{1,3}(?:\.\d{1,3}){3}$/.test(number) && number.split('.').every((part) => Number(part) < 256)) return true;
  if (/^\d{1,3}(?:[. ]000)+$/.test(number) || /^(\d)\1*$/.test(number.replace(/\D/g, ''))) return true;
  return /^\d{5}-\d{3,4}$/.test(number) || /^\d+\.\d+$/.test(number);
}

/** Digits in groups, as phones are written. */
function hasPhoneForm(number: string): boolean {
  const groups = number.match(/\d+/g) ?? [];
  return (
    groups.length >= 2 &&
    groups.length <= 6 &&
    groups.every(({ length }) => length <= 8) &&
    !/\d \(|\/.*\//.test(number)
  );
}

/** `(555) 123-4567`, `555-123-4567`, `555-1234`, `0555 / 123456`, `01 23 45 67 89`. */
function isLocalForm(number: string): boolean {
  return /^(?:\(\d{3}\) ?\d{3}[- .]?\d{4}|\d{3}([-. ])\d{3}\1\d{4}|\d{3}-\d{4}|\(?0\d{1,5}\)?[ /-]{1,3}\d[\d -]{4,9}|0\d(?:([ .-])\d\d)(?:\2\d\d){3})$/.test(
    number,
  );
}
