import { auth } from "./en/auth";
import { common } from "./en/common";
import { keys } from "./en/keys";
import { shell } from "./en/shell";
import type { Messages } from "./messages";

export const messages: Messages = {
  auth,
  common,
  keys,
  shell,
};
