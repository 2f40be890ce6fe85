import { anyMethod } from "@/lib/api/handler";
import { GatewayError } from "@/lib/kernel/errors";

/** Public: every unknown path under `/api`. Source: docs/contract.md#s7. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = anyMethod(async (call) => {
  throw new GatewayError("NOT_FOUND", `${call.request.nextUrl.pathname} does not exist.`);
});
