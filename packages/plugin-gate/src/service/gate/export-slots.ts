import { gateProblem } from '../http/problems.js';

/** Places for exports: each reads the store and holds a snapshot of it for as long as its client takes to read. */
export interface ExportSlots {
  /**
   * Takes a place for the work. What the work answers keeps it until `release` is called; when the work throws, it is free again.
   * @throws {HttpProblem} AG-LIM-003 when all are taken
   */
  hold<T>(work: (release: () => void) => Promise<T>): Promise<T>;
}

export function exportSlots(places: number): ExportSlots {
  let taken = 0;
  return {
    hold: async (work) => {
      if (taken >= places)
        throw gateProblem('AG-LIM-003', { detail: 'Too many exports are running. Try again later.', headers: { 'Retry-After': '5' } });
      taken++;
      let held = true;
      const release = () => {
        if (held) taken--;
        held = false;
      };
      try {
        return await work(release);
      } catch (error) {
        release();
        throw error;
      }
    },
  };
}
