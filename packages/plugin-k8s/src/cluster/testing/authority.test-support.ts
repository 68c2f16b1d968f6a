import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

export interface Authority {
  /** PEM. */
  cert: string;
  issue(subject: Subject): Issued;
}

export interface Subject {
  commonName: string;
  /** In a client's certificate Kubernetes takes them for its groups. */
  organizations?: readonly string[];
  names?: readonly string[];
  /** IPv4. */
  addresses?: readonly string[];
  from?: Date;
  until?: Date;
}

/** PEM. The key is PKCS #8. */
export interface Issued {
  cert: string;
  key: string;
}

/** A certificate authority made on the spot. Its certificates are X.509 v3 (RFC 5280) with Ed25519 keys, for servers and clients, valid from 2020 to 2049 unless told. */
export function certificateAuthority(commonName: string): Authority {
  const issuer: Subject = { commonName };
  const own = keyPair();
  const isAuthority = extension([0x55, 0x1d, 0x13], sequence(der(0x01, Buffer.from([0xff]))), 'critical');
  const signsCertificates = extension([0x55, 0x1d, 0x0f], der(0x03, Buffer.from([0x02, 0x04])), 'critical');
  let serial = 1;
  return {
    cert: certificate({ serial, issuer, subject: issuer, spki: own.spki, signer: own.key, extensions: [isAuthority, signsCertificates] }),
    issue: (subject) => {
      const { spki, key } = keyPair();
      serial += 1;
      const cert = certificate({ serial, issuer, subject, spki, signer: own.key, extensions: usesOf(subject) });
      return { cert, key: String(key.export({ type: 'pkcs8', format: 'pem' })) };
    },
  };
}

interface Certificate {
  serial: number;
  issuer: Subject;
  subject: Subject;
  spki: Buffer;
  /** The issuer's key. */
  signer: KeyObject;
  extensions: readonly Buffer[];
}

/** Section 4.1 of RFC 5280. */
function certificate({ serial, issuer, subject, spki, signer, extensions }: Certificate): string {
  const algorithm = sequence(der(0x06, Buffer.from([0x2b, 0x65, 0x70])));
  const { from = new Date('2020-01-01T00:00:00Z'), until = new Date('2049-12-31T23:59:59Z') } = subject;
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1, serial >> 8, serial & 0xff])),
    algorithm,
    nameOf(issuer),
    sequence(utcTime(from), utcTime(until)),
    nameOf(subject),
    spki,
    der(0xa3, sequence(...extensions)),
  );
  return pem(sequence(body, algorithm, der(0x03, Buffer.from([0]), sign(null, body, signer))));
}

function keyPair(): { spki: Buffer; key: KeyObject } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return { spki: publicKey.export({ type: 'spki', format: 'der' }), key: privateKey };
}

function nameOf({ commonName, organizations = [] }: Subject): Buffer {
  const attribute = (type: number, value: string) =>
    der(0x31, sequence(der(0x06, Buffer.from([0x55, 0x04, type])), der(0x0c, Buffer.from(value))));
  return sequence(...organizations.map((organization) => attribute(0x0a, organization)), attribute(0x03, commonName));
}

function usesOf({ names = [], addresses = [] }: Subject): Buffer[] {
  const serverAndClient = [1, 2].map((use) => der(0x06, Buffer.from([0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, use])));
  const alternatives = [
    ...names.map((name) => der(0x82, Buffer.from(name))),
    ...addresses.map((address) => der(0x87, Buffer.from(address.split('.').map(Number)))),
  ];
  const uses = extension([0x55, 0x1d, 0x25], sequence(...serverAndClient));
  return alternatives.length === 0 ? [uses] : [uses, extension([0x55, 0x1d, 0x11], sequence(...alternatives))];
}

function extension(identifier: readonly number[], value: Buffer, critical?: 'critical'): Buffer {
  const flag = critical ? [der(0x01, Buffer.from([0xff]))] : [];
  return sequence(der(0x06, Buffer.from(identifier)), ...flag, der(0x04, value));
}

/** `YYMMDDhhmmssZ`, which reaches to 2049. */
function utcTime(instant: Date): Buffer {
  return der(0x17, Buffer.from(`${instant.toISOString().slice(2, 19).replaceAll(/[-:T]/g, '')}Z`));
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, ...parts);
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function pem(content: Buffer): string {
  const lines = content.toString('base64').replaceAll(/.{64}(?=.)/g, '$&\n');
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}
