import { Quantity } from '../number/index.js';
import type { CelFunction, CelNamespace, CelType } from './function.js';
import { accessors } from './functions/accessors.js';
import { addresses, ipNamespace } from './functions/addresses.js';
import { commandArguments } from './functions/arguments.js';
import { base64Namespace, conversions } from './functions/conversions.js';
import { durations } from './functions/durations.js';
import { componentFlags } from './functions/flags/flags.js';
import { leavesOfTree } from './functions/leaves.js';
import { lists, listsNamespace, setsNamespace } from './functions/lists.js';
import { math, mathNamespace } from './functions/math.js';
import { parsing } from './functions/parsing.js';
import { paths } from './functions/paths.js';
import { patterns } from './functions/patterns.js';
import { access, accessOfSet } from './functions/resources/access.js';
import { audit } from './functions/resources/audit.js';
import { containers } from './functions/resources/containers.js';
import { images } from './functions/resources/images.js';
import { network } from './functions/resources/network.js';
import { pods } from './functions/resources/pods.js';
import { quantities } from './functions/resources/quantities.js';
import { resourceSet } from './functions/resources/resource-set.js';
import { selectors } from './functions/resources/selectors.js';
import { totals } from './functions/resources/totals.js';
import { volumes } from './functions/resources/volumes.js';
import { schedules } from './functions/schedules.js';
import { secrets } from './functions/secrets/secrets.js';
import { semvers } from './functions/semvers.js';
import { strings, stringsNamespace } from './functions/strings.js';
import { urls } from './functions/urls.js';
import { IP, Network } from './kubernetes/ip.js';
import { Semver } from './kubernetes/semver.js';
import { Url } from './kubernetes/url.js';
import { Pattern } from './pattern/pattern.js';
import { ResourceSet } from './resource-set.js';

/** The functions for input of any type. */
const TOTAL: readonly CelFunction[] = [
  ...accessors,
  ...leavesOfTree,
  ...containers,
  ...commandArguments,
  ...componentFlags,
  ...pods,
  ...volumes,
  ...paths,
  ...images,
  ...secrets,
  ...parsing,
  ...durations,
  ...schedules,
  ...selectors,
  ...totals,
  ...network,
  ...audit,
  ...access,
];

/** Every function that this floor adds to CEL, in the order of the reference. */
export const FUNCTIONS: readonly CelFunction[] = [
  ...TOTAL.map((entry) => ({ ...entry, total: true })),
  ...resourceSet,
  ...accessOfSet,
  ...patterns,
  ...conversions,
  ...strings,
  ...lists,
  ...math,
  ...quantities,
  ...addresses,
  ...urls,
  ...semvers,
];

export const TYPES: readonly CelType[] = [
  { name: 'bylaw.Pattern', constructor: Pattern },
  { name: 'bylaw.ResourceSet', constructor: ResourceSet },
  { name: 'kubernetes.Quantity', constructor: Quantity },
  { name: 'kubernetes.URL', constructor: Url },
  { name: 'kubernetes.Semver', constructor: Semver },
  { name: 'net.IP', constructor: IP },
  { name: 'net.CIDR', constructor: Network },
];

export const NAMESPACES: readonly CelNamespace[] = [
  stringsNamespace,
  listsNamespace,
  setsNamespace,
  mathNamespace,
  base64Namespace,
  ipNamespace,
];
