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
  /** `route`: one that has the path, with another method. */
  | { kind: 'wrong-method'; allow: readonly string[]; route: Route }
  | { kind: 'unknown' };

/** Longest path parameter in characters; a longer one matches no route. */
const MAX_PARAM_LENGTH = 512;

const PATH_FORM = /^(?:\/(?:[A-Za-z0-9._-]+|\{[a-z][a-z0-9_]*\}))+$/;

/** A router whose paths must have passed `parseTarget`, for find-my-way decodes percent-encoding. */
export function createRouter(): Router {
  const tree = findMyWay({ maxParamLength: MAX_PARAM_LENGTH, caseSensitive: true });
  const routes: Route[] = [];
  const byKey = new Map<string, Route>();
  /** Those without parameters, which the tree prefers as well. */
  const fixed = new Map<string, RouteMatch>();

  const lookUp = (method: Method, path: string): RouteMatch => {
    const known = fixed.get(`${method} ${path}`);
    if (known) return known;
    const match = tree.find(method, path);
    const route = match && byKey.get(String(match.store));
    if (!match || !route) return { kind: 'unknown' };
    const params = Object.entries(match.params).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
    // The tree takes the nothing after a last slash for a parameter.
    if (params.some(([, value]) => value === '')) return { kind: 'unknown' };
    return { kind: 'found', route, params: Object.fromEntries(params) };
  };

  return {
    routes,
    add(route) {
      if (!PATH_FORM.test(route.path)) throw new Error(`The path ${route.path} of a route must have the form /a/{b}.`);
      const key = `${route.method} ${route.path}`;
      tree.on(route.method, route.path.replaceAll(/\{(\w+)\}/g, ':$1'), () => undefined, key);
      byKey.set(key, route);
      if (!route.path.includes('{')) fixed.set(key, { kind: 'found', route, params: {} });
      routes.push(route);
    },
    find(method, path) {
      const wanted = METHODS.find((known) => known === (method === 'HEAD' ? 'GET' : method));
      const match: RouteMatch = wanted ? lookUp(wanted, path) : { kind: 'unknown' };
      if (match.kind === 'found') return match;
      const others = METHODS.map((other) => lookUp(other, path)).filter((other) => other.kind === 'found');
      const [first] = others;
      if (!first) return match;
      return {
        kind: 'wrong-method',
        allow: others.flatMap(({ route: { method: other } }) => (other === 'GET' ? ['GET', 'HEAD'] : [other])),
        route: first.route,
      };
    },
  };
}
