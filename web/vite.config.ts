import { defineConfig } from "vite";

// `npm run dev` serves the page with hot reloading and asks a running `precedent serve`.
const server = "http://127.0.0.1:8484";
const paths = [
  "/chat",
  "/datasets",
  "/document",
  "/feedback",
  "/golden",
  "/investigations",
  "/readyz",
  "/suggestions",
  "/threads",
  "/uploads",
  "/version",
  "/whoami",
];

export default defineConfig({
  esbuild: { jsx: "automatic" },
  build: {
    chunkSizeWarningLimit: 900, // scripts/build-page checks what is sent, compressed
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: {
      // "use client" in packages is a word for servers that render; there is none here.
      onwarn: (warning, warn) => warning.code === "MODULE_LEVEL_DIRECTIVE" || warn(warning),
    },
  },
  server: {
    proxy: Object.fromEntries(paths.map((path) => [path, { target: server, changeOrigin: true, headers: { Origin: server } }])),
  },
});
