import { expect, it } from 'vitest';
import { settingsText } from './settings-text.js';

it('the text of the settings says how many rules are installed', () => {
  const setting = { key: 'evaluate.fail_on', value: 'HIGH', origin: 'default' } as const;
  const textWith = (rules: number) => settingsText([setting], null, rules, { width: 80, colour: false });
  expect(textWith(1)).toMatch(/apply\. 1 rule is installed\.\n$/);
  expect(textWith(1234)).toMatch(/ 1,234 rules are installed\.\n$/);
});
