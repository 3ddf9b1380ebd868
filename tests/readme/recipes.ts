import { existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../available.ts';

/** A code block of docs/extending.md that names its file in its first line, such as `// engine/machines/remind.ts`. */
export interface RecipeFile {
  readonly path: string;
  readonly text: string;
}

/** The files that the section with this heading adds, in the order of the page. */
export function recipeFiles(heading: string): RecipeFile[] {
  const page = readFileSync(join(root, 'docs/extending.md'), 'utf8');
  const section = page.split(/^(?=## )/m).find((text) => text.startsWith(`## ${heading}\n`)) ?? '';
  return [...section.matchAll(/^```ts\n\/\/ (\S+\.ts)\n([^]*?)^```$/gm)].map(([, path = '', text = '']) => ({
    path,
    text,
  }));
}

/**
 * Writes the files of a recipe into a temporary folder and returns the folder and the URL of each file. Imports of other
 * files of the recipe stay relative; imports of the repository become absolute. Packages are those of the repository.
 */
export function writeRecipe(files: readonly RecipeFile[]): { readonly folder: string; urlOf(path: string): string } {
  const folder = mkdtempSync(join(tmpdir(), 'callsheet-recipe-'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const own = new Set(files.map(({ path }) => path));
  for (const { path, text } of files) {
    const absolute = text.replace(/(\bfrom |\bimport\()'(\.[^']+)'/g, (whole, before: string, specifier: string) => {
      const target = posix.join(posix.dirname(path), specifier);
      if (own.has(target)) return whole;
      if (!existsSync(join(root, target))) throw new Error(`${path} imports ${target}, which does not exist`);
      return `${before}'${join(root, target)}'`;
    });
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), absolute);
  }
  return { folder, urlOf: (path) => pathToFileURL(join(folder, path)).href };
}
