/** The variable that holds the secret of an adapter by default: `SVC_ADAPTER_SECRET_<ID>`, in the letters that variables have. */
export function secretVariable(adapterId: string): string {
  return `SVC_ADAPTER_SECRET_${adapterId.toUpperCase().replaceAll('-', '_')}`;
}
