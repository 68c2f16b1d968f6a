import { BylawError } from '../../errors.js';
import type { Output, Reporter } from '../reporter.js';

/**
 * The run as one `EvaluationReport`, streamed: one finding and one error per line. Batches pass through as the text they carry, so
 * findings that a worker wrote are not parsed again.
 */
export const json: Reporter = async (events, out) => {
  let before = '\n';
  await out.write('{\n"findings": [');
  for await (const event of events) {
    if (event.type === 'findings') {
      if (event.batch.count === 0) continue;
      await out.write(before + event.batch.json());
      before = ',\n';
      continue;
    }
    await out.write(`${before === '\n' ? '' : '\n'}],\n"errors": `);
    await writeLines(event.errors, out);
    await out.write(',\n"notes": ');
    await writeLines(event.notes, out);
    if (event.undecided) {
      await out.write(',\n"undecided": ');
      await writeLines(event.undecided, out);
    }
    await out.write(',\n');
    await out.write(`"score": ${JSON.stringify(event.score)},\n"summary": ${JSON.stringify(event.summary)}`);
    for (const [name, value] of Object.entries(event.more ?? {})) await out.write(`,\n${JSON.stringify(name)}: ${JSON.stringify(value)}`);
    await out.write('\n}\n');
    return;
  }
  throw new BylawError('internal', 'The evaluation stopped before it was complete.');
};

/** In pieces: all errors of an input may be longer than a text can be. */
async function writeLines(items: readonly unknown[], out: Output): Promise<void> {
  let before = '[\n';
  for (const item of items) {
    await out.write(before + JSON.stringify(item));
    before = ',\n';
  }
  await out.write(items.length === 0 ? '[]' : '\n]');
}
