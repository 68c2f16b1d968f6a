import { describe, expect, it } from 'vitest';
import { holdsSecret, isSecretEntry } from './secret-entry.js';

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
    ['vaultSecret', 'secret/data/shop'],
    ['password', 1234],
  ])('%s: %s is none', (name, value) => {
    expect(isSecretEntry(name, value)).toBe(false);
  });
});

describe('a setting that holds a secret', () => {
  it.each([
    ['DB_PASSWORD', 'hunter2'],
    ['DB_PW', 'pw'],
    ['REDIS_AUTH', 'hunter2'],
    ['REDIS_AUTH', 'changeme'],
    ['REDIS_AUTH', 'mypassword'],
    ['PROXY_AUTH', 'shop:secret'],
    ['NEO4J_AUTH', 'neo4j/hunter2'],
    ['PROXY_AUTH', 'Basic c2hvcDpodW50ZXIy'],
    ['DB_PASSWORD', 'prod/shop/db'],
    ['API_TOKEN', 'token'],
    ['PIN_TOKEN', 1234],
  ])('%s: %s', (name, value) => {
    expect(holdsSecret(name, value)).toBe(true);
  });

  it.each([
    ['PORT', 'hunter2'],
    ['SMTP_AUTH', 'login'],
    ['NEO4J_AUTH', 'none'],
    ['KAFKA_AUTH', 'SCRAM-SHA-512'],
    ['USE_AUTH', 'yes'],
    ['auth', 'ldap'],
    ['VAULT_AUTH', 'kubernetes'],
    ['AZURE_AUTH', 'connection_string'],
    ['SMTP_AUTH', 'CRAM-MD5'],
    ['DB_SECRET', 'prod/shop/db'],
    ['vaultCredentials', 'secret/data/shop'],
    ['API_TOKEN', 'Bearer $(TOKEN)'],
    ['DB_PASSWORD', undefined],
  ])('%s: %s is none', (name, value) => {
    expect(holdsSecret(name, value)).toBe(false);
  });
});
