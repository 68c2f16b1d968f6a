import { escapeToken } from '../../resource/text/pointer.js';
import { spendOnObjects } from '../budget/costs.js';
import type { CelFunction } from '../function.js';
import { madeFrom } from '../origin.js';
import { entriesOf, isMap, present, textOrEmpty } from '../standard/values.js';
import { show } from './show.js';

/** Longer than any image reference that a registry takes (host, 255 for the name, 128 for the tag, a digest). */
const MAX_SHOWN = 500;

/** Accessors for input of unknown type. None of them throws, on any value, optional or not. */
export const accessors: readonly CelFunction[] = [
  {
    signature: 'list(dyn): list<dyn>',
    summary: 'The value if it is a list; otherwise an empty list.',
    example: 'list("x") == [] && list([1]) == [1] && list({"a": [1]}.?a) == [1] && list({}.?a) == []',
    call: (value: unknown) => {
      const inner = present(value);
      return Array.isArray(inner) ? inner : [];
    },
  },
  {
    signature: 'map(dyn): map<dyn, dyn>',
    summary: 'The value if it is a map; otherwise an empty map.',
    example: 'map([1]) == {} && map({"a": {"b": 1}}.?a) == {"b": 1}',
    call: (value: unknown) => {
      const inner = present(value);
      return isMap(inner) ? inner : {};
    },
  },
  {
    signature: 'text(dyn): string',
    summary: 'The value if it is a string; otherwise the empty string.',
    example: 'text(1) == "" && text({"a": "b"}.?a) == "b" && text({}.?a) == ""',
    call: (value: unknown) => textOrEmpty(value),
  },
  {
    signature: 'number(dyn, dyn): dyn',
    summary: 'The value if it is a number (a numeric string is not); otherwise the second argument.',
    example: 'number({}.?port, 0) == 0 && number("80", -1) == -1 && number(80.0, 0) == 80',
    call: (value: unknown, otherwise: unknown) => {
      const inner = present(value);
      return typeof inner === 'number' || typeof inner === 'bigint' ? inner : otherwise;
    },
  },
  {
    signature: 'show(dyn): string',
    summary:
      'The value as text for a message, at most 80 characters: strings unchanged, lists and maps as JSON, "absent" for an absent value or null.',
    example: 'show({}.?a) == "absent" && show([1, "b"]) == "[1,\\"b\\"]" && show(true) == "true"',
    call: (value: unknown) => show(value),
  },
  {
    signature: 'show(dyn, int): string',
    summary: 'The same with a different limit (1 to 500 characters), for a value that the reader copies, such as an image name.',
    example: 'show("abcdef", 4) == "abc…" && show("abc", 300) == "abc"',
    call: (value: unknown, longest: bigint) => show(value, Math.min(Math.max(Number(longest), 1), MAX_SHOWN)),
  },
  {
    signature: 'keys(dyn): list<string>',
    summary: 'The keys of a map in document order; an empty list for any other value.',
    example: 'keys({"b": 1, "a": 2}) == ["b", "a"] && keys("x") == []',
    call: (value: unknown) => entriesOf(present(value)).map(([key]) => key),
  },
  {
    signature: 'values(dyn): list<dyn>',
    summary: 'The values of a map in document order; an empty list for any other value.',
    example: 'values({"b": 1, "a": 2}) == [1, 2] && values(3) == []',
    call: (value: unknown) => entriesOf(present(value)).map(([, item]) => item),
  },
  {
    signature: 'entries(dyn): list<dyn>',
    summary:
      'The entries of a map as {key, value} in document order; an empty list for any other value. In `each`, a finding is located at the entry.',
    example: 'entries({"a": 1}) == [{"key": "a", "value": 1}]',
    call: (value: unknown) => {
      const map = present(value);
      const entries = entriesOf(map);
      spendOnObjects(entries.length);
      return entries.map(([key, item]) => madeFrom({ key, value: item }, map, `/${escapeToken(key)}`));
    },
  },
];
