import type { RE2JS } from 're2js';

/** Finds out, for most texts, that a pattern does not match them. */
export type Hint = (text: string) => boolean;

/** What re2js knows about the literals that a match must hold: plain data. */
export interface Filter {
  readonly type: 0 | 1 | 2 | 3;
  readonly str: string;
  readonly subs: readonly Filter[];
}

const [EXACT, AND, OR] = [1, 2, 3];

/** Null where a match needs no literal. */
export function filterOf(compiled: RE2JS): Filter | null {
  // re2js does not declare the type; its version is pinned.
  const filter: Filter | null = compiled.re2().prefilter;
  return filter && plain(filter);
}

function plain({ type, str, subs }: Filter): Filter {
  return { type, str, subs: subs.map(plain) };
}

/**
 * Whether a text holds the literals without which the pattern cannot match. re2js rules texts out by the same literals, but looks for
 * them character by character; the engine's own search takes a fraction of the time. Undefined where no literal is needed.
 */
export function hintOf(filter: Filter | null): Hint | undefined {
  return filter === null ? undefined : hint(filter);
}

function hint({ type, str, subs }: Filter): Hint | undefined {
  if (type === EXACT) return (text) => text.includes(str);
  // The longest literal is the rarest.
  const ordered = type === AND ? subs.toSorted((a, b) => shortest(b) - shortest(a)) : subs;
  if (type === OR && subs.length > 0 && subs.every((sub) => sub.type === EXACT)) {
    const any = new RegExp(subs.map((sub) => escaped(sub.str)).join('|'));
    return (text) => any.test(text);
  }
  const hints = ordered.map(hint);
  if (type === AND) {
    const known = hints.filter((one) => one !== undefined);
    return (text) => known.every((one) => one(text));
  }
  const all = hints.filter((one) => one !== undefined);
  return type === OR && all.length === hints.length ? (text) => all.some((one) => one(text)) : undefined;
}

/** The length of the shortest text by which a filter lets others pass. */
function shortest({ type, str, subs }: Filter): number {
  const lengths = subs.map(shortest);
  if (type === EXACT) return str.length;
  return type === AND ? Math.max(0, ...lengths) : Math.min(...lengths);
}

/** A text as a regular expression that matches it. */
function escaped(text: string): string {
  return text.replace(/[^0-9A-Za-z]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
