/** Ed25519 keys: of evidence, mandates and approvers. */
export {
  keyIdOf,
  newKeyPem,
  publicKeyOf,
  type Signer,
  signerFromPem,
  signerFromSeed,
  verifySignature,
  verifySignatureOnPool,
} from './ed25519.js';
