import { spawnSync } from 'node:child_process';

/** What one run of a program took, in seconds, its own children included. */
export interface Usage {
  processor: number;
  wall: number;
}

/** A program that is measured: what it is called in the table, and its command line. */
export interface Program {
  name: string;
  command: readonly [program: string, ...args: string[]];
}

/**
 * Runs the programs in turn, so that a change of the machine's speed hits all of them, and gives the median of each. A first round is not counted:
 * it fills the caches. What the programs print is thrown away, and so is their exit code: a linter that finds something fails.
 */
export function measureByTurns(programs: readonly Program[], rounds: number): Usage[] {
  const runs = programs.map((): Usage[] => []);
  for (let round = 0; round <= rounds; round++)
    for (const [index, { command }] of programs.entries()) {
      const usage = run(command);
      if (round > 0) runs[index]?.push(usage);
    }
  return runs.map((list) => ({
    processor: median(list.map(({ processor }) => processor)),
    wall: median(list.map(({ wall }) => wall)),
  }));
}

/** The shell knows what its children have used; Node tells only about itself. */
function run(command: readonly string[]): Usage {
  const started = performance.now();
  const { stdout, error } = spawnSync('/bin/sh', ['-c', '"$@" >/dev/null 2>&1; times', 'sh', ...command], { encoding: 'utf8' });
  const wall = (performance.now() - started) / 1000;
  if (error) throw error;
  // The second line is that of the children: `0m1.230s 0m0.040s`.
  const times = [...(stdout.trim().split('\n')[1] ?? '').matchAll(/(\d+)m([\d.]+)s/g)];
  return { processor: times.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0), wall };
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
