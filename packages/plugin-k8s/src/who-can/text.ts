import { describeRule, type Place } from '@bylaw/core/access';
import { plural } from '@bylaw/core/plural';
import { printable } from '@bylaw/core/report/printable';
import type { JsonPath, Question, WhoCan } from './answer.js';

/** The answer for people: each subject with each path, what could not be decided, and what was read. */
export function whoCanText(answer: WhoCan): string {
  const { subjects, undecided, read } = answer;
  const lines = [
    headline(answer),
    ...(subjects.length === 0 && 'resource' in answer.question && answer.question.resource.includes('/')
      ? ['The part after the slash is a subresource. Pass the name of an object with --name.']
      : []),
    ...subjects.flatMap(({ paths, ...subject }) => ['', `  ${nameText(subject)}`, ...paths.flatMap(pathLines)]),
    ...(undecided.length > 0 ? ['', `Undecided: ${plural(undecided.length, 'binding')} may allow it, too.`] : []),
    ...undecided.map(
      ({ binding, subjects: bound, message }) =>
        `  ${nameText(binding)}${placed(binding.location)} to ${bound.map(nameText).join(', ') || 'nobody'}: ${message}`,
    ),
    '',
    `Read: ${plural(read.roles, 'role')} and ${plural(read.bindings, 'binding')}${read.cluster ? ' of the cluster' : ''}.`,
  ];
  return lines.map((line) => `${printable(line)}\n`).join('');
}

/** An empty answer says that it is one of this input only, and whether more may be true. */
function headline({ question, subjects, undecided, read, errors }: WhoCan): string {
  const action = questionText(question);
  if (subjects.length > 0) return `${plural(subjects.length, 'subject')} can ${action}:`;
  if (errors.length > 0) return `It is not known who can ${action}: a part of the input could not be read.`;
  if (read.bindings === 0) return `It is not known who can ${action}: the input contains no bindings.`;
  return undecided.length > 0 ? `No subject is known that can ${action}.` : `No subject of the input can ${action}.`;
}

function questionText(question: Question): string {
  if ('url' in question) return `${question.verb} ${question.url}`;
  const { verb, group, resource, name, namespace } = question;
  const [plain = '', ...sub] = resource.split('/');
  const what = [group === '' ? plain : `${plain}.${group}`, ...sub].join('/');
  return `${verb} ${what}${name === null ? '' : ` named ${name}`}${namespace === null ? '' : ` in namespace ${namespace}`}`;
}

function pathLines({ namespace, binding, role, rule }: JsonPath): string[] {
  const written = rule.role === role.name ? '' : ` of ClusterRole ${rule.role}`;
  const place = rule.location === null ? '' : ` (${rule.location.file}:${rule.location.line})`;
  return [
    `    ← ${nameText(binding)}${placed(binding.location)}, ${namespace === null ? 'in all namespaces' : `in namespace ${namespace}`}`,
    `      ← ${nameText(role)}${role.built_in ? ' (created by Kubernetes)' : placed(role.location)}`,
    `        ← rule ${rule.index + 1}${written}${place}: ${describeRule(rule)}`,
  ];
}

function nameText({ kind, namespace, name }: { kind: string; namespace: string | null; name: string }): string {
  return `${kind} ${namespace === null ? '' : `${namespace}/`}${name}`;
}

function placed(location: Place | null): string {
  return location === null ? '' : ` (${location.file}:${location.line})`;
}
