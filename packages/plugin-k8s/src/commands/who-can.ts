import { config, json, rendering } from '@bylaw/core/command/flags';
import { openInstallation } from '@bylaw/core/installation';
import { Args, Command, Flags } from '@oclif/core';
import { clusterFlags } from '../cli/cluster-flags.js';

export default class WhoCan extends Command {
  static override summary = 'Show who can do something, and through which binding and role.';

  static override description =
    `Answers from the roles and bindings of manifests, or of a cluster, as the RBAC authorizer of the API server decides. Each subject is printed with its paths: the binding, the role and the rule, with their files and lines. Bindings to a role that is not in the input are listed as undecided, unless Kubernetes creates the role itself.

Only RBAC is evaluated. Members of the group system:masters can do everything, whatever the answer is.

The exit code is 0 whoever can, and 2 if a part of the input could not be read (the rest is still evaluated).`;

  static override examples = [
    { description: 'Who can read Secrets in a namespace', command: '<%= config.bin %> who-can list secrets deploy/ --namespace shop' },
    { description: 'Who can open a shell in a Pod of the cluster', command: '<%= config.bin %> who-can create pods/exec --cluster' },
    { description: 'One object of an API group', command: '<%= config.bin %> who-can patch deployments.apps --name web deploy/' },
    { description: 'A URL that is not a resource', command: '<%= config.bin %> who-can get /metrics deploy/' },
  ];

  static override args = {
    verb: Args.string({
      name: 'VERB',
      description: 'Verb of the API: get, list, create, bind, impersonate, …',
      required: true,
      ignoreStdin: true,
    }),
    resource: Args.string({
      name: 'RESOURCE',
      description: 'Resource as kubectl takes it, such as pods, pods/exec or deployments.apps, or a URL such as /metrics.',
      required: true,
      ignoreStdin: true,
    }),
    path: Args.string({
      name: 'PATH',
      description: 'Files, folders, patterns, or - for standard input. [default: .]',
      multiple: true,
      ignoreStdin: true,
    }),
  };

  static override flags = {
    namespace: Flags.string({
      char: 'n',
      description: 'Only access in this namespace. [default: all namespaces, each named with its subjects]',
      helpValue: 'NAME',
    }),
    name: Flags.string({ description: 'Name of the object. Without it: the collection, or objects of any name.', helpValue: 'NAME' }),
    subresource: Flags.string({ description: 'Subresource, such as exec or scale.', helpValue: 'NAME' }),
    cluster: Flags.boolean({ description: 'Ask the cluster instead of manifests.' }),
    ...clusterFlags,
    complete: Flags.boolean({ description: 'The input contains all roles of the cluster: a role that is not there grants nothing.' }),
    ...rendering,
    config,
    json,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(WhoCan);
    const installation = await openInstallation(this.config, flags);
    const { whoCanCommand } = await import('../cli/who-can-command.js');
    process.exitCode = await whoCanCommand(args.verb, args.resource, args.path ?? [], flags, installation);
  }
}
