import { POD_KINDS, podPathOf, shapeOfKind } from '@bylaw/core/resource';
import { choose, TRUE } from '../term/build.js';
import { literal, member, method, name, type Term } from '../term/term.js';
import { ANYTHING, type Type } from '../term/type.js';
import type { PolicyTarget } from './target.js';

/** Where an object of the targets holds its Pod. */
export interface PodTerms {
  spec: Term;
  metadata: Term;
  specType: Type;
  metadataType: Type;
}

const EMPTY: Term = { is: 'map', entries: [] };

export function podTerms(targets: readonly PolicyTarget[]): PodTerms {
  const { fields } = shapeOfKind('v1', 'Pod');
  return {
    spec: fieldOfPod(targets, 'spec'),
    metadata: fieldOfPod(targets, 'metadata'),
    specType: fields.get('spec') ?? ANYTHING,
    metadataType: fields.get('metadata') ?? ANYTHING,
  };
}

function fieldOfPod(targets: readonly PolicyTarget[], field: string): Term {
  const any = targets.some(({ kind }) => kind === undefined);
  const kinds = any ? POD_KINDS : targets.flatMap(({ kind, pod }) => (kind !== undefined && pod ? [kind] : []));
  if (kinds.length === 0) return EMPTY;
  const places = Map.groupBy(kinds, (kind) => (podPathOf(kind) ?? ['spec', 'template']).join('.'));
  // The place that most kinds share stands last, where it needs no names.
  const [last, ...others] = [...places].sort(([, a], [, b]) => b.length - a.length);
  const chosen = others.reduceRight<Term>(
    (otherwise, [path, ofPath]) => choose(isOneOf(ofPath), at(path, field), otherwise),
    last ? at(last[0], field) : EMPTY,
  );
  return any ? choose(isBuiltinPod(), chosen, EMPTY) : chosen;
}

function at(path: string, field: string): Term {
  const steps = path === '' ? [field] : [...path.split('.'), field];
  const found = steps.reduce<Term>((of, step) => ({ is: 'member', of, name: step, optional: true }), name('object'));
  return method(found, 'orValue', EMPTY);
}

/** Whether the object is of one of these kinds. */
export function isOneOf(kinds: readonly string[]): Term {
  const kind = member(name('object'), 'kind');
  const [only, ...others] = kinds;
  if (only === undefined) return TRUE;
  if (others.length === 0) return { is: 'binary', operator: '==', left: kind, right: literal(only) };
  return { is: 'binary', operator: 'in', left: kind, right: { is: 'list', items: kinds.map((text) => literal(text)) } };
}

/** Whether the object is of a group other than the core group. */
export function isOfGroup(group: string): Term {
  return method(member(name('object'), 'apiVersion'), 'startsWith', literal(`${group}/`));
}

/** A Job of another group is not a Job. */
function isBuiltinPod(): Term {
  const version = member(name('object'), 'apiVersion');
  const versions: Term = { is: 'list', items: ['v1', 'apps/v1', 'batch/v1'].map((text) => literal(text)) };
  return {
    is: 'binary',
    operator: '&&',
    left: { is: 'binary', operator: 'in', left: version, right: versions },
    right: isOneOf(POD_KINDS),
  };
}
