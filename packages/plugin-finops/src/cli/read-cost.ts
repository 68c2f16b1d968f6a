import {
  COST_INPUT_SCHEMA,
  type CostInput,
  type CostTable,
  costBody,
  costFiles,
  costFilesAt,
  costTables,
  type PlainSeries,
  wholeText,
} from '@bylaw/core/cost';
import { BylawError } from '@bylaw/core/errors';
import { requestCheck } from '@bylaw/core/http';
import type { CostFlags, ReadingOptions } from './cost-flags.js';

/** The cost that the flags name, and the series as they came where it is series. */
export interface ReadCost {
  tables: CostTable[];
  series?: PlainSeries[];
}

/**
 * @param options how to read it, as the flags say it
 * @param dimensionsFor dimensions that are needed, by whether the input is plain series
 * @throws {BylawError} `usage` where no input is named; those of the cost floor
 */
export async function readCost(
  flags: CostFlags,
  options: ReadingOptions,
  dimensionsFor: (series?: readonly PlainSeries[]) => readonly string[],
): Promise<ReadCost> {
  if (flags.series !== undefined) {
    const series = await seriesAt(flags.series);
    return { tables: costTables({ ...options, series }, dimensionsFor(series)), series };
  }
  if (!flags.focus) throw new BylawError('usage', 'No input.', { hint: 'Pass a bill with --focus FILE, or series with --series FILE.' });
  return { tables: await costFiles(await costFilesAt(flags.focus), options, dimensionsFor()) };
}

/** Plain series of a file, packed or not, or of standard input. @throws {BylawError} for what holds none */
export async function seriesAt(path: string): Promise<PlainSeries[]> {
  const [file] = await costFilesAt([path]);
  const value = parsed(file ? await wholeText(file) : '', path);
  const series = typeof value === 'object' && value !== null && 'series' in value ? value.series : value;
  const [breach] = requestCheck({ type: 'array', items: COST_INPUT_SCHEMA.series.items, minItems: 1 })(series);
  if (breach)
    throw new BylawError('usage', `${path}: ${breach.path || 'the file'} ${breach.message}.`, {
      hint: 'The file must contain a JSON array of {id, granularity, start, values}.',
    });
  return series as PlainSeries[]; // it has passed the schema
}

function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new BylawError('json-syntax', `${path} is not valid JSON.`, { cause });
  }
}

/** The cost that the flags name as a body carries it. A server takes 16 MiB by default: larger bills are for the command without a server. */
export async function remoteInput(flags: CostFlags): Promise<Pick<CostInput, 'series' | 'focus_rows' | 'focus_csv'>> {
  if (flags.series !== undefined) return { series: await seriesAt(flags.series) };
  if (!flags.focus) throw new BylawError('usage', 'No input.', { hint: 'Pass a bill with --focus FILE, or series with --series FILE.' });
  return costBody(flags.focus);
}
