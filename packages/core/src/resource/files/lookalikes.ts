import { open } from 'node:fs/promises';

/** Names of files that may show manifests, but are not applied: documents, programs, pictures, archives. */
const OTHER_KINDS =
  /\.(?:md|mdx|markdown|rst|adoc|html?|css|scss|less|svg|png|jpe?g|gif|ico|webp|pdf|woff2?|ttf|go|rs|py|pyi|rb|java|kt|kts|scala|c|cc|cpp|h|hpp|cs|swift|php|pl|lua|ts|tsx|mts|cts|js|jsx|mjs|cjs|vue|sh|bash|zsh|fish|ps1|bat|sql|proto|thrift|graphql|toml|ini|cfg|conf|properties|lock|sum|mod|csv|tsv|parquet|xml|xsd|gz|tgz|zip|tar|bz2|xz|7z|jar|wasm|so|dll|exe|bin|pem|crt|key|snap|diff|log)$/i;

/** Read of each file. */
const BEGINNING = 64 * 1024;

const YAML = [/^["']?apiVersion["']?[ \t]*:/m, /^["']?kind["']?[ \t]*:/m];
const JSON_TEXT = [/^\s*[[{]/, /"apiVersion"\s*:\s*"/, /"kind"\s*:\s*"/];

/**
 * The files that begin like manifests, although their names do not say so: `pod.yaml.bak`, `deploy/app`. Files that cannot be read are left out.
 * @param files names by absolute path
 */
export async function lookalikes(files: ReadonlyMap<string, string>): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const [path, name] of files) if (!OTHER_KINDS.test(path) && looksLikeManifest(await beginningOf(path))) found.set(path, name);
  return found;
}

function looksLikeManifest(text: string): boolean {
  return [YAML, JSON_TEXT].some((patterns) => patterns.every((pattern) => pattern.test(text)));
}

async function beginningOf(path: string): Promise<string> {
  const file = await open(path).catch(() => undefined);
  try {
    const { buffer, bytesRead } = (await file?.read(Buffer.alloc(BEGINNING), 0, BEGINNING, 0)) ?? { buffer: Buffer.alloc(0), bytesRead: 0 };
    return buffer.toString('utf8', 0, bytesRead);
  } catch {
    return '';
  } finally {
    await file?.close();
  }
}
