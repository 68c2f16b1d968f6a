// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of a shell look like this
import { describe, expect, it } from 'vitest';
import { commandSecrets } from './command-secrets.js';

const names = (line: string) => commandSecrets(line).map(({ name }) => name);

describe('a secret in a command line', () => {
  it.each([
    ['server --db-password=hunter2', '--db-password'],
    ['server --token s3cr3t --port 80', '--token'],
    ['-api-key=abcdef', '-api-key'],
    ['java -Dspring.datasource.password=hunter2 -jar app.jar', '-Dspring.datasource.password'],
    ['sh -c \'server --mode x --access-key "abc123"\'', '--access-key'],
    ['x --client-secret my-client-secret', '--client-secret'],
    ['x --PASSWORD=Hunter2', '--PASSWORD'],
    ['x --password SECRET', '--password'],
    ['x --password MONKEY', '--password'],
    ['gpg --batch --passphrase hunter2', '--passphrase'],
    ['openssl rsa -in key -passin pass:hunter2', '-passin'],
    ['wget --user=shop --password=hunter2 http://x/', '--password'],
    ['wget --http-password hunter2 http://x/', '--http-password'],
    ['redis-server --appendonly yes --requirepass hunter2', '--requirepass'],
    ['redis-server /etc/redis.conf --masterauth "hunter2"', '--masterauth'],
  ])('%s is the value of a flag', (line, flag) => {
    expect(names(line)).toEqual([flag]);
  });

  it.each([
    'mysql -u root -phunter2 shop',
    'mysql -uroot -p"hunter2" -e "SELECT 1; SELECT 2"',
    "mysqldump --all-databases -p'hunter2' > /backup/all.sql",
    'mysqladmin ping -h localhost -phunter2',
    'mariadb -phunter2',
    'mariadb-dump -u root -phunter2 shop',
    '/usr/bin/mysql -e "SELECT 1; SELECT 2" -phunter2',
    'sh -c until mysqladmin ping -phunter2; do sleep 1; done',
    'sh -c "mysql -phunter2"',
    'set -e; MYSQL_HOST=db mysql \\\n  -u root \\\n  -phunter2',
    'gzip -dc dump | mysql -phunter2',
    'mysql -e "SELECT \\"a\\"; SELECT 2" --init-command=\'SELECT 1\' 2>&1 -phunter2',
    'mysql -h $(hostname -i) -u`whoami` -phunter2',
  ])('%s is the attached password of a client of MySQL', (line) => {
    expect(names(line)).toEqual(['mysql -p']);
  });

  it.each([
    'curl -u shop:hunter2 https://x/',
    'curl -su "shop:hunter2" https://x/',
    'curl -ushop:hunter2 https://x/',
    "curl --user 'shop:hunter2' https://x/?a=1&b=2",
    'curl https://x/?a=1&b=2 --user=shop:hunter2',
    'curl -u "$USER:hunter2" https://x/',
    'curl -u :hunter2 https://x/',
    'curl --proxy-user shop:hunter2 https://x/',
    'x=$(curl -s -X POST \\\n  -u shop:hunter2 https://x/)',
    'curl -d \'{\n  "a": "b"\n}\' -H "X: \\"y\\"" -u shop:hunter2 https://x/',
  ])('%s is a login of curl', (line) => {
    expect(names(line)).toEqual(['curl -u']);
  });

  it.each([
    ['sh -c export DB_PASSWORD=hunter2', 'DB_PASSWORD'],
    ['sh -c export DB_PASSWORD="hunter2"; server', 'DB_PASSWORD'],
    ['sh -c PGPASSWORD=hunter2 psql -h db', 'PGPASSWORD'],
    ['sh -c cd /app && API_TOKEN=abc123 ./run', 'API_TOKEN'],
    ["bash -c 'REDIS_AUTH=hunter2 ./run'", 'REDIS_AUTH'],
    ['(MYSQL_PWD=hunter2 mysql)', 'MYSQL_PWD'],
    ['env DB_PASS=hunter2 server', 'DB_PASS'],
    ['helm install x --set replicas=2,auth.rootPassword=hunter2', 'auth.rootPassword'],
    ['kubectl create secret generic x --from-literal=password=hunter2', 'password'],
    ["python -c connect(user='x', password='hunter2')", 'password'],
    ['psql "host=db user=shop password=hunter2"', 'password'],
  ])('%s is the value of a variable or a setting', (line, name) => {
    expect(names(line)).toEqual([name]);
  });

  it.each([
    ['curl -H "Authorization: Bearer abcdef123" x', 'Authorization'],
    ['curl -H Authorization: Basic c2hvcDpodW50ZXIy x', 'Authorization'],
    ["curl --header='authorization:token abcdef' x", 'authorization'],
    ['wget --header "X-Api-Key: abcdef" x', 'X-Api-Key'],
    ['curl -HPRIVATE-TOKEN:abcdef x', 'PRIVATE-TOKEN'],
    ['proxy --set {"Authorization": "Bearer abcdef123"}', 'Authorization'],
  ])('%s is the value of a header', (line, name) => {
    expect(names(line)).toEqual([expect.stringContaining(name)]);
  });

  it.each([
    ['redis-cli -h cache -a hunter2 ping', 'redis-cli -a'],
    ['git clone https://shop:hunter2@example.com/x.git', 'URL'],
    ['migrate -database postgres://shop:hunter2@db:5432/shop up', 'URL'],
  ])('%s is found as well', (line, name) => {
    expect(names(line)).toEqual([name]);
  });

  it('is found at its place', () => {
    const line = 'a --token=abcd; b --password ijkl; mysql -pmnop';
    expect(commandSecrets(line).map(({ offset }) => line.slice(offset, offset + 4))).toEqual(['abcd', 'ijkl', 'mnop']);
  });
});

