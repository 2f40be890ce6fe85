import type { Messages } from "./messages";
import { admin } from "./zh-cn/admin";
import { adminModels } from "./zh-cn/admin-models";
import { adminNodes } from "./zh-cn/admin-nodes";
import { adminSettings } from "./zh-cn/admin-settings";
import { adminStatements } from "./zh-cn/admin-statements";
import { adminUsers } from "./zh-cn/admin-users";
import { audit } from "./zh-cn/audit";
import { auth } from "./zh-cn/auth";
import { billing } from "./zh-cn/billing";
import { budgets } from "./zh-cn/budgets";
import { common } from "./zh-cn/common";
import { connect } from "./zh-cn/connect";
import { guide } from "./zh-cn/guide";
import { keys } from "./zh-cn/keys";
import { limits } from "./zh-cn/limits";
import { logs } from "./zh-cn/logs";
import { margin } from "./zh-cn/margin";
import { models } from "./zh-cn/models";
import { overview } from "./zh-cn/overview";
import { playground } from "./zh-cn/playground";
import { prices } from "./zh-cn/prices";
import { projects } from "./zh-cn/projects";
import { providerBill } from "./zh-cn/provider-bill";
import { reference } from "./zh-cn/reference";
import { rehearsal } from "./zh-cn/rehearsal";
import { settings } from "./zh-cn/settings";
import { shell } from "./zh-cn/shell";
import { site } from "./zh-cn/site";
import { statement } from "./zh-cn/statement";
import { usage } from "./zh-cn/usage";

export const messages: Messages = {
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
