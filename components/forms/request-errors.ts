// First, before any schema is made.
import "./without-eval";
import type { z } from "zod";
import type { OperationName } from "@/lib/api/routes";
import { announcementRequest } from "@/lib/api/schemas/announcements";
import {
  createAdminBudgetRequest,
  createBudgetRequest,
  extraRequest,
  updateBudgetRequest,
} from "@/lib/api/schemas/budgets";
import { invitationRequest } from "@/lib/api/schemas/invitations";
import { createKeyRequest, updateKeyRequest } from "@/lib/api/schemas/keys";
import { createTokenRequest } from "@/lib/api/schemas/logins";
import { messagesByField } from "@/lib/api/schemas/messages-by-field";
import { modelsRequest, updateModelsRequest } from "@/lib/api/schemas/model-requests";
import { nodeRequest } from "@/lib/api/schemas/node-request";
import { createPlanRequest, updatePlanRequest } from "@/lib/api/schemas/plans";
import { priceRequest } from "@/lib/api/schemas/prices";
import { changePasswordRequest, updateSelfRequest } from "@/lib/api/schemas/profile";
import { addMemberRequest } from "@/lib/api/schemas/project-members";
import {
  createProjectOfUserRequest,
  createProjectRequest,
  updateProjectRequest,
} from "@/lib/api/schemas/projects";
import { savedViews } from "@/lib/api/schemas/saved-views";
import { settingsRequest } from "@/lib/api/schemas/settings";
import { createUserRequest, grantRequest, updateUserRequest } from "@/lib/api/schemas/user-requests";
import { modelEntry } from "@/lib/config/file-schema";
import type { FieldErrors } from "./place-errors";

/** The body of every operation that a form sends: the schema by which the server reads it. */
export const requestSchemas = {
  "POST /api/user/tokens": createKeyRequest,
  "PATCH /api/user/tokens/{id}": updateKeyRequest,
  "POST /api/user/projects": createProjectRequest,
  "PATCH /api/user/projects/{id}": updateProjectRequest,
  "POST /api/user/projects/{id}/members": addMemberRequest,
  "POST /api/admin/projects": createProjectOfUserRequest,
  "PATCH /api/admin/projects/{id}": updateProjectRequest,
  "POST /api/admin/projects/{id}/members": addMemberRequest,
  "POST /api/user/logins": createTokenRequest,
  "PATCH /api/admin/users/{id}/tokens/{tokenId}": updateKeyRequest,
  "PATCH /api/user/self": updateSelfRequest,
  "POST /api/user/self/password": changePasswordRequest,
  "PATCH /api/user/views": savedViews,
  "POST /api/user/budgets": createBudgetRequest,
  "PATCH /api/user/budgets/{id}": updateBudgetRequest,
  "PATCH /api/user/budgets/{id}/extra": extraRequest,
  "POST /api/admin/budgets": createAdminBudgetRequest,
  "PATCH /api/admin/budgets/{id}": updateBudgetRequest,
  "PATCH /api/admin/budgets/{id}/extra": extraRequest,
  "POST /api/admin/nodes": nodeRequest,
  "PATCH /api/admin/nodes/{id}": nodeRequest,
  "POST /api/admin/models": modelEntry,
  "PATCH /api/admin/models/{id}": modelEntry,
  "POST /api/admin/models/batch": modelsRequest,
  "PATCH /api/admin/models": updateModelsRequest,
  "POST /api/admin/prices": priceRequest,
  "POST /api/admin/plans": createPlanRequest,
  "PATCH /api/admin/plans/{id}": updatePlanRequest,
  "POST /api/admin/users": createUserRequest,
  "PATCH /api/admin/users/{id}": updateUserRequest,
  "POST /api/admin/users/{id}/grants": grantRequest,
  "PATCH /api/admin/settings": settingsRequest,
  "POST /api/admin/invitations": invitationRequest,
  "POST /api/admin/announcements": announcementRequest,
  "PATCH /api/admin/announcements/{id}": announcementRequest,
} satisfies Partial<Record<OperationName, z.ZodObject>>;

/** An operation that forms send. */
export type RequestName = keyof typeof requestSchemas;

/** What the server would refuse in a body, by field. Of a change only the members that are there are checked. */
export function requestErrors(operation: RequestName, body: object): FieldErrors {
  const whole: z.ZodObject = requestSchemas[operation];
  const parsed = (operation.startsWith("PATCH ") ? whole.partial() : whole).safeParse(body);
  return parsed.success ? {} : messagesByField(parsed.error.issues);
}
