import { describe, expect, test } from "vitest";
import { parseSettings } from "@/lib/config/env";
import { isPublic } from "@/lib/config/hosts";

const settings = (env: Record<string, string>) => parseSettings(env, { cwd: "/srv", exists: () => false });

describe("an address is public", () => {
  test.each(["0.0.0.0", "::", "[::]", "192.168.1.5", "gateway.example.org", "127.example.org"])(
    "when the gateway listens at %s, whatever people are told",
    (host) => {
      expect(isPublic(settings({ HOST: host }))).toBe(true);
      expect(isPublic(settings({ HOST: host, PUBLIC_URL: "http://localhost:3000" }))).toBe(true);
    },
  );

  test.each(["https://gateway.example.org", "http://10.0.0.1:3000", "https://localhost.example.org"])(
    "when people are told %s, as behind a reverse proxy",
    (url) => expect(isPublic(settings({ PUBLIC_URL: url }))).toBe(true),
  );

  test.each([
    "127.0.0.1",
    "127.0.0.53",
    "127.1",
    "localhost",
    "LOCALHOST",
    "a.localhost",
    "::1",
    "[::1]",
    "::ffff:127.0.0.1",
  ])("and not when it is %s", (host) => expect(isPublic(settings({ HOST: host }))).toBe(false));
});
