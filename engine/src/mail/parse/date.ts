const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Zone names of RFC 5322 4.3, in minutes. Unknown names count as UTC, as that section requires. */
const ZONES: Readonly<Record<string, number>> = {
  edt: -240,
  est: -300,
  cdt: -300,
  cst: -360,
  mdt: -360,
  mst: -420,
  pdt: -420,
  pst: -480,
};

const DATE =
  /(\d{1,2})[ -]+([a-z]{3})[a-z]*\.?[ ,-]+(\d{2,4}),?\s+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*(?:([+-])(\d{2}):?(\d{2})|([a-z]+))?/i;

/**
 * A Date header as ISO 8601 in UTC, or `''` where it is unreadable. RFC 5322 3.3 with the obsolete forms of 4.3. Never
 * uses the time zone of this machine, so that every machine gets the same result.
 */
export function mailDate(header: string): string {
  const text = header.slice(0, 200);
  const match = DATE.exec(text);
  const ms = match === null ? otherForms(text) : timeOf(match);
  const date = new Date(ms);
  return Number.isNaN(ms) || Number.isNaN(date.getTime()) ? '' : date.toISOString();
}

function timeOf([
  ,
  day,
  month,
  year,
  hour,
  minute,
  second,
  sign,
  zoneHours,
  zoneMinutes,
  zoneName,
]: RegExpExecArray): number {
  const monthIndex = MONTHS.indexOf((month ?? '').toLowerCase());
  if (monthIndex < 0) return Number.NaN;
  const local = new Date(0);
  local.setUTCFullYear(fullYear(year ?? ''), monthIndex, Number(day));
  local.setUTCHours(Number(hour), Number(minute), Number(second ?? 0));
  const named = ZONES[(zoneName ?? '').toLowerCase()] ?? 0;
  const offset = sign === undefined ? named : (sign === '-' ? -1 : 1) * (Number(zoneHours) * 60 + Number(zoneMinutes));
  return local.getTime() - offset * 60_000;
}

function fullYear(digits: string): number {
  const year = Number(digits);
  if (digits.length === 3) return 1900 + year;
  if (digits.length === 2) return year + (year < 50 ? 2000 : 1900);
  return year;
}

/** ISO 8601, asctime and other formats that Node parses. */
function otherForms(text: string): number {
  if (!/\d{4}|\d:\d/.test(text)) return Number.NaN;
  const inUtc = Date.parse(`${text} UTC`);
  return Number.isNaN(inUtc) ? Date.parse(text) : inUtc;
}
