import type { auth } from "./en/auth";
import type { common } from "./en/common";
import type { shell } from "./en/shell";

/** Every text of the pages, by area. English is the source; the other language must have the same members. */
export interface Messages {
  common: typeof common;
  shell: typeof shell;
  auth: typeof auth;
}
