import { type KubernetesObject, ListDenied, type ListOptions, type ObjectPage, type ServedKind } from '../cluster.js';
import { asList, asMapping, asText } from '../json.js';
import { isExpired, reasonOf } from '../status.js';
import type { Answer, Transport } from '../transport/index.js';
import { collectionPath } from './collection.js';
import { keyOrder } from './key-order.js';
import { kubernetesObject } from './object.js';

/** How often a list may lose its place. Servers keep the past for minutes; a page takes a second. */
const MAX_EXPIRED = 10;

/** A page that is too large is requested again with so many times fewer objects. */
const SMALLER = 8;

/**
 * The objects of a kind, page by page. Where the server has forgotten the version of the first page in the meantime, the list goes on
 * behind the last object with those of now: no object comes twice, none that was there all the time is missing, and one that was
 * created or removed meanwhile may be there or not. Every page tells the version of the first one, since changes after that may be missing.
 */
export async function* listObjects(
  transport: Transport,
  kind: ServedKind,
  { namespace, signal }: ListOptions,
): AsyncGenerator<ObjectPage, void, void> {
  const path = collectionPath(kind, namespace);
  const order = keyOrder();
  let limit = transport.limits.pageObjects;
  let continueToken: string | undefined;
  let firstVersion: string | undefined;
  let expired = 0;
  for (;;) {
    const answer = await transport.get(`${path}?${query(limit, continueToken)}`, { ...(signal && { signal }) });
    if (answer.form === 'too-large') {
      if (limit === 1) throw new ListDenied(`an object is larger than ${transport.limits.answerBytes / 1024 / 1024} MiB`);
      limit = Math.max(1, Math.floor(limit / SMALLER));
    } else if (isExpired(answer.status) && continueToken !== undefined && ++expired <= MAX_EXPIRED) {
      continueToken = continueOf(answer);
      if (continueToken === undefined && !order.restart())
        throw new ListDenied('it changed while it was being listed, and its objects have no order in which the list can continue');
    } else {
      const page = readPage(answer, kind);
      firstVersion ??= page.resourceVersion;
      yield { objects: page.objects.filter(order.isNext), resourceVersion: firstVersion };
      if (page.continueToken === undefined) return;
      if (page.continueToken === continueToken) throw new ListDenied('its pages never end');
      continueToken = page.continueToken;
    }
  }
}

function query(limit: number, continueToken: string | undefined): URLSearchParams {
  return new URLSearchParams({ limit: String(limit), ...(continueToken !== undefined && { continue: continueToken }) });
}

interface ReadPage {
  objects: KubernetesObject[];
  resourceVersion: string;
  continueToken: string | undefined;
}

function readPage(answer: Answer, kind: ServedKind): ReadPage {
  if (answer.status !== 200) throw new ListDenied(reasonOf(answer));
  const list = answer.form === 'json' ? asMapping(answer.value) : undefined;
  const metadata = asMapping(list?.metadata);
  if (!list || !metadata) throw new ListDenied('the answer is not a list of objects');
  return {
    objects: asList(list.items).flatMap((item) => {
      const mapping = asMapping(item);
      return mapping ? [kubernetesObject(mapping, kind)] : [];
    }),
    resourceVersion: asText(metadata.resourceVersion) ?? '',
    continueToken: asText(metadata.continue) || undefined,
  };
}

function continueOf(answer: Answer): string | undefined {
  const status = answer.form === 'json' ? asMapping(answer.value) : undefined;
  return asText(asMapping(status?.metadata)?.continue) || undefined;
}
