import { describe, expect, it } from 'vitest';
import { Url } from './url.js';

/** As Go's net/url reads it. */
function parts(text: string) {
  const url = Url.parse(text);
  return url && [url.scheme, url.host, url.hostname, url.port, url.escapedPath];
}

describe('a URL', () => {
  it.each([
    ['https://user:pass@example.com:80/path?query=val#fragment', ['https', 'example.com:80', 'example.com', '80', '/path']],
    ['/absolute-path', ['', '', '', '', '/absolute-path']],
    ['https://example.com', ['https', 'example.com', 'example.com', '', '']],
    ['HTTP://Example.com/', ['http', 'Example.com', 'Example.com', '', '/']],
    ['https://[::1]:80/', ['https', '[::1]:80', '::1', '80', '/']],
    ['https://[::1]/', ['https', '[::1]', '::1', '', '/']],
    ['https://127.0.0.1:80/', ['https', '127.0.0.1:80', '127.0.0.1', '80', '/']],
    ['https://example.com/path with spaces/', ['https', 'example.com', 'example.com', '', '/path%20with%20spaces/']],
    ['https://example.com/a%2Fb', ['https', 'example.com', 'example.com', '', '/a%2Fb']],
    ['mailto:a@b', ['mailto', '', '', '', '']],
    ['oci://ghcr.io/a/b:v1', ['oci', 'ghcr.io', 'ghcr.io', '', '/a/b:v1']],
    ['https://host:/', ['https', 'host:', 'host', '', '/']],
  ])('%s', (text, expected) => {
    expect(parts(text)).toEqual(expected);
  });

  it.each([
    '',
    'example.com',
    '../relative-path',
    'https://a:b:c/',
    'https://host:port/',
    'https://ho st/',
    'https://host/%zz',
    '://x',
    'https://[::1',
    'http://a\nb/',
  ])('%j is none', (text) => {
    expect(Url.parse(text)).toBeUndefined();
  });

  it.each([
    ['https://e.com/?k1=a&k2=b&k2=c', { k1: ['a'], k2: ['b', 'c'] }],
    ['https://e.com/?key with spaces=value+x', { 'key with spaces': ['value x'] }],
    ['https://e.com/?a', { a: [''] }],
    ['https://e.com/?a=%zz&b=1&c;d=2', { b: ['1'] }],
    ['https://e.com/path?', {}],
    ['https://e.com/path', {}],
  ])('%s has its query', (text, expected) => {
    expect(Object.fromEntries(Url.parse(text)?.query ?? [])).toEqual(expected);
  });
});
