import type { Config, ConfigBreach, ConfigSections, Environment, Setting } from '../config/index.js';
import type { AnyEndpoint, Services } from '../endpoint/index.js';
import type { NotReady } from '../http/index.js';
import type { ReportFormat } from '../report/reporter.js';
import type { Renderer } from '../resource/index.js';
import type { ComparisonMember } from './comparison-member.js';

/**
 * The plugin contract. A plugin is an oclif plugin whose `package.json` also names, in the member `bylaw`, a module with a
 * `Plugin` as its default export. Every member but the name is optional; what a plugin does not name does not exist.
 *
 * @example
 * export default definePlugin({
 *   name: 'acme',
 *   rulePacks: [new URL('../dist/pack.jsonl', import.meta.url)],
 * });
 */
export interface Plugin {
  /** Short name: lower-case letters, digits and hyphens. It is in the section `plugins` of the configuration and in `/api/v1/health`. */
  name: string;
  /** Compiled rule packs (`file:` URLs). They are read when rules are first needed. */
  rulePacks?: readonly URL[];
  /** The top-level sections of bylaw.yaml that the plugin owns, and what it adds to the shared section `api`. */
  config?: ConfigSections;
  /** Everything that is wrong with a configuration and that its schemas cannot say. Called when the schemas have checked and completed it. */
  checkConfig?: (config: Config, env: Environment) => readonly ConfigBreach[];
  /** What `bylaw config check` shows, too: whether variables that the configuration names are set, for example, and never their values. */
  settings?: (config: Config, env: Environment) => readonly Setting[];
  /**
   * What callers can ask the plugin, each as one object: its routes, its tools and their descriptions are made from it. A function where what is
   * behind them is worth loading late.
   */
  endpoints?: readonly AnyEndpoint[] | (() => Promise<readonly AnyEndpoint[]>);
  /** Whether a server has anything to serve of the plugin; absent: always. Otherwise its endpoints do not exist there. */
  serves?: (services: Services, how: StartOptions) => boolean;
  /** Tools of `bylaw mcp` that are not endpoints; a function where what is behind them is worth loading late. */
  tools?: readonly Tool[] | (() => Promise<readonly Tool[]>);
  /** What turns sources into manifests before rules see them, such as Helm charts. Asked for when a command reads files. */
  renderers?: (context: RendererContext) => Promise<readonly Renderer[]>;
  /**
   * What reads files together, such as those of a root module: modules (`file:` URLs) whose default export is a `GroupReader`. They are loaded when files
   * are first read, on whichever thread that is.
   */
  readers?: readonly URL[];
  /** What the plugin adds to comparisons: the member of the answer, and how it is computed, described, shown and limited. */
  compare?: ComparisonMember;
  /** Formats of reports that `--format` offers in addition to those of core. Every command loads them, so what is large is imported in `report`. */
  reporters?: readonly ReportFormat[];
  /** The tags of its routes in the OpenAPI document, with a sentence that says what they have in common. */
  tags?: { readonly [name: string]: string };
  /** Called once before the server accepts connections; what it answers, if anything, lives as long as the server. */
  start?: (services: Services, how: StartOptions) => Promise<RunningPlugin | undefined>;
}

/** What the renderers of a plugin are made with. */
export interface RendererContext {
  config: Config;
  /** Relative paths of the configuration start here. */
  base: string;
  env: Environment;
}

/** How the server was started. */
export interface StartOptions {
  /** Version of the program. */
  version: string;
  /** For trying things out on this machine: the server listens on loopback only, and a plugin may ask for less. */
  dev: boolean;
  /** Continue with a store that has lost its newest records. */
  acceptRollback: boolean;
  /** The server is for this plugin alone. */
  alone: boolean;
}

export interface RunningPlugin {
  /** Reasons why the plugin cannot do its work at this moment; empty when it can. `GET /readyz` tells them to everyone. */
  ready(): readonly NotReady[];
  /** What whoever starts the server must read; it is written to standard error, whatever the level of the log. */
  notices?: readonly string[];
  /** Loads again what may have changed (SIGHUP). What cannot be loaded leaves the former in force, and shows in `ready`. */
  reload?(): Promise<void>;
  /** Brings everything to its end; resolves when nothing is left to lose. */
  stop(): Promise<void>;
}

/** A tool of the tool-call server (Model Context Protocol). */
export interface Tool {
  /** Snake case, unique over all plugins. */
  name: string;
  /** For the model that chooses a tool: what it answers and when to use it. */
  description: string;
  /** JSON Schema (draft 7) of the arguments, of type `object`. Arguments are checked against it before the handler runs. */
  inputSchema: { readonly type: 'object'; readonly [keyword: string]: unknown };
  /**
   * Answers a JSON object, as the REST twin would. Errors that the caller can fix are thrown as BylawError or HttpProblem.
   * @param signal aborted when the caller no longer wants the answer
   */
  handler: (args: { readonly [name: string]: unknown }, services: Services, signal: AbortSignal) => Promise<object>;
}

/** Types the default export of a plugin's module. */
export function definePlugin(plugin: Plugin): Plugin {
  return plugin;
}
