import { expect, test } from "vitest";
import { type Outcome, type OutcomeRule, outcomeRules } from "@/lib/billing/outcome";

const rules: [Outcome, OutcomeRule][] = Object.entries(outcomeRules).map(([name, rule]) => [
  name as Outcome,
  rule,
]);

test("nothing is billed for what the upstream or we broke, or refused", () => {
  const free = rules.filter(([, rule]) => !rule.billed).map(([name]) => name);
  expect(free).toEqual([
    "clientAbortedBeforeAnswer",
    "upstreamAborted",
    "upstreamFailed",
    "upstreamRefused",
    "internalError",
    "gatewayAborted",
    "refused",
  ]);
});

test.each(rules)("%s: billed exactly when its billing source is not none", (_name, rule) => {
  expect(rule.billed).toBe(rule.billingSource !== "none");
});

test.each(rules)("%s: an error or an interruption is never billed, a success always is", (_name, rule) => {
  if (rule.status === "error" || rule.status === "interrupted") expect(rule.billed).toBe(false);
  if (rule.status === "success") expect(rule.billed).toBe(true);
});
