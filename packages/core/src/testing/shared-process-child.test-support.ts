import { Readable } from 'node:stream';

// The process of `sharedProcess`: runs the commands that it is sent, one after another, and answers with what each of them has written.
//   node shared-process-child.test-support.js <URL of the program>

/** A command to run. */
export interface Job {
  id: number;
  args: string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  input: Uint8Array;
}

/** How it ended. */
export interface Done {
  code: number;
  stdout: string;
  stderr: string;
}

const { main }: { main(argv: string[]): Promise<void> } = await import(process.argv[2] ?? '');

let last: Promise<unknown> = Promise.resolve();
process.on('message', (message) => {
  const job = message as Job; // the test sends nothing else
  last = last.then(async () => process.send?.({ id: job.id, ...(await run(job)) }));
});
process.on('disconnect', () => process.exit());
// Every command listens to them.
for (const stream of [process.stdout, process.stderr]) stream.setMaxListeners(0);

async function run({ args, cwd, env, input }: Job): Promise<Done> {
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) delete process.env[name];
  for (const [name, value] of Object.entries(env)) if (value !== undefined) process.env[name] = value;
  const stdin = Readable.from(input.length === 0 ? [] : [Buffer.from(input)]);
  Object.defineProperty(process, 'stdin', { value: stdin, configurable: true });
  process.exitCode = undefined;
  const [stdout, stderr] = [capture(process.stdout), capture(process.stderr)];
  await main(args);
  const code = Number(process.exitCode ?? 0);
  process.exitCode = undefined;
  return { code, stdout: stdout.end(), stderr: stderr.end() };
}

/** What is written to a stream from now on, in place of writing it. */
function capture(stream: NodeJS.WriteStream): { end(): string } {
  const write = stream.write;
  const chunks: Uint8Array[] = [];
  stream.write = (chunk: string | Uint8Array, encoding?: BufferEncoding | Callback, callback?: Callback) => {
    chunks.push(typeof chunk === 'string' ? Buffer.from(chunk, typeof encoding === 'string' ? encoding : 'utf8') : Buffer.from(chunk));
    const done = typeof encoding === 'function' ? encoding : callback;
    if (done) process.nextTick(done);
    return true;
  };
  return {
    end: () => {
      stream.write = write;
      return Buffer.concat(chunks).toString('utf8');
    },
  };
}

type Callback = (error?: Error | null) => void;
