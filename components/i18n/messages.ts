import { admin } from "./en/admin";
import { adminModels } from "./en/admin-models";
import { adminNodes } from "./en/admin-nodes";
import { adminSettings } from "./en/admin-settings";
import { adminStatements } from "./en/admin-statements";
import { adminUsers } from "./en/admin-users";
import { audit } from "./en/audit";
import { auth } from "./en/auth";
import { billing } from "./en/billing";
import { budgets } from "./en/budgets";
import { common } from "./en/common";
import { connect } from "./en/connect";
import { guide } from "./en/guide";
import { keys } from "./en/keys";
import { limits } from "./en/limits";
import { logs } from "./en/logs";
import { margin } from "./en/margin";
import { models } from "./en/models";
import { overview } from "./en/overview";
import { playground } from "./en/playground";
import { prices } from "./en/prices";
import { projects } from "./en/projects";
import { providerBill } from "./en/provider-bill";
import { reference } from "./en/reference";
import { rehearsal } from "./en/rehearsal";
import { settings } from "./en/settings";
import { shell } from "./en/shell";
import { site } from "./en/site";
import { statement } from "./en/statement";
import { usage } from "./en/usage";

/** Every text of the pages in English, by area. The other language must have the same members. */
export const messages = {
  admin,
  adminModels,
  adminNodes,
  adminSettings,
  adminStatements,
  adminUsers,
  audit,
  auth,
  billing,
  budgets,
  common,
  connect,
  guide,
  keys,
  limits,
  logs,
  margin,
  models,
  overview,
  playground,
  prices,
  projects,
  providerBill,
  reference,
  rehearsal,
  settings,
  shell,
  site,
  statement,
  usage,
};

/** Every text of the pages, by area. */
export type Messages = typeof messages;

/** The areas that the Admin space and the Console share, in the words of the Admin space. */
export type AdminWords = Pick<Messages, "logs" | "usage">;
