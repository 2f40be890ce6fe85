import { ForbiddenPanel } from "@/components/admin/forbidden-panel";

export default function AdminForbidden() {
  return <ForbiddenPanel />;
}
