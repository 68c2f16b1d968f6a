// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references look like this
import { describe, expect, it } from 'vitest';
import { connectionPasswordLine } from './connection-password.js';

describe('a connection string with a password', () => {
  it.each([
    'postgres://shop:hunter2@db:5432/shop',
    'redis://:hunter2@cache',
    'amqp://guest:guest@$(RABBIT):5672',
    'jdbc:mysql://db/shop?user=shop&password=hunter2',
    'Server=db;User Id=sa; Password = hunter2;',
    'password=hunter2',
    'Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=root;SharedAccessKey=abc/def==',
    'a: 1\nurl: redis://shop:hunter2@cache:6379\n',
    'mongodb+srv://a:b1c@x,mongodb://y',
  ])('%j', (text) => {
    expect(connectionPasswordLine(text)).toBeGreaterThan(0);
  });

  it.each([
    'postgres://shop:$(PASSWORD)@db/shop',
    'postgres://shop:${PASSWORD}@db/shop',
    'postgres://shop:{{ .pw }}@db/shop',
    'postgres://shop:<password>@db/shop',
    'postgres://USER:DB_PASSWORD@db/shop',
    'postgres://shop:xxxxx@db/shop',
    'postgres://shop:****@db/shop',
    'postgres://%s:%s@db/shop',
    'postgres://db:5432/shop?sslmode=require',
    'http://proxy:3128?contact=ops@example.com',
    '["http://a:8080","ops@example.com"]',
    '[a-z]+://[^:]+:[^@]+@',
    'https://git@example.com/shop.git',
    'Server=db;Password=$(PASSWORD);',
    'Server=db;Password=;',
    'x; password = read_password(user)',
    '# url = postgres://shop:hunter2@db/shop\n; dsn = Server=db;Password=hunter2\nmode = fast',
    'mode=fast\npassword=hunter2',
    '://:abc@',
    '',
  ])('%j has none', (text) => {
    expect(connectionPasswordLine(text)).toBe(0);
  });

  it('is found on its line, counted over comments and empty lines', () => {
    expect(connectionPasswordLine('\n# redis://:hunter2@old\r\n\nurl: redis://:hunter2@cache\nredis://:hunter2@x')).toBe(4);
    expect(connectionPasswordLine('\n\nredis://:hunter2@cache\n')).toBe(3);
  });

  it('is looked for in time linear in the text', () => {
    const started = performance.now();
    expect(connectionPasswordLine('a://b:'.repeat(170_000))).toBe(0);
    expect(connectionPasswordLine(`x${'; '.repeat(500_000)}pwd`)).toBe(0);
    expect(connectionPasswordLine(`pwd;${' '.repeat(1_000_000)}`)).toBe(0);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
