import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { gzipSync } from 'node:zlib';
import type { KubernetesObject, ServedKind } from '../cluster.js';
import { type Authority, certificateAuthority, type Issued } from './authority.test-support.js';
import { type DiscoveryForm, discoveryDocuments } from './discovery-documents.test-support.js';
import { type Answer, statusFault } from './faults.test-support.js';
import { KINDS } from './kinds.test-support.js';
import { apiVersionOf, type ObjectStore, objectStore, resourceOf } from './object-store.test-support.js';
import { watches } from './watches.test-support.js';

export interface ApiServerOptions {
  kinds?: readonly ServedKind[];
  objects?: Iterable<KubernetesObject>;
  /** The newest form of discovery that it knows; `v2` unless told. */
  discovery?: DiscoveryForm;
  /** Groups whose own server does not answer. */
  stale?: readonly string[];
  /** Whom it lets in; absent: everybody. Client certificates must come from its own authority. */
  allow?: { tokens?: readonly string[]; commonNames?: readonly string[] };
  /** Its own certificate has expired. */
  expired?: boolean;
  /** Names in its certificate; `localhost`, and the address 127.0.0.1, unless told. */
  names?: readonly string[];
}

/** An API server over HTTPS on a free port of loopback: lists in pages, watches, and discovery as the API conventions say. It stores nothing but what tests put into it. */
export interface ApiServer {
  url: string;
  authority: Authority;
  /** All requests so far: method and target, such as `GET /api/v1/pods?limit=500`. */
  requests: readonly string[];
  /** The headers of the last request. */
  lastHeaders(): IncomingMessage['headers'];
  store: ObjectStore;
  /** Answers requests whose target starts with `prefix` by a fault: the next ones, or all. */
  fault(prefix: string, fault: Answer, times?: number): void;
  /** Nobody may list or watch a resource such as `secrets` or `deployments.apps`. */
  forbid(resource: string): void;
  /**
   * Forgets the past, as etcd does every few minutes: continuations and watches from before are gone. With `no-token` it gives no token
   * with which to continue.
   */
  compact(how?: 'no-token'): void;
  /** Tells all watches the current version. */
  bookmark(): void;
  /** Resolves when a watch of the resource is open. */
  watched(resource: string): Promise<void>;
  /** Ends all watches: in order, or by cutting their connections. */
  endWatches(how?: 'cut'): void;
  /** A kubeconfig, as JSON, with the context `test`. What is given is added to, or stands instead of, the entries of the cluster and the user. */
  kubeconfig(entries?: { cluster?: object; user?: object }): string;
  /** A certificate for a client, with entries for the kubeconfig. */
  client(commonName: string, validity?: { until?: Date }): Issued;
  close(): Promise<void>;
}

/** Answers at least this large are compressed for clients that ask for it, as the API server does. */
const GZIP_FROM = 128 * 1024;

