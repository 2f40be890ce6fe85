import { admin } from "./en/admin";
import { adminModels } from "./en/admin-models";
import { adminNodes } from "./en/admin-nodes";
import { adminUsers } from "./en/admin-users";
import { auth } from "./en/auth";
import { common } from "./en/common";
import { keys } from "./en/keys";
import { rehearsal } from "./en/rehearsal";
import { shell } from "./en/shell";
import type { Messages } from "./messages";

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
