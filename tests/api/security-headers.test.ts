import { describe, expect, test } from "vitest";
import { gatewayFor } from "@/tests/support/gateway-fixtures";

const gateway = gatewayFor({
  models: [{ alias: "quick", routes: [["chat", "sim-echo"]] }],
});
const pages = ["/", "/login", "/models", "/docs", "/nothing-here"];
const rest = ["/api/health/live", "/api/user/self", "/openapi.json", "/api/nothing-here"];

async function headersOf(path: string): Promise<Headers> {
  const response = await fetch(gateway.server.url + path, { redirect: "manual" });
  await response.arrayBuffer();
  return response.headers;
}

function nonceOf(headers: Headers): string {
  return /'nonce-([A-Za-z0-9+/=]{24})'/.exec(headers.get("content-security-policy") ?? "")?.[1] ?? "";
}

/** Source: docs/reliability.md#s3-11, #r-144. */
describe("the security headers", () => {
  test.each([...pages, ...rest])(
    "of %s forbid framing, sniffing, referrers and foreign scripts",
    async (path) => {
      const headers = await headersOf(path);
      const policy = headers.get("content-security-policy") ?? "";
      for (const part of [
        "default-src 'self'",
        "object-src 'none'",
        "base-uri 'self'",
        "frame-ancestors 'none'",
      ])
        expect(policy).toContain(part);
      const scripts = policy.split("; ").find((part) => part.startsWith("script-src "));
      expect(scripts).toContain("'strict-dynamic'");
      expect(scripts).not.toContain("'unsafe-");
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("x-powered-by")).toBeNull();
    },
  );

  test("carry a nonce that is new each time and is the one of every script of the page", async () => {
    const response = await fetch(`${gateway.server.url}/login`);
    const nonce = nonceOf(response.headers);
    expect(nonce).not.toBe("");
    expect(nonceOf(await headersOf("/login"))).not.toBe(nonce);
    const scripts = (await response.text()).match(/<script[^>]*>/g) ?? [];
    expect(scripts.length).toBeGreaterThan(1);
    for (const script of scripts) expect(script).toContain(`nonce="${nonce}"`);
  });

  test("of scripts, styles and fonts leave out what is about documents", async () => {
    const page = await (await fetch(`${gateway.server.url}/login`)).text();
    const files = page.match(/\/_next\/static\/[\w./-]+\.(js|css)/g) ?? [];
    expect(new Set(files.map((file) => file.split(".").at(-1)))).toEqual(new Set(["js", "css"]));
    for (const file of new Set(files)) {
      const headers = await headersOf(file);
      expect([file, headers.get("content-security-policy"), headers.get("x-frame-options")]).toEqual([
        file,
        null,
        null,
      ]);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
    }
  });

  test("take no nonce from the caller", async () => {
    const own = "script-src 'nonce-AAAAAAAAAAAAAAAAAAAAAA=='";
    const headers = { "content-security-policy": own, "content-security-policy-report-only": own };
    const response = await fetch(`${gateway.server.url}/login`, { headers });
    expect(nonceOf(response.headers)).not.toContain("AAAAAAAA");
    expect(await response.text()).not.toContain("AAAAAAAAAAAAAAAA");
  });

  test.each(["/v1/models", "/v1/nothing", "/%zz"])(
    "of %s keep answers out of caches and from being guessed at",
    async (path) => {
      const headers = await headersOf(path);
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
    },
  );

  test("of account routes keep answers out of caches", async () => {
    for (const path of ["/api/user/self", "/api/admin/users"])
      expect((await headersOf(path)).get("cache-control")).toContain("no-store");
  });
});
