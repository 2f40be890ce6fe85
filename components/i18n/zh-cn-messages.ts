import type { Messages } from "./messages";
import { auth } from "./zh-cn/auth";
import { common } from "./zh-cn/common";
import { keys } from "./zh-cn/keys";
import { shell } from "./zh-cn/shell";

export const messages: Messages = {
  auth,
  common,
  keys,
  shell,
};
