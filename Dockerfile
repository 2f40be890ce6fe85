# Build with the development packages, run without them and on the image's own Node.js.
FROM node:24-slim AS build
WORKDIR /app
ENV NEXT_TELEMETRY_DISABLED=1
COPY package.json package-lock.json .npmrc ./
RUN npm ci --include=dev --no-audit --no-fund
COPY . .
RUN node scripts/build.mjs && npm prune --omit=dev --no-audit --no-fund \
  && rm -rf .next/cache node_modules/node-linux-* node_modules/.bin/node && mkdir data

FROM node:24-slim
WORKDIR /app
# Where the kernel has no IPv6, HOST=:: listens on 0.0.0.0.
ENV NODE_ENV=production HOST=:: PORT=3000 DATA_DIR=/app/data NEXT_TELEMETRY_DISABLED=1
COPY --from=build --chown=1000:1000 /app/data ./data
COPY --from=build /app/package.json /app/next.config.ts /app/LICENSE ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build --chown=1000:1000 /app/.next ./.next
COPY --from=build /app/dist ./dist
COPY --from=build /app/drizzle ./drizzle
COPY --from=build /app/public ./public
COPY --from=build /app/scripts ./scripts
# A number, so that Kubernetes can check that it is not root. Any other user works, too: docs/contract.md#image.
USER 1000:1000
VOLUME /app/data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s CMD ["node", "dist/health.js"]
CMD ["node", "--max-semi-space-size=64", "--no-allocation-site-pretenuring", "scripts/start.mjs"]
