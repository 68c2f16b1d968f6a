import type { CelFunction, CelNamespace, CelType } from './function.js';
import { accessors } from './functions/accessors.js';
import { containers } from './functions/containers.js';
import { durations } from './functions/durations.js';
import { images } from './functions/images.js';
import { leavesOfTree } from './functions/leaves.js';
import { parsing } from './functions/parsing.js';
import { paths } from './functions/paths.js';
import { patterns } from './functions/patterns.js';
import { pods } from './functions/pods.js';
import { resourceSet } from './functions/resource-set.js';
import { secrets } from './functions/secrets.js';
import { selectors } from './functions/selectors.js';
import { volumes } from './functions/volumes.js';
import { Pattern } from './pattern.js';
import { ResourceSet } from './resource-set.js';

/** Every function that this floor adds to CEL, in the order of the reference. */
export const FUNCTIONS: readonly CelFunction[] = [
  ...accessors,
  ...leavesOfTree,
  ...containers,
  ...pods,
  ...volumes,
  ...paths,
  ...images,
  ...secrets,
  ...parsing,
  ...durations,
  ...selectors,
  ...resourceSet,
  ...patterns,
];

export const TYPES: readonly CelType[] = [
  { name: 'bylaw.Pattern', constructor: Pattern },
  { name: 'bylaw.ResourceSet', constructor: ResourceSet },
];

export const NAMESPACES: readonly CelNamespace[] = [];
