import type { Messages } from "./messages";
import { admin } from "./zh-cn/admin";
import { adminModels } from "./zh-cn/admin-models";
import { adminNodes } from "./zh-cn/admin-nodes";
import { adminUsers } from "./zh-cn/admin-users";
import { auth } from "./zh-cn/auth";
import { common } from "./zh-cn/common";
import { keys } from "./zh-cn/keys";
import { limits } from "./zh-cn/limits";
import { logs } from "./zh-cn/logs";
import { overview } from "./zh-cn/overview";
import { rehearsal } from "./zh-cn/rehearsal";
import { shell } from "./zh-cn/shell";
import { usage } from "./zh-cn/usage";

export const messages: Messages = {
  admin,
  adminModels,
  adminNodes,
  adminUsers,
  auth,
  common,
  keys,
  limits,
  logs,
  overview,
  rehearsal,
  shell,
  usage,
};
