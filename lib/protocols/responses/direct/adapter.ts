import type { DirectAdapter } from "@/lib/protocols/adapters/direct-adapter";
import { GatheredResponse, passWholeResponse, ResponsesPassthrough } from "../passthrough";
import { patchResponses } from "../patch";

/** Clients of Responses on its nodes. */
export const responsesDirect: DirectAdapter = {
  patch: patchResponses,
  passthrough: (options) => new ResponsesPassthrough(options),
  gather: (options) => new GatheredResponse(options),
  passWhole: passWholeResponse,
};
