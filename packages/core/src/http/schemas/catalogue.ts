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

export const COMPLIANCE_MAP: JsonSchema = {
  title: 'ComplianceMap',
  ...object({
    frameworks: list('In natural order of their identifiers.', {
      title: 'FrameworkMapping',
      ...object({
        id: text('Name with version.'),
        title: text('Name in words.'),
        version: { description: 'Edition that the rules cite.', type: ['string', 'null'] },
        controls: list(
          'Controls that a rule supports.',
          object(
            { id: text('Item of the framework.'), rules: list('Rules that support it.', text('Identifier.')) },
            { title: text('Title, where it may be told.') },
          ),
        ),
        coverage: object({ controls_mapped: whole('Number of controls.'), rules: whole('Number of distinct rules.') }),
      }),
    }),
    total: whole('Number of frameworks.'),
  }),
};
