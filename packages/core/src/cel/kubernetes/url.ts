import type { Comparable } from '../function.js';

const MAX_LENGTH = 64 * 1024;

/** The parts of an absolute URI or absolute path, as Go's net/url reads them (the browser's URL would repair and encode). */
export class Url implements Comparable {
  constructor(
    private readonly text: string,
    readonly scheme: string,
    /** With the port; IPv6 addresses in brackets. */
    readonly host: string,
    private readonly rawPath: string,
    private readonly rawQuery: string,
  ) {}

  /** Undefined when the text is neither an absolute URI nor an absolute path. */
  static parse(text: string): Url | undefined {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they make a URL invalid
    if (text === '' || text.length > MAX_LENGTH || /[\u0000-\u001f\u007f]/.test(text)) return undefined;
    const match = /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(text);
    if (match === null) return undefined;
    const [, scheme = '', rest = '', query = '', fragment = ''] = match;
    if (!rest.startsWith('/')) return scheme === '' ? undefined : new Url(text, scheme.toLowerCase(), '', '', query);
    const [, authority = '', path = ''] = /^(?:\/\/([^/]*))?(.*)$/s.exec(rest) ?? [];
    const host = parseHost(authority);
    if (host === undefined || unescaped(path) === undefined || unescaped(fragment) === undefined) return undefined;
    return new Url(text, scheme.toLowerCase(), host, path, query);
  }

  get identity(): string {
    return this.text;
  }

  get hostname(): string {
    const bracketed = /^\[(.*)\](?::\d*)?$/.exec(this.host);
    return bracketed?.[1] ?? this.host.replace(/:\d*$/, '');
  }

  get port(): string {
    return /:(\d*)$/.exec(this.host.replace(/^\[.*\]/, ''))?.[1] ?? '';
  }

  /** The path as written where that is a valid encoding, else encoded. */
  get escapedPath(): string {
    return VALID_PATH.test(this.rawPath) ? this.rawPath : escapePath(unescaped(this.rawPath) ?? '');
  }

  /** Every key with its values in order; pairs that are not validly encoded are left out. */
  get query(): Map<string, string[]> {
    const values = new Map<string, string[]>();
    for (const pair of this.rawQuery.split('&')) {
      if (pair === '' || pair.includes(';')) continue;
      const equals = pair.indexOf('=');
      const key = unescaped((equals < 0 ? pair : pair.slice(0, equals)).replaceAll('+', ' '));
      const value = unescaped((equals < 0 ? '' : pair.slice(equals + 1)).replaceAll('+', ' '));
      if (key !== undefined && value !== undefined) values.set(key, [...(values.get(key) ?? []), value]);
    }
    return values;
  }
}

/** The host with its port; undefined when it, the port or the userinfo is not valid. */
function parseHost(authority: string): string | undefined {
  const at = authority.lastIndexOf('@');
  const userinfo = at < 0 ? '' : authority.slice(0, at);
  const host = authority.slice(at + 1);
  const validUserinfo = /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(userinfo) && unescaped(userinfo) !== undefined;
  const validHost = /^(?:\[[0-9A-Fa-f:.%\w-]+\]|[^[\]\s:<>"\\^`{|}]*)(?::\d*)?$/.test(host);
  return validUserinfo && validHost ? unescaped(host) : undefined;
}

const VALID_PATH = /^(?:[A-Za-z0-9\-_.~!$&'()*+,;=:@[\]/]|%[0-9A-Fa-f]{2})*$/;

/** Undefined when a percent sign is not followed by two hexadecimal digits. */
function unescaped(text: string): string | undefined {
  if (!text.includes('%')) return text;
  if (/%(?![0-9A-Fa-f]{2})/.test(text)) return undefined;
  return text.replace(/(?:%[0-9A-Fa-f]{2})+/g, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8'));
}

function escapePath(path: string): string {
  return path.replace(/[^A-Za-z0-9\-_.~$&+,/:;=@]+/g, (part) =>
    Buffer.from(part, 'utf8').toString('hex').toUpperCase().replace(/../g, '%$&'),
  );
}
