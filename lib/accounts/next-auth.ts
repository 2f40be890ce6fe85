import { eq } from "drizzle-orm";
import type { NextApiRequest, NextApiResponse } from "next";
import type { AuthOptions, User } from "next-auth";
import type { JWT } from "next-auth/jwt";
import { logins } from "@/lib/db/schema/accounts";
import { type LoginSource, loginSource } from "./logins";
import {
  type AuthContext,
  findActive,
  isSecure,
  LOGIN_SECONDS,
  openSession,
  sealSession,
  sessionCookieName,
  type UserRow,
  type VerifiedLogin,
  verifyJwt,
} from "./session";

/**
 * Answers one request under `/api/auth`; `parts` is the path below it, `ip` the browser's address.
 * Throws: the database's error, because the library
 * would treat it as the end of the session and clear its cookie.
 * Source: docs/adr/0009-next-auth-for-cookies-only.md#decision.
 */
export async function answerNextAuth(
  request: Request,
  parts: readonly string[],
  context: AuthContext,
  ip: string,
): Promise<Response> {
  // The library reads its own URL only from this variable.
  process.env.NEXTAUTH_URL ??= context.publicUrl;
  const failures: unknown[] = [];
  const { handler, credentials } = await loadLibrary();
  const response = new CollectedResponse();
  const asked = {
    method: request.method,
    query: { ...Object.fromEntries(new URL(request.url).searchParams), nextauth: [...parts] },
    headers: Object.fromEntries(request.headers),
    cookies: cookiesOf(request),
    body: await bodyOf(request),
  };
  // These are the members that the library uses; its declarations name the framework's whole objects.
  await handler(
    asked as unknown as NextApiRequest,
    response as unknown as NextApiResponse,
    options(context, credentials, loginSource(request, ip), failures),
  );
  if (failures.length > 0) throw failures[0];
  return response.toResponse();
}

/** Loads the library at its first use: a gateway without browsers never needs it. */
async function loadLibrary() {
  const [library, provider] = await Promise.all([
    import("next-auth"),
    import("next-auth/providers/credentials"),
  ]);
  return { handler: callable(library.default), credentials: callable(provider.default) };
}

/** The export of a CommonJS module: Node gives the exports as the default, bundlers give them as its `default`. */
function callable<T extends (...args: never[]) => unknown>(exported: T | { default: T }): T {
  return typeof exported === "function" ? exported : exported.default;
}

/** Collects what the library writes to a response of the framework. */
class CollectedResponse {
  readonly #headers = new Map<string, string | string[]>();
  #status = 200;
  #body: string | null = null;

  status(code: number): this {
    this.#status = code;
    return this;
  }

  getHeader(name: string): string | string[] | undefined {
    return this.#headers.get(name.toLowerCase());
  }

  setHeader(name: string, value: string | string[]): this {
    this.#headers.set(name.toLowerCase(), value);
    return this;
  }

  json(value: unknown): void {
    this.setHeader("content-type", "application/json");
    this.#body = JSON.stringify(value);
  }

  send(value: unknown): void {
    if (typeof value === "object" && value !== null) this.json(value);
    else if (value !== undefined) this.#body = String(value);
  }

  end(): void {}

  toResponse(): Response {
    const headers = new Headers();
    for (const [name, value] of this.#headers) {
      for (const each of Array.isArray(value) ? value : [value]) headers.append(name, each);
    }
    return new Response(this.#body, { status: this.#status, headers });
  }
}

function cookiesOf(request: Request): Record<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of (request.headers.get("cookie") ?? "").split(";")) {
    const at = pair.indexOf("=");
    if (at > 0) cookies.set(pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim()));
  }
  return Object.fromEntries(cookies);
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** The fields of a form or a JSON object; the client of the library sends forms. */
async function bodyOf(request: Request): Promise<unknown> {
  const type = request.headers.get("content-type") ?? "";
  if (request.method !== "POST") return undefined;
  if (type.includes("application/json")) return request.json();
  if (!type.includes("application/x-www-form-urlencoded")) return undefined;
  return Object.fromEntries(new URLSearchParams(await request.text()));
}

type Credentials = typeof import("next-auth/providers/credentials")["default"];

/**
 * One provider, which turns a bearer token into a cookie session. Only the login operation checks passwords.
 * `failures` collects errors that the library would swallow.
 */
function options(
  context: AuthContext,
  credentials: Credentials,
  browser: LoginSource,
  failures: unknown[],
): AuthOptions {
  const secure = isSecure(context);
  const withFailures = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      failures.push(error);
      throw error;
    }
  };
  const accountOf = async (login: VerifiedLogin): Promise<UserRow | null> =>
    (await withFailures(findActive(context.db, login)))?.user ?? null;
  return {
    secret: context.secrets.session.current.key.toString("base64url"),
    useSecureCookies: secure,
    pages: { signIn: "/login", error: "/login" },
    session: { strategy: "jwt", maxAge: LOGIN_SECONDS },
    cookies: {
      sessionToken: {
        name: sessionCookieName(secure),
        options: { httpOnly: true, sameSite: "lax", path: "/", secure },
      },
    },
    providers: [
      credentials({
        credentials: { jwt: {} },
        authorize: async (given) => {
          const login = await verifyJwt(context.secrets.jwt, given?.jwt ?? "", context.now());
          const user = login && (await withFailures(enterBrowser(context, login, browser)));
          return user && { id: user.id, name: user.username, login };
        },
      }),
    ],
    jwt: {
      encode: async ({ token }) => sealSession(context.secrets.session, loginOf(token)),
      decode: async ({ token }) => {
        const login = token ? await openSession(context.secrets.session, token, context.now()) : null;
        const user = login && (await accountOf(login));
        return user && { sub: user.id, name: user.username, role: user.role, login };
      },
    },
    callbacks: {
      jwt: ({ token, user }) => (hasLogin(user) ? { ...token, login: user.login } : token),
      session: ({ token }) => ({
        user: { id: token.sub, name: token.name, role: token.role },
        expires: new Date(loginOf(token).issuedAt.getTime() + LOGIN_SECONDS * 1000).toISOString(),
      }),
    },
    events: {
      signOut: async ({ token }) => {
        const id = hasLogin(token) ? token.login.loginId : undefined;
        if (id !== undefined) await withFailures(removeLogin(context, id));
      },
    },
    // The library would log an expired session as an error.
    logger: { error: () => {}, warn: () => {}, debug: () => {} },
  };
}

/** The account of a bearer token that becomes a browser session; a named token cannot become one. */
async function enterBrowser(
  { db }: AuthContext,
  verified: VerifiedLogin,
  { client, ip }: LoginSource,
): Promise<UserRow | null> {
  const active = await findActive(db, verified);
  if (active === null || active.login?.kind === "token") return null;
  if (active.login !== null) {
    const values = { kind: "browser", client, ip } as const;
    await db.orm.update(logins).set(values).where(eq(logins.id, active.login.id));
  }
  return active.user;
}

async function removeLogin({ db }: AuthContext, id: string): Promise<void> {
  await db.orm.delete(logins).where(eq(logins.id, id));
}

function loginOf(token: JWT | undefined): VerifiedLogin {
  if (token !== undefined && hasLogin(token)) return token.login;
  throw new Error("a session token without its login");
}

function hasLogin<T extends JWT | User>(value: T | null | undefined): value is T & { login: VerifiedLogin } {
  return value != null && "login" in value;
}
