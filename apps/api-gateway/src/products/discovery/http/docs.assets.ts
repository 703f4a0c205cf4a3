import { sha256Digest, type Sha256Digest } from '@launch/contracts/primitives';

/** A file that the pages load. */
export interface DocsAsset {
  readonly mediaType: string;
  readonly bytes: Buffer;
  readonly contentSha256: Sha256Digest;
}

const STYLE = `:root{color-scheme:light dark;--line:#8884;--soft:#8881;--link:#1d4ed8}
@media(prefers-color-scheme:dark){:root{--link:#8ab4ff}}
html{box-sizing:border-box}*,*::before,*::after{box-sizing:inherit}
body{margin:0;font:16px/1.55 system-ui,sans-serif}
nav,main{max-width:1100px;margin:0 auto;padding:1rem 1.25rem}
nav{border-bottom:1px solid var(--line)}nav ul{list-style:none;margin:0;padding:0;columns:22rem 2}
nav h2{font-size:1rem;margin:.6rem 0 .2rem}nav li{break-inside:avoid;padding:.15rem 0}nav a{font-weight:600}nav span{display:block;font-size:.9rem;opacity:.8}
a{color:var(--link)}code,pre{font:.88em/1.5 ui-monospace,SFMono-Regular,Menlo,monospace}
pre{background:var(--soft);padding:.6rem;overflow:auto;max-height:32rem}
h2{margin:2rem 0 .3rem}h3{margin:1rem 0 .3rem;font-size:1rem}p{margin:.3rem 0}
details{border:1px solid var(--line);border-radius:4px;margin:.3rem 0}summary{cursor:pointer;padding:.3rem .6rem;overflow-wrap:anywhere}
details>div,details>pre{margin:0 .6rem .6rem}
summary b{display:inline-block;min-width:3.6rem;font-size:.8rem}.tags a{margin-right:.8rem}
table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;border-top:1px solid var(--line);padding:.35rem .8rem .35rem 0}
td:first-child{white-space:nowrap}tr:target{background:#fff3c4;color:#222}small{opacity:.8}
@media(max-width:40rem){td:first-child{white-space:normal;overflow-wrap:anywhere}}
`;
const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="8" fill="#1d4ed8"/><path d="M8 3l4 9H4z" fill="#fff"/></svg>';

const asset = (mediaType: string, text: string): DocsAsset => {
  const bytes = Buffer.from(text);
  return { mediaType, bytes, contentSha256: sha256Digest(bytes) };
};
const ASSETS: ReadonlyMap<string, DocsAsset> = new Map([
  ['docs.css', asset('text/css; charset=utf-8', STYLE)],
  ['favicon.svg', asset('image/svg+xml', ICON)],
]);

/** Returns a file of the pages; undefined for any other name. */
export const docsAsset = (name: string): DocsAsset | undefined => ASSETS.get(name);
