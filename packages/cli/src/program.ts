import { evaluationFromFlags } from '@bylaw/core/command/evaluation';
import type { ProgramSetup } from '@bylaw/core/operation';
import { comparingOf, type InstalledPlugin, readerModulesOf, type Services } from '@bylaw/core/plugin';

/** What the threads of a server know of the program. */
export async function programOf(services: Services, plugins: readonly InstalledPlugin[], version: string): Promise<ProgramSetup> {
  const { catalogue, config, paths } = services;
  return {
    version,
    origin: catalogue.origin,
    defaults: await evaluationFromFlags({}, services),
    comparing: comparingOf(plugins, { config, base: paths.base }),
    readers: readerModulesOf(plugins),
  };
}
