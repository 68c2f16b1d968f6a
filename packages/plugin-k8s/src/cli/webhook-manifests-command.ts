import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { BylawError } from '@bylaw/core/errors';
import type { Installation } from '@bylaw/core/installation';
import { type ManifestOptions, webhookManifests } from '../admission/manifests/index.js';
import { printManifests } from './print-manifests.js';

export interface WebhookManifestsFlags extends Pick<ManifestOptions, 'image' | 'namespace' | 'replicas' | 'mode' | 'secrets'> {
  'create-namespace': boolean;
  'deny-on': ManifestOptions['denyOn'];
  'fail-closed': boolean;
  'ca-bundle'?: string | undefined;
  'namespace-labels': boolean;
  output?: string | undefined;
  json: boolean;
}

/** Prints the manifests of the webhook for the rules that are installed. */
export async function webhookManifestsCommand(flags: WebhookManifestsFlags, installation: Installation): Promise<void> {
  checkName(flags.namespace);
  checkImage(flags.image);
  const { image, namespace, replicas, mode, secrets, 'ca-bundle': file } = flags;
  const options: ManifestOptions = {
    ...{ image, namespace, replicas, mode, secrets },
    createNamespace: flags['create-namespace'],
    denyOn: flags['deny-on'],
    failClosed: flags['fail-closed'],
    namespaceLabels: flags['namespace-labels'],
    ...(file !== undefined && { caBundle: await readBundle(file) }),
  };
  await printManifests(webhookManifests(options, await installation.catalogue()), flags);
}

/** A label of RFC 1123, as names of namespaces are. */
function checkName(namespace: string): void {
  if (/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(namespace)) return;
  throw new BylawError('usage', '--namespace must be a name of at most 63 lower-case letters, digits and hyphens.');
}

function checkImage(image: string): void {
  if (/^[a-zA-Z0-9][a-zA-Z0-9._:/@-]{0,499}$/.test(image)) return;
  throw new BylawError('usage', '--image must be the name of an image, for example registry.example.com/bylaw:0.1.0.');
}

async function readBundle(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new BylawError('path-unreadable', `Cannot read the file ${file}.`, { cause });
  });
  const certificates = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (certificates.length === 0 || !certificates.every(isCertificate))
    throw new BylawError('usage', `${file} must contain certificates in PEM format.`, {
      hint: '--ca-bundle expects certificates of certificate authorities.',
    });
  // Nothing else goes into the cluster: a private key may be beside them.
  return Buffer.from(`${certificates.join('\n')}\n`).toString('base64');
}

function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(text).raw.length > 0;
  } catch {
    return false;
  }
}
