import { endAccountStorage } from "./account-storage";
import { ApiError } from "./client";
import { endWithoutRedirect } from "./redirect-to-login";

/** Turns the token of a login into this browser's session cookie. Throws ApiError when the browser refuses it. */
export async function openSession(token: string): Promise<void> {
  const { signIn } = await import("next-auth/react");
  const result = await signIn("credentials", { jwt: token, redirect: false });
  if (result?.ok !== true || result.error != null) {
    throw new ApiError({ status: 0, code: "UNAUTHORIZED", message: "" });
  }
}

/** Ends this browser's session and goes to the front page, which may tell why. */
export async function closeSession(to: "/" | "/?deleted=1" = "/"): Promise<void> {
  const { signOut } = await import("next-auth/react");
  await endWithoutRedirect(() => signOut({ redirect: false }));
  endAccountStorage();
  window.location.assign(to);
}
