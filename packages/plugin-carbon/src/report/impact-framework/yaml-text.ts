import { stringify } from 'yaml';

/**
 * YAML that readers of 1.1 and 1.2 understand alike: every text is quoted, so that none is a date, a number or a merge for one of them, and what
 * a reader may refuse is escaped. Keys must be plain words. Numbers are written with all their digits.
 */
export function yamlText(document: object): string {
  const text = stringify(document, {
    defaultStringType: 'QUOTE_DOUBLE',
    defaultKeyType: 'PLAIN',
    aliasDuplicateObjects: false,
    lineWidth: 0,
  });
  return text.replaceAll(UNPRINTABLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** What is left of it is in quoted texts only. Source: YAML 1.2.2, 5.1 Character Set. */
const UNPRINTABLE = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g;
