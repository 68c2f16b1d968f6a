import { generateKeyPairSync, sign } from 'node:crypto';

/** A self-signed certificate for `localhost`, with its key, made on the spot: X.509 v3 (RFC 5280) in DER, Ed25519. */
export function selfSigned(commonName: string): { cert: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const algorithm = sequence(ED25519);
  const name = sequence(der(0x31, sequence(der(0x06, Buffer.from([0x55, 0x04, 0x03])), der(0x0c, Buffer.from(commonName)))));
  const validity = sequence(der(0x17, Buffer.from('200101000000Z')), der(0x17, Buffer.from('491231235959Z')));
  const version = der(0xa0, der(0x02, Buffer.from([2])));
  const alternativeNames = der(0x30, der(0x82, Buffer.from('localhost')));
  const extension = sequence(der(0x06, Buffer.from([0x55, 0x1d, 0x11])), der(0x04, alternativeNames));
  const body = sequence(
    version,
    der(0x02, Buffer.from([1])),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extension)),
  );
  const certificate = sequence(body, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), sign(null, body, privateKey)])));
  const lines = certificate.toString('base64').replaceAll(/.{64}(?=.)/g, '$&\n');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  };
}

const ED25519 = Buffer.from([0x06, 0x03, 0x2b, 0x65, 0x70]);

const sequence = (...parts: Buffer[]) => der(0x30, ...parts);

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
