/** Credentials, from a kubeconfig, a file, a program or an issuer of tokens. */
export { type CredentialOptions, credentialSource } from './credential-source.js';
export type { CredentialSource, Credentials } from './credentials.js';
export { expiredPart } from './expiry.js';
