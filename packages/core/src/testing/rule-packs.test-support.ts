import { existsSync, readdirSync } from 'node:fs';

const packages = new URL('../../../', import.meta.url);

/** The rule folders of all packages of this workspace, in the order of their names. */
export const RULE_FOLDERS: readonly URL[] = readdirSync(packages)
  .sort()
  .map((name) => new URL(`${name}/rules/`, packages))
  .filter((folder) => existsSync(folder));

/** The same as compiled packs, which the build writes. */
export const RULE_PACKS: readonly URL[] = RULE_FOLDERS.map((folder) => new URL('../dist/pack.jsonl', folder));
