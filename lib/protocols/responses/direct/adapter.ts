import type { DirectAdapter } from "@/lib/protocols/adapters/direct-adapter";
import { GatheredResponse } from "./gathered";
import { passWholeResponse } from "./pass-whole";
import { ResponsesPassthrough } from "./passthrough";
import { patchResponses } from "./patch";

/** The direct adapter of Responses. */
export const responsesDirect: DirectAdapter = {
  patch: patchResponses,
  passthrough: (options) => new ResponsesPassthrough(options),
  gather: (options) => new GatheredResponse(options),
  passWhole: passWholeResponse,
};
