/** The contract between bylaw and a plugin, and what the plugins of an installation bring. */
export type { ConfigFileSource, Services } from '../endpoint/index.js';
export { defineReporter, type ReportFormat } from '../report/reporter.js';
export type { GroupReader, Input, ReaderPart, ReadResource } from '../resource/index.js';
export type { CompareContext } from '../service/index.js';
export type { UnknownValue } from '../undecided.js';
export { comparingOf } from './comparing-of.js';
export {
  type ComparisonMember,
  type DifferenceView,
  type DifferenceWords,
  defineDifferenceView,
  type ItemWords,
  increaseFlag,
  withoutItems,
} from './comparison-member.js';
export { comparisonMembersOf, comparisonSchemaOf, differenceViewsOf, type NamedView } from './difference-views.js';
export { type InstalledPlugin, loadPlugins } from './load-plugins.js';
export { endpointsOf, readerModulesOf, readersOf, toolsOf } from './offered.js';
export { definePlugin, type Plugin, type RendererContext, type RunningPlugin, type StartOptions, type Tool } from './plugin.js';
