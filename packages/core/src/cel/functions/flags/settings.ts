import { formatPointer } from '../../../resource/text/pointer.js';
import { member } from '../../standard/values.js';
import { CONFIGURATION_FIELDS } from './configuration-fields.js';
import { addFlag, type Flag, flagName, flagValue, membersOf, newFlag, type Setup } from './setup.js';

/** A key of a mapping, or the number of an item. */
export type Step = string | number;

/** Flags without dashes, as a mapping or as a list of `{name, value}`. */
export function extraArgs(component: string, object: unknown, steps: readonly Step[], complete: boolean): Setup {
  const args = valueAt(object, steps);
  const flags = new Map<string, Flag>();
  const add = (key: string, value: unknown, at: Step) => {
    const name = flagName(key);
    // A list of values stands for a flag that is repeated.
    for (const one of Array.isArray(value) ? value : [value]) {
      const text = flagValue(one);
      if (text !== undefined) addFlag(flags, newFlag(name, text, { label: `--${name}`, pointer: formatPointer([...steps, at]) }));
    }
  };
  if (Array.isArray(args)) {
    for (const [index, item] of args.entries()) {
      const name: unknown = member(item, 'name');
      if (typeof name === 'string') add(name, member(item, 'value') ?? '', index);
    }
  } else for (const [key, value] of membersOf(args) ?? []) add(key, value, key);
  const pointer = formatPointer(steps);
  const isMap = membersOf(args) !== undefined;
  const place = (name: string) => ({ label: `--${name}`, pointer: isMap ? formatPointer([...steps, name]) : pointer });
  return { component, flags, complete, pointer, place };
}

/** A component configuration, or a part of one. */
export function configuration(component: string, object: unknown, steps: readonly Step[], complete: boolean): Setup[] {
  const fields = CONFIGURATION_FIELDS[component] ?? {};
  const flags = new Map<string, Flag>();
  const place = (name: string) => {
    const field = Object.hasOwn(fields, name) ? (fields[name] ?? name) : name;
    return { label: field, pointer: formatPointer([...steps, ...field.split('.')]) };
  };
  for (const [name, field] of Object.entries(fields)) {
    const value = flagValue(valueAt(object, [...steps, ...field.split('.')]));
    if (value !== undefined) flags.set(name, newFlag(name, value, place(name)));
  }
  const setup = { component, flags, complete, pointer: formatPointer(steps), place };
  return complete ? [setup] : overlay(setup);
}

/** A setup that only adds to other settings says nothing if it is empty. */
export function overlay(setup: Setup): Setup[] {
  return setup.flags.size === 0 ? [] : [setup];
}

/** The value at the end of the steps, or undefined. */
export function valueAt(object: unknown, steps: readonly Step[]): unknown {
  let value = object;
  for (const step of steps) value = typeof step === 'number' ? (Array.isArray(value) ? value[step] : undefined) : member(value, step);
  return value;
}
