import type { Clock } from '../clock.js';
import type { Config } from '../config/index.js';
import type { Engine } from '../evaluate/index.js';
import type { Log } from '../log.js';
import type { OperationThreads } from '../operation/index.js';
import type { Catalogue } from '../rule/index.js';

/** What the program gives to plugins and endpoints. */
export interface Services {
  engine: Engine;
  catalogue: Catalogue;
  config: Config;
  /** `base`: relative paths of the configuration start here. `data`: folder of the program's own state, which may not exist yet. `file`: the configuration, where there is one. */
  paths: { base: string; data: string; file?: string };
  clock: Clock;
  log: Log;
  /** Threads for requests that take a while. */
  threads: OperationThreads;
}
