import { EngineError } from '../../base/error.ts';
import { parseTemplate, wholeArgument } from '../../config/tool-template.ts';
import type { Arguments } from '../arguments.ts';

/** The values that stand for the placeholders of a template. */
export interface CallValues {
  readonly args: Arguments;
  /** The value of a reference such as `${env:KEY}`. `TOOL_FAILED` if it has none. */
  readonly reference: (text: string) => string;
}

/** An argument as text: a list of plain values is joined by commas, anything else that is no text is JSON. */
export function argumentText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value) && value.every((member) => typeof member !== 'object' || member === null))
    return value.map(argumentText).join(',');
  return (JSON.stringify(value) ?? '').toWellFormed();
}

/** Fills in a text. `encode` gets each inserted value, and literal text stays as it is. Inserted text is not scanned again. */
export function fillText(
  template: string,
  { args, reference }: CallValues,
  encode: (value: string) => string = (value) => value,
): string {
  return parseTemplate(template)
    .map((part) => {
      if (part.kind === 'text') return part.text;
      return encode(part.kind === 'argument' ? argumentText(args[part.name]) : reference(part.reference));
    })
    .join('');
}

/** As `fillText`; undefined if the template is one placeholder whose argument is missing. */
export function fillOptional(
  template: string,
  values: CallValues,
  encode?: (value: string) => string,
): string | undefined {
  const whole = wholeArgument(template);
  return whole !== undefined && isMissing(values.args[whole]) ? undefined : fillText(template, values, encode);
}

/** Fills in a JSON value: a text that is one placeholder becomes the argument with its type. A missing one is left out. */
export function fillJson(template: unknown, values: CallValues): unknown {
  if (typeof template === 'string') {
    const whole = wholeArgument(template);
    return whole === undefined ? fillText(template, values) : values.args[whole];
  }
  if (Array.isArray(template))
    return template.map((member: unknown) => fillJson(member, values)).filter((member) => member !== undefined);
  if (typeof template !== 'object' || template === null) return template;
  const members = Object.entries(template).map(([key, member]) => [key, fillJson(member, values)] as const);
  return Object.fromEntries(members.filter(([, member]) => member !== undefined));
}

/** Encodes a value as part of one segment of a path. `TOOL_ARGUMENTS` if a server could read it as a way to another path. */
export function encodeSegment(value: string): string {
  // Some servers and proxies decode a path more than once, and then resolve "..".
  for (let i = 0, text = value; i < 3; i++) {
    if (/[\u0000-\u001f\u007f]/.test(text)) throw badSegment(value, 'has control characters');
    if (text.split(/[\\/;]/).some((part) => part.trim() === '.' || part.trim() === '..'))
      throw badSegment(value, 'has "." or ".." as a part of a path');
    text = decode(text);
  }
  return encodeURIComponent(value);
}

/** Encodes a value for a header: everything but visible ASCII and spaces becomes %XX, as in an address. */
export function encodeHeader(value: string): string {
  return value.replace(/[^\x20-\x7e]+/g, (piece) => encodeURIComponent(piece.toWellFormed()));
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null;
}

function badSegment(value: string, why: string): EngineError {
  return new EngineError('TOOL_ARGUMENTS', `${JSON.stringify(value.slice(0, 100))} ${why}`, {
    hint: 'this argument is part of an address: call the tool again with a plain name or id',
  });
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
