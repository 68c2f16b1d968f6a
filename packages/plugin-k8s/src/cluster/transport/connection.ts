import type { Agent, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Clock } from '@bylaw/core/clock';
import { k8sError } from '../../error-table.js';
import { type CredentialSource, type Credentials, expiredPart } from '../credentials/index.js';
import type { Access, User } from '../kubeconfig/index.js';
import { agentFor } from './agent.js';
import { exchange } from './exchange.js';

export interface ConnectionOptions {
  access: Access;
  credentials: CredentialSource;
  proxy: URL | undefined;
  clock: Clock;
  connectMs: number;
}

export interface Get {
  /** Path and query, from the root of the API. */
  target: string;
  accept: string;
  compress: boolean;
  idleMs: number;
  signal: AbortSignal;
}

/** Requests to one server in the name of one user. */
export interface Connection {
  /**
   * Sends a GET once. Where the server does not take the credentials, and there are newer ones, once more with those.
   * @throws {BylawError} `cluster-credentials`, `credential-plugin`, `kubeconfig-invalid`; else the error of the connection
   */
  get(get: Get): Promise<IncomingMessage>;
  close(): void;
}

export function connection({ access, credentials, proxy, clock, connectMs }: ConnectionOptions): Connection {
  const closed = new AbortController();
  const agents = new Map<string, Promise<Agent>>();
  const agentOf = (current: Credentials) => {
    const key = current.certificate?.cert ?? '';
    const agent = agents.get(key) ?? agentFor(access, current, proxy);
    agents.set(key, agent);
    return agent;
  };
  // As kubectl does: what is secret is not sent where everybody can read it.
  const currentCredentials = async () => (access.server.protocol === 'https:' ? credentials.current(closed.signal) : {});

  const send = async (get: Get, current: Credentials): Promise<IncomingMessage> =>
    exchange({
      server: access.server,
      target: get.target,
      headers: {
        accept: get.accept,
        'accept-encoding': get.compress && access.compress ? 'gzip' : 'identity',
        'user-agent': 'bylaw',
        ...(current.authorization !== undefined && { authorization: current.authorization }),
        ...impersonation(access.user),
      },
      agent: await agentOf(current),
      connectMs,
      idleMs: get.idleMs,
      signal: AbortSignal.any([get.signal, closed.signal]),
    });

  return {
    get: async (get) => {
      const first = await currentCredentials();
      const answer = await send(get, first);
      if (answer.statusCode !== 401) return answer;
      answer.resume();
      if (!credentials.refused(first)) throw refusal(access.user, first, clock);
      const second = await currentCredentials();
      const again = await send(get, second);
      if (again.statusCode !== 401) return again;
      again.resume();
      throw refusal(access.user, second, clock);
    },
    close: () => {
      closed.abort(new Error('the connection to the cluster is closed'));
      for (const agent of agents.values()) agent.then((each) => each.destroy()).catch(() => {}); // one that could not be made has nothing to end
    },
  };
}

/** https://kubernetes.io/docs/reference/access-authn-authz/user-impersonation/ */
function impersonation({ impersonate }: User): OutgoingHttpHeaders {
  if (!impersonate) return {};
  const { name, uid, groups, extra } = impersonate;
  return {
    'Impersonate-User': name,
    ...(uid !== undefined && { 'Impersonate-Uid': uid }),
    ...(groups.length > 0 && { 'Impersonate-Group': [...groups] }),
    ...Object.fromEntries(Object.entries(extra).map(([key, values]) => [`Impersonate-Extra-${encodeURIComponent(key)}`, [...values]])),
  };
}

function refusal({ name }: User, credentials: Credentials, clock: Clock) {
  const expired = expiredPart(credentials, clock.now());
  return k8sError(
    'cluster-credentials',
    `The cluster does not accept the credentials of the user "${name}".${expired === undefined ? '' : ` ${expired}`}`,
    {
      hint: 'Sign in again as you do for kubectl, or create the kubeconfig again with the tool that created it.',
    },
  );
}
