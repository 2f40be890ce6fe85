import type { auth } from "./en/auth";
import type { common } from "./en/common";
import type { keys } from "./en/keys";
import type { shell } from "./en/shell";

/** Every text of the pages, by area. English is the source; the other language must have the same members. */
export interface Messages {
  auth: typeof auth;
  common: typeof common;
  keys: typeof keys;
  shell: typeof shell;
}
