/** A template whose raw text counts. One with another template in it is not recognised. */
const RAW = /String\.raw`[^`]*`/g;

/**
 * The same code with other characters written as `\u....`. V8 keeps a text with one of them in two bytes for each character, and Node has
 * to decode the file. Code that it is not sure about is left as it is.
 */
export function asAscii(code) {
  if (code.match(RAW)?.some(isUnclear) || /\\[\u2028\u2029]/.test(code)) return code;
  const raws = code.replace(RAW, (raw) => raw.replace(/[^\x00-\x7f]/g, (char) => `\${"${escaped(char)}"}`));
  // A backslash before such a character means nothing, but would take away that of `\u`.
  return raws.replace(/(\\\\)|\\?([^\x00-\x7f])/g, (_whole, backslash, char) => backslash ?? escaped(char));
}

/** Whether a raw template has such a character within an expression or after a backslash, or another template in it. */
function isUnclear(raw) {
  return /\$\{(?:[^}]*$|[^}]*[^\x00-\x7f])/.test(raw) || /(?<!\\)(?:\\\\)*\\[^\x00-\x7f]/.test(raw);
}

function escaped(char) {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
