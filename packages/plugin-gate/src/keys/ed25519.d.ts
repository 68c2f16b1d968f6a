import { type KeyObject } from 'node:crypto';
/** An Ed25519 key pair that signs, with its public half in the forms that records carry. */
export interface Signer {
    /** First 16 bytes of the SHA-256 of the raw public key, as 32 hexadecimal digits. */
    readonly keyId: string;
    /** The raw public key (32 bytes), base64url without padding. */
    readonly publicKey: string;
    /** @returns the signature (64 bytes), base64url without padding */
    sign(message: string): string;
}
/**
 * @param pem PKCS#8, "BEGIN PRIVATE KEY"
 * @throws {TypeError} when it is no Ed25519 private key; the message says nothing of its content
 */
export declare function signerFromPem(pem: string): Signer;
/** @param seed 32 bytes, RFC 8032 */
export declare function signerFromSeed(seed: Uint8Array): Signer;
/** A new key. @returns PKCS#8 PEM, to be written to a file of mode 0600 */
export declare function newKeyPem(): string;
/** @param publicKey raw key, base64url. @throws {TypeError} when it is not 32 bytes in that form */
export declare function publicKeyOf(publicKey: string): KeyObject;
/** See `Signer.keyId`. @param publicKey raw key, base64url */
export declare function keyIdOf(publicKey: string): string;
/** Whether the signature (base64url) is one of the key over the text. Never throws on any signature. */
export declare function verifySignature(message: string, signature: string, key: KeyObject): boolean;
