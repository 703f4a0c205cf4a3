import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { sha256Digest, type Sha256Digest } from '@launch/contracts';

/** A file that the pages load. */
export interface DocsAsset {
  readonly mediaType: string;
  readonly bytes: Buffer;
  readonly contentSha256: Sha256Digest;
}

/** Starts Swagger UI. The description is asked for by its path, so that this file is the same for every deployment. */
const START = `window.ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
});
`;

const STYLE = `html{box-sizing:border-box}*,*::before,*::after{box-sizing:inherit}
body{margin:0;background:#fff;color:#222;font:16px/1.55 system-ui,sans-serif}
nav,main{max-width:1460px;margin:0 auto;padding:1rem 1.25rem}
nav{border-bottom:1px solid #8884}
a{color:#1d4ed8}code{font:.88em/1.5 ui-monospace,SFMono-Regular,Menlo,monospace}
table{border-collapse:collapse;width:100%}main td,main th{text-align:left;vertical-align:top;border-top:1px solid #8884;padding:.35rem .8rem .35rem 0}
main td:first-child{white-space:nowrap}tr:target{background:#fff3c4}small{opacity:.8}
@media(max-width:40rem){main td:first-child{white-space:normal;overflow-wrap:anywhere}}
`;

const SCRIPT_TYPE = 'text/javascript; charset=utf-8';
const STYLE_TYPE = 'text/css; charset=utf-8';

/** Where each file comes from: the package of Swagger UI, or the text above. */
const SOURCES: Readonly<Record<string, { readonly mediaType: string; readonly read: () => Buffer }>> = {
  'swagger-ui.css': { mediaType: STYLE_TYPE, read: () => packaged('swagger-ui.css') },
  'swagger-ui-bundle.js': { mediaType: SCRIPT_TYPE, read: () => packaged('swagger-ui-bundle.js') },
  'favicon-32x32.png': { mediaType: 'image/png', read: () => packaged('favicon-32x32.png') },
  'docs.css': { mediaType: STYLE_TYPE, read: () => Buffer.from(STYLE) },
  'docs.js': { mediaType: SCRIPT_TYPE, read: () => Buffer.from(START) },
};

const packaged = (name: string): Buffer =>
  readFileSync(createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`));

/** The files of the pages, each read when it is first asked for and held from then on. */
export class DocsAssets {
  private readonly held = new Map<string, DocsAsset>();

  /** Undefined for a name that is none of ours. */
  get(name: string): DocsAsset | undefined {
    const source = Object.hasOwn(SOURCES, name) ? SOURCES[name] : undefined;
    if (source === undefined) return undefined;
    let asset = this.held.get(name);
    if (asset === undefined) {
      const bytes = source.read();
      this.held.set(name, (asset = { mediaType: source.mediaType, bytes, contentSha256: sha256Digest(bytes) }));
    }
    return asset;
  }
}
