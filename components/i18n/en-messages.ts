import { admin } from "./en/admin";
import { adminModels } from "./en/admin-models";
import { adminNodes } from "./en/admin-nodes";
import { adminUsers } from "./en/admin-users";
import { auth } from "./en/auth";
import { common } from "./en/common";
import { keys } from "./en/keys";
import { limits } from "./en/limits";
import { logs } from "./en/logs";
import { overview } from "./en/overview";
import { rehearsal } from "./en/rehearsal";
import { shell } from "./en/shell";
import { usage } from "./en/usage";
import type { Messages } from "./messages";

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
