/**
 * Writes the reference pages of `docs/reference/` from the schemas, the tables and the rule packs, so that they cannot differ from them.
 *
 *   npm run docs              write
 *   npm run docs -- --check   exit 1 when a page is not what would be written
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FUNCTIONS } from '@bylaw/core/cel';
import { fixedClock } from '@bylaw/core/clock';
import { BINDINGS, unionOfSections } from '@bylaw/core/config';
import { COST_ERRORS, costProblems } from '@bylaw/core/cost';
import { CORE_ERRORS } from '@bylaw/core/errors';
import { createEngine } from '@bylaw/core/evaluate';
import { addInputs, GRAPH_SCHEMA, RunGraph, writeGraph } from '@bylaw/core/graph';
import { createRouter, PROBLEMS, probeRoutes } from '@bylaw/core/http';
import { NOTES } from '@bylaw/core/note';
import { plural } from '@bylaw/core/plural';
import { textInput } from '@bylaw/core/resource';
import { CATEGORIES, isFixable, loadCatalogue, type RuleDetail, type RuleLogic } from '@bylaw/core/rule';
import { RULE_SCHEMA } from '@bylaw/core/rule/compiler';
import { UNDECIDED_REASONS } from '@bylaw/core/undecided';
import { CORE_ENDPOINTS, healthEndpoint } from '../packages/cli/dist/endpoints/index.js';
import { docsRoutes } from '../packages/cli/dist/server/docs-page.js';
import { openApiRoute } from '../packages/cli/dist/server/openapi-route.js';
import { CARBON_ERRORS } from '../packages/plugin-carbon/dist/error-table.js';
import carbon from '../packages/plugin-carbon/dist/index.js';
import finops from '../packages/plugin-finops/dist/index.js';
import { GATE_SECTIONS } from '../packages/plugin-gate/dist/config/index.js';
import { GATE_ERRORS } from '../packages/plugin-gate/dist/error-table.js';
import gate from '../packages/plugin-gate/dist/index.js';
import { GATE_PROBLEMS } from '../packages/plugin-gate/dist/service/index.js';
import { yamlOf } from '../packages/plugin-k8s/dist/cli/print-manifests.js';
import { K8S_ERRORS } from '../packages/plugin-k8s/dist/error-table.js';
import k8s from '../packages/plugin-k8s/dist/index.js';
import { K8S_PROBLEMS } from '../packages/plugin-k8s/dist/problem-table.js';
import { boundRole, clusterRole } from '../packages/plugin-k8s/dist/scan/index.js';
import { conformancePage } from './conformance.ts';
import { endpointSections, partOf, routeTable, toolTable, withGenerated } from './endpoint-pages.ts';
import { oneLine, table } from './markdown.ts';
import { vapPage } from './vap-page.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const catalogue = await loadCatalogue({ packs: [k8s, finops, carbon].flatMap(({ rulePacks = [] }) => rulePacks) });
const rules = catalogue.rules.flatMap((rule) => catalogue.detail(rule.id) ?? []);
const categories = Object.entries(CATEGORIES).filter(([code]) => rules.some((rule) => rule.category === code));

/** Variables that are not settings of the file. */
const VARIABLES = [
  ['SVC_CONFIG', '`--config`', 'the configuration file'],
  ['SVC_DATA_DIR', '`--data-dir`', 'the folder for the data of bylaw; `.bylaw` if not set'],
  ['SVC_API_URL', '`--remote`', 'the server that runs the commands that have a route under `/api/v1`'],
  ['SVC_API_KEY', '', 'the API key for that server'],
  ['SVC_HELM, SVC_KUSTOMIZE', '', 'full paths of the programs that render charts and kustomizations; `SVC_KUSTOMIZE` can be kubectl'],
  ['NO_COLOR, FORCE_COLOR', '', 'turn colours off or on, regardless of the terminal'],
];

const parts = [
  { endpoints: [healthEndpoint([], ''), ...CORE_ENDPOINTS], tools: [] },
  ...(await Promise.all([k8s, gate, carbon, finops].map(partOf))),
];

const probes = probeRoutes({ reasons: () => [], loopbackHostOnly: false });
const serverRoutes = [...probes, openApiRoute(createRouter(), [], ''), ...docsRoutes()].filter(({ hidden }) => !hidden);

