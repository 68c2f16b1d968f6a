/** Units of one batch at most: one transaction, one sync. */
export const BATCH_UNITS = 256;

export interface Batches<Unit, Answer> {
  submit(unit: Unit): Promise<Answer>;
  /** Writes what was submitted, and takes no more. */
  close(): Promise<void>;
}

/**
 * Writes units in batches, one batch at a time: while one is written the next forms, so that nobody waits for a timer, and the
 * more there is to do the larger the batches get.
 * @param write writes a batch, and answers each unit, in their order
 */
export function inBatches<Unit, Answer>(write: (units: readonly Unit[]) => Promise<readonly Answer[]>): Batches<Unit, Answer> {
  interface Waiting {
    unit: Unit;
    resolve: (answer: Answer) => void;
    reject: (error: unknown) => void;
  }
  const queue: Waiting[] = [];
  let running: Promise<void> | undefined;

  const run = async () => {
    for (let batch = queue.splice(0, BATCH_UNITS); batch.length > 0; batch = queue.splice(0, BATCH_UNITS)) {
      try {
        const answers = await write(batch.map(({ unit }) => unit));
        batch.forEach(({ resolve, reject }, index) => {
          const answer = answers[index];
          if (answer === undefined) reject(new Error('A unit has no answer.'));
          else resolve(answer);
        });
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    running = undefined;
  };
  return {
    submit: (unit) =>
      new Promise((resolve, reject) => {
        queue.push({ unit, resolve, reject });
        running ??= Promise.resolve().then(run);
      }),
    async close() {
      while (running !== undefined) await running;
    },
  };
}
