/** Resolves once the text was handed over. */
export function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      // A reader that has gone is no error of the command's.
      if (error && 'code' in error && error.code !== 'EPIPE') reject(error);
      else resolve();
    });
  });
}

export function printJson(value: unknown): Promise<void> {
  return print(`${JSON.stringify(value)}\n`);
}

/** A line on stderr, for people. */
export function tell(text: string): void {
  process.stderr.write(`${text}\n`);
}
