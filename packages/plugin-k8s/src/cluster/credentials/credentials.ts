/** What a client proves its identity by. */
export interface Credentials {
  /** `Bearer …` or `Basic …`. */
  authorization?: string;
  /** PEM. */
  certificate?: { cert: string; key: string };
}

/** Where credentials come from, as they change over time. */
export interface CredentialSource {
  /**
   * Those of this moment.
   * @param signal the end of the whole connection: several requests may wait for the same credentials
   * @throws {BylawError} `credential-plugin`, `cluster-credentials`
   */
  current(signal: AbortSignal): Promise<Credentials>;
  /** To be told when the server did not take them. @returns whether there may be better ones now */
  refused(credentials: Credentials): boolean;
}
