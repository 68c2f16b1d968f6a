/** Who speaks: reading the headers of a request, verifying its signature, and signing one. */
export { canonicalString, EMPTY_DIGEST, type SignedParts } from './canonical-string.js';
export { type Credentials, type Refusal, readCredentials, withinSkew } from './credentials.js';
export { type AdapterRegistry, adapterRegistry, adapterSecrets, type RegisteredAdapter } from './registry.js';
export { type RequestToSign, signRequest } from './sign-request.js';
