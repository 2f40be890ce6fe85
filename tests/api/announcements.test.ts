import { expect, test } from "vitest";
import { announcement, announcementsResponse } from "@/lib/api/schemas/announcements";
import { bootstrap } from "@/lib/api/schemas/bootstrap";
import { publicUptime, uptime } from "@/lib/api/schemas/uptime";
import { type ApiError, accountServer, type Body, signUp } from "../support/account-server";

const server = accountServer();
const admin = async <T = Body>(method: string, path: string, body?: unknown) =>
  server().api<T>(method, `/api/admin/${path}`, await server().adminToken(), body);
const announce = async (fields: Body = {}) => {
  const { status, body } = await admin("POST", "announcements", { title: "Maintenance", ...fields });
  expect([status, body]).toEqual([201, expect.anything()]);
  return announcement.parse(body);
};
const seenBy = async (token: string) =>
  announcementsResponse.parse((await server().api("GET", "/api/user/announcements", token)).body).data;
const seenByAll = async () =>
  bootstrap.parse((await server().api("GET", "/api/bootstrap")).body).announcements.map(({ id }) => id);

test("users see an announcement at once, visitors only a public one, and nobody after it is deleted", async () => {
  const { token } = await signUp(server());
  const own = await announce({ text: "See https://example.com/plan", tone: "warning" });
  const open = await announce({ title: "Welcome", public: true });
  expect(await seenBy(token)).toMatchObject([
    { id: open.id, current: true },
    {
      id: own.id,
      title: "Maintenance",
      text: "See https://example.com/plan",
      tone: "warning",
      current: true,
    },
  ]);
  expect(await seenByAll()).toEqual([open.id]);
  for (const { id } of [own, open]) expect((await admin("DELETE", `announcements/${id}`)).status).toBe(204);
  expect(await seenBy(token)).toEqual([]);
  expect(await seenByAll()).toEqual([]);
});

test("an announcement has a Chinese text beside the first one, which a change can take away", async () => {
  const { token } = await signUp(server());
  const plain = await announce();
  expect(plain).toMatchObject({ titleZh: "", textZh: "" });
  const both = await announce({ titleZh: "维护", textZh: "周日 02:00", public: true });
  expect(both).toMatchObject({ title: "Maintenance", text: "", titleZh: "维护", textZh: "周日 02:00" });
  expect((await seenBy(token)).find(({ id }) => id === both.id)).toMatchObject({ titleZh: "维护" });
  const { body } = await server().api("GET", "/api/bootstrap");
  expect(bootstrap.parse(body).announcements).toMatchObject([{ id: both.id, textZh: "周日 02:00" }]);
  const changed = await admin("PATCH", `announcements/${both.id}`, { textZh: "" });
  expect(changed.body).toMatchObject({ titleZh: "维护", textZh: "" });
  const audit = await admin("GET", `audit?targetId=${both.id}&action=announcement.update`);
  expect(audit.body).toMatchObject({ data: [{ before: { textZh: "周日 02:00" }, after: { textZh: "" } }] });
  for (const { id } of [plain, both]) await admin("DELETE", `announcements/${id}`);
});

test("of those that have not begun users find the public ones, in their list only, where one that has ended stays", async () => {
  const { token } = await signUp(server());
  const coming = await announce({ from: "2999-01-01", public: true });
  const unseen = await announce({ from: "2999-01-01" });
  const over = await announce({ from: "2020-01-01", until: new Date().toISOString(), public: true });
  const long = await announce({ from: "2020-01-01", until: "2020-01-31" });
  expect(await seenBy(token)).toMatchObject([
    { id: coming.id, current: false },
    { id: over.id, current: false },
  ]);
  expect(await seenByAll()).toEqual([]);
  const changed = await admin("PATCH", `announcements/${over.id}`, { until: null });
  expect(announcement.parse(changed.body)).toMatchObject({ until: null, title: "Maintenance" });
  expect(Date.parse(announcement.parse(changed.body).updatedAt)).toBeGreaterThan(Date.parse(over.updatedAt));
  expect(await seenByAll()).toEqual([over.id]);
  for (const { id } of [coming, unseen, over, long]) await admin("DELETE", `announcements/${id}`);
});

test("each change is in the audit log, with what was and what is", async () => {
  const { id } = await announce();
  await admin("PATCH", `announcements/${id}`, { title: "Done" });
  await admin("DELETE", `announcements/${id}`);
  const { body } = await admin("GET", `audit?targetId=${id}&targetType=announcement`);
  expect(body).toMatchObject({
    data: [
      { action: "announcement.delete", before: { title: "Done" }, after: null },
      { action: "announcement.update", before: { title: "Maintenance" }, after: { title: "Done" } },
      { action: "announcement.create", before: null, after: { title: "Maintenance" } },
    ],
  });
});

test.each([
  ["no title", { title: "" }, "title"],
  ["a long title", { title: "t".repeat(101) }, "title"],
  ["a long text", { text: "t".repeat(501) }, "text"],
  ["a long Chinese title", { titleZh: "维".repeat(101) }, "titleZh"],
  ["a long Chinese text", { textZh: "维".repeat(501) }, "textZh"],
  ["an unknown tone", { tone: "danger" }, "tone"],
  ["an end before its beginning", { from: "2026-11-22", until: "2026-11-21" }, "until"],
  ["an unknown field", { html: "<b>" }, "html"],
])("an announcement with %s is refused", async (_what, fields, field) => {
  const { status, body } = await admin<ApiError>("POST", "announcements", {
    title: "Maintenance",
    ...fields,
  });
  expect(status).toBe(400);
  expect(body.error.fields).toHaveProperty(field);
});

