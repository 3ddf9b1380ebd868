/** An image inside a mail. */
export interface InlineImage {
  readonly mimeType: string;
  readonly bytes: Uint8Array;
}

/** Limits of one inline image, and of all inline images of a mail together; a larger one shows its alternative text. */
export const MAX_IMAGE_BYTES = 2 * 1024 * 1024;
export const MAX_IMAGES_BYTES = 8 * 1024 * 1024;

/** Raster images only: SVG is a document. */
export const RASTER_TYPES: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/bmp',
]);

/**
 * Headers for the route that serves the output of `safeHtml`: the document loads nothing, runs no script, opens links
 * in new windows only, and cannot be framed by other sites. With `images`, it loads https images.
 */
export function bodyHeaders({ images = false }: { readonly images?: boolean } = {}): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    `img-src data:${images ? ' https:' : ''}`,
    "style-src 'unsafe-inline'",
    'font-src data:',
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-popups allow-popups-to-escape-sandbox',
  ];
  return {
    'Content-Security-Policy': policy.join('; '),
    'Content-Type': 'text/html; charset=utf-8',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-DNS-Prefetch-Control': 'off',
    'Cache-Control': 'private, no-store',
  };
}
