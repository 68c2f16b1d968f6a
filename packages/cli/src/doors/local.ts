import type { Clock } from '@bylaw/core/clock';
import type { Catalogue } from '@bylaw/core/rule';
import type { Comparing } from '@bylaw/core/service';
import type { Doors } from './doors.js';
import { getRule } from './rule-document.js';

interface LocalDoors {
  catalogue: Catalogue;
  clock: Clock;
  scores: string;
  comparing?: Comparing;
}

/**
 * Answers in this process. What only some of the doors need is loaded when they are used: listing rules starts no engine.
 * @param scores path of the history of scores
 * @param comparing what plugins add to comparisons
 */
export function localDoors({ catalogue, clock, scores, comparing }: LocalDoors): Doors {
  return {
    listRules: async (query) => {
      const { listRules } = await import('./rule-list.js');
      return listRules(catalogue, query);
    },
    getRule: async (id) => getRule(catalogue, id),
    compliance: async (frameworks) => {
      const { complianceMap } = await import('@bylaw/core/compliance');
      return complianceMap(catalogue.rules, frameworks);
    },
    evaluate: async function* (request) {
      const { createEngine } = await import('@bylaw/core/evaluate');
      yield* createEngine({ catalogue, clock }).evaluate(request);
    },
    validate: async (request) => {
      const { compareConfigurations } = await import('@bylaw/core/evaluate');
      const { comparersOf } = await import('@bylaw/core/service');
      return compareConfigurations(catalogue, request, clock, comparing && comparersOf(comparing));
    },
    scoreHistory: async (query) => {
      const { scoreHistory, withScores } = await import('../scores/index.js');
      return withScores(scores, (store) => scoreHistory(store, query));
    },
    scoreTrend: async (query) => {
      const { scoreTrend, withScores } = await import('../scores/index.js');
      return withScores(scores, (store) => scoreTrend(store, query));
    },
  };
}
