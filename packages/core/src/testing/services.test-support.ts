import { fixedClock } from '../clock.js';
import { type LoadedConfig, type LoadOptions, loadConfig } from '../config/index.js';
import { createEngine } from '../evaluate/index.js';
import { createLog, type LogLevel } from '../log.js';
import { operationThreads } from '../operation/index.js';
import type { Services } from '../plugin/index.js';
import { loadCatalogue } from '../rule/index.js';

export interface ServicesOptions {
  /** The plugin that is installed, with its sections of the configuration. Absent: none is. */
  plugin?: NonNullable<LoadOptions['plugins']>[number];
  /** Absent: there are no rules. */
  rules?: Parameters<typeof loadCatalogue>[0];
  env?: NodeJS.ProcessEnv;
  level?: LogLevel;
  /** The time at which its clock stands. */
  at?: string;
}

export interface ServicesHere {
  services: Services;
  loaded: LoadedConfig;
  /** What was logged, one JSON text per line. */
  lines: string[];
}

/** The services of an installation whose bylaw.yaml is in a folder, on a fixed day. */
export async function servicesIn(folder: string, { plugin, rules, env = {}, level, at }: ServicesOptions = {}): Promise<ServicesHere> {
  const loaded = await loadConfig({ cwd: folder, env, ...(plugin && { plugins: [plugin], installed: [plugin.plugin] }) });
  const clock = fixedClock(at ?? '2026-01-02T03:04:05Z');
  const catalogue = await loadCatalogue(rules ?? { packs: [] });
  const lines: string[] = [];
  const log = createLog({ clock, ...(level && { level }), to: { write: (line: string) => void lines.push(line) } });
  const services = {
    engine: createEngine({ catalogue, clock }),
    catalogue,
    config: loaded.config,
    paths: { base: loaded.base, data: loaded.dataDir },
    clock,
    log,
    threads: operationThreads(),
  };
  return { services, loaded, lines };
}
