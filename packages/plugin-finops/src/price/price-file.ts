import { CsvError, CsvRecords, costFilesAt } from '@bylaw/core/cost';
import { BylawError } from '@bylaw/core/errors';

/** Prices of a file of the user: USD per hour, by region and type in lower case; an empty region is any. */
export type OwnPrices = ReadonlyMap<string, ReadonlyMap<string, number>>;

/**
 * Reads the CSV of a price list of Amazon EC2 (on demand, Linux, shared machines, nothing installed before), or the CSV form of OpenCost (rows of
 * nodes by the type of their instance). Rows of other things are passed over. Memory grows with types, not with rows.
 * Columns: https://docs.aws.amazon.com/awsaccountbilling/latest/aboutv2/reading-service-price-list-file-for-services.html,
 * https://opencost.io/docs/configuration/on-prem (pricing_schema.csv).
 * @throws {BylawError} that says what is wrong with the file, and not where it lies
 */
export async function readPriceFile(path: string): Promise<OwnPrices> {
  const prices = new Map<string, Map<string, number>>();
  let columns: Columns | undefined;
  let count = 0;
  const take = (fields: readonly string[]) => {
    if (columns === undefined) {
      columns = columnsOf(fields);
      return;
    }
    const found = columns.priceOf((name) => fields[columns?.places.get(name) ?? -1] ?? '');
    if (found === undefined) return;
    count += 1;
    if (count > MOST_PRICES) throw unusable(`it has more than ${MOST_PRICES} prices`);
    const region = found.region.trim().toLowerCase();
    const own = prices.get(region) ?? new Map<string, number>();
    prices.set(region, own.set(found.type.trim().toLowerCase(), found.price));
  };
  await eachRecord(path, take);
  if (columns === undefined) throw unusable('none of its rows has the column names of a price list');
  if (count === 0) throw unusable('it has no machine prices');
  return prices;
}

const MOST_PRICES = 1_000_000;

async function eachRecord(path: string, take: (fields: readonly string[]) => void): Promise<void> {
  try {
    for (const { text } of await costFilesAt([path])) {
      const records = new CsvRecords(',');
      for await (const piece of text) records.push(piece, take);
      records.end(take);
    }
  } catch (cause) {
    if (cause instanceof CsvError) throw unusable(`it is not valid CSV near line ${cause.line}`, cause);
    if (cause instanceof BylawError && cause.code === 'path-not-found') throw unusable('it does not exist', cause);
    if (cause instanceof BylawError && cause.message.startsWith(OPENING)) throw cause;
    throw unusable('it cannot be read', cause);
  }
}

const OPENING = 'The configured price file cannot be used';

function unusable(why: string, cause?: unknown): BylawError {
  return new BylawError('path-unreadable', `${OPENING}: ${why}.`, { cause, hint: 'Fix it, or remove `finops.prices` from bylaw.yaml.' });
}

type Field = (name: string) => string;

interface Columns {
  places: ReadonlyMap<string, number>;
  priceOf: (field: Field) => { region: string; type: string; price: number } | undefined;
}

/** The form of a table, by the names of its columns; undefined for lines that come before them. */
function columnsOf(fields: readonly string[]): Columns | undefined {
  const places = new Map(fields.map((name, at) => [name.replace(/^\uFEFF/, '').trim(), at]));
  const has = (...names: string[]) => names.every((name) => places.has(name));
  if (has('TermType', 'PricePerUnit', 'Instance Type', 'Region Code', 'Operating System', 'Tenancy')) return { places, priceOf: awsPrice };
  if (has('AssetClass', 'InstanceType', 'MarketPriceHourly', 'Region')) return { places, priceOf: openCostPrice };
  return undefined;
}

function awsPrice(field: Field) {
  const plain =
    field('TermType') === 'OnDemand' &&
    field('Operating System') === 'Linux' &&
    field('Tenancy') === 'Shared' &&
    /^(Hrs|)$/.test(field('Unit')) &&
    /^(USD|)$/.test(field('Currency')) &&
    /^(NA|)$/.test(field('Pre Installed S/W')) &&
    /^(Used|)$/.test(field('CapacityStatus')) &&
    /^(OnDemand|)$/.test(field('MarketOption'));
  return plain ? priced(field('Region Code'), field('Instance Type'), field('PricePerUnit')) : undefined;
}

function openCostPrice(field: Field) {
  return field('AssetClass') === 'node' ? priced(field('Region'), field('InstanceType'), field('MarketPriceHourly')) : undefined;
}

function priced(region: string, type: string, text: string) {
  const price = text.trim() === '' ? Number.NaN : Number(text);
  return type !== '' && Number.isFinite(price) && price > 0 && price < 1_000_000 ? { region, type, price } : undefined;
}
