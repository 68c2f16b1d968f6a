// biome-ignore-all lint/suspicious/noTemplateCurlyInString: a placeholder looks like this
import { describe, expect, it } from 'vitest';
import { isChannelTag } from './channel-tag.js';

describe('a channel tag', () => {
  const channels = ['main', 'master', 'stable', 'lts', 'nightly', 'dev'];

  it.each([
    'main',
    'STABLE',
    'master-head',
    'stable-alpine',
    'stable-alpine-slim',
    'latest-alpine',
    'lts-alpine3.23',
    'lts-jdk21',
    'nightly-bookworm-slim',
    'main-arm64',
    'main-x86_64',
    'dev-facade',
    '1.2.3-SNAPSHOT',
  ])('is %s', (tag) => {
    expect(isChannelTag(tag, channels)).toBe(true);
  });

  it.each([
    '',
    '1.2.3',
    'latest',
    'mainline',
    'alpine',
    'v1.2.3-dev.4',
    '1.2-stable',
    'lts-1.2.3',
    'lts-v1',
    'stable-20240101',
    'stable-20240101-slim',
    'nightly-2024-01-01',
    'main-1f2e3d4',
    'main-deadbee',
    'main-sha-1f2e3d4',
    'main-g1f2e3d4',
    'dev-42',
    'main-rc1',
    'lts-alpine-3.20',
    'main-',
    'main-${VERSION}',
    `main-${'a'.repeat(200)}`,
    'snapshot',
  ])('is not %j', (tag) => {
    expect(isChannelTag(tag, channels)).toBe(false);
  });

  it('is none where the list of channels holds no text', () => {
    expect(isChannelTag('', [7, ''])).toBe(false);
    expect(isChannelTag('-alpine', [''])).toBe(false);
  });
});
