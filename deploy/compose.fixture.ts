/** A service of `docker-compose.yml`, with the members that tests read. */
export interface ComposeService {
  readonly image: string;
  readonly user?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly privileged?: boolean;
  readonly security_opt?: readonly string[];
  readonly tmpfs?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly (string | { readonly source: string })[];
  readonly volumes?: readonly string[];
  readonly profiles?: readonly string[];
  readonly ports?: readonly string[];
  readonly networks: readonly string[];
  readonly mem_limit?: string;
  readonly build?: { readonly context: string; readonly dockerfile: string; readonly target: string; readonly args: Readonly<Record<string, string>> };
  readonly healthcheck?: unknown;
  readonly command?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}
/** `docker-compose.yml`. */
export interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly configs: Readonly<Record<string, { readonly file: string }>>;
}
