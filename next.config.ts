import type { NextConfig } from "next";

const config: NextConfig = {
  // Pages, in the process that renders them. Elsewhere the framework also serves the streams of `/v1`.
  compress: process.env.TOLLGATE_PAGES_SOCKET !== undefined,
  poweredByHeader: false,
  skipTrailingSlashRedirect: true,
  reactStrictMode: true,
  // The pages of the docs as Markdown: `app/(site)/docs/markdown`.
  rewrites: async () => [
    { source: "/docs.md", destination: "/docs/markdown/quick-start" },
    { source: "/docs/:guide([a-z-]+)\\.md", destination: "/docs/markdown/:guide" },
  ],
  serverExternalPackages: [
    "@electric-sql/pglite",
    "pino",
    "ioredis",
    "undici",
    "prom-client",
    "postgres",
    "gpt-tokenizer",
  ],
  // The texts of the guides: `components/docs/guide-files.ts`.
  turbopack: { rules: { "*.md": { condition: { query: "?raw" }, type: "text" } } },
  // The default address of the server; the framework itself only knows `localhost`.
  allowedDevOrigins: ["127.0.0.1"],
  // `npm run check` checks the types of everything, tests included; a start does not wait for it.
  typescript: { ignoreBuildErrors: true },
  experimental: {
    // `forbidden()`: the admin pages answer 403 to everybody else.
    authInterrupts: true,
    // `app/global-not-found.tsx`: the page of unknown addresses is in nobody else's scripts.
    globalNotFound: true,
    // Routes of `/api` are never called in the pages process; a page is loaded at its first request.
    preloadEntriesOnStart: false,
  },
};

export default config;