const pages: { [file: string]: string } = {
  'errors.md': errorPage(),
  'problems.md': problemPage(),
  'configuration.md': configurationPage(),
  'cel.md': celPage(),
  'vap.md': page('ValidatingAdmissionPolicies', [...vapPage(catalogue)]),
  'endpoints.md': page('Endpoints', [
    'Each section describes one endpoint of the [server](../server.md): what it takes, what it answers, and the [problems](problems.md) that it adds to those of every route. For the complete schemas, open `/docs` on your server, or read `/openapi.json`.',
    ...endpointSections(parts),
  ]),
  '../server.md': withGenerated(current('../server.md') ?? '', 'routes', routeTable(parts, serverRoutes)),
  '../../README.md': withGenerated(current('../../README.md') ?? '', 'rules', rulesSentence()),
  '../mcp.md': withGenerated(current('../mcp.md') ?? '', 'tools', toolTable(parts)),
  'rule.schema.json': `${JSON.stringify(RULE_SCHEMA, null, 2)}\n`,
  'graph.schema.json': `${JSON.stringify(GRAPH_SCHEMA, null, 2)}\n`,
  '../graph/shop.svg': await examplePicture(),
  'rules/README.md': ruleIndex(),
  '../conformance.md': conformancePage(root),
  '../../packages/plugin-k8s/deploy/clusterrole.yaml': scanRole(),
  ...Object.fromEntries(categories.map(([code, title]) => [`rules/${code}.md`, rulePage(code, title)])),
};

const check = process.argv.includes('--check');
const stale = Object.entries(pages).filter(([name, text]) => current(name) !== text);
if (check) {
  for (const [name] of stale) console.error(`docs/reference/${name} is not up to date. Run \`npm run docs\`.`);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  for (const [name, text] of stale) write(name, text);
  console.log(`Wrote ${stale.length} of ${plural(Object.keys(pages).length, 'page')}.`);
}

/** The picture of the guide: `bylaw evaluate docs/graph/shop.yaml --complete --graph docs/graph/shop.svg`. */
async function examplePicture(): Promise<string> {
  const inputs = [textInput('docs/graph/shop.yaml', current('../graph/shop.yaml') ?? '')];
  const graph = new RunGraph({ namespace: 'default', complete: true });
  await addInputs(graph, { inputs });
  let picture = '';
  for await (const event of createEngine({ catalogue, clock: fixedClock('2026-01-01') }).evaluate({ inputs, complete: true }))
    if (event.type === 'findings') for (const finding of event.batch.findings()) graph.take(finding);
    else
      await writeGraph(graph.finish(event), 'svg', {
        write: (text) => {
          picture += text;
        },
      });
  return picture;
}

/** How many rules there are, as the first page says it. */
function rulesSentence(): string {
  const counts = categories.map(
    ([code, title]) =>
      `${/[a-z][A-Z]/.test(title) ? title : title.toLowerCase()} (${code}, ${rules.filter(({ category }) => category === code).length})`,
  );
  const list = new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(counts);
  return `This version has ${plural(rules.length, 'rule')}: ${list}.`;
}

function errorPage(): string {
  const rows = Object.entries({ ...CORE_ERRORS, ...COST_ERRORS, ...GATE_ERRORS, ...K8S_ERRORS, ...CARBON_ERRORS }).map(
    ([code, { exit, summary }]) => `| \`${code}\` | ${exit} | ${summary} |`,
  );
  return page('Errors', [
    'Every error has a stable code. JSON output contains it as `errors[].code`. On the terminal, it appears in brackets at the end of the message.',
    'The exit code is the code of a command that ends with the error. An error in one document or one rule does not end the command: bylaw evaluates everything else, and then exits with that code.',
    table(['code', 'exit', 'meaning'], rows),
    '## Notes',
    'A note is not an error and does not change the exit code. It reports what was not checked, so that a report without findings is not misunderstood. Notes are in the JSON output (`notes[].code`) and in every report format except GitLab.',
    table(
      ['code', 'meaning'],
      Object.entries(NOTES).map(([code, summary]) => `| \`${code}\` | ${summary} |`),
    ),
    '## Reasons for undecided checks',
    'A check that cannot be decided is neither a pass nor a finding. JSON output contains the reason as `undecided[].reason`; see [Inputs](../inputs.md#checks-that-cannot-be-decided).',
    table(
      ['code', 'meaning'],
      Object.entries(UNDECIDED_REASONS).map(([code, summary]) => `| \`${code}\` | ${summary} |`),
    ),
    '## Exit codes',
    table(
      ['exit', 'meaning'],
      [
        ['0', 'success'],
        ['1', 'findings at or above the threshold'],
        ['2', 'wrong usage; a part of the input could not be read or evaluated; or no rule covers any kind in the input'],
        ['3', 'invalid configuration or rules'],
        ['4', 'a store error'],
        ['10, 11', 'DENY, REQUIRE_APPROVAL (the gate)'],
        ['70', 'an internal error'],
      ].map(([code, meaning]) => `| ${code} | ${meaning} |`),
    ),
    'If several codes apply, the command exits with the first of 70, 4, 3, 2, 11, 10, 1.',
  ]);
}

