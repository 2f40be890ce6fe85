import { describe, expect, test } from "vitest";
import { securityHeaders } from "@/lib/ops/headers";

function headersFor(publicUrl: string, development = false): Record<string, string> {
  return Object.fromEntries(securityHeaders({ publicUrl, development }));
}

describe("security headers", () => {
  test("ask for HTTPS for good only where it is used", () => {
    expect(headersFor("https://gateway.example")["strict-transport-security"]).toBe(
      "max-age=31536000; includeSubDomains",
    );
    expect(headersFor("http://127.0.0.1:3000")["strict-transport-security"]).toBeUndefined();
  });

  test("allow what reloading pages need in development only", () => {
    const allows = (development: boolean) =>
      /'unsafe-eval'|style-src [^;]*'unsafe-inline'|ws:/.test(
        headersFor("http://x", development)["content-security-policy"] ?? "",
      );
    expect([allows(true), allows(false)]).toEqual([true, false]);
  });
});