export async function apiServer(options: ApiServerOptions = {}): Promise<ApiServer> {
  const kinds = options.kinds ?? KINDS;
  const authority = certificateAuthority('test-ca');
  const names = options.names ?? ['localhost'];
  const until = options.expired ? { until: new Date('2021-01-01T00:00:00Z') } : {};
  const own = authority.issue({ commonName: 'kube-apiserver', names, addresses: options.names ? [] : ['127.0.0.1'], ...until });
  const store = objectStore(kinds);
  for (const object of options.objects ?? []) store.put(object);
  const documents = discoveryDocuments(kinds, options.discovery ?? 'v2', options.stale ?? []);
  const open = watches(store);
  const requests: string[] = [];
  const faults: { prefix: string; fault: Answer; times: number }[] = [];
  const forbidden = new Set<string>();
  let headers: IncomingMessage['headers'] = {};
  let compacted = { at: 0, tokens: true };

  const server = createServer({ ...own, ca: authority.cert, requestCert: true, rejectUnauthorized: false }, (request, response) => {
    const target = request.url ?? '';
    requests.push(`${request.method} ${target}`);
    headers = request.headers;
    answerTo(request, new URL(target, 'https://server'))(request, response);
  });

  function answerTo(request: IncomingMessage, url: URL): Answer {
    const fault = faults.find(({ prefix, times }) => times > 0 && (request.url ?? '').startsWith(prefix));
    if (fault) {
      fault.times -= 1;
      return fault.fault;
    }
    if (options.allow && !isAllowed(request, options.allow)) return statusFault(401, 'Unauthorized');
    const document = documents.at(url.pathname, request.headers.accept ?? '');
    if (document) return json(JSON.stringify(document.body), document.type);
    const collection = collectionAt(kinds, url.pathname);
    if (!collection) return statusFault(404, 'NotFound');
    if (request.method !== 'GET') return statusFault(405, 'MethodNotAllowed');
    const resource = resourceOf(collection.kind);
    if (forbidden.has(resource)) return statusFault(403, 'Forbidden', { message: forbiddenMessage(collection) });
    if (!url.searchParams.get('watch')) return list(collection, url);
    return (_, response) => open.add(response, { resource, ...collection, url, compactedAt: compacted.at });
  }

  function list({ kind, namespace }: Collection, url: URL): Answer {
    const token = readToken(url.searchParams.get('continue'));
    const version = token && token.version !== -1 ? token.version : store.version;
    if (token && token.version !== -1 && token.version < compacted.at) {
      const metadata = compacted.tokens ? { continue: writeToken({ ...token, version: -1 }) } : {};
      return statusFault(410, 'Expired', { metadata });
    }
    const { items, next, remaining } = store.page(kind, namespace, token?.after ?? '', Number(url.searchParams.get('limit') ?? 0));
    const metadata = {
      resourceVersion: String(version),
      ...(next !== undefined && { continue: writeToken({ version, after: next }), remainingItemCount: remaining }),
    };
    const head = JSON.stringify({ kind: `${kind.kind}List`, apiVersion: apiVersionOf(kind), metadata }).slice(0, -1);
    return json(`${head},"items":[${items.join(',')}]}`, 'application/json');
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port
  return {
    url,
    authority,
    requests,
    lastHeaders: () => headers,
    store,
    fault: (prefix, fault, times = Number.POSITIVE_INFINITY) => void faults.push({ prefix, fault, times }),
    forbid: (resource) => void forbidden.add(resource),
    compact: (how) => {
      store.touch();
      compacted = { at: store.version, tokens: how !== 'no-token' };
    },
    bookmark: open.bookmark,
    watched: open.opened,
    endWatches: open.end,
    kubeconfig: ({ cluster = {}, user = {} } = {}) => {
      const trusted = { server: url, 'certificate-authority-data': Buffer.from(authority.cert).toString('base64') };
      return JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        clusters: [{ name: 'test', cluster: { ...trusted, ...cluster } }],
        users: [{ name: 'tester', user }],
        contexts: [{ name: 'test', context: { cluster: 'test', user: 'tester' } }],
        'current-context': 'test',
      });
    },
    client: (commonName, validity = {}) => authority.issue({ commonName, ...validity }),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

interface Collection {
  kind: ServedKind;
  namespace: string | undefined;
}

function collectionAt(kinds: readonly ServedKind[], path: string): Collection | undefined {
  const match = /^\/(?:api|apis\/(?<group>[^/]+))\/(?<version>[^/]+)(?:\/namespaces\/(?<namespace>[^/]+))?\/(?<resource>[^/]+)$/.exec(path);
  const { group = '', version, namespace, resource } = match?.groups ?? {};
  const kind = kinds.find((each) => each.group === group && each.version === version && each.resource === resource);
  return kind && (namespace === undefined || kind.namespaced) ? { kind, namespace } : undefined;
}

function isAllowed(request: IncomingMessage, { tokens = [], commonNames = [] }: NonNullable<ApiServerOptions['allow']>): boolean {
  if (tokens.some((token) => request.headers.authorization === `Bearer ${token}`)) return true;
  const socket = request.socket as TLSSocket; // the server speaks TLS only
  return socket.authorized && commonNames.includes(String(socket.getPeerCertificate().subject.CN));
}

function forbiddenMessage({ kind, namespace }: Collection): string {
  const where = namespace === undefined ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  return `${resourceOf(kind)} is forbidden: User "tester" cannot list resource "${kind.resource}" in API group "${kind.group}" ${where}`;
}

interface Token {
  /** -1: whatever the version is when the list goes on. */
  version: number;
  after: string;
}

function writeToken(token: Token): string {
  return Buffer.from(JSON.stringify(token)).toString('base64url');
}

function readToken(text: string | null): Token | undefined {
  return text ? (JSON.parse(Buffer.from(text, 'base64url').toString()) as Token) : undefined; // made by writeToken
}

function json(text: string, type: string): Answer {
  return (request, response) => {
    const compress = text.length >= GZIP_FROM && String(request.headers['accept-encoding']).includes('gzip');
    const body = compress ? gzipSync(text, { level: 1 }) : Buffer.from(text);
    response.writeHead(200, { 'content-type': type, 'content-length': body.length, ...(compress && { 'content-encoding': 'gzip' }) });
    response.end(body);
  };
}
