import { createEngine } from './evaluate/index.js';
import type { Installation } from './installation.js';
import { createLog, type LogLevel } from './log.js';
import { operationThreads } from './operation/index.js';
import type { Services } from './plugin/index.js';

/** What the servers and the plugins' handlers work with. */
export async function servicesOf(installation: Installation, level?: LogLevel): Promise<Services> {
  const { clock, loaded } = installation;
  const catalogue = await installation.catalogue();
  return {
    catalogue,
    engine: createEngine({ catalogue, clock }),
    config: loaded.config,
    ...(loaded.file && {
      configFile: {
        path: loaded.file.path,
        digest: loaded.file.digest,
        reload: async () => {
          const { config, file } = await installation.reload();
          return { config, digest: file?.digest ?? '' };
        },
      },
    }),
    paths: { base: loaded.base, data: loaded.dataDir },
    clock,
    log: createLog({ level: level ?? loaded.config.log.level, format: loaded.config.log.format, clock }),
    threads: operationThreads(),
  };
}
