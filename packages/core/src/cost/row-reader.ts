import { nearest } from '../nearest.js';
import { awsCur } from './aws-cur.js';
import { azureExport } from './azure-export.js';
import { costError } from './cost-error.js';
import type { CostRow, Metric, RowFault } from './cost-row.js';
import { columnName, type Dialect } from './dialect.js';
import { focus } from './focus.js';
import { gcpExport } from './gcp-export.js';
import { readTags } from './tags.js';

const DIALECTS: readonly Dialect[] = [focus, awsCur, gcpExport, azureExport];

export interface RowReader {
  dialect: string;
  /** Indexes of the columns that are read, ascending: `read` takes their values in this order. */
  columns: readonly number[];
  read(fields: readonly string[]): CostRow | RowFault;
}

/**
 * A reader for the rows of a table with these columns.
 * @param dimensions names such as `service`, `tag:team` or `x_CostCentre`
 * @param file for the error
 * @throws {BylawError} `cost-columns-missing`, `dimension-unknown`
 */
export function rowReader(header: readonly string[], metric: Metric, dimensions: readonly string[], file: string): RowReader {
  const byName = new Map(header.map((name, index) => [columnName(name), index]));
  const dialect = DIALECTS.find((one) => one.recognises(new Set(byName.keys())));
  if (!dialect) throw unknownTable(header, file);
  const wanted = dialect.columns(metric);
  const missing = wanted.filter(({ name, required }) => required && !byName.has(name)).map(({ name }) => name);
  if (missing.length > 0) throw columnsMissing(dialect, missing, header, file);
  const sources = dimensions.map((name) => sourceOf(name, dialect, header, byName, file));
  const used = new Set([...wanted.map(({ name }) => byName.get(name)), ...sources.flatMap(({ columns }) => columns)]);
  const columns = [...used].filter((index) => index !== undefined).sort((a, b) => a - b);
  const place = new Map(columns.map((index, at) => [index, at]));
  const places = new Map(wanted.map(({ name }) => [name, place.get(byName.get(name) ?? -1)]));
  const readers = sources.map(({ columns: from, tag }) => ({ tag, at: from.map((index) => place.get(index) ?? -1) }));
  let fields: readonly string[] = [];
  const field = (name: string) => {
    const at = places.get(name);
    return at === undefined ? '' : (fields[at] ?? '');
  };
  return {
    dialect: dialect.name,
    columns,
    read: (values) => {
      fields = values;
      const row = dialect.row(field, metric);
      return 'column' in row ? row : { ...row, dimensions: readers.map(({ tag, at }) => dimensionValue(values, at, tag)) };
    },
  };
}

interface DimensionSource {
  /** The first with a value is used. */
  columns: number[];
  /** Key of the tag, for a column of tags. */
  tag?: string;
}

function sourceOf(
  name: string,
  dialect: Dialect,
  header: readonly string[],
  byName: ReadonlyMap<string, number>,
  file: string,
): DimensionSource {
  if (name.startsWith('tag:')) {
    const tag = name.slice(4);
    const own = header.findIndex((column) => TAG_COLUMN.exec(column)?.[1] === tag);
    if (own >= 0) return { columns: [own] };
    const all = TAG_COLUMNS.flatMap((column) => byName.get(column) ?? []);
    return { columns: all.slice(0, 1), tag };
  }
  const columns = (dialect.dimension(name) ?? [columnName(name)]).flatMap((column) => byName.get(column) ?? []);
  if (columns.length > 0 || dialect.dimension(name)) return { columns };
  if (STANDARD.includes(name)) return { columns: [] };
  const near = nearest(name, [...STANDARD, ...header]);
  throw costError('dimension-unknown', `${file} has no dimension or column \`${name}\`.`, {
    hint: `${near ? `Did you mean ${near}? ` : ''}Known are ${STANDARD.join(', ')}, tag:NAME, and the columns of the file.`,
  });
}

/** Dimensions that every form is asked for; one that it does not have is empty. */
const STANDARD = [
  'account',
  'billing_account',
  'category',
  'pricing',
  'provider',
  'publisher',
  'region',
  'resource_type',
  'service',
  'sku',
];

/** Columns that hold all tags of a row. */
const TAG_COLUMNS = ['tags', 'resourcetags', 'labels'];

/** A column for one tag, as the legacy report of AWS has it. */
const TAG_COLUMN = /^(?:resourceTags\/(?:user|aws):|resource_tags_user_|tag[:_])(.+)$/;

function dimensionValue(fields: readonly string[], at: readonly number[], tag: string | undefined): string {
  for (const index of at) {
    const text = fields[index] ?? '';
    const value = tag === undefined ? text : readTags(text, tag);
    if (value !== '' && value !== 'null') return value;
  }
  return '';
}

function unknownTable(header: readonly string[], file: string) {
  const near = nearest('ChargePeriodStart', header);
  return costError('cost-columns-missing', `${file} is no cost export that is known: its columns are those of no form.`, {
    location: { file, line: 1, column: 1 },
    hint: `Known are FOCUS (ChargePeriodStart, EffectiveCost, …), the AWS Cost and Usage Report, and the exports of Google Cloud and Azure.${near ? ` Is ${JSON.stringify(near.slice(0, 60))} meant as ChargePeriodStart?` : ''}`,
  });
}

function columnsMissing(dialect: Dialect, missing: readonly string[], header: readonly string[], file: string) {
  const near = missing.map((name) => nearest(name, header.map(columnName))).find((name) => name !== undefined);
  return costError('cost-columns-missing', `${file} looks like ${dialect.name}, and lacks the columns: ${missing.join(', ')}.`, {
    location: { file, line: 1, column: 1 },
    ...(near !== undefined && { hint: `The column ${near} looks like one of them. Export it under its own name.` }),
  });
}
