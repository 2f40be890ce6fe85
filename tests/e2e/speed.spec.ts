import { expect, type Page, type Request } from "@playwright/test";
import { callModel, makeKey, test } from "./support/member";

/** In the chart library's code, and nowhere else. */
const CHARTS = "recharts-surface";
const KB = 1024;

/** Every script that a page loads until it shows what it is for, and what they weigh on the wire, heads included. */
async function scriptsOf(page: Page, path: string, shown = "body"): Promise<{ bytes: number; text: string }> {
  const scripts: Request[] = [];
  const note = (request: Request) => {
    if (request.resourceType() === "script") scripts.push(request);
  };
  page.on("requestfinished", note);
  await page.goto(path);
  await expect(page.locator(shown).first()).toBeVisible();
  await page.waitForLoadState("networkidle");
  page.off("requestfinished", note);
  expect(scripts.length).toBeGreaterThan(0);
  const sizes = await Promise.all(scripts.map((script) => script.sizes()));
  const bodies = await Promise.all(scripts.map(async (script) => (await script.response())?.body()));
  return {
    bytes: sizes.reduce((sum, size) => sum + size.responseHeadersSize + size.responseBodySize, 0),
    text: Buffer.concat(bodies.map((body) => body ?? Buffer.alloc(0))).toString("utf8"),
  };
}

/** Only ever tightened. Source: docs/dashboard.md#s2-15. */
const publicBudgets: [path: string, kilobytes: number][] = [
  ["/", 160],
  ["/login", 145],
  ["/models", 180],
];

for (const [path, kilobytes] of publicBudgets) {
  test(`the scripts of ${path} weigh at most ${kilobytes} KB on the wire`, async ({ page }) => {
    const { bytes, text } = await scriptsOf(page, path);
    expect(bytes).toBeLessThanOrEqual(kilobytes * KB);
    expect(text).not.toContain(CHARTS);
  });
}

test("the scripts of /status weigh at most 180 KB on the wire", async ({ page, gateway }) => {
  const admin = await gateway.adminToken();
  const switchTo = (statusPage: boolean) =>
    gateway.api("PATCH", "/api/admin/settings", admin, { statusPage });
  await switchTo(true);
  const { bytes, text } = await scriptsOf(page, "/status");
  await switchTo(false);
  expect(bytes).toBeLessThanOrEqual(180 * KB);
  expect(text).not.toContain(CHARTS);
});

test("the scripts of /console with its chart weigh at most 220 KB on the wire", async ({
  page,
  request,
  member,
}) => {
  const { secret } = await makeKey(request, member);
  await callModel(request, secret);
  const { bytes, text } = await scriptsOf(page, "/console", "figure ul");
  expect(text).not.toContain(CHARTS);
  expect(bytes).toBeLessThanOrEqual(220 * KB);
});

test("a page fetches another one when somebody points at its link, and not before", async ({
  page,
  member,
}) => {
  expect(member.username).not.toBe("");
  const fetched: string[] = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (searchParams.has("_rsc")) fetched.push(pathname);
  });
  // The browser reports a pointer that nobody moved, in the upper left corner, where the home link is.
  await page.addInitScript(() => {
    const dropResting = (event: PointerEvent) => {
      if (event.clientX === 0 && event.clientY === 0) event.stopImmediatePropagation();
    };
    window.addEventListener("pointerover", dropResting, true);
  });
  await page.goto("/console");
  await expect(page.locator("main h1")).toBeVisible();
  await page.waitForLoadState("networkidle");
  expect(fetched).toEqual([]);
  await page.getByRole("navigation").getByRole("link", { name: "Usage" }).hover();
  await expect.poll(() => fetched).toContain("/console/usage");
  expect(new Set(fetched)).toEqual(new Set(["/console/usage"]));
});

test("the charts are loaded where there are charts, and nowhere else", async ({ page, request, member }) => {
  const { secret } = await makeKey(request, member);
  await callModel(request, secret);
  const charts = async (path: string) => (await scriptsOf(page, path)).text.includes(CHARTS);
  expect(await charts("/console/usage?period=30d")).toBe(true);
  const others = ["/", "/models", "/console", "/console/usage", "/console/keys", "/console/logs"];
  for (const path of [...others, "/console/playground"])
    expect([path, await charts(path)]).toEqual([path, false]);
});
