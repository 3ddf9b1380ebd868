/** Plain text as HTML that looks the same. */
export function textToHtml(text: string): string {
  const escaped = text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
  return `<div style="white-space: pre-wrap">${escaped}</div>`;
}
