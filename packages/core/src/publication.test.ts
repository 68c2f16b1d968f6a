import { describe, expect, it } from 'vitest';
import { howToInstall, publicationNote } from './publication.js';

describe('the advice to install packages of bylaw', () => {
  it('names no npm command while the packages are not published', () => {
    expect(howToInstall(['@bylaw/plugin-k8s'], false)).not.toMatch(/npm (?:install|i)\b|npx/);
    expect(howToInstall(['@bylaw/plugin-k8s'], false)).toBe(publicationNote(false));
    expect(publicationNote(false)).toContain('not on npm yet');
  });

  it('is the npm command once they are', () => {
    expect(howToInstall(['@bylaw/plugin-a', '@bylaw/plugin-b'], true)).toBe(
      'Install or update with `npm install @bylaw/plugin-a@latest @bylaw/plugin-b@latest`.',
    );
    expect(publicationNote(true)).toBe('');
  });
});
