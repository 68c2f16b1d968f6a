import { serviceNames } from './network.js';
import { ignoring, type ManifestOptions, NAME, named, TLS_SECRET } from './options.js';

/**
 * What cert-manager needs to issue the certificate of the webhook, and to renew it. An authority of its own signs it: so what the API server
 * trusts stays the same when the certificate is renewed. https://cert-manager.io/docs/configuration/selfsigned/#bootstrapping-ca-issuers
 */
export function certificates(options: ManifestOptions): object[] {
  const root = `${NAME}-root`;
  const authority = `${NAME}-ca`;
  return [
    issuer(options, root, { selfSigned: {} }),
    certificate(options, authority, AUTHORITY, {
      isCA: true,
      commonName: authority,
      secretName: authority,
      duration: '43800h0m0s', // five years
      renewBefore: '8760h0m0s',
      usages: ['cert sign', 'crl sign'],
      issuerRef: issuerRef(root),
    }),
    issuer(options, authority, { ca: { secretName: authority } }),
    certificate(
      options,
      NAME,
      {},
      {
        dnsNames: serviceNames(options),
        secretName: TLS_SECRET,
        duration: '2160h0m0s', // ninety days
        renewBefore: '720h0m0s',
        usages: ['digital signature', 'server auth'],
        issuerRef: issuerRef(authority),
      },
    ),
  ];
}

function issuer(options: ManifestOptions, name: string, spec: object): object {
  return { apiVersion: 'cert-manager.io/v1', kind: 'Issuer', metadata: named(options, name), spec };
}

/** Why a key that signs certificates may be in the namespace. */
const AUTHORITY = { 'NS-068': 'this authority signs only the certificate of the webhook' };

function certificate(options: ManifestOptions, name: string, reasons: Parameters<typeof ignoring>[0], spec: object): object {
  return {
    apiVersion: 'cert-manager.io/v1',
    kind: 'Certificate',
    metadata: { ...named(options, name), ...ignoring(reasons) },
    spec: { ...spec, privateKey: { algorithm: 'ECDSA', size: 256, rotationPolicy: 'Always' } },
  };
}

function issuerRef(name: string): object {
  return { group: 'cert-manager.io', kind: 'Issuer', name };
}
