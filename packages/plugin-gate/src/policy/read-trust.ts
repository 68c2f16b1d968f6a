import type { KeyObject } from 'node:crypto';
import { publicKeyOf } from '../keys/index.js';
import { type BundleError, policyError, type Trust } from './bundle.js';
import { type BundleFiles, shownPath } from './files.js';
import { readBundleYaml } from './read-yaml.js';
import { ISSUERS_SCHEMA, REVOKED_SCHEMA } from './schemas.js';

export const ISSUERS_FILE = 'trust/issuers.yaml';
export const REVOKED_FILE = 'trust/revoked.yaml';

/** Reads whom the bundle trusts. Without the files it trusts nobody, and nothing is revoked. */
export function readTrust(bundle: string, files: BundleFiles): { trust: Trust; errors: BundleError[] } {
  const errors: BundleError[] = [];
  const read = (path: string, schema: object) => {
    const content = files.get(path);
    const result = content && readBundleYaml(shownPath(bundle, path), content, schema);
    if (result && 'errors' in result) errors.push(...result.errors);
    return result && 'value' in result ? result : undefined;
  };
  const issuers = new Map<string, Map<string, KeyObject>>();
  const issuersFile = read(ISSUERS_FILE, ISSUERS_SCHEMA);
  const listed = (issuersFile?.value as IssuersFile | undefined)?.issuers ?? []; // so the schema says
  for (const [index, { issuer, keys }] of listed.entries()) {
    const known = issuers.get(issuer) ?? new Map<string, KeyObject>();
    issuers.set(issuer, known);
    for (const [place, { key_id, public_key }] of keys.entries()) {
      const key = keyOf(public_key);
      const wrong =
        key === undefined
          ? 'The key is not an Ed25519 public key.'
          : known.has(key_id)
            ? 'The issuer already has a key with this id.'
            : undefined;
      if (key !== undefined && wrong === undefined) known.set(key_id, key);
      else if (wrong !== undefined && issuersFile)
        errors.push(policyError(wrong, issuersFile.file.locate(['issuers', index, 'keys', place, 'key_id'])));
    }
  }
  const revoked = (read(REVOKED_FILE, REVOKED_SCHEMA)?.value as RevokedFile | undefined) ?? {}; // so the schema says
  const mandates = new Set(revoked.mandates?.map(({ issuer, mandate_id }) => pair(issuer, mandate_id)));
  const keys = new Set(revoked.keys?.map(({ issuer, key_id }) => pair(issuer, key_id)));
  const isRevoked: Trust['isRevoked'] = ({ issuer, key_id, mandate_id }) =>
    mandates.has(pair(issuer, mandate_id)) || keys.has(pair(issuer, key_id));
  return { trust: { issuers, isRevoked }, errors };
}

interface IssuersFile {
  issuers: { issuer: string; keys: { key_id: string; public_key: string }[] }[];
}

interface RevokedFile {
  mandates?: { issuer: string; mandate_id: string }[];
  keys?: { issuer: string; key_id: string }[];
}

function keyOf(publicKey: string): KeyObject | undefined {
  try {
    return publicKeyOf(publicKey);
  } catch {
    return undefined;
  }
}

function pair(issuer: string, id: string): string {
  return JSON.stringify([issuer, id]);
}
