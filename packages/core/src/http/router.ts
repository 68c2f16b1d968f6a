import findMyWay from 'find-my-way';
import { METHODS, type Method, type Route } from './route.js';

/** Collects routes and finds the one of a request. Plugins get it to mount theirs. */
export interface Router {
  /** @throws {Error} when the path is not of the form `/a/{b}`, or method and path are taken. */
  add(route: Route): void;
  readonly routes: readonly Route[];
  find(method: string, path: string): RouteMatch;
}

export type RouteMatch =
  | { kind: 'found'; route: Route; params: { readonly [name: string]: string } }
  | { kind: 'wrong-method'; allow: readonly string[] }
  | { kind: 'unknown' };

/** Longest path parameter in characters; a longer one matches no route. */
const MAX_PARAM_LENGTH = 512;

const PATH_FORM = /^(?:\/(?:[A-Za-z0-9._-]+|\{[a-z][a-z0-9_]*\}))+$/;

/** A router whose paths must have passed `parseTarget`, for find-my-way decodes percent-encoding. */
export function createRouter(): Router {
  const tree = findMyWay({ maxParamLength: MAX_PARAM_LENGTH, caseSensitive: true });
  const routes: Route[] = [];
  const byKey = new Map<string, Route>();

  const lookUp = (method: Method, path: string): RouteMatch => {
    const match = tree.find(method, path);
    const route = match && byKey.get(String(match.store));
    if (!match || !route) return { kind: 'unknown' };
    const params = Object.entries(match.params).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
    return { kind: 'found', route, params: Object.fromEntries(params) };
  };

  return {
    routes,
    add(route) {
      if (!PATH_FORM.test(route.path)) throw new Error(`The path ${route.path} of a route is not of the form /a/{b}.`);
      const key = `${route.method} ${route.path}`;
      tree.on(route.method, route.path.replaceAll(/\{(\w+)\}/g, ':$1'), () => undefined, key);
      byKey.set(key, route);
      routes.push(route);
    },
    find(method, path) {
      const wanted = METHODS.find((known) => known === (method === 'HEAD' ? 'GET' : method));
      const match: RouteMatch = wanted ? lookUp(wanted, path) : { kind: 'unknown' };
      if (match.kind === 'found') return match;
      const allow = METHODS.filter((other) => lookUp(other, path).kind === 'found');
      return allow.length === 0
        ? match
        : { kind: 'wrong-method', allow: allow.includes('GET') ? ['GET', 'HEAD', ...allow.slice(1)] : allow };
    },
  };
}
