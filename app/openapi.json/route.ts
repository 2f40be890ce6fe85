import { openApiDocument } from "@/lib/api/openapi/document";
import { runtime } from "@/lib/gateway/runtime";
import { version } from "@/package.json";

/** GET /openapi.json: our own API, for programs and for /docs/api. Source: docs/dashboard.md#s2-1. */
export function GET(): Response {
  const { publicUrl, compatibility } = runtime().settings;
  return Response.json(openApiDocument(publicUrl, version, compatibility), {
    headers: { "cache-control": "no-cache", "access-control-allow-origin": "*" },
  });
}

/** Asked at every call, never at build time. */
export const dynamic = "force-dynamic";
