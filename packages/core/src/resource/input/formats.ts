import type { InputError, Location } from '../../errors.js';
import { type Note, namesText } from '../../note.js';
import { plural } from '../../plural.js';
import { isObject, type JsonObject, type JsonValue } from '../text/json.js';

/**
 * Formats of infrastructure that this version does not read, so that they are named instead of looking evaluated. Terraform is read as the JSON of a plan,
 * see `terraform-plan.ts`.
 */
interface FormatEntry {
  /** One thing of this format; with an `s` it is several. */
  noun: string;
  /** What can be evaluated instead. */
  instead?: string;
  /** Names of files that hold nothing else. Such a file is not opened. */
  file?: RegExp;
  /** Whether a document that is not a Kubernetes object is of this format. */
  holds?(value: JsonValue, file: string): boolean;
  /** Patterns that must all match a text that is not YAML, or that YAML reads as a single string. */
  text?: readonly RegExp[];
}

const FORMATS = {
  terraform: {
    noun: 'Terraform file',
    instead: 'Evaluate a plan instead: terraform show -json plan.out > plan.json.',
    file: /\.(?:tf|tofu|tfvars)(?:\.json)?$|\.(?:tftest|tofutest)\.(?:hcl|json)$|(?:^|\/)terragrunt\.hcl$/i,
    text: [
      /^(?:(?:resource|data)[ \t]+"[\w-]+"[ \t]+"[\w-]+"|(?:provider|module|variable|output)[ \t]+"[\w-]+"|terraform|locals)[ \t]*\{/m,
    ],
  },
  'terraform-state': {
    noun: 'Terraform state file',
    instead: 'Evaluate its JSON form instead: terraform show -json > state.json.',
    file: /\.tfstate(?:\.(?:\d+\.)?backup)?$/i,
    holds: (value) => isObject(value) && typeof value.terraform_version === 'string' && Array.isArray(value.resources),
  },
  cloudformation: {
    noun: 'CloudFormation template',
    holds: (value) =>
      isObject(value) && (Object.hasOwn(value, 'AWSTemplateFormatVersion') || someMember(value.Resources, 'Type', /^(?:AWS|Custom)::/)),
  },
  arm: {
    noun: 'Azure Resource Manager template',
    holds: (value) => isObject(value) && matches(value.$schema, /schema\.management\.azure\.com/i),
  },
  bicep: { noun: 'Bicep file', file: /\.bicep(?:param)?$/i },
  pulumi: { noun: 'Pulumi file', holds: (value, file) => isObject(value) && /(?:^|\/)Pulumi(?:\.[^/]+)?\.ya?ml$/.test(file) },
  serverless: {
    noun: 'Serverless Framework file',
    holds: (value, file) => isObject(value) && /(?:^|\/)serverless\.(?:ya?ml|json)$/.test(file),
  },
  dockerfile: {
    noun: 'Dockerfile',
    file: /(?:^|\/)(?:Dockerfile|Containerfile)(?:\.(?!dockerignore$)[^/]*)?$|\.(?:dockerfile|containerfile)$/i,
    text: [/^FROM[ \t]+\S/m, /^(?:RUN|COPY|ADD|CMD|ENTRYPOINT|WORKDIR|ENV|USER)[ \t]/m],
  },
  compose: {
    noun: 'Compose file',
    holds: (value, file) =>
      isObject(value) &&
      isObject(value.services) &&
      (/(?:^|\/)(?:docker-)?compose(?:\.[^/]+)?\.ya?ml$/.test(file) ||
        (Object.keys(value).every((key) => COMPOSE.test(key)) &&
          (someMember(value.services, 'image') || someMember(value.services, 'build')))),
  },
  'github-actions': {
    noun: 'GitHub Actions workflow',
    holds: (value, file) =>
      isObject(value) &&
      (/(?:^|\/)\.github\/workflows\/[^/]+$/.test(file) ? isObject(value.jobs) : someMember(value.jobs, 'runs-on') || isAction(value)),
  },
  'gitlab-ci': { noun: 'GitLab CI pipeline', holds: (value, file) => isObject(value) && /(?:^|\/)\.gitlab-ci\.ya?ml$/.test(file) },
  ansible: {
    noun: 'Ansible playbook',
    holds: (value) =>
      Array.isArray(value) &&
      value.some((play) => isObject(play) && Object.hasOwn(play, 'hosts') && PLAY.some((key) => Object.hasOwn(play, key))),
  },
  openapi: {
    noun: 'OpenAPI document',
    holds: (value) => isObject(value) && isObject(value.info) && (Object.hasOwn(value, 'openapi') || Object.hasOwn(value, 'swagger')),
  },
  jsonnet: {
    noun: 'Jsonnet file',
    instead: 'Render it first, and evaluate the result: jsonnet FILE | bylaw evaluate -.',
    file: /\.(?:jsonnet|libsonnet)$/i,
  },
  cue: {
    noun: 'CUE file',
    instead: 'Export it first, and evaluate the result: cue export --out yaml | bylaw evaluate -.',
    file: /\.cue$/i,
  },
  template: {
    noun: 'manifest template',
    instead: 'Render it first, and evaluate the result.',
    file: /\.(?:ya?ml|json)\.(?:tpl|tmpl|tftpl|gotmpl|template|j2|jinja2?|erb|mustache|hbs)$/i,
  },
} as const satisfies Record<string, FormatEntry>;

export type Format = keyof typeof FORMATS;

/** All formats, in the order in which they are reported. */
export const FORMAT_NAMES = Object.keys(FORMATS) as Format[]; // the keys of the table, nothing else

/** The format that the name of a file alone tells. @param path with `/` */
export function formatOfFile(path: string): Format | undefined {
  return FORMAT_NAMES.find((format) => entryOf(format).file?.test(path));
}

/** The format of a document that is neither a Kubernetes object nor a Terraform plan. */
export function formatOfValue(value: JsonValue, file: string): Format | undefined {
  return FORMAT_NAMES.find((format) => entryOf(format).holds?.(value, file));
}

/** The format of a text that is not YAML, from its beginning. */
export function formatOfText(text: string): Format | undefined {
  const beginning = text.slice(0, 65_536);
  return FORMAT_NAMES.find((format) => entryOf(format).text?.every((pattern) => pattern.test(beginning)));
}

/** `3 Terraform files`. */
export function countOfFormat(count: number, format: Format): string {
  const { noun } = entryOf(format);
  return plural(count, noun);
}

/** The error for one thing of a format. */
export function formatNotRead(format: Format, location: Location): InputError {
  const message = withInstead(`No installed plugin reads ${entryOf(format).noun}s, so this one cannot be evaluated.`, format);
  return { code: 'format-not-read', message, location };
}

/** The note about things of a format that were left out; undefined if there are none. */
export function formatNote(format: Format, named: Pick<Note, 'count' | 'first'> | undefined): Note | undefined {
  if (named === undefined) return undefined;
  const were = plural(named.count, 'file was', 'files were');
  const message = withInstead(
    `No installed plugin reads ${entryOf(format).noun}s, so ${were} not evaluated (${namesText(named)}).`,
    format,
  );
  return { code: 'format-not-read', message, ...named };
}

function withInstead(sentence: string, format: Format): string {
  const { instead } = entryOf(format);
  return instead === undefined ? sentence : `${sentence} ${instead}`;
}

function entryOf(format: Format): FormatEntry {
  return FORMATS[format];
}

/** What a Compose file holds. Values of charts may have services with an image, too, but beside other things. */
const COMPOSE = /^(?:services|name|version|networks|volumes|configs|secrets|models|include|x-.*)$/;

/** What makes a list of mappings with `hosts` a playbook. */
const PLAY = ['tasks', 'roles', 'pre_tasks', 'post_tasks', 'handlers', 'gather_facts', 'become', 'vars'];

function isAction(value: JsonObject): boolean {
  return isObject(value.runs) && typeof value.runs.using === 'string';
}

/** Whether a mapping holds a mapping with this member, whose text matches. */
function someMember(value: JsonValue | undefined, key: string, pattern?: RegExp): boolean {
  if (!isObject(value)) return false;
  return Object.values(value).some(
    (member) => isObject(member) && Object.hasOwn(member, key) && (!pattern || matches(member[key], pattern)),
  );
}

function matches(value: JsonValue | undefined, pattern: RegExp): boolean {
  return typeof value === 'string' && pattern.test(value);
}