test("a change that would end it before its beginning is refused", async () => {
  const { id } = await announce({ from: "2026-11-22", until: "2026-11-23" });
  const { status, body } = await admin<ApiError>("PATCH", `announcements/${id}`, { from: "2026-11-25" });
  expect([status, Object.keys(body.error.fields ?? {})]).toEqual([400, ["until"]]);
  await admin("DELETE", `announcements/${id}`);
});

test("only admins announce, change settings and list all announcements", async () => {
  const { token } = await signUp(server());
  const { id } = await announce();
  const as = async (method: string, path: string, body?: unknown) =>
    (await server().api(method, `/api/admin/${path}`, token, body)).status;
  expect(await as("GET", "announcements")).toBe(403);
  expect(await as("POST", "announcements", { title: "Mine" })).toBe(403);
  expect(await as("PATCH", `announcements/${id}`, { title: "Mine" })).toBe(403);
  expect(await as("DELETE", `announcements/${id}`)).toBe(403);
  expect(await as("PATCH", "settings", { statusPage: true })).toBe(403);
  expect((await server().api("GET", "/api/user/announcements")).status).toBe(401);
  await admin("DELETE", `announcements/${id}`);
});

test("at most a hundred are kept", async () => {
  const made = [];
  for (let count = 0; count < 100; count += 1) made.push(await announce({ from: "2999-01-01" }));
  expect((await admin("POST", "announcements", { title: "One more" })).status).toBe(409);
  for (const { id } of made) await admin("DELETE", `announcements/${id}`);
});

test("the status page is off until an admin switches it on, and then has shares and speeds by alias only", async () => {
  const status = () => server().api<Body>("GET", "/api/status");
  const linked = async () => bootstrap.parse((await server().api("GET", "/api/bootstrap")).body).statusPage;
  expect([(await status()).status, await linked()]).toEqual([404, false]);
  const user = await server().user();
  await server().gateway("/v1/chat/completions", user.key, {
    model: "demo-chat",
    max_tokens: 20,
    messages: [{ role: "user", content: "Hello" }],
  });
  const switched = await admin("PATCH", "settings", { statusPage: true });
  expect(switched.body).toMatchObject({ statusPage: true, inviteRewardCents: 0 });
  const warning = await announce({ public: true, tone: "warning" });
  const hidden = [
    await announce({ tone: "warning" }),
    await announce({ from: "2999-01-01" }),
    await announce({ public: true, tone: "warning", from: "2020-01-01", until: "2020-01-31" }),
  ];
  const notice = await announce({ public: true, tone: "info" });
  const later = await announce({ public: true, tone: "warning", from: "2999-01-02" });
  const next = await announce({ public: true, from: "2999-01-01", until: "2999-01-01T06:00:00Z" });
  const over = await announce({
    public: true,
    tone: "warning",
    from: new Date(Date.now() - 7_200_000),
    until: new Date(Date.now() - 3_600_000),
  });
  const { body } = await status();
  expect([publicUptime.strict().parse(body).models.length > 0, await linked()]).toEqual([true, true]);
  const demo = uptime.parse(body).models.find(({ id }) => id === "demo-chat");
  expect(demo).toMatchObject({ state: "operational", stateOver: "day", lastDay: 1, share: 1 });
  expect(uptime.parse(body)).toMatchObject({ period: "24h", periods: ["24h"], incidents: [] });
  const ofAnswers = ["buckets", "id", "lastDay", "share", "state", "stateOver"];
  expect(Object.keys(demo ?? {}).sort()).toEqual([...ofAnswers, "firstTokenMs", "tokensPerSecond"].sort());
  expect(JSON.stringify(body)).not.toContain("node");
  for (const query of ["", "?period=30d"]) {
    const own = await server().api<Body>("GET", `/api/user/models/uptime${query}`, user.token);
    const { announcements: told, ...rest } = (await server().api<Body>("GET", `/api/status${query}`)).body;
    const { notices, planned, ...shown } = rest;
    expect([own.body, told]).toEqual([shown, [warning, over]]);
    expect([notices, planned]).toEqual([
      [notice, warning],
      [next, later],
    ]);
  }
  const month = uptime.parse((await server().api("GET", "/api/status?period=30d")).body);
  expect([month.period, month.starts.length, month.models[0]?.buckets.length]).toEqual(["30d", 7, 7]);
  expect((await server().api("GET", "/api/status?period=1y")).status).toBe(400);
  const audit = await admin("GET", "audit?action=setting.update");
  expect(audit.body).toMatchObject({
    data: [{ targetId: "status_page", before: { statusPage: false }, after: { statusPage: true } }],
  });
  const made = [warning, ...hidden, notice, later, next, over];
  for (const { id } of made) await admin("DELETE", `announcements/${id}`);
  await admin("PATCH", "settings", { statusPage: false });
  expect((await status()).status).toBe(404);
});

test("the status is read once a minute, however many ask", async () => {
  await admin("PATCH", "settings", { statusPage: true });
  const ask = async () => uptime.parse((await server().api("GET", "/api/status")).body).at;
  const asked = await Promise.all(Array.from({ length: 20 }, ask));
  expect(new Set(asked).size).toBe(1);
  await admin("PATCH", "settings", { statusPage: false });
});
