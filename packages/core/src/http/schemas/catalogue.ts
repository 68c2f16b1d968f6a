import type { JsonSchema } from '../route.js';
import { list, object, oneOfText, text, whole } from './json-schema.js';

export const HEALTH: JsonSchema = {
  title: 'Health',
  ...object({
    status: oneOfText('The server is running.', ['ok']),
    version: text('Version of the program.'),
    rules: whole('Number of rules.'),
    categories: whole('Number of categories that have a rule.'),
    plugins: list('Installed plugins.', object({ name: text('Short name.'), version: text('Version of its package.') })),
  }),
};

const control = { id: text('Item of the framework, or the framework itself if rules cite it as a whole.') };

const title = { title: text('Title in our own words, or the public name.') };

const unlisted = {
  unlisted: {
    description:
      'The entry is not a control of the framework: rules cite the framework or a part of it as a whole, or a number that the framework does not contain. It does not count as a control.',
    const: true,
  },
};

const COVERAGE = object({
  controls_mapped: whole('Number of controls of the framework that a rule supports.'),
  controls_total: { description: 'Number of controls in the framework; null if it is not known.', type: ['integer', 'null'], minimum: 1 },
  rules: whole('Number of distinct rules.'),
});

const FRAMEWORK = {
  id: text('Name with version, as rules cite it.'),
  title: text('Full name of the framework.'),
  version: { description: 'Edition of the framework.', type: ['string', 'null'] },
};

export const COMPLIANCE_MAP: JsonSchema = {
  title: 'ComplianceMap',
  ...object({
    frameworks: list('In the natural order of their identifiers.', {
      title: 'FrameworkMapping',
      ...object({
        ...FRAMEWORK,
        controls: list(
          'Controls that a rule supports.',
          object({ ...control, rules: list('Rules that support the control.', text('Identifier.')) }, { ...title, ...unlisted }),
        ),
        coverage: COVERAGE,
        uncovered: list(
          'Controls that no installed rule supports; empty if the controls of the framework are not known.',
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
        '`fail`: a rule that supports the control has a failing finding. `pass`: no such finding, all rules that support the control were used and could be evaluated, and at least one of them applied to a resource. `not-checked`: rules support the control, but it neither passes nor fails. `not-covered`: no installed rule supports the control.',
        ['pass', 'fail', 'not-checked', 'not-covered'],
      ),
    },
    {
      ...title,
      reason: oneOfText('Why the control is not checked. `rule-left-out`: the request did not use all rules that support it.', [
        'rule-left-out',
        'rule-undecided',
        'nothing-applies',
      ]),
      rules: list('Rules that support the control.', text('Identifier.')),
      applied_rules: list(
        'Rules that support the control and applied to a resource. The status is based on these only.',
        text('Identifier.'),
      ),
      failing_rules: list('Rules that support the control and have a failing finding.', text('Identifier.')),
      findings: whole('Number of failing findings of these rules.'),
      waived: whole('Number of findings of these rules that an exception covers.'),
      ...unlisted,
    },
  ),
};

export const COMPLIANCE_REPORT: JsonSchema = {
  title: 'ComplianceReport',
  description: 'The results of the evaluation for the controls of frameworks.',
  ...object({
    notice: text('Notice about the limits of a status.'),
    complete: { description: 'False if there were errors: a pass then covers only the input that could be read.', type: 'boolean' },
    resources: whole('Number of resources that were evaluated.'),
    unchecked: whole('Number of these resources whose kind no rule of the request covers.'),
    frameworks: list(
      'The requested frameworks, or all frameworks that rules cite, except those that are only references. In the natural order of their identifiers.',
      {
        title: 'FrameworkCompliance',
        ...object({
          ...FRAMEWORK,
          coverage: COVERAGE,
          counts: object({
            pass: whole('Number of controls.'),
            fail: whole('Number of controls.'),
            not_checked: whole('Number of controls.'),
            not_covered: whole('Number of controls.'),
          }),
          controls: list('All known controls of the framework, in natural order.', CONTROL_COMPLIANCE),
        }),
      },
    ),
    total: whole('Number of frameworks.'),
  }),
};
