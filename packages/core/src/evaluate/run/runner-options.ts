import type { Evaluator } from '../../cel/index.js';
import type { Resource } from '../../resource/resource.js';
import type { JsonObject } from '../../resource/text/json.js';
import type { Catalogue, Rule } from '../../rule/index.js';
import type { ExceptionPolicy } from '../exceptions/exceptions.js';
import type { ResourceGroups } from '../items/resource-index.js';
import type { EditLog } from './proposed-edit.js';

export interface RunnerOptions {
  catalogue: Catalogue;
  rules: readonly Rule[];
  evaluator: Evaluator;
  /** Settings per pack, defaults filled in. */
  settings: { [pack: string]: JsonObject };
  exceptions: ExceptionPolicy;
  /** Report passing rules, too. */
  includePassed: boolean;
  /** The namespace of objects that name none. */
  namespace: string;
  /** What `+set` rules look at. */
  resources: ResourceGroups;
  /** Whether the exceptions that a resource itself declares are honoured; absent: always. */
  ownExceptions?: (resource: Resource) => boolean;
  /** Where the edits are put down that rules offer for their findings. */
  edits?: EditLog;
}
