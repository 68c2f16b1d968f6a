import type { RegisteredAdapter } from '../../auth/index.js';
import { ceilingOf } from '../../config/index.js';

/** What `adapter list --json` says of an adapter: states of variables, never a value. */
export function adapterJson({ entry, secret, previous, usable }: RegisteredAdapter): object {
  return {
    adapter_id: entry.adapter_id,
    kind: entry.kind,
    enforcement: ceilingOf(entry),
    secret_env: { name: entry.secret_env, state: secret },
    previous_secret_env: entry.previous_secret_env === undefined ? null : { name: entry.previous_secret_env, state: previous },
    usable,
  };
}

/** One line for each variable of each adapter. */
export function adapterTable(adapters: readonly RegisteredAdapter[]): string {
  const rows = adapters.flatMap(({ entry, secret, previous, usable }) => [
    [entry.adapter_id, entry.kind, ceilingOf(entry), usable ? 'yes' : 'no', entry.secret_env, secret],
    ...(entry.previous_secret_env === undefined ? [] : [['', '', '', '', entry.previous_secret_env, `${previous} (previous)`]]),
  ]);
  const table = [['ADAPTER', 'KIND', 'ENFORCEMENT', 'USABLE', 'VARIABLE', 'STATE'], ...rows];
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
