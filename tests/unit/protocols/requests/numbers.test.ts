import fc from "fast-check";
import { expect, test } from "vitest";
import { isGatewayError } from "@/lib/kernel/errors";
import { protocols } from "@/lib/protocols/registry";
import { validateRequest } from "@/lib/protocols/validation/validate";

const fields = {
  chat: ["max_tokens", "max_completion_tokens", "temperature", "top_p", "top_k", "n", "seed", "top_logprobs"],
  messages: ["max_tokens", "temperature", "top_p", "top_k"],
};
/** As they stand in a body; the last ones are more than a number can hold. */
const odd = ["-0", "9007199254740993", "9223372036854775808", "1e-400", "1e308", "1e309", "-1e309", "1E+2"];
const others = ["null", "true", '"1"', '"1e3"', "[]", "[1]", "{}"];
const value = fc.oneof(
  fc.constantFrom(...odd, ...others),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.integer({ min: -10, max: 200_000 }).map(String),
  fc.bigInt({ min: -(2n ** 65n), max: 2n ** 65n }).map(String),
);

/** Source: docs/reliability.md#r-121. */
test.each(["chat", "messages"] as const)(
  "10,000 values in the numeric fields of %s are taken or refused as the caller's mistake, and never a malfunction",
  (protocol) => {
    let taken = 0;
    fc.assert(
      fc.property(fc.constantFrom(...fields[protocol]), value, (field, text) => {
        const others = `"model":"m","messages":[{"role":"user","content":"x"}]`;
        const most = field === "max_tokens" ? "" : `"max_tokens":10,`;
        const body: unknown = JSON.parse(`{${most}${others},"${field}":${text}}`);
        try {
          validateRequest(body, protocols[protocol], { compatibility: "standard", version: "2023-06-01" });
          taken += 1;
        } catch (error) {
          if (!isGatewayError(error)) throw error;
          expect(error.code).toBe("INVALID_REQUEST");
        }
      }),
      { numRuns: 10_000 },
    );
    expect(taken).toBeGreaterThan(100);
    expect(taken).toBeLessThan(9_900);
  },
);