describe('no secret in a command line', () => {
  it.each([
    '--password=$(DB_PASSWORD)',
    '--password="$DB_PASSWORD"',
    "--password '${DB_PASSWORD}'",
    '--password=prefix-${X}',
    '--password=`cat /run/pw`',
    '--password "$(cat /run/pw)"',
    '--password <password>',
    '--password={{ .pw }}',
    '--password=',
    '--password "" --x',
    '--password /run/secrets/pw',
    '--password=@/run/pw',
    '--password=./pw',
    '--password-file=/run/pw',
    '--password=xxxxxxxx',
    '--password=YOUR_PASSWORD',
    '--password TOKEN_HERE',
    '--token your-token',
    '--token "Your token"',
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
    '--requirepass $(REDIS_PASSWORD)',
    '--pass-through abc',
    'openssl rsa -passin env:KEY_PASS -passout file:/run/pw -passin stdin',
    'create-token abcdef',
    '',
  ])('%s is no value of a flag', (line) => {
    expect(names(line)).toEqual([]);
  });

  it.each([
    'mysql -u root -p shop',
    'mysql -u root -p$MYSQL_ROOT_PASSWORD',
    'mysql -u root -p"$MYSQL_ROOT_PASSWORD"',
    "mysql -u root -p'${MYSQL_ROOT_PASSWORD}'",
    'mysqladmin ping -p$(cat /run/pw)',
    'mysqladmin ping -p`cat /run/pw`',
    'mysql -p"" -e x',
    'mysql -p<password>',
    'mysql -h db -P3306 --port=3306 --protocol=tcp',
    'mysql -p3306',
    'mysql -u root; ssh -phunter2 host',
    'mysqld -phunter2',
    'su -c "mysql -u shop -e \'SELECT 1\'" x && su -c "server -port 80" x',
    'su -c "mysql -u shop" x su -c "server -port 80" x',
    'v=$(mysql -e x) server -port 80',
    'v=`mysql -e x` server -port 80',
    'mysql -e x\nserver -port 80',
    'mysql -e x & server -port 80',
    'wait-for mysql -phunter2',
    'nginx -phunter2',
    'mongo -phunter2',
    'nmap -p22-80 mysql',
    'mkdir -pv /var/lib/mysql',
    'install mysql && mkdir -pv /x',
  ])('%s is no password of MySQL', (line) => {
    expect(names(line)).toEqual([]);
  });

  it.each([
    'curl -u shop https://x/',
    'curl -u "$USER:$PASS" https://x/',
    'curl -u shop:$PASS https://x/',
    'curl -u "${USER}":"${PASS}" https://x/',
    'curl -u "shop:$(cat /run/pw)" https://x/',
    'curl -u shop:<password> https://x/',
    'curl -u shop:[PASSWORD] https://x/',
    'curl -u shop: https://x/',
    'curl -u {{ .user }}:{{ .pw }} https://x/',
    'curl --user-agent probe:1234 https://x/',
    'curl -X PUT https://x:8080/',
    'curl https://x/ | chown -u shop:hunter2',
    'docker run --user 1000:1000 x',
    'curl https://x/ & docker run --user 1000:1000 x',
    'x=$(curl https://x/) docker run --user 1000:1000 x',
    'sh -c "curl https://x/" && docker run --user "1000:1000" x',
    'curl https://x/; docker run --user 1000:1000 x',
    'chpst -u app:app server',
  ])('%s is no login of curl', (line) => {
    expect(names(line)).toEqual([]);
  });

  it.each([
    'sh -c export DB_PASSWORD=$(cat /run/pw)',
    'sh -c export DB_PASSWORD="$PW"; server',
    'sh -c DB_PASSWORD=${PW:-changeme} server',
    'sh -c DB_PASSWORD= server',
    'sh -c export DB_PASSWORD; server',
    'sh -c TOKEN=`cat /run/token` ./run',
    'sh -c TOKEN_FILE=token ./run',
    'sh -c TOKEN=/run/token ./run',
    'sh -c SECRET=web-tls; kubectl get secret $SECRET',
    'sh -c SMTP_AUTH=login LOG_LEVEL=debug PORT=8080 ./run',
    "sed -i s/password=.*/password=$PW/ x; grep 'token=' x",
    'helm install x --set auth.existingSecret=shop-db,image.pullSecret=regcred',
    'python -c connect(user, password=password, retry=1)',
    'python -c connect(user, password=options.password)',
    'python -c token=read_token(path)',
    'kubelet --feature-gates=LegacyServiceAccountTokenCleanUp=false',
  ])('%s is no value of a variable', (line) => {
    expect(names(line)).toEqual([]);
  });

  it.each([
    'curl -H "Authorization: Bearer $TOKEN" x',
    'curl -H "Authorization: Bearer $(cat /run/token)" x',
    'curl -H "Authorization: Bearer ${TOKEN}" x',
    'curl -H "Authorization: Bearer <token>" x',
    'curl -H "Authorization: Bearer ..." x',
    'curl -H "Authorization: Bearer XXXXXXXXXXXX" x',
    'curl -H "Authorization: $AUTH" -H "X-Api-Key: ${KEY}" x',
    'curl -H "Content-Type: application/json" -H "Accept: text/plain" x',
    'wget --header "Metadata-Flavor: Google" x',
    'server --authorization-mode=RBAC --authorization basic',
    'echo Authorization: Bearer',
  ])('%s is no credential in a header', (line) => {
    expect(names(line)).toEqual([]);
  });

  it.each([
    'redis-cli -a $REDIS_PASSWORD ping',
    'redis-cli -h cache ping; ls -a hunter2',
    'git clone https://$USER:$TOKEN@example.com/x.git',
    'git clone https://git@example.com:22/x.git',
    'wait-for http://db:5432/?mail=a@b.c',
  ])('%s is none either', (line) => {
    expect(names(line)).toEqual([]);
  });

  it('takes time linear in the line to find', () => {
    const started = performance.now();
    for (const piece of ['-', 'curl ', 'mysql ', '"', "'a' ", '-H ', 'a=', 'x://a:b', 'env ', '\\\n', 'authorization '])
      commandSecrets(`token= mysql curl redis-cli --header pw= ${piece.repeat(200_000 / piece.length)}`);
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});
