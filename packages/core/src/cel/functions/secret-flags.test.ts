// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of a shell look like this
import { describe, expect, it } from 'vitest';
import { secretFlags } from './secret-flags.js';

describe('a flag that carries a secret', () => {
  it.each([
    ['server --db-password=hunter2', '--db-password'],
    ['server --token s3cr3t --port 80', '--token'],
    ['-api-key=abcdef', '-api-key'],
    ['java -Dspring.datasource.password=hunter2 -jar app.jar', '-Dspring.datasource.password'],
    ['sh -c \'redis-server --requirepass x --access-key "abc123"\'', '--access-key'],
    ['x --client-secret my-client-secret', '--client-secret'],
    ['x --PASSWORD=Hunter2', '--PASSWORD'],
  ])('%s', (line, flag) => {
    expect(secretFlags(line)).toEqual([flag]);
  });

  it('is named once', () => {
    expect(secretFlags('a --token=abcd; b --token=efgh --password=ijkl')).toEqual(['--token', '--password']);
  });

  it.each([
    '--password=$(DB_PASSWORD)',
    '--password="$DB_PASSWORD"',
    "--password '${DB_PASSWORD}'",
    '--password=prefix-${X}',
    '--password=`cat /run/pw`',
    '--password <password>',
    '--password={{ .pw }}',
    '--password /run/secrets/pw',
    '--password=@/run/pw',
    '--password=./pw',
    '--password-file=/run/pw',
    '--token-ttl=3600',
    '--token --verbose',
    '--token=true',
    '--no-password shop',
    '--max-new-token 5120',
    '--tls-secret=shop-tls',
    '--default-tls-secret ingress/default-tls',
    '--ca-secret=root-ca',
    '--secret=kube-system/cloud-config',
    '--credentials-secret=shop-credentials',
    '--secret-name=admission',
    '--vault-token vault:secret/x#y',
    '--password > /dev/null',
    'create-token abcdef',
    '',
  ])('%s carries none', (line) => {
    expect(secretFlags(line)).toEqual([]);
  });

  it('is found in time linear in the line', () => {
    expect(secretFlags(`token ${'-'.repeat(200_000)}`)).toEqual([]);
  });
});
