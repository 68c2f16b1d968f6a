import fc from 'fast-check';

const chars = (alphabet: string, length: number) =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength: length, maxLength: length + 8 });
const ALNUM = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const after = (prefix: string, alphabet: string, length: number) => chars(alphabet, length).map((rest) => prefix + rest);

/** A secret of a form that the built-in set knows, and the part of it that must not survive. */
export interface SeededSecret {
  text: string;
  secret: string;
}

const whole = (text: fc.Arbitrary<string>): fc.Arbitrary<SeededSecret> => text.map((secret) => ({ text: secret, secret }));

/** Secrets by their forms. None is real: all are random. */
export const SEEDED_SECRETS: { readonly [rule: string]: fc.Arbitrary<SeededSecret> } = {
  'aws-key': chars('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 16).map((rest) => ({ text: `AKIA${rest}`, secret: `AKIA${rest.slice(0, 16)}` })),
  'github-token': whole(fc.oneof(after('ghp_', ALNUM, 36), after('gho_', ALNUM, 36), after('github_pat_', `${ALNUM}_`, 50))),
  'gitlab-token': whole(fc.oneof(after('glpat-', ALNUM, 20), after('glrt-', ALNUM, 20))),
  'slack-token': whole(fc.oneof(after('xoxb-', ALNUM, 24), after('xapp-1-', ALNUM, 24))),
  'stripe-key': whole(fc.oneof(after('sk_live_', ALNUM, 24), after('rk_test_', ALNUM, 24))),
  'google-key': chars(`${ALNUM}_-`, 35).map((rest) => ({ text: `AIza${rest}`, secret: `AIza${rest.slice(0, 35)}` })),
  jwt: whole(fc.tuple(chars(ALNUM, 20), chars(ALNUM, 30), chars(`${ALNUM}_-`, 43)).map(([a, b, c]) => `eyJ${a}.eyJ${b}.${c}`)),
  'private-key': chars(ALNUM, 64).map((secret) => ({
    text: `-----BEGIN PRIVATE KEY-----\n${secret}\n-----END PRIVATE KEY-----\n`,
    secret,
  })),
  bearer: chars(ALNUM, 20).map((secret) => ({ text: `Bearer ${secret}`, secret })),
  'url-user-info': chars(ALNUM, 12).map((secret) => ({ text: `https://deploy:${secret}@db.example.com/x`, secret })),
  assignment: chars(ALNUM, 12).map((secret) => ({ text: `mysql --password=${secret} --host=db`, secret })),
};

export const seededSecret = fc.oneof(...Object.values(SEEDED_SECRETS));

/** Names whose texts are masked, whatever they look like. */
export const secretNames = fc.constantFrom(
  'password',
  'dbPassword',
  'DB_PASSWD',
  'client-secret',
  'accessToken',
  'API_KEY',
  'apikey',
  'authorization',
  'Set-Cookie',
  'private_key',
  'credentials',
  'sessionId',
  'otp',
);
