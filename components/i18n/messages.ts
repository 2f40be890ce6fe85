import type { admin } from "./en/admin";
import type { adminModels } from "./en/admin-models";
import type { adminNodes } from "./en/admin-nodes";
import type { adminSettings } from "./en/admin-settings";
import type { adminUsers } from "./en/admin-users";
import type { auth } from "./en/auth";
import type { billing } from "./en/billing";
import type { common } from "./en/common";
import type { connect } from "./en/connect";
import type { guide } from "./en/guide";
import type { keys } from "./en/keys";
import type { limits } from "./en/limits";
import type { logs } from "./en/logs";
import type { margin } from "./en/margin";
import type { models } from "./en/models";
import type { overview } from "./en/overview";
import type { playground } from "./en/playground";
import type { reference } from "./en/reference";
import type { rehearsal } from "./en/rehearsal";
import type { settings } from "./en/settings";
import type { shell } from "./en/shell";
import type { site } from "./en/site";
import type { statement } from "./en/statement";
import type { usage } from "./en/usage";

/** Every text of the pages, by area. English is the source; the other language must have the same members. */
export interface Messages {
  admin: typeof admin;
  adminModels: typeof adminModels;
  adminNodes: typeof adminNodes;
  adminSettings: typeof adminSettings;
  adminUsers: typeof adminUsers;
  auth: typeof auth;
  billing: typeof billing;
  common: typeof common;
  connect: typeof connect;
  guide: typeof guide;
  keys: typeof keys;
  limits: typeof limits;
  logs: typeof logs;
  margin: typeof margin;
  models: typeof models;
  overview: typeof overview;
  playground: typeof playground;
  reference: typeof reference;
  rehearsal: typeof rehearsal;
  settings: typeof settings;
  shell: typeof shell;
  site: typeof site;
  statement: typeof statement;
  usage: typeof usage;
}

/** The areas that the Admin space and the Console share, in the words of the Admin space. */
export type AdminWords = Pick<Messages, "logs" | "usage">;
