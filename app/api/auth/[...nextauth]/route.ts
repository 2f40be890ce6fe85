import { answerNextAuth } from "@/lib/accounts/principal";
import { authContext } from "@/lib/api/api-call";
import { methods, type Operation } from "@/lib/api/handler";
import { GatewayError } from "@/lib/kernel/errors";

/** The operations that the browser's sign-in uses, without the library's HTML pages. */
const used: Record<string, readonly string[]> = {
  GET: ["session", "csrf", "providers"],
  POST: ["session", "callback/credentials", "signout", "_log"],
};

const browserSession: Operation = async (call) => {
  const parts = call.request.nextUrl.pathname.replace(/\/+$/, "").split("/").slice(3);
  if (!used[call.request.method]?.includes(parts.join("/"))) {
    throw new GatewayError("NOT_FOUND", "There is nothing at this path.");
  }
  return copy(await answerNextAuth(call.request, Promise.resolve({ nextauth: parts }), authContext()));
};

/** The headers of the library's responses may be immutable. */
function copy(response: Response): Response {
  return new Response(response.body, { status: response.status, headers: response.headers });
}

/** Public: turns a bearer token into a cookie session for the pages. Source: docs/adr/0009-next-auth-for-cookies-only.md#decision. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: browserSession,
  POST: browserSession,
});
