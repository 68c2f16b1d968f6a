export interface Macro {
  signature: string;
  expand: (...args: unknown[]) => unknown;
}
export const MACROS: readonly Macro[] = [];
