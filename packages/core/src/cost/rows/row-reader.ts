import { nearest } from '../../nearest.js';
import { plural } from '../../plural.js';
import { costError } from '../cost-error.js';
import { readTags } from '../values/tags.js';
import { awsCur } from './aws-cur.js';
import { azureExport } from './azure-export.js';
import type { CostRow, Metric, RowFault } from './cost-row.js';
import { columnName, type Dialect, type Fields, type PlaceOf, presentText } from './dialect.js';
import { focus } from './focus.js';
import { gcpExport } from './gcp-export.js';
import type { UsageRow } from './usage-row.js';

const DIALECTS: readonly Dialect[] = [focus, awsCur, gcpExport, azureExport];

export interface RowReader<Row> {
  dialect: string;
  /** Column of each field that `read` takes; field 0 is not a field: it is empty, and its column is -1. */
  columns: readonly number[];
  /** A new row: the fields may be used again. */
  read(fields: Fields): Row | RowFault;
}

/**
 * A reader for the rows of a table with these columns.
 * @param dimensions names such as `service`, `tag:team` or `x_CostCentre`
 * @param file for the error
 * @throws {BylawError} `cost-columns-missing`, `cost-file-invalid`, `dimension-unknown`
 */
export function rowReader(header: readonly string[], metric: Metric, dimensions: readonly string[], file: string): RowReader<CostRow> {
  const table = tableOf(header, metric, file);
  const { dialect, columns } = table;
  const read = placedRows(dialect.rows(table.place, metric));
  const values = dimensions.map((name) => dimensionReader(sourceOf(name, table, file), table));
  return {
    dialect: dialect.name,
    columns,
    read: (fields) => {
      const row = read(fields);
      if (!('column' in row)) row.dimensions = values.map((value) => value(fields));
      return row;
    },
  };
}

/** A reader for the same rows as usage. @throws {BylawError} as `rowReader` */
export function usageReader(header: readonly string[], metric: Metric, dimensions: readonly string[], file: string): RowReader<UsageRow> {
  const table = tableOf(header, metric, file);
  const { dialect, columns } = table;
  const [read, usage] = [placedRows(dialect.rows(table.place, metric)), dialect.usage(table.place)];
  const tags = tagsReader(table);
  const values = dimensions.map((name) => dimensionReader(sourceOf(name, table, file), table));
  return {
    dialect: dialect.name,
    columns,
    read: (fields) => {
      const row = read(fields);
      if ('column' in row) return row;
      // To spread both into a new object takes fifty times as long.
      return Object.assign(row, usage(fields), { tags: tags(fields), dimensions: values.map((value) => value(fields)) });
    },
  };
}

/** A row whose end and start are exchanged is at no time. */
function placedRows(read: (fields: Fields) => CostRow | RowFault): (fields: Fields) => CostRow | RowFault {
  return (fields) => {
    const row = read(fields);
    return 'column' in row || row.end >= row.start ? row : { column: 'The period', problem: 'ends before it starts' };
  };
}

/** A table whose form is known. */
interface Table {
  dialect: Dialect;
  header: readonly string[];
  /** Of a column, by its normalised name. @throws {BylawError} `cost-file-invalid` where there are two of them */
  indexOf(name: string): number | undefined;
  /** Grows with every column that is requested. */
  columns: number[];
  place: PlaceOf;
  /** The same by the index of the column. */
  fieldAt(index: number): number;
}

function tableOf(header: readonly string[], metric: Metric, file: string): Table {
  if (header.length > MOST_COLUMNS)
    throw costError('cost-file-invalid', `${file} has more than ${MOST_COLUMNS.toLocaleString('en')} columns.`, {
      location: { file, line: 1, column: 1 },
      hint: 'Export fewer columns.',
    });
  const byName = new Map<string, number>();
  const twice = new Set<string>();
  for (const [index, name] of header.entries()) {
    const column = columnName(name);
    if (byName.has(column)) twice.add(column);
    else byName.set(column, index);
  }
  const dialect = DIALECTS.find((one) => one.recognises(new Set(byName.keys())));
  if (!dialect && byName.has(columnName('ChargePeriodStart'))) throw columnsMissing(focus, [metric], header, file);
  if (!dialect) throw unknownTable(header, file);
  const missing = dialect.required(metric).filter((name) => !byName.has(columnName(name)));
  if (missing.length > 0) throw columnsMissing(dialect, missing, header, file);
  const columns = [-1];
  const places = new Map<number, number>();
  const fieldAt = (index: number) => {
    const known = places.get(index);
    if (known !== undefined) return known;
    places.set(index, columns.length);
    return columns.push(index) - 1;
  };
  const indexOf = (name: string) => {
    const index = byName.get(name);
    // Which of them is meant would be a guess.
    if (index !== undefined && twice.has(name))
      throw costError('cost-file-invalid', `${file} has two columns for the same field.`, {
        location: { file, line: 1, column: 1 },
        hint: `Remove one of them: ${JSON.stringify(header[index]?.slice(0, 60))}.`,
      });
    return index;
  };
  const place = (name: string) => {
    const index = indexOf(name);
    return index === undefined ? 0 : fieldAt(index);
  };
  return { dialect, header, indexOf, columns, place, fieldAt };
}

