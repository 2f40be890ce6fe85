import type { admin } from "./en/admin";
import type { adminModels } from "./en/admin-models";
import type { adminNodes } from "./en/admin-nodes";
import type { adminUsers } from "./en/admin-users";
import type { auth } from "./en/auth";
import type { common } from "./en/common";
import type { keys } from "./en/keys";
import type { limits } from "./en/limits";
import type { logs } from "./en/logs";
import type { overview } from "./en/overview";
import type { rehearsal } from "./en/rehearsal";
import type { shell } from "./en/shell";
import type { usage } from "./en/usage";

/** Every text of the pages, by area. English is the source; the other language must have the same members. */
export interface Messages {
  admin: typeof admin;
  adminModels: typeof adminModels;
  adminNodes: typeof adminNodes;
  adminUsers: typeof adminUsers;
  auth: typeof auth;
  common: typeof common;
  keys: typeof keys;
  limits: typeof limits;
  logs: typeof logs;
  overview: typeof overview;
  rehearsal: typeof rehearsal;
  shell: typeof shell;
  usage: typeof usage;
}
