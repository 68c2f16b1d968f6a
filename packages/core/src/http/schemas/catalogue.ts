import type { JsonSchema } from '../route.js';
import { list, object, oneOfText, text, whole } from './json-schema.js';

export const HEALTH: JsonSchema = {
  title: 'Health',
  ...object({
    status: oneOfText('The server answers.', ['ok']),
    version: text('Version of the program.'),
    rules: whole('Number of rules.'),
    categories: whole('Number of categories with a rule.'),
    plugins: list('Installed plugins.', object({ name: text('Short name.'), version: text('Version of its package.') })),
  }),
};

const control = { id: text('Item of the framework, or the framework itself where rules cite it as a whole.') };

const title = { title: text('In our own words, or a name that may be told.') };

const unlisted = {
  unlisted: {
    description: 'The framework or a part of it cited as a whole, or a number that is none of its controls. It does not count as one.',
    const: true,
  },
};

const COVERAGE = object({
  controls_mapped: whole('Controls of the framework that a rule supports.'),
  controls_total: { description: 'Controls that the framework has; null where that is not known.', type: ['integer', 'null'], minimum: 1 },
  rules: whole('Number of distinct rules.'),
});

const FRAMEWORK = {
  id: text('Name with version, as rules cite it.'),
  title: text('Name in words.'),
  version: { description: 'Edition of the framework.', type: ['string', 'null'] },
};

export const COMPLIANCE_MAP: JsonSchema = {
  title: 'ComplianceMap',
  ...object({
    frameworks: list('In natural order of their identifiers.', {
      title: 'FrameworkMapping',
      ...object({
        ...FRAMEWORK,
        controls: list(
          'Controls that a rule supports.',
          object({ ...control, rules: list('Rules that support it.', text('Identifier.')) }, { ...title, ...unlisted }),
        ),
        coverage: COVERAGE,
        uncovered: list(
          'Controls that no installed rule supports; empty where it is not known which the framework has.',
          object(control, title),
        ),
      }),
    }),
    total: whole('Number of frameworks.'),
  }),
};

const CONTROL_COMPLIANCE: JsonSchema = {
  title: 'ControlCompliance',
  description: 'A control that is not covered has no member after `status`.',
  ...object(
    {
      ...control,
      status: oneOfText(
        '`fail`: a rule that supports it has a failing finding. `pass`: no such finding, all rules that support it were used and could be evaluated, and one of them applied to a resource. `not-checked`: rules support it, but neither is the case. `not-covered`: no installed rule supports it.',
        ['pass', 'fail', 'not-checked', 'not-covered'],
      ),
    },
    {
      ...title,
      reason: oneOfText('Why it is not checked. `rule-left-out`: the request did not use all rules that support it.', [
        'rule-left-out',
        'rule-undecided',
        'nothing-applies',
      ]),
      rules: list('Rules that support it.', text('Identifier.')),
      failing_rules: list('Those of them with a failing finding.', text('Identifier.')),
      findings: whole('Failing findings of its rules.'),
      waived: whole('Findings of its rules that an exception covers.'),
      ...unlisted,
    },
  ),
};

export const COMPLIANCE_REPORT: JsonSchema = {
  title: 'ComplianceReport',
  description: 'What the evaluation means for the controls of frameworks.',
  ...object({
    notice: text('What a status does not say.'),
    complete: { description: 'False where errors were met: a pass is then a pass as far as the input could be read.', type: 'boolean' },
    resources: whole('Resources that were evaluated.'),
    unchecked: whole('Those of them whose kind no rule of the request covers.'),
    frameworks: list('Those asked for; otherwise all that rules cite, but for mere references. In natural order of their identifiers.', {
      title: 'FrameworkCompliance',
      ...object({
        ...FRAMEWORK,
        coverage: COVERAGE,
        counts: object({
          pass: whole('Controls.'),
          fail: whole('Controls.'),
          not_checked: whole('Controls.'),
          not_covered: whole('Controls.'),
        }),
        controls: list('All that are known of the framework, in natural order.', CONTROL_COMPLIANCE),
      }),
    }),
    total: whole('Number of frameworks.'),
  }),
};
