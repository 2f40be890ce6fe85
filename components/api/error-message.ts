import { ApiError } from "./client";

/** The message of an error for a reader. */
export function errorMessage(error: unknown, text: { errors: { network: string; generic: string } }): string {
  if (error instanceof ApiError) {
    if (error.code === "NETWORK") return text.errors.network;
    return error.message === "" ? text.errors.generic : error.message;
  }
  return text.errors.generic;
}
