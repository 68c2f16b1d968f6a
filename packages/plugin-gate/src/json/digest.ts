import { hash } from 'node:crypto';

/** SHA-256 as 64 hexadecimal digits in lower case. Texts are taken as UTF-8. */
export function sha256Hex(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}
