import { join } from 'node:path';
import { expect, it } from 'vitest';
import { folderWith } from '../testing/files.test-support.js';
import { secretValues } from './secret-values.js';

it('takes the values of --set, and those of files under keys that sound like secrets', async () => {
  const folder = folderWith({
    'values.yaml': 'image: nginx\ndb:\n  password: hunter2\n  user: app\nauth: {list: [one, {x: two}]}\nAPI_KEY: k3y\n',
    'broken.yaml': 'a: [',
  });
  const files = ['values.yaml', 'broken.yaml', 'missing.yaml'].map((file) => join(folder, file));
  expect(await secretValues(['a=b,c=d\\,e', 'f=g=h'], files)).toEqual(['b', 'd\\,e', 'g=h', 'hunter2', 'one', 'two', 'k3y']);
});
