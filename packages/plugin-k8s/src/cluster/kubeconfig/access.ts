/** Where an API server is, and who talks to it: what a context of a kubeconfig comes to. */
export interface Access {
  /** Null within a cluster. */
  context: string | null;
  /** With a path where the API is served below one, without a slash at its end. */
  server: URL;
  tls: ServerTrust;
  /** `http:`, `https:` or `socks5:`. Absent: as the environment says. */
  proxy?: URL;
  /** Whether answers may be compressed. */
  compress: boolean;
  user: User;
}

/** How the server proves who it is. */
export interface ServerTrust {
  /** PEM; absent: the authorities that Node trusts. */
  ca?: string;
  insecure: boolean;
  /** The name that its certificate must bear instead of its host. */
  serverName?: string;
}

/** How the client proves who it is: by what is present, in this order: certificate; token, file with a token, password, plugin, provider. */
export interface User {
  /** As the kubeconfig calls it. */
  name: string;
  /** PEM. */
  certificate?: { cert: string; key: string };
  token?: string;
  /** Wins over the token: it is read again as it rotates. */
  tokenFile?: string;
  password?: { name: string; password: string };
  exec?: ExecPlugin;
  provider?: { name: string; config: { readonly [member: string]: unknown } };
  impersonate?: { name: string; uid?: string; groups: readonly string[]; extra: { readonly [name: string]: readonly string[] } };
}

/** A program that gives credentials: the API group `client.authentication.k8s.io`. */
export interface ExecPlugin {
  command: string;
  args: readonly string[];
  env: { readonly [name: string]: string };
  apiVersion: string;
  installHint?: string;
  interactiveMode: 'Never' | 'IfAvailable' | 'Always';
  /** What it is told about the cluster, where it asks for it. */
  cluster?: object;
}
