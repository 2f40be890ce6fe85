import { openApiDocument } from "@/lib/api/openapi/document";
import { runtime } from "@/lib/gateway/runtime";
import { version } from "@/package.json";

/** GET /openapi.json: the API document, for programs and for /docs/api. Source: docs/dashboard.md#s2-1. */
export function GET(): Response {
  const { publicUrl, compatibility } = runtime().settings;
  return Response.json(openApiDocument(publicUrl, version, compatibility), {
    headers: { "cache-control": "no-cache", "access-control-allow-origin": "*" },
  });
}

/** Evaluated at every request, never at build time. */
export const dynamic = "force-dynamic";
