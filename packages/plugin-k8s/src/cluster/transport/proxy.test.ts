import { describe, expect, it } from 'vitest';
import { proxyOf } from './proxy.js';

const PROXY = 'http://proxy.example:3128';

describe('the proxy of the environment', () => {
  it.each<[string, { [name: string]: string }, string, string | undefined]>([
    ['stands in HTTPS_PROXY', { HTTPS_PROXY: PROXY }, 'https://a.example', 'http://proxy.example:3128/'],
    ['stands in small letters before that', { https_proxy: 'http://small:1', HTTPS_PROXY: PROXY }, 'https://a.example', 'http://small:1/'],
    ['stands in HTTP_PROXY for a server without TLS', { HTTP_PROXY: 'p:1', HTTPS_PROXY: PROXY }, 'http://a.example', 'http://p:1/'],
    ['may speak SOCKS', { HTTPS_PROXY: 'socks5://p:1080' }, 'https://a.example', 'socks5://p:1080'],
    ['is none where none is named', { HTTPS_PROXY: '' }, 'https://a.example', undefined],
    ['is none for this machine', { HTTPS_PROXY: PROXY }, 'https://127.0.0.1:6443', undefined],
    ['is none for this machine by name', { HTTPS_PROXY: PROXY }, 'https://localhost:6443', undefined],
    ['is none for this machine over IPv6', { HTTPS_PROXY: PROXY }, 'https://[::1]:6443', undefined],
  ])('%s', (_, env, server, expected) => {
    expect(proxyOf(new URL(server), env)?.href).toBe(expected);
  });

  it.each([
    ['*', 'a.example', true],
    ['a.example', 'a.example', true],
    ['A.Example ', 'a.example', true],
    ['example', 'a.example', true],
    ['.example', 'a.example', true],
    ['*.example', 'a.example', true],
    ['.a.example', 'a.example', false],
    ['ample', 'a.example', false],
    ['b.example', 'a.example', false],
    ['x, ,a.example,y', 'a.example', true],
    ['a.example:6443', 'a.example', true],
    ['a.example:443', 'a.example', false],
    ['10.0.0.0/8', '10.96.0.1', true],
    ['10.0.0.0/8', '11.96.0.1', false],
    ['10.96.0.1', '10.96.0.1', true],
    ['10.96.0.1:1', '10.96.0.1', false],
    ['fd00::/8', '[fd00::1]', true],
    ['fd00::/8', '10.96.0.1', false],
    ['fd00::1', '[fd00::1]', true],
    ['10.0.0.0/99', '10.96.0.1', false],
    ['10.0.0.0/', '10.96.0.1', false],
    ['a/8', '10.96.0.1', false],
  ])('is none where NO_PROXY is "%s" and the server %s: %s', (value, host, excepted) => {
    const found = proxyOf(new URL(`https://${host}:6443`), { HTTPS_PROXY: PROXY, NO_PROXY: value });
    expect(found === undefined).toBe(excepted);
  });

  it('must be an address', () => {
    expect(() => proxyOf(new URL('https://a.example'), { HTTPS_PROXY: 'ftp://me:secret@x' })).toThrow(
      'HTTPS_PROXY must be the address of a proxy.',
    );
  });
});
