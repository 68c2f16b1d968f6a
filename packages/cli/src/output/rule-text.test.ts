import { expect, it } from 'vitest';
import type { RuleDocument } from '../rules/rule-document.js';
import { ruleText } from './rule-text.js';

const RULE: RuleDocument = {
  id: 'ORG-001',
  category: 'ORG',
  severity: 'LOW',
  title: 'Configuration files do not switch on debug logs',
  description: 'Debug logs fill the disk.',
  targets: ['ConfigMap'],
  logic: [
    {
      targets: ['ConfigMap'],
      each: 'entries(object.?data)',
      expression: "!text(item.?value).matches('debug')",
      line: "lineOf(item.?value, 'debug')",
      message: '"no debug"',
    },
  ],
  fix: 'Set log_level to info.',
  frameworks: [],
  references: [],
  peers: [],
  examples: [],
  pack: 'acme',
  config: {},
};

it('shows each part of the logic of a rule, the line of its findings included', () => {
  expect(ruleText(RULE, { width: 80, colour: false })).toContain(
    [
      '  targets      ConfigMap',
      '  each         entries(object.?data)',
      "  passes if    !text(item.?value).matches('debug')",
      "  line         lineOf(item.?value, 'debug')",
      '  message      "no debug"',
    ].join('\n'),
  );
});
