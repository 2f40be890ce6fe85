import { centsCeilString, centsDecimal, centsFloorString } from "@/lib/kernel/money";
import type { UserRow } from "./session";

/** The profile as the API shows it. Source: docs/spec.md#s2-2, docs/contract.md#s4 (formats). */
export function profileOf(user: UserRow) {
  return {
    id: user.id,
    username: user.username,
    name: user.name,
    email: user.email,
    role: user.role,
    status: user.status,
    quota: centsFloorString(user.quotaMicroCents),
    usedQuota: centsCeilString(user.usedMicroCents),
    usedExact: centsDecimal(user.usedMicroCents),
    held: centsCeilString(user.heldMicroCents),
    heldExact: centsDecimal(user.heldMicroCents),
    requestCount: user.requestCount.toString(),
    inviteCode: user.inviteCode,
    planId: user.planId,
    createdAt: user.createdAt.toISOString(),
  };
}
