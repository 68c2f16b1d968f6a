import { compileGlobs, type GlobSet } from '../glob.js';

/** What of a proposal is matched by globs. */
export interface Subject {
  action: string;
  resource: string;
  environment: string;
  principal: string;
  agent: string | undefined;
  adapter: string | undefined;
}

/** The lists of a policy, and the part of a proposal that each must cover. */
export const MATCH_LISTS = {
  actions: 'action',
  resources: 'resource',
  environments: 'environment',
  principals: 'principal',
  agents: 'agent',
  adapters: 'adapter',
} as const satisfies Record<string, keyof Subject>;

export type MatchList = keyof typeof MATCH_LISTS;

/** A compiled `match`: every list that is given must cover its part of the proposal. */
export interface Matcher {
  matches(subject: Subject): boolean;
  /** The lists that do not cover the subject. */
  misses(subject: Subject): MatchList[];
  /** The globs of the action; undefined where any action will do. */
  readonly actions: readonly string[] | undefined;
  /** The lists that are given. */
  readonly lists: readonly MatchList[];
}

export function compileMatch(lists: { readonly [list in MatchList]?: readonly string[] | undefined }): Matcher {
  const compiled = listNames().flatMap((list) => {
    const globs = lists[list];
    return globs === undefined ? [] : [{ list, part: MATCH_LISTS[list], globs: compileGlobs(globs, separatorOf(list)) }];
  });
  return {
    matches: (subject) => compiled.every(({ part, globs }) => covers(globs, subject[part])),
    misses: (subject) => compiled.filter(({ part, globs }) => !covers(globs, subject[part])).map(({ list }) => list),
    actions: lists.actions,
    lists: compiled.map(({ list }) => list),
  };
}

/** What ends a segment in the values of a list. */
export function separatorOf(list: MatchList): '.' | '/' {
  return list === 'actions' ? '.' : '/';
}

function listNames(): MatchList[] {
  return Object.keys(MATCH_LISTS) as MatchList[]; // the keys of a closed object
}

function covers(globs: GlobSet, value: string | undefined): boolean {
  return value !== undefined && globs(value);
}
