import { ApiError } from "./client";

interface ErrorWords {
  errors: {
    network: string;
    generic: string;
    /** Of reasons that tell more than their code. */
    reasons?: Readonly<Record<string, string>>;
  };
}

/** The message of an error for a reader: in the words of its reason, where there are any. */
export function errorMessage(error: unknown, { errors }: ErrorWords): string {
  if (!(error instanceof ApiError)) return errors.generic;
  const known = error.reason === null ? undefined : errors.reasons?.[error.reason];
  if (known !== undefined) return known;
  if (error.message !== "") return error.message;
  return error.code === "NETWORK" ? errors.network : errors.generic;
}
