import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { test as base } from "./gateway";
import { freshName } from "./people";

/** An ordinary account with what a test needs to act for it. */
export interface Member {
  username: string;
  password: string;
  token: string;
}

/** A key made through the API. */
export interface MadeKey {
  id: string;
  secret: string;
}

/** Makes an account through the API. */
export async function register(
  request: APIRequestContext,
  input: Record<string, unknown> = {},
): Promise<Member> {
  const person = { username: freshName("member"), password: "quiet-river-42" };
  const answer = await request.post("/api/user/register", { data: { ...person, ...input } });
  expect(answer.status()).toBe(201);
  return { ...person, token: (await answer.json()).token };
}

/** Makes a key through the API. */
export async function makeKey(
  request: APIRequestContext,
  member: Member,
  input: Record<string, unknown> = {},
): Promise<MadeKey> {
  const answer = await request.post("/api/user/tokens", {
    data: { name: "Made for a test", planId: 3, ...input },
    headers: { authorization: `Bearer ${member.token}` },
  });
  expect(answer.status()).toBe(201);
  const { apiKey, key } = await answer.json();
  return { id: apiKey.id, secret: key };
}

/** One short call with a key; the answer's request id. */
export async function callModel(
  request: APIRequestContext,
  secret: string,
  body: Record<string, unknown> = {},
): Promise<{ status: number; requestId: string }> {
  const answer = await request.post("/v1/chat/completions", {
    data: { model: "demo-chat", max_tokens: 40, messages: [{ role: "user", content: "Hello" }], ...body },
    headers: { authorization: `Bearer ${secret}` },
  });
  await answer.body();
  return { status: answer.status(), requestId: answer.headers()["x-request-id"] ?? "" };
}

/** Gives the browser the session of a login, without the form. */
export async function openSession(page: Page, token: string): Promise<void> {
  const { csrfToken } = await (await page.request.get("/api/auth/csrf")).json();
  const answer = await page.request.post("/api/auth/callback/credentials", {
    form: { csrfToken, jwt: token, json: "true" },
  });
  expect(answer.status()).toBe(200);
}

/** Reads a path of the account API as a member. */
export async function ask<T>(request: APIRequestContext, member: Member, path: string): Promise<T> {
  const answer = await request.get(path, { headers: { authorization: `Bearer ${member.token}` } });
  expect(answer.status()).toBe(200);
  return answer.json();
}

/** The time zone of the browser, and so of the account's days and months. */
const TIME_ZONE = "Asia/Shanghai";

/** The account's month of now. Shape: `2026-11`. */
export function monthOfMember(): string {
  return new Intl.DateTimeFormat("sv", { timeZone: TIME_ZONE, year: "numeric", month: "2-digit" }).format();
}

/** Gives each test a new account with an open session, and the errors of the browser console. */
export const test = base.extend<{ member: Member; consoleErrors: string[] }>({
  locale: "en-US",
  timezoneId: TIME_ZONE,
  consoleErrors: async ({ page }, use) => {
    const errors: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error") errors.push(message.text());
    });
    page.on("pageerror", (error) => errors.push(String(error)));
    await use(errors);
  },
  member: async ({ page, request }, use) => {
    const member = await register(request);
    await openSession(page, member.token);
    await use(member);
  },
});
