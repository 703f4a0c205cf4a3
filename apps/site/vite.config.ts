import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';

/** The server and its pages become one file without packages, so that the image needs Node.js and `dist` only. */
export default defineConfig(({ isSsrBuild }) => ({
  plugins: [tailwindcss(), reactRouter()],
  ssr: { noExternal: true, target: 'node' },
  build: {
    // The policy of the pages admits no `data:` scripts, and a font or image of ours has a name that can be cached.
    assetsInlineLimit: 0,
    target: 'es2022',
    ...(isSsrBuild ? { rollupOptions: { input: './server/main.ts' } } : {}),
  },
}));
