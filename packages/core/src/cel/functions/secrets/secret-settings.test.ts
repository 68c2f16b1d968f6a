// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references look like this
import { describe, expect, it } from 'vitest';
import { secretSettings } from './secret-settings.js';

describe('a line that sets a secret', () => {
  it.each([
    ['spring.datasource.password=hunter2', 'spring.datasource.password'],
    ["export AWS_SECRET_ACCESS_KEY='abc/def+ghi'", 'AWS_SECRET_ACCESS_KEY'],
    ['smtp:\r\n  password: hunter2\r\n', 'password'],
    ['[security]\nadmin_password = hunter2', 'admin_password'],
    ['{\n  "api_key": "hunter2",\n  "x": 1\n}', 'api_key'],
    ['"client-secret": "hunter2"', 'client-secret'],
    ["$db_passwd = 1;\ndb.passwd = 'hunter2';", 'db.passwd'],
  ])('%j', (text, name) => {
    expect(secretSettings(text)).toEqual([{ name, line: expect.any(Number) }]);
  });

  it('is named once, with its first line', () => {
    expect(secretSettings('\n# a\na.password=hunter2\r\na.password=hunter3\n\nb.password=hunter4')).toEqual([
      { name: 'a.password', line: 3 },
      { name: 'b.password', line: 6 },
    ]);
  });

  it.each([
    '# password: hunter2\nmode: fast',
    'password:\n  valueFrom: vault',
    'client_secret: $dex.github.clientSecret',
    'api_key: ${API_KEY}',
    'password: {{ .pw }}',
    'db_password: /run/secrets/db',
    'token_password: https://example.com/x',
    'password: required',
    'password: true',
    'password: abc',
    'password: ENC[AES256_GCM,data:Tr7o=,type:str]',
    'password: vault:secret/data/db#pw',
    'password = options.password;',
    'api_key = process.env.API_KEY',
    'connect(user,\n  password=password,\n  retry=1)',
    'secretKey: admin-password',
    'password_file: hunter2',
    'the password: is it good enough?',
    '<api_key>hunter2</api_key>',
  ])('%j sets none', (text) => {
    expect(secretSettings(text)).toEqual([]);
  });

  it('is looked for in time linear in the text', () => {
    const started = performance.now();
    for (const piece of ['password=', 'password.', 'secret-', ' ', 'a'])
      secretSettings(`password${piece.repeat(1_000_000 / piece.length)}`);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
