import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import postgres from "postgres";
import { expect, test } from "vitest";
import { accountServer } from "../support/account-server";

const server = accountServer({ database: "postgres", env: { LOG_LEVEL: "trace" } });
const PASSWORD = "secret-password";

/** Calls that use a key well and badly, so that every way of answering and logging is taken. */
async function useEverywhere(key: string, token: string): Promise<void> {
  const { url } = server();
  const body = (model: string) =>
    JSON.stringify({ model, max_tokens: 20, messages: [{ role: "user", content: "Hello" }] });
  const json = { "content-type": "application/json" };
  const bearer = { ...json, authorization: `Bearer ${key}` };
  const calls: [string, RequestInit][] = [
    ["/v1/chat/completions", { method: "POST", headers: bearer, body: body("demo-chat") }],
    ["/v1/chat/completions", { method: "POST", headers: bearer, body: body("no-such-model") }],
    ["/v1/chat/completions", { method: "POST", headers: bearer, body: "{" }],
    ["/v1/chat/completions", { method: "POST", headers: bearer, body: body(key) }],
    ["/v1/messages", { method: "POST", headers: { ...json, "x-api-key": key }, body: body("demo-failover") }],
    [
      "/v1/messages",
      { method: "POST", headers: { ...json, "x-api-key": `${key}x` }, body: body("demo-chat") },
    ],
    ["/v1/models", { headers: bearer }],
    [`/v1/models?key=${key}`, {}],
    ...googleCalls(key),
    [`/v1/${key}`, { headers: bearer }],
    [`/api/user/tokens/${key}`, { headers: { authorization: `Bearer ${token}` } }],
    ["/api/user/self", { headers: bearer }],
  ];
  for (const [pathname, init] of calls) {
    const answer = await fetch(url + pathname, init);
    const told = `${await answer.text()}${JSON.stringify([...answer.headers])}`;
    // A caller who names a key as a path or a model is told so, in the words of the path.
    if (!pathname.startsWith(`/v1/${key}`) && !pathname.startsWith("/v1/chat"))
      expect(told).not.toContain(key);
  }
}

/** Calls of Google's API with a key in the query, good and bad ones. */
function googleCalls(key: string): [string, RequestInit][] {
  const headers = { "content-type": "application/json" };
  const ask = {
    method: "POST",
    headers,
    body: JSON.stringify({ contents: [{ parts: [{ text: "Hello" }] }] }),
  };
  const model = "/v1beta/models/demo-chat";
  return [
    [`${model}:generateContent?key=${key}`, ask],
    [`${model}:streamGenerateContent?alt=sse&key=${key}`, ask],
    [`${model}:streamGenerateContent?key=${key}&key=${key}`, ask],
    [`${model}:countTokens?key=${key}`, ask],
    [`${model}:generateContent?key=${key}`, { ...ask, body: "{" }],
    [`${model}:generateContent?key=${key}x`, ask],
    [`${model}:noMethod?key=${key}`, ask],
    [`/v1beta/models/no-such-model:generateContent?key=${key}`, ask],
    [`/v1beta/models?key=${key}&pageToken=bad`, {}],
    [`/v1beta/files?key=${key}`, {}],
    [`/upload/v1beta/files?key=${key}`, ask],
    [`/v1beta/%ZZ?key=${key}`, {}],
    [`${model}:generateContent`, { ...ask, headers: { ...headers, "x-goog-api-key": key } }],
  ];
}

/** Every row of every table as text. */
async function everyRow(databaseUrl: string): Promise<string> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  try {
    const tables = await sql<{ name: string }[]>`
      SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
      WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`;
    const texts: string[] = [];
    for (const { name } of tables) {
      const rows = await sql.unsafe<{ row: string }[]>(`SELECT t::text AS row FROM ${name} t`);
      texts.push(...rows.map(({ row }) => row));
    }
    return texts.join("\n");
  } finally {
    await sql.end();
  }
}

/** Every file below a directory as text. */
function everyFile(directory: string): string {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .map((name) => path.join(directory, name))
    .filter((file) => statSync(file).isFile())
    .map((file) => readFileSync(file, "latin1"))
    .join("\n");
}

test("a key and a password are in no line of the log at its finest, no row of the database and no file", async () => {
  const { username, token, key } = await server().user();
  await server().api("POST", "/api/user/login", undefined, { username, password: PASSWORD });
  await server().api("POST", "/api/user/login", undefined, { username, password: `${PASSWORD}-wrong` });
  await useEverywhere(key, token);
  const { env } = server();
  const rowsNow = () => everyRow(env.DATABASE_URL ?? "");
  await expect.poll(async () => (await rowsNow()).includes("There is no model `no-such-model`")).toBe(true);
  const log = server().output;
  const rows = await rowsNow();
  const files = everyFile(env.DATA_DIR ?? "");
  expect(log).toContain("/v1/chat/completions");
  expect(rows).toContain(username);
  expect(files.length).toBeGreaterThan(0);
  const places = { log, rows, files };
  for (const [place, text] of Object.entries(places)) {
    for (const [what, secret] of Object.entries({ key, password: PASSWORD, token }))
      expect([place, what, text.includes(secret)]).toEqual([place, what, false]);
  }
});
