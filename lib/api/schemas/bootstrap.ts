import { z } from "zod";
import { announcement } from "./announcements";
import { registration } from "./fields";
import { modelRecord } from "./models";

/** What pages show to visitors who are not signed in. Source: docs/contract.md#s5. */
export const bootstrap = z.object({
  publicUrl: z.string().describe("Base URL of all clients, without `/v1`"),
  allowRegistration: z.boolean().describe("False while registration is closed"),
  registration: registration.describe(
    "Who can register; `invited`: whoever has an invite code; `invitation`: whoever has that of an invitation",
  ),
  signupQuotaCents: z.number().describe("What a new account may spend; 0: nothing until an admin grants it"),
  inviteRewardCents: z.number().describe("What an account gets for each one that registers with its code"),
  demoProvider: z.boolean().describe("True while the simulated provider answers"),
  embeddedDatabase: z.boolean().describe("True when it is for evaluation and single-node use"),
  statusPage: z.boolean().describe("True while /status is public"),
  contact: z
    .string()
    .nullable()
    .describe("How users reach the admins: a text, an e-mail address or an https link; null: not told"),
  name: z.string().describe("What pages call this gateway"),
  maxBodyBytes: z.int().describe("The largest body that a call of the model API may have"),
  webSockets: z.boolean().describe("False while clients may not speak Responses over WebSocket"),
  maxTemperature: z.int().describe("The highest temperature that calls of chat completions may have"),
  announcements: z.array(announcement).describe("Those that everybody sees now"),
  models: z.array(modelRecord),
});
