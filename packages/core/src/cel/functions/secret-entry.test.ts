import { describe, expect, it } from 'vitest';
import { isSecretEntry } from './secret-entry.js';

describe('an entry that holds a secret', () => {
  it.each([
    ['password', 'hunter2'],
    ['adminPassword', 'prom-operator'],
    ['clientSecret', 'my-client-secret'],
    ['jwtSecret', 'my-super-secret'],
    ['secret', 'Zk39vQx7'],
    ['secretKey', 'a8f5f167f44f4964e6c998dee827110c'],
    ['anything', `${'AKIA'}QWERTYUIOPASDFGH`],
  ])('%s: %s', (name, value) => {
    expect(isSecretEntry(name, value)).toBe(true);
  });

  it.each([
    ['secret', 'grafana-admin-credentials'],
    ['smtpSecret', 'shop-smtp-auth'],
    ['secrets', 'etcd-certs'],
    ['secretKey', 'admin-password'],
    ['existingSecret', 'shop-db'],
    ['secretName', 'shop-db'],
    ['passwordKey', 'mariadb-root-password'],
    ['imagePullSecrets', 'regcred'],
    ['password', ''],
    ['password', 'abc'],
    ['password', '<path:kv/data/shop#password>'],
    ['password', 'ENC[AES256_GCM,data:Tr7o=,type:str]'],
    ['automountServiceAccountToken', true],
    ['tokenTTL', '3600s'],
    ['password', 1234],
  ])('%s: %s is none', (name, value) => {
    expect(isSecretEntry(name, value)).toBe(false);
  });
});
