/** The variable that holds the secret of an adapter where nothing else is said: `SVC_ADAPTER_SECRET_<ID>`, in the letters that variables have. */
export function secretVariable(adapterId: string): string {
  return `SVC_ADAPTER_SECRET_${adapterId.toUpperCase().replaceAll('-', '_')}`;
}
