/** The connection to a live cluster. It only ever reads. */
export {
  type Cluster,
  type Discovery,
  type KubernetesObject,
  ListDenied,
  type ListOptions,
  type ObjectChange,
  type ObjectPage,
  type OwnerReference,
  type ServedKind,
  type WatchOptions,
} from './cluster.js';
export { type ConnectOptions, connect } from './connect.js';
export { type InformerEvent, type InformerOptions, inform } from './informer.js';
export type { Timing } from './timing.js';
export type { ConnectionLimits } from './transport/index.js';
