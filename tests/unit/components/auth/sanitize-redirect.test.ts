import { expect, test } from "vitest";
import { isUsername, passwordStrength } from "@/components/auth/rules";
import { sanitizeRedirect } from "@/components/auth/sanitize-redirect";

test("a path of this site is kept, query and all", () => {
  expect(sanitizeRedirect("/console/logs?status=error&min=5")).toBe("/console/logs?status=error&min=5");
});

test("nothing leads to another site, back to the login, or to the API", () => {
  const bad = [
    null,
    undefined,
    "",
    "console",
    "https://x.example",
    "//x.example",
    "/\\x.example",
    "/.//x.example/y",
    "/a/..//x.example",
    "/%2e//x.example",
    "/\t/x.example",
    "\\\\x.example",
    "/login?next=/x",
    "/register",
    "/api/auth/signout",
    "/a\nb",
  ];
  for (const next of bad) expect(sanitizeRedirect(next), String(next)).toBe("/console");
});

test("usernames are 3 to 32 letters and digits", () => {
  expect(["abc", "A1b2", "a".repeat(32)].every(isUsername)).toBe(true);
  expect(["ab", "a b", "a-b", "ä23", "a".repeat(33)].some(isUsername)).toBe(false);
});

test("strength grows with length before variety", () => {
  expect(passwordStrength("aB3$")).toBe(0);
  expect(passwordStrength("correct horse battery staple")).toBeGreaterThan(passwordStrength("aB3$aB3$"));
});
