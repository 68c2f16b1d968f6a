/** A user, by what the process knows of them. */
export interface CacheUser {
  platform: string;
  env: { readonly [name: string]: string | undefined };
  home: string;
}

export function useCompileCache(): void;

export function compileCacheFolder(user: CacheUser): string | undefined;
