import { describe, expect, it } from 'vitest';
import { isSecretName } from './secret-name.js';

describe('a secret name', () => {
  it.each([
    // the failing cases of kubescape (rule-credentials-in-env-var, -configmap), kube-linter (env-var-secret) and polaris
    'DB_PASSWORD',
    'my_password',
    'password',
    'SECRET_BLAH',
    'AWS_SECRET_ACCESS_KEY',
    'aws_access_key_id',
    'pwd',
    'MYSQL_ROOT_PASSWORD',
    'PGPASSWORD',
    'MYSQL_PWD',
    'DB_PASS',
    'dbPass',
    'adminPwd',
    'userPasswd',
    'KEY_PASSPHRASE',
    'API_KEY',
    'api-key',
    'apiKey',
    'stripe.api.key',
    'PRIVATE_KEY',
    'client_secret',
    'clientSecret',
    'GITHUB_TOKEN',
    'credentials.json',
    'AZURE_STORAGE_KEY',
    'storageAccountKey',
    'MASTER_KEY',
    'JWT_SIGNING_KEY',
    'SECRET_KEY',
    'password.txt',
  ])('%s says that it holds a secret', (name) => {
    expect(isSecretName(name)).toBe(true);
  });

  it.each([
    // the passing cases of the same tools
    'LOG_LEVEL',
    'PORT',
    'greeting',
    'message',
    'db_user',
    'AWS_TOKEN_FILE',
    'POSTGRES_PASSWORD_FILE',
    'passwordFile',
    'passwordfile',
    'token.file',
    'TOKEN_FILENAME',
    'secretFilePath',
    'VAULT_TOKEN_PATH',
    'existingSecret',
    'existingSecretPasswordKey',
    'secretName',
    'secretname',
    'SECRET_NAMES',
    'passwordSecretRef',
    'imagePullSecrets',
    'envFromSecret',
    'tls-secret',
    'wildcardTlsSecret',
    'webhook_cert_secret',
    'ca-secret',
    'PASSWORD_POLICY',
    'passwordPolicies',
    'PASSWORD_MIN_LENGTH',
    'PASSWORD_REGEX',
    'passwordRotation',
    'PASSWORD_RESET_ENABLED',
    'TOKEN_TTL',
    'ACCESS_TOKEN_EXPIRE_MINUTES',
    'JWT_TOKEN_EXPIRES_IN',
    'token_expires',
    'TOKEN_ENDPOINT',
    'TOKEN_URL',
    'tokenurl',
    'TOKEN_ISSUER',
    'TOKEN_SCOPES',
    'MAX_TOKENS',
    'maxTokens',
    'tokensPerMinute',
    'TOKENIZERS_PARALLELISM',
    'SECRETS_STORE',
    'SECRET_BACKEND',
    'SECRETS_MANAGER',
    'SECRET_PREFIX',
    'SECRET_LABEL_SELECTOR',
    'TOKEN_PUBLIC_KEY',
    'passwordKey',
    'tokenSecretKey',
    'secret-rotation.sh',
    'token_check.rego',
    'create-secrets.sql',
    'PASS_THROUGH',
    'COMPASS',
    'bypass',
  ])('%s does not', (name) => {
    expect(isSecretName(name)).toBe(false);
  });

  it('is no longer than a key of a ConfigMap may be', () => {
    expect(isSecretName(`${'a'.repeat(245)}password`)).toBe(true);
    expect(isSecretName(`${'a'.repeat(246)}password`)).toBe(false);
  });
});
