import { Agent, request as httpsRequest, type RequestOptions } from 'node:https';
import type { Issued } from '../../packages/plugin-k8s/src/cluster/testing/authority.test-support.js';

/** Speaks to the API server as one user, and shows all of each answer. */
export interface ApiClient {
  send(method: string, path: string, options?: SendOptions): Promise<Answer>;
  close(): void;
}

export interface SendOptions {
  body?: unknown;
  headers?: { [name: string]: string };
}

export interface Answer {
  status: number;
  headers: { [name: string]: string | string[] | undefined };
  /** The texts of the `Warning` headers (RFC 9111, code 299), in their order. */
  warnings: readonly string[];
  text: string;
  /** The body as JSON; null where it is not one. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into documents of the API server
  body: any;
}

/** @param user absent: one who shows no certificate */
export function apiClient(port: number, authority: string, user?: Issued): ApiClient {
  const agent = new Agent({ keepAlive: true, ca: authority, ...user });
  return {
    send: (method, path, { body, headers = {} } = {}) => {
      const text = body === undefined ? undefined : JSON.stringify(body);
      const type = text === undefined ? {} : { 'content-type': 'application/json' };
      const options = { agent, host: '127.0.0.1', port, method, path, headers: { accept: 'application/json', ...type, ...headers } };
      return exchange(options, text);
    },
    close: () => agent.destroy(),
  };
}

function exchange(options: RequestOptions, body: string | undefined): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpsRequest(options, async (response) => {
      try {
        const text = (await response.setEncoding('utf8').toArray()).join('');
        const given = response.headersDistinct.warning ?? [];
        resolve({ status: response.statusCode ?? 0, headers: response.headers, warnings: given.map(textOf), text, body: jsonOf(text) });
      } catch (error) {
        reject(error);
      }
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** `299 - "text"`, the text quoted as RFC 9110 says. */
function textOf(header: string): string {
  return header.replace(/^299 \S+ "(.*)"$/s, '$1').replaceAll(/\\(.)/gs, '$1');
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
