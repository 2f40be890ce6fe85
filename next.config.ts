import type { NextConfig } from "next";

const config: NextConfig = {
  compress: false,
  poweredByHeader: false,
  skipTrailingSlashRedirect: true,
  reactStrictMode: true,
  serverExternalPackages: ["@electric-sql/pglite", "pino", "ioredis", "undici", "prom-client", "postgres", "gpt-tokenizer"],
  experimental: { useTypeScriptCli: true },
};

export default config;
