import { signupQuotaCents } from "@/lib/admin/open-registration";
import { addUser, listUsers } from "@/lib/admin/users";
import { actorOf, requireAdmin } from "@/lib/api/api-call";
import { json, methods } from "@/lib/api/handler";
import { createUserRequest, usersQuery } from "@/lib/api/schemas/admin";
import { runtime } from "@/lib/gateway/runtime";

/** Accounts. Source: docs/contract.md#s5. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: async (call) => {
    await requireAdmin(call);
    const query = call.query(usersQuery);
    return json(200, await listUsers(runtime().db, query, query));
  },
  POST: async (call) => {
    const admin = await requireAdmin(call);
    const { db, settings, catalog } = runtime();
    const input = await call.body(createUserRequest);
    const quotaCents = signupQuotaCents(settings, catalog.current);
    return json(201, await addUser(db, actorOf(call, admin), input, quotaCents));
  },
});