function problemPage(): string {
  const rows = Object.entries(PROBLEMS).map(([code, { status, title }]) => `| <a id="${code}"></a>\`${code}\` | ${status} | ${title} |`);
  return page('Problems', [
    'The server answers every error with a problem document ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)), media type `application/problem+json`. `code` is the last segment of `type`. No problem document repeats any part of the request.',
    table(['code', 'status', 'title'], rows),
    '## Cost input',
    table(['code', 'status', 'title'], costProblemRows()),
    '## Kubernetes',
    table(
      ['code', 'status', 'title'],
      Object.entries(K8S_PROBLEMS).map(([code, { status, title }]) => `| <a id="${code}"></a>\`${code}\` | ${status} | ${title} |`),
    ),
    '## Carbon',
    table(
      ['code', 'status', 'title'],
      Object.entries(CARBON_ERRORS).map(
        ([code, { summary }]) => `| <a id="${code}"></a>\`${code}\` | 422 | ${summary.replace(/\.$/, '')} |`,
      ),
    ),
    '## The gate',
    'Problems of the gate have separate codes. The type ends with the word in the second column. Unknown paths get a problem with the type `about:blank` and no code.',
    table(
      ['code', 'type', 'status', 'title'],
      Object.entries(GATE_PROBLEMS).map(
        ([code, { slug, status, title }]) => `| <a id="${code.toLowerCase()}"></a>\`${code}\` | \`${slug}\` | ${status} | ${title} |`,
      ),
    ),
  ]);
}

function costProblemRows(): string[] {
  return costProblems().map(({ problem: { slug, status, title } }) => `| <a id="${slug}"></a>\`${slug}\` | ${status} | ${title} |`);
}

function configurationPage(): string {
  const sections = Object.entries(
    unionOfSections([
      { plugin: 'finops', sections: finops.config ?? {} },
      { plugin: 'gate', sections: GATE_SECTIONS },
      { plugin: 'k8s', sections: k8s.config ?? {} },
    ]),
  ).flatMap(([name, schema]) => [`## ${name}`, ...schemaText(name, schema)]);
  const packs = catalogue.packs.flatMap((pack) =>
    Object.entries(pack.settings).map(
      ([name, setting]) =>
        `| \`packs.${pack.name}.${name}\` | ${typeOf(setting)} | ${defaultOf(setting)} | ${oneLine(setting.description)} |`,
    ),
  );
  return page('Configuration', [
    'The configuration is one file, `bylaw.yaml`. bylaw uses the file that `--config` names, or the nearest one in the working directory or above it, up to the top folder of the Git repository. Flags override environment variables, which override the file, which overrides the defaults. An unknown key is an error that suggests the nearest known name. `bylaw config check` prints the settings in force and the source of each value.',
    ...sections,
    '## Settings of the installed packs',
    table(['key', 'type', 'default', 'meaning'], packs),
    environmentText(),
  ]);
}

function environmentText(): string {
  const bound = BINDINGS.map(({ key, flag, variable }) => `| \`${variable}\` | \`--${flag}\` | \`${key}\` |`);
  const others = VARIABLES.map(([variable, flag, meaning]) => `| \`${variable}\` | ${flag} | ${meaning} |`);
  return `## Environment variables\n\n${table(['variable', 'flag', 'what it sets'], [...bound, ...others])}`;
}

interface Schema {
  type?: string | readonly string[];
  description?: string;
  default?: unknown;
  enum?: readonly unknown[];
  items?: Schema;
  properties?: { readonly [name: string]: Schema };
  additionalProperties?: boolean | Schema;
}

function schemaText(name: string, schema: Schema): string[] {
  const rows = rowsOf(name, schema);
  return [schema.description ?? '', ...(rows.length > 0 ? [table(['key', 'type', 'default', 'meaning'], rows)] : [])];
}

function rowsOf(prefix: string, schema: Schema): string[] {
  const members = schema.properties ?? schema.items?.properties ?? {};
  const base = schema.items ? `${prefix}[]` : prefix;
  return Object.entries(members).flatMap(([name, member]) => [
    `| \`${base}.${name}\` | ${typeOf(member)} | ${defaultOf(member)} | ${oneLine(member.description ?? '')} |`,
    ...rowsOf(`${base}.${name}`, member),
  ]);
}

