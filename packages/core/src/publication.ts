/** Whether the packages of bylaw are on npm. Publishing them changes this one line. */
const PUBLISHED: boolean = false;

const NOT_PUBLISHED = 'The bylaw packages are not on npm yet. Build them from a clone of the repository, as described in docs/plugins.md.';

/** What a user must know before installing a package of bylaw, as sentences; empty once npm has the packages. */
export function publicationNote(published = PUBLISHED): string {
  return published ? '' : NOT_PUBLISHED;
}

/** How to install or update packages of bylaw, as sentences. */
export function howToInstall(packages: readonly string[], published = PUBLISHED): string {
  if (!published) return NOT_PUBLISHED;
  return `Install or update with \`npm install ${packages.map((name) => `${name}@latest`).join(' ')}\`.`;
}
