const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const actions = new Set<() => void>();

/**
 * Has something done when a signal ends this process, which then ends as it would have.
 * @returns takes it back
 */
export function uponInterrupt(action: () => void): () => void {
  if (actions.size === 0) for (const signal of SIGNALS) process.on(signal, interrupted);
  actions.add(action);
  return () => {
    actions.delete(action);
    if (actions.size === 0) stopListening();
  };
}

function interrupted(signal: NodeJS.Signals): void {
  for (const action of actions) action();
  actions.clear();
  stopListening();
  process.kill(process.pid, signal);
}

function stopListening(): void {
  for (const signal of SIGNALS) process.off(signal, interrupted);
}
