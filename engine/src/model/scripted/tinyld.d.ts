// Under nodenext, TypeScript does not find the package's own types: its `exports` list `types` after `import`.
declare module 'tinyld/light' {
  /** ISO 639-1 code of the most likely language; `''` if there is none. */
  export function detect(text: string): string;
  /** The most likely languages, the likeliest first; `accuracy` is from 0 to 1. */
  export function detectAll(text: string): { readonly lang: string; readonly accuracy: number }[];
}
