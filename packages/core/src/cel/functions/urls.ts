import { failure } from '../budget/budget.js';
import type { CelFunction } from '../function.js';
import { Url } from '../kubernetes/url.js';
import { mapOf, textOrEmpty } from '../standard/values.js';

/** Kubernetes' URL library. */
export const urls: readonly CelFunction[] = [
  {
    signature: 'url(string): kubernetes.URL',
    summary: 'The parts of an absolute URI or absolute path; an error if the string is neither.',
    example: 'url("https://example.com:80/").getHost() == "example.com:80"',
    call: (text: string) => {
      const url = Url.parse(text);
      if (url === undefined) throw failure('not an absolute URL or path');
      return url;
    },
  },
  {
    signature: 'isURL(dyn): bool',
    total: true,
    summary: 'Whether the value is a string that url() accepts.',
    example: 'isURL("https://user:pass@example.com:80/path?q=1#f") && !isURL("https://a:b:c/") && !isURL("../x")',
    call: (text: unknown) => Url.parse(textOrEmpty(text)) !== undefined,
  },
  {
    signature: 'kubernetes.URL.getScheme(): string',
    summary: 'The scheme in lower case, or the empty string.',
    example: 'url("HTTPS://example.com/").getScheme() == "https" && url("/path").getScheme() == ""',
    call: (url: Url) => url.scheme,
  },
  {
    signature: 'kubernetes.URL.getHost(): string',
    summary: 'The host with its port, or the empty string. IPv6 addresses are in brackets.',
    example: 'url("https://[::1]:80/").getHost() == "[::1]:80"',
    call: (url: Url) => url.host,
  },
  {
    signature: 'kubernetes.URL.getHostname(): string',
    summary: 'The host without its port and brackets.',
    example: 'url("https://[::1]:80/").getHostname() == "::1"',
    call: (url: Url) => url.hostname,
  },
  {
    signature: 'kubernetes.URL.getPort(): string',
    summary: 'The port, or the empty string.',
    example: 'url("https://example.com:80/").getPort() == "80" && url("/path").getPort() == ""',
    call: (url: Url) => url.port,
  },
  {
    signature: 'kubernetes.URL.getEscapedPath(): string',
    summary: 'The percent-encoded path, or the empty string.',
    example: 'url("https://example.com/path with spaces/").getEscapedPath() == "/path%20with%20spaces/"',
    call: (url: Url) => url.escapedPath,
  },
  {
    signature: 'kubernetes.URL.getQuery(): map<string, dyn>',
    summary: 'The decoded query parameters: each key with the list of its values.',
    example: 'url("https://example.com/path?k1=a&k2=b&k2=c").getQuery() == {"k1": ["a"], "k2": ["b", "c"]}',
    call: (url: Url) => mapOf([...url.query]),
  },
];