function typeOf(schema: Schema): string {
  if (schema.enum) return schema.enum.map((value) => `\`${String(value)}\``).join(' ');
  if (schema.items) return `list of ${typeOf(schema.items)}`;
  return schema.type === undefined ? 'any' : String(schema.type);
}

function defaultOf(schema: Schema): string {
  return schema.default === undefined ? '' : `\`${JSON.stringify(schema.default)}\``;
}

function celPage(): string {
  const rows = FUNCTIONS.map(
    ({ signature, summary, example }) =>
      `| \`${signature.replaceAll('|', '\\|')}\` | ${oneLine(summary)} | \`${example.replaceAll('|', '\\|')}\` |`,
  );
  return page('CEL functions', [
    'Rules are written in the [Common Expression Language](https://cel.dev). In addition to the operators, macros, and functions of CEL, expressions can call these functions. Each example evaluates to true.',
    'Two-variable macros (`all`, `exists`, `existsOne`, `transformList`, `transformMap`, `transformMapEntry`), `cel.bind`, and optional selection (`a.?b`, `a[?"key"]`, `optMap`, `optFlatMap`) are also available.',
    table(['signature', 'result', 'example'], rows),
  ]);
}

/** What `bylaw scan` needs, for a scan from within the cluster. */
function scanRole(): string {
  const role = clusterRole('bylaw-scan', catalogue.rules, catalogue);
  const head =
    '# The permissions that `bylaw scan` needs for all rules of this release: get, list, and watch the resources that they read.\n# Generated by `npm run docs`. For a selection of rules, run `bylaw export clusterrole`.\n';
  return head + yamlOf(boundRole(role, { namespace: 'bylaw-system', name: 'bylaw-scan' }));
}

function ruleIndex(): string {
  const parts = categories.flatMap(([code, title]) => {
    const mine = rules.filter((rule) => rule.category === code);
    return [
      `## ${code}: ${title} (${mine.length})`,
      table(
        ['rule', 'severity', 'requirement'],
        mine.map((rule) => `| [${rule.id}](${code}.md#${anchor(rule)}) | ${rule.severity} | ${rule.title} |`),
      ),
    ];
  });
  return page('Rules', [`${plural(rules.length, 'rule')} in ${plural(categories.length, 'category', 'categories')}.`, ...parts]);
}

function rulePage(code: string, title: string): string {
  return page(`${code}: ${title}`, rules.filter((rule) => rule.category === code).map(ruleText));
}

function ruleText(rule: RuleDetail): string {
  const lines = [
    `<a id="${anchor(rule)}"></a>\n\n## ${rule.id} ${rule.title}`,
    `**${rule.severity}** · ${rule.targets.map((target) => `\`${target}\``).join(' ')}`,
    rule.description,
    `**Fix:** ${rule.fix}${isFixable(rule) ? ' `--fix` makes this change if it is safe.' : ''}`,
    ...rule.logic.map((logic) => logicText(logic, rule.logic.length > 1)),
    rule.frameworks.length > 0 ? `Frameworks: ${rule.frameworks.join(', ')}` : '',
    rule.peers.length > 0 ? `The same check in other tools: ${rule.peers.join(', ')}` : '',
    rule.references.length > 0 ? `Read more: ${rule.references.map((url) => `<${url}>`).join(' ')}` : '',
  ];
  return lines.filter((line) => line !== '').join('\n\n');
}

function logicText(logic: RuleLogic, named: boolean): string {
  const parts = [
    named ? `// ${logic.targets.join(', ')}` : '',
    logic.each === undefined ? '' : `// once per ${[logic.each].flat().join(', then ')}`,
    logic.when === undefined ? '' : `// applies when\n${logic.when.trim()}`,
    `// passes when\n${logic.expression.trim()}`,
  ];
  return `\`\`\`cel\n${parts.filter((part) => part !== '').join('\n')}\n\`\`\``;
}

function anchor(rule: RuleDetail): string {
  return rule.id.toLowerCase();
}

function page(title: string, parts: readonly string[]): string {
  return `${[`# ${title}`, '<!-- Generated by `npm run docs`. Do not edit. -->', ...parts].filter((part) => part !== '').join('\n\n')}\n`;
}

function current(name: string): string | undefined {
  const file = join(root, 'docs', 'reference', name);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

function write(name: string, text: string): void {
  const file = join(root, 'docs', 'reference', name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
