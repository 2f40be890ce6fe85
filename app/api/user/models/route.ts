import { wholeList } from "@/lib/accounts/page";
import { requireUser } from "@/lib/api/api-call";
import { json, methods } from "@/lib/api/handler";
import { listModels } from "@/lib/api/model-list";
import { runtime } from "@/lib/gateway/runtime";

/** The models that can be called, with prices in cents per 1M tokens. Source: docs/contract.md#s5. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: async (call) => {
    await requireUser(call);
    return json(200, wholeList(listModels(runtime().catalog.current)));
  },
});
