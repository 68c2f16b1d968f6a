import type { Comparer, NamedComparer } from '../evaluate/index.js';
import type { Place } from '../workload/index.js';

/** What the modules of plugins that add to comparisons are made with. */
export interface CompareContext {
  /** The configuration that is in force, with the sections of plugins. */
  config: { readonly workloads: Place; readonly [section: string]: unknown };
  /** Relative paths of the configuration start here. */
  base: string;
}

/** Which plugins add to comparisons, in a form that threads can be given. */
export interface Comparing extends CompareContext {
  modules: readonly { member: string; module: string }[];
}

/**
 * The comparers, in the order of the names of their members. A module is loaded when it is first needed; one that cannot be loaded fails as
 * its comparer would. Its default export makes the comparer.
 */
export function comparersOf({ modules, config, base }: Comparing): NamedComparer[] {
  return [...modules]
    .sort((a, b) => (a.member < b.member ? -1 : 1))
    .map(({ member, module }) => {
      let loading: Promise<Comparer> | undefined;
      const load = async () => {
        const { default: make } = (await import(module)) as { default: (context: CompareContext) => Comparer | Promise<Comparer> }; // the contract
        return make({ config, base });
      };
      return {
        member,
        compare: async (sides) => {
          loading ??= load();
          return (await loading)(sides);
        },
      };
    });
}
