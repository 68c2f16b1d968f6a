import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript';

/** One import, re-export or dynamic import, of values or of types, as a file says it. Paths are relative to the repository, with `/`. */
export interface Import {
  from: string;
  /** From 1. */
  line: number;
  specifier: string;
  /** The source file that it means; undefined for anything else, such as a package from elsewhere. */
  to: string | undefined;
}

/** The source files of a repository, tests included, and every import in them. One pass over the files. */
export interface ImportGraph {
  files: readonly string[];
  imports: readonly Import[];
}

/** Reads all files `packages/PACKAGE/src/**.ts` below a root. Imports across packages are resolved by the `exports` of their `package.json`. */
export function readImports(root: string): ImportGraph {
  const packages = foldersIn(join(root, 'packages'));
  const files = packages.flatMap((name) => filesBelow(root, `packages/${name}/src`)).sort();
  const entries = new Map(packages.flatMap((name) => entriesOf(root, `packages/${name}`)));
  const known = new Set(files);
  return { files, imports: files.flatMap((file) => importsOf(root, file, (specifier) => resolve(file, specifier, known, entries))) };
}

function importsOf(root: string, from: string, resolved: (specifier: string) => string | undefined): Import[] {
  const text = readFileSync(join(root, from), 'utf8');
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName: specifier, pos }) => ({
    from,
    line: text.slice(0, pos).split('\n').length,
    specifier,
    to: resolved(specifier),
  }));
}

function resolve(from: string, specifier: string, known: ReadonlySet<string>, entries: ReadonlyMap<string, string>): string | undefined {
  const path = specifier.startsWith('.') ? posix.join(posix.dirname(from), specifier).replace(/\.js$/, '.ts') : entries.get(specifier);
  return path !== undefined && known.has(path) ? path : undefined;
}

interface PackageFile {
  name: string;
  exports?: { [path: string]: { default: string } | string };
}

/** The specifiers that a package exports, each with its source file. */
function entriesOf(root: string, folder: string): [specifier: string, file: string][] {
  const file = join(root, folder, 'package.json');
  if (!existsSync(file)) return [];
  const { name, exports = {} } = JSON.parse(readFileSync(file, 'utf8')) as PackageFile; // our own
  return Object.entries(exports).map(([path, target]) => {
    const compiled = typeof target === 'string' ? target : target.default;
    return [posix.join(name, path), posix.join(folder, compiled.replace(/\/(?:dist|lib)\//, '/src/').replace(/\.js$/, '.ts'))];
  });
}

function filesBelow(root: string, folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?<!\.d)\.ts$/.test(entry.name))
    .map((entry) => posix.relative(root, posix.join(entry.parentPath, entry.name)));
}

function foldersIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
}
