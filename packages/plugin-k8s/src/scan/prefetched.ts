/** A list of pages that begins when it is iterated, and stops when the signal is aborted. */
export type PageList<Page> = (signal: AbortSignal) => AsyncIterable<Page>;

/**
 * The pages of several lists, list after list. While a page is worked on, the next one of its list and the first ones of the lists after it are
 * fetched: `ahead` lists are under way at a time, and no more than one page of each waits in memory.
 */
export async function* prefetched<Page>(
  lists: readonly PageList<Page>[],
  ahead: number,
  signal?: AbortSignal,
): AsyncGenerator<Page, void, void> {
  const left = new AbortController();
  const stop = signal ? AbortSignal.any([signal, left.signal]) : left.signal;
  const underWay: Fetch<Page>[] = [];
  let next = 0;
  try {
    for (;;) {
      for (let list = lists[next]; list && underWay.length < ahead; list = lists[++next]) underWay.push(fetchOf(list(stop)));
      const first = underWay[0];
      if (!first) return;
      const { done, value } = await first.page;
      if (done) underWay.shift();
      else {
        first.page = pageOf(first.iterator);
        yield value;
      }
    }
  } finally {
    left.abort();
    for (const { iterator } of underWay) void iterator.return?.().catch(() => undefined);
  }
}

interface Fetch<Page> {
  iterator: AsyncIterator<Page, unknown, void>;
  page: Promise<IteratorResult<Page, unknown>>;
}

function fetchOf<Page>(list: AsyncIterable<Page>): Fetch<Page> {
  const iterator = list[Symbol.asyncIterator]();
  return { iterator, page: pageOf(iterator) };
}

function pageOf<Page>(iterator: AsyncIterator<Page, unknown, void>): Promise<IteratorResult<Page, unknown>> {
  const page = iterator.next();
  page.catch(() => undefined); // awaited when its turn comes; until then it must not count as unhandled
  return page;
}
