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
  /** `base`: relative paths of the configuration start here. `data`: folder of the program's own state, which may not exist yet. */
  paths: { base: string; data: string };
  /** The file that the configuration was read from; absent where there is none. */
  configFile?: ConfigFileSource;
  clock: Clock;
  log: Log;
  /** Threads for requests that take a while. */
  threads: OperationThreads;
}

/** A configuration file that can be loaded again while the program runs. */
export interface ConfigFileSource {
  /** Absolute. */
  path: string;
  /** `sha256:` of the bytes that the configuration was read from. */
  digest: string;
  /**
   * Loads and checks the whole configuration again, with the flags and variables of the start. Nothing takes effect by itself.
   * @throws {BylawError} when the file is gone or wrong
   */
  reload(): Promise<{ config: Config; digest: string }>;
}