/** Bills have some hundred, and one for each tag. */
const MOST_COLUMNS = 10_000;

interface DimensionSource {
  /** The first with a value is used. */
  columns: number[];
  /** Key of the tag, for a column of tags. */
  tag?: string;
}

function sourceOf(name: string, { dialect, header, indexOf }: Table, file: string): DimensionSource {
  if (name.startsWith('tag:')) {
    const tag = name.slice(4);
    const own = header.findIndex((column) => TAG_COLUMN.exec(column)?.[1] === tag);
    if (own >= 0) return { columns: [own] };
    const all = TAG_COLUMNS.flatMap((column) => indexOf(column) ?? []);
    return { columns: all.slice(0, 1), tag };
  }
  const columns = (dialect.dimension(name) ?? [columnName(name)]).flatMap((column) => indexOf(column) ?? []);
  if (columns.length > 0 || dialect.dimension(name)) return { columns };
  if (STANDARD.includes(name)) return { columns: [] };
  const near = nearest(name, [...STANDARD, ...header]);
  throw costError('dimension-unknown', `${file} has no dimension or column \`${name}\`.`, {
    hint: `${near ? `Did you mean ${near}? ` : ''}Available dimensions are ${STANDARD.join(', ')}, tag:NAME, and the columns of the file.`,
  });
}

/** Dimensions that are requested of every form; one that it does not have is empty. */
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

/** The column of all tags; else the columns of single tags, in the form of such a column. */
function tagsReader({ header, indexOf, fieldAt }: Table): (fields: Fields) => string {
  const [all] = TAG_COLUMNS.flatMap((column) => indexOf(column) ?? []).map(fieldAt);
  if (all !== undefined) return (fields) => presentText(fields[all] ?? '');
  const own = header.flatMap((column, index) => {
    const tag = TAG_COLUMN.exec(column)?.[1];
    return tag === undefined ? [] : [{ tag, at: fieldAt(index) }];
  });
  return (fields) => {
    const used = own.filter(({ at }) => presentText(fields[at] ?? '') !== '');
    return used.length === 0 ? '' : JSON.stringify(Object.fromEntries(used.map(({ tag, at }) => [tag, fields[at]])));
  };
}

function dimensionReader({ columns, tag }: DimensionSource, { fieldAt }: Table): (fields: Fields) => string {
  const places = columns.map(fieldAt);
  return (fields) => {
    for (const at of places) {
      const text = fields[at] ?? '';
      const value = tag === undefined ? text : readTags(text, tag);
      if (value !== '' && value !== 'null' && value !== 'NULL') return value;
    }
    return '';
  };
}

function unknownTable(header: readonly string[], file: string) {
  const near = nearest('ChargePeriodStart', header);
  return costError('cost-columns-missing', `${file} is not a known cost export: its columns match no supported format.`, {
    location: { file, line: 1, column: 1 },
    hint: `Supported formats are FOCUS (ChargePeriodStart, EffectiveCost, …), the AWS Cost and Usage Report, and the exports of Google Cloud and Azure.${near ? ` Should the column ${JSON.stringify(near.slice(0, 60))} be ChargePeriodStart?` : ''}`,
  });
}

function columnsMissing(dialect: Dialect, missing: readonly string[], header: readonly string[], file: string) {
  const near = missing.map((name) => nearest(name, header)).find((name) => name !== undefined);
  return costError(
    'cost-columns-missing',
    `${file} looks like ${dialect.name} but is missing ${plural(missing.length, 'column')}: ${missing.join(', ')}.`,
    {
      location: { file, line: 1, column: 1 },
      ...(near !== undefined && {
        hint: `The column ${JSON.stringify(near.slice(0, 60))} looks like one of them. Export it under the standard name.`,
      }),
    },
  );
}
