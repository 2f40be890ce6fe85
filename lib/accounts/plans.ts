import { asc } from "drizzle-orm";
import type { Session } from "@/lib/db/database";
import { plans } from "@/lib/db/schema/accounts";
import { centsNumber } from "@/lib/kernel/usage";
import type { PlanRow } from "./keys";

/** Every plan, in order of id. */
export async function listPlans(db: Session): Promise<PlanRow[]> {
  return db.orm.select().from(plans).orderBy(asc(plans.id));
}

/** A plan as the API shows it, with the field names of `tollgate.yaml`. Source: docs/contract.md#s3. */
export function planRecordOf(plan: PlanRow) {
  return {
    id: plan.id,
    name: plan.name,
    qps: plan.qps,
    rpm: plan.rpm,
    tpm: plan.tpm,
    keyQuotaCents: centsNumber(plan.keyQuotaMicroCents),
    selfService: plan.selfService,
  };
}
