import type { BylawError } from '@bylaw/core/errors';
import { type K8sErrorCode, k8sError } from '../../error-table.js';

/** Whether another try may do better. @param answered the server has answered before, so that its address is right */
export function isPassing(error: unknown, answered: boolean): boolean {
  const code = codeOf(error);
  return BROKEN.has(code) || (answered && AWAY.has(code));
}

/** The connection ended in the middle, or what came over it is not gzip. */
const BROKEN = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'Z_BUF_ERROR', 'Z_DATA_ERROR']);

/** Nobody answers. */
const AWAY = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'ERR_PROXY_TUNNEL']);

/** A failed connection as an error for people. @param proxy through which it was to lead */
export function connectionError(server: URL, proxy: URL | undefined, cause: unknown): BylawError {
  const code = codeOf(cause);
  const [kind, reason, hint] = proxy && AWAY.has(code) ? viaProxy(proxy) : kindOf(code);
  return k8sError(kind, `The API server ${server.origin} ${reason ?? `does not answer (${code || 'unknown failure'})`}.`, {
    cause,
    ...(hint !== undefined && { hint }),
  });
}

type Kind = readonly [kind: K8sErrorCode, reason?: string, hint?: string];

function viaProxy({ host }: URL): Kind {
  return [
    'cluster-unreachable',
    `cannot be reached through the proxy ${host}`,
    'Check that the proxy is running and allows the connection. It is set in `proxy-url` of the kubeconfig, or in HTTPS_PROXY.',
  ];
}

function kindOf(code: string): Kind {
  const known = KINDS[code];
  if (known) return known;
  if (/CERT|SIGNED|ISSUER|VERIFY/.test(code) && !code.includes('ALERT'))
    return ['cluster-certificate', 'has a certificate that cannot be trusted', TRUST];
  if (/ALERT.*(CERTIFICATE|UNKNOWN_CA)/.test(code))
    return [
      'cluster-credentials',
      'requires a client certificate that it accepts',
      'Create the kubeconfig again with the tool that created it.',
    ];
  if (code.startsWith('HPE_') || code.startsWith('ERR_SSL_') || code === 'EPROTO')
    return ['not-an-api-server', 'does not use the protocol of its address', SCHEME];
  return ['cluster-unreachable'];
}

const TRUST = 'Check that `certificate-authority` in the kubeconfig belongs to this cluster.';
const SCHEME = 'Check `server` in the kubeconfig: its port, and whether it starts with https.';
const RUNNING = 'Check that the cluster is running, and check `server` in the kubeconfig.';
const NETWORK = 'Check the network, the VPN if the cluster needs one, and `server` in the kubeconfig.';

const KINDS: { readonly [code: string]: Kind } = {
  ECONNREFUSED: ['cluster-unreachable', 'does not answer: nothing listens at this address', RUNNING],
  ENOTFOUND: ['cluster-unreachable', 'does not answer: its host name is unknown', NETWORK],
  EAI_AGAIN: ['cluster-unreachable', 'does not answer: its host name cannot be resolved', NETWORK],
  EHOSTUNREACH: ['cluster-unreachable', 'does not answer: there is no route to it', NETWORK],
  ENETUNREACH: ['cluster-unreachable', 'does not answer: there is no route to it', NETWORK],
  ETIMEDOUT: ['cluster-unreachable', 'takes too long to answer', NETWORK],
  ECONNRESET: ['cluster-unreachable', 'closes the connection', NETWORK],
  ERR_STREAM_PREMATURE_CLOSE: ['cluster-unreachable', 'closes the connection before its answer is complete', NETWORK],
  CERT_HAS_EXPIRED: ['cluster-certificate', 'has an expired certificate', 'Renew the certificate, and check the clock of this machine.'],
  CERT_NOT_YET_VALID: ['cluster-certificate', 'has a certificate that is not valid yet', 'Check the clock of this machine.'],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    'cluster-certificate',
    'has a certificate for a different name',
    'Use a name from the certificate as `server` in the kubeconfig, or set it as `tls-server-name`.',
  ],
};

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
