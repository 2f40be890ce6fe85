import { randomBytes } from "node:crypto";
import { afterAll, beforeAll } from "vitest";
import { createKeyResponse } from "@/lib/api/schemas/keys";
import { discardServer, type ServerOptions, startServer, type TestServer } from "./server";
import { cheapestDatabase } from "./server-databases";

/** The error body of `/api`. */
export interface ApiError {
  error: { code: string; message: string; requestId: string; fields?: Record<string, string[]> };
}

/** Any JSON object; tests assert on what they expect of it. */
export type Body = Record<string, unknown>;

/** A signed-up account. */
export interface SignedUp {
  id: string;
  username: string;
  password: string;
  token: string;
}

/**
 * A server for the account API, running from before the first test of a file to after the last one. Without a
 * configuration file it serves the demo provider, on either database.
 */
export function accountServer(options: ServerOptions = {}): () => TestServer {
  let running: TestServer | null = null;
  beforeAll(async () => {
    const database = await cheapestDatabase(options.clockSpeed);
    const env = { ...(options.config === undefined ? { DEMO_PROVIDER: "1" } : {}), ...options.env };
    running = await startServer({ database, ...options, env });
  });
  afterAll(async () => {
    if (running) await discardServer(running);
  });
  return () => {
    if (running === null) throw new Error("the server runs in tests only");
    return running;
  };
}

/** An unused username. */
export function freshName(): string {
  return `u${randomBytes(8).toString("hex")}`;
}

/** Registers an account. */
export async function signUp(server: TestServer, fields: Body = {}): Promise<SignedUp> {
  const username = freshName();
  const password = "secret-password";
  const { status, body } = await server.api<{ user: { id: string }; token: string }>(
    "POST",
    "/api/user/register",
    undefined,
    { username, password, ...fields },
  );
  if (status !== 201) throw new Error(`not registered: ${status} ${JSON.stringify(body)}`);
  return { id: body.user.id, username, password, token: body.token };
}

/** Creates a key with the account's token. */
export async function createKey(server: TestServer, token: string, fields: Body = {}) {
  const { status, body } = await server.api("POST", "/api/user/tokens", token, { name: "key", ...fields });
  if (status !== 201) throw new Error(`no key: ${status} ${JSON.stringify(body)}`);
  return createKeyResponse.parse(body);
}
