import { ApiError } from "./client";

/** The message of an error for a reader. */
export function errorMessage(error: unknown, text: { errors: { network: string; generic: string } }): string {
  if (error instanceof ApiError) {
    if (error.message !== "") return error.message;
    return error.code === "NETWORK" ? text.errors.network : text.errors.generic;
  }
  return text.errors.generic;
}
