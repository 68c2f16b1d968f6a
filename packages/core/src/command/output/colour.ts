/**
 * Whether to colour what goes to a stream: FORCE_COLOR and NO_COLOR decide where they are set (force-color.org, no-color.org), else
 * whether it is a terminal that knows colours.
 */
export function useColour(stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv = process.env): boolean {
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  if (env.NO_COLOR) return false;
  return stream.isTTY === true && env.TERM !== 'dumb';
}
