import { createWriteStream, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { finished } from 'node:stream/promises';
import { load } from 'js-yaml';

/** The YAML documents of a project that are Kubernetes objects, as text. What js-yaml refuses cannot be compared with it, so it is left out. */
export function documentsOf(folder: string): string[] {
  return yamlFiles(folder)
    .flatMap((file) => readFileSync(file, 'utf8').split(/^---.*$/m))
    .filter((text) => /^kind:/m.test(text) && /^apiVersion:/m.test(text) && !text.includes('{{') && isYaml(text));
}

export function projectName(folder: string): string {
  return basename(folder);
}

/** Writes a file of `count` documents by repeating those given, each copy under other names. Returns its size in bytes. */
export async function writeRepeated(documents: readonly string[], count: number, file: string): Promise<number> {
  const out = createWriteStream(file);
  for (let i = 0; i < count; i++) {
    const copy = Math.floor(i / documents.length);
    const text = (documents[i % documents.length] ?? '').replace(/^( {2}name: )(["']?)([^\s"']+)\2$/m, `$1$2$3-${copy}$2`);
    if (!out.write(`${text.trim()}\n---\n`)) await new Promise((resolve) => out.once('drain', resolve));
  }
  out.end();
  await finished(out);
  return statSync(file).size;
}

function isYaml(text: string): boolean {
  try {
    load(text);
    return true;
  } catch {
    return false;
  }
}

function yamlFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.ya?ml$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
