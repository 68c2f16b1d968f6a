import { AccessGraph, type AccessQuestion, whoCan } from '@bylaw/core/access';
import { selects } from '@bylaw/core/cel';
import { inputsAt, type RenderingFlags, renderingOf } from '@bylaw/core/command/evaluation';
import { print, printJson } from '@bylaw/core/command/output';
import { BylawError, type InputError } from '@bylaw/core/errors';
import type { Installation } from '@bylaw/core/installation';
import type { Note } from '@bylaw/core/note';
import { readersOf } from '@bylaw/core/plugin';
import { printable } from '@bylaw/core/report/printable';
import { connect } from '../cluster/index.js';
import { k8sError } from '../error-table.js';
import {
  type AccessInput,
  accessOfCluster,
  accessOfInputs,
  askedResource,
  type Question,
  whoCanAnswer,
  whoCanText,
} from '../who-can/index.js';
import { type ClusterFlags, clusterOptions } from './cluster-flags.js';

export interface WhoCanFlags extends RenderingFlags, ClusterFlags {
  cluster: boolean;
  namespace?: string | undefined;
  name?: string | undefined;
  subresource?: string | undefined;
  complete: boolean;
  json: boolean;
}

/**
 * Prints who can do something.
 * @returns the exit code of the process: 2 where something could not be read
 * @throws {BylawError} `usage`, `resource-unknown`, `no-access-objects`, and what reading the input or the cluster throws
 */
export async function whoCanCommand(
  verb: string,
  resource: string,
  paths: readonly string[],
  flags: WhoCanFlags,
  installation: Installation,
): Promise<number> {
  checkUsage(resource, paths, flags);
  const cluster = isCluster(flags);
  const input = cluster ? await ofCluster(flags) : await ofPaths(paths, flags, installation);
  const { access, question } = asked(verb, resource, flags, input);
  const graph = new AccessGraph(input.objects, {
    namespace: installation.loaded.config.evaluate.namespace,
    complete: input.complete || flags.complete,
    selects,
  });
  if (graph.counts.roles + graph.counts.bindings === 0 && input.errors.length === 0) throw nothingRead();
  const answer = whoCanAnswer(question, whoCan(graph, access), graph, { errors: input.errors, notes: input.notes, cluster });
  if (flags.json) await printJson(answer);
  else {
    await print(whoCanText(answer));
    for (const line of [...input.errors.map(errorLine), ...input.notes.map(noteLine)]) process.stderr.write(`${line}\n`);
  }
  return input.errors.length > 0 ? 2 : 0;
}

function isCluster({ cluster, context, kubeconfig }: WhoCanFlags): boolean {
  return cluster || context !== undefined || kubeconfig !== undefined;
}

function checkUsage(resource: string, paths: readonly string[], flags: WhoCanFlags): void {
  if (isCluster(flags) && paths.length > 0)
    throw new BylawError('usage', 'Pass either paths or a cluster, not both.', {
      hint: 'Remove the paths, or --cluster, --context and --kubeconfig.',
    });
  const forResources = [flags.name, flags.subresource, flags.namespace].some((value) => value !== undefined);
  if (resource.startsWith('/') && forResources)
    throw new BylawError('usage', '--name, --subresource and --namespace do not apply to a URL.', {
      hint: 'Remove them: access to a URL depends on nothing else.',
    });
  if (flags.subresource !== undefined && resource.includes('/'))
    throw new BylawError('usage', 'The subresource is given twice.', { hint: 'Write either pods/exec or pods --subresource exec.' });
}

/** The question in the form of the evaluation, and as the answer repeats it. */
function asked(verb: string, text: string, flags: WhoCanFlags, { resources }: AccessInput): { access: AccessQuestion; question: Question } {
  if (text.startsWith('/')) return { access: { request: { verb, url: text }, clusterScoped: true }, question: { verb, url: text } };
  const { name, namespace, subresource } = flags;
  const { group, resource, clusterScoped } = askedResource(subresource === undefined ? text : `${text}/${subresource}`, resources);
  return {
    access: {
      request: { verb, group, resource, ...(name !== undefined && { name }) },
      clusterScoped,
      ...(namespace !== undefined && { namespace }),
    },
    question: { verb, group, resource, name: name ?? null, namespace: namespace ?? null },
  };
}

async function ofPaths(paths: readonly string[], flags: WhoCanFlags, installation: Installation): Promise<AccessInput> {
  const { inputs, inputErrors, inputNotes } = await inputsAt(
    paths.length > 0 ? paths : ['.'],
    await renderingOf(flags, installation),
    await readersOf(installation),
  );
  const read = await accessOfInputs(inputs);
  return { ...read, errors: [...inputErrors, ...read.errors], notes: [...inputNotes, ...read.notes] };
}

async function ofCluster(flags: WhoCanFlags): Promise<AccessInput> {
  const cluster = await connect(clusterOptions(flags));
  try {
    return await accessOfCluster(cluster, flags.namespace);
  } finally {
    await cluster.close();
  }
}

function nothingRead(): BylawError {
  return k8sError(
    'no-access-objects',
    'The input contains no Role, ClusterRole, RoleBinding or ClusterRoleBinding, so it does not say who can do what.',
    {
      hint: 'Pass the files that contain them, or --cluster to ask the cluster.',
    },
  );
}

function errorLine({ code, message, location }: InputError): string {
  const place = location ? `${location.file}:${location.line}:${location.column}: ` : '';
  return `error: ${printable(`${place}${message}`)} (${code})`;
}

function noteLine({ code, message }: Note): string {
  return `note: ${printable(message)} (${code})`;
}
