import { pathToFileURL } from 'node:url';
import { gateError } from '../error-table.js';
import { isJsonObject, type Json, type JsonObject } from '../json/index.js';
import { type Envelope, readSubmission } from '../proposal/index.js';
import type { Command } from './command.js';
import { shellText } from './shell-text.js';

/** What the caller says of the action; all of it may be absent. */
export interface Stated {
  /** A proposal or an envelope to complete, as read from a file. */
  base?: Json | undefined;
  budget?: Json | undefined;
  mandate?: Json | undefined;
  adapter?: string | undefined;
  principal?: string | undefined;
  agent?: string | undefined;
  environment?: string | undefined;
  action?: string | undefined;
  resource?: string | undefined;
  justification?: string | undefined;
  enforcement?: string | undefined;
}

/** For what neither a flag nor the file says. */
export interface Defaults {
  principal: string;
  environment: string;
}

/** What starter bundles call an action of an agent's shell, so that their policies apply. */
export const DEFAULT_ACTION = 'tool.shell';

/**
 * The proposal of a command. The command itself always comes from the command line: `action.parameters` says `argv`, the
 * same as one text in `command`, `cwd`, and the executable with its digest.
 * @throws {BylawError} AG-SCH-002
 */
export function proposalOf(id: string, command: Command, stated: Stated, defaults: Defaults): Envelope {
  const base = objectOf(stated.base);
  const enveloped = Object.hasOwn(base, 'proposal');
  const { proposal: inner, ...outer } = enveloped ? base : { proposal: base };
  const proposal = objectOf(inner);
  const action = objectOf(proposal.action);
  const read = readSubmission({
    ...outer,
    ...(stated.budget !== undefined && { budget: stated.budget }),
    ...(stated.mandate !== undefined && { mandate: stated.mandate }),
    proposal: {
      environment: defaults.environment,
      ...proposal,
      principal: idMember(stated.principal, proposal.principal ?? { id: defaults.principal }),
      ...((stated.agent ?? proposal.agent) !== undefined && { agent: idMember(stated.agent, proposal.agent ?? {}) }),
      ...given({
        adapter: stated.adapter,
        environment: stated.environment,
        justification: stated.justification,
        enforcement: stated.enforcement,
      }),
      id,
      action: {
        type: DEFAULT_ACTION,
        resource: pathToFileURL(command.executable.path).href,
        ...action,
        ...given({ type: stated.action, resource: stated.resource }),
        parameters: { ...objectOf(action.parameters), ...parametersOf(command) },
      },
    },
  });
  if ('envelope' in read) return read.envelope;
  throw gateError('AG-SCH-002', read.errors.map(({ path, message }) => `${path} ${message}.`).join('\n'));
}

function parametersOf({ argv, cwd, executable: { path, digest } }: Command): JsonObject {
  return { argv: [...argv], command: shellText(argv), cwd, executable: path, executable_digest: digest };
}

function idMember(id: string | undefined, member: Json): Json {
  return id === undefined ? member : { ...objectOf(member), id };
}

function given(members: { readonly [name: string]: string | undefined }): JsonObject {
  return Object.fromEntries(Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** What has another form is replaced; a file that is not an object is refused when it is read. */
function objectOf(value: Json | undefined): JsonObject {
  return value !== undefined && isJsonObject(value) ? value : {};
}
