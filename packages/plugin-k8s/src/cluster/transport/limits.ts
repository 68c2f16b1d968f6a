/** What keeps a client from straining an API server, and a server from straining the client. */
export interface ConnectionLimits {
  /** Requests that may start per second, over time. */
  requestsPerSecond: number;
  /** Requests that may start at once after a quiet time. */
  burst: number;
  /** Requests at a time; watches come on top. */
  concurrency: number;
  /** How often one request is sent before it is given up. */
  tries: number;
  /** Objects of one page, as it is requested. */
  pageObjects: number;
  /** Bytes of one answer, uncompressed. */
  answerBytes: number;
  /** Milliseconds to connect. */
  connectMs: number;
  /** Milliseconds without a byte, after which an answer counts as lost. */
  idleMs: number;
}

export const DEFAULT_LIMITS: ConnectionLimits = {
  requestsPerSecond: 50,
  burst: 100,
  concurrency: 4,
  tries: 5,
  pageObjects: 500,
  answerBytes: 16 * 1024 * 1024,
  connectMs: 10_000,
  idleMs: 60_000,
};
