import type { Messages } from "./messages";
import { admin } from "./zh-cn/admin";
import { adminModels } from "./zh-cn/admin-models";
import { adminNodes } from "./zh-cn/admin-nodes";
import { adminUsers } from "./zh-cn/admin-users";
import { auth } from "./zh-cn/auth";
import { common } from "./zh-cn/common";
import { keys } from "./zh-cn/keys";
import { rehearsal } from "./zh-cn/rehearsal";
import { shell } from "./zh-cn/shell";

export const messages: Messages = {
  rehearsal,
  adminUsers,
  adminNodes,
  adminModels,
  admin,
  auth,
  common,
  keys,
  shell,
};
