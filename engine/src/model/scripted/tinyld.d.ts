// The package's own types are not found under nodenext: its `exports` name them after `import`.
declare module 'tinyld/light' {
  /** ISO 639-1 code of the most likely language, `''` where there is none. */
  export function detect(text: string): string;
}
