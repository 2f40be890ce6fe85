import { wholeList } from "@/lib/accounts/page";
import { addPrice, listPrices } from "@/lib/admin/prices";
import { actorOf, requireAdmin } from "@/lib/api/api-call";
import { configChanged } from "@/lib/api/changed";
import { json, methods } from "@/lib/api/handler";
import { priceRequest, pricesQuery } from "@/lib/api/schemas/admin";
import { runtime } from "@/lib/gateway/runtime";

/** Price versions; append-only. Source: docs/contract.md#s5, docs/reliability.md#s2-1. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: async (call) => {
    await requireAdmin(call);
    const { model } = call.query(pricesQuery);
    return json(200, wholeList(await listPrices(runtime().db, model)));
  },
  POST: async (call) => {
    const admin = await requireAdmin(call);
    const { db, clock } = runtime();
    const price = await addPrice(db, actorOf(call, admin), await call.body(priceRequest), clock.date());
    await configChanged();
    return json(201, price);
  },
});
