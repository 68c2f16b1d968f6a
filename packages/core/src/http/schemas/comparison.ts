import type { JsonSchema } from '../route.js';
import {
  EXCEPTION_MEMBERS,
  FINDING,
  INPUT_ERROR,
  NOTE,
  RESOURCE,
  score,
  truncatedLists,
  UNCHECKED,
  UNDECIDED,
  UNDECIDED_SUMMARY,
} from './finding.js';
import { list, number, object, oneOfText, text, whole } from './json-schema.js';

const UNAVAILABLE = object({ unavailable: text('Why the effect could not be computed.') });

/** A member that a plugin adds to comparisons: what it computes, or why it cannot. */
export interface AddedMember {
  description: string;
  schema: JsonSchema;
}

/** The schema of a comparison with what plugins add to it, in the order given. */
export const comparisonSchema = (added: { readonly [member: string]: AddedMember }): JsonSchema => ({
  title: 'Comparison',
  ...object(
    {
      verdict: oneOfText(
        'Result at the most severe level where the numbers of introduced and resolved findings differ; `incomplete` if a part of the proposed configuration could not be read or evaluated.',
        ['improved', 'regressed', 'unchanged', 'incomplete'],
      ),
      score: object({
        current: score('Score of the current configuration.'),
        proposed: score('Score of the proposed configuration.'),
        delta: { ...number('Proposed minus current.'), type: ['number', 'null'] },
      }),
      introduced: list('Findings that only the proposed configuration has.', FINDING),
      resolved: list('Findings that only the current configuration has.', FINDING),
      unchanged: whole('Number of findings that both configurations have.'),
      not_comparable: whole(
        'Number of introduced findings in files of the current configuration that could not be read. They might not be new and do not count.',
      ),
      changes: list('Resources that differ.', {
        title: 'ResourceChange',
        ...object({
          resource: RESOURCE,
          change: oneOfText('How the resource changed.', ['added', 'removed', 'modified']),
          paths: list('Values that differ in a modified resource.', text('JSON Pointer.')),
        }),
      }),
      errors: list('Parts of either configuration that could not be read.', INPUT_ERROR),
      notes: list('What was not evaluated in either configuration, without being an error.', NOTE),
      unchecked: object({ current: UNCHECKED, proposed: UNCHECKED }),
    },
    {
      ...Object.fromEntries(
        Object.entries(added).map(([member, { description, schema }]) => [member, { description, anyOf: [schema, UNAVAILABLE] }]),
      ),
      undecided: { ...UNDECIDED, description: 'Checks of the proposed configuration that could not be decided; absent if there are none.' },
      undecided_counts: {
        description: 'How many checks of either side could not be decided, and why; absent if there are none.',
        ...object({}, { current: UNDECIDED_SUMMARY, proposed: UNDECIDED_SUMMARY }),
      },
      truncated: truncatedLists('introduced', 'resolved', 'changes', 'errors', 'undecided'),
      exceptions: {
        description: 'What exceptions cover on either side, if they cover anything.',
        ...object({ current: object({}, EXCEPTION_MEMBERS), proposed: object({}, EXCEPTION_MEMBERS) }),
      },
    },
  ),
});
