import type { admin } from "./en/admin";
import type { adminModels } from "./en/admin-models";
import type { adminNodes } from "./en/admin-nodes";
import type { adminUsers } from "./en/admin-users";
import type { auth } from "./en/auth";
import type { common } from "./en/common";
import type { keys } from "./en/keys";
import type { rehearsal } from "./en/rehearsal";
import type { shell } from "./en/shell";

/** Every text of the pages, by area. English is the source; the other language must have the same members. */
export interface Messages {
  rehearsal: typeof rehearsal;
  adminUsers: typeof adminUsers;
  adminNodes: typeof adminNodes;
  adminModels: typeof adminModels;
  admin: typeof admin;
  auth: typeof auth;
  common: typeof common;
  keys: typeof keys;
  shell: typeof shell;
}
