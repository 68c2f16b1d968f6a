/** Fewest characters of an adapter's secret. */
export const MIN_SECRET_LENGTH = 32;

/** `padded`: white space at an end, which is nearly always a mistake of whoever set the variable. Only `set` can be used. */
export type SecretState = 'set' | 'unset' | 'too short' | 'padded';

/** Whether the value of a variable can be the secret of an adapter. */
export function secretState(value: string | undefined): SecretState {
  if (value === undefined || value === '') return 'unset';
  if (value.trim() !== value) return 'padded';
  return [...value].length < MIN_SECRET_LENGTH ? 'too short' : 'set';
}

/** The variable that holds the secret of an adapter by default: `SVC_ADAPTER_SECRET_<ID>`, in the letters that variables have. */
export function secretVariable(adapterId: string): string {
  return `SVC_ADAPTER_SECRET_${adapterId.toUpperCase().replaceAll('-', '_')}`;
}
