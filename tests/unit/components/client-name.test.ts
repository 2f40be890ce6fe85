import { expect, test } from "vitest";
import { clientName } from "@/components/settings/client-name";

const mozilla = "Mozilla/5.0";

/** Source: docs/dashboard.md#s2-8. */
test.each([
  [`${mozilla} (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0`, "Firefox", "Linux"],
  [
    `${mozilla} (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0`,
    "Edge",
    "Windows",
  ],
  [
    `${mozilla} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15`,
    "Safari",
    "macOS",
  ],
  [
    `${mozilla} (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile Safari/604.1`,
    "Chrome",
    "iPhone",
  ],
  [
    `${mozilla} (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0 Safari/537.36`,
    "Chrome",
    "Android",
  ],
  ["curl/8.7.1", "curl", null],
  ["python-requests/2.32.3", "Python", null],
  ["Python-urllib/3.12", "Python", null],
  ["node", "Node.js", null],
  ["Go-http-client/2.0", "Go", null],
  ["my-script/1.2 (Linux)", "my-script", null],
  ["x".repeat(200), "x".repeat(40), null],
  ["", null, null],
])("%s is told as %s on %s", (userAgent, program, system) => {
  expect(clientName(userAgent)).toEqual({ program, system });
});
