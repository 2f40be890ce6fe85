/** The name of a plan; its id while plans are unknown. */
export function planName(plans: readonly { id: number; name: string }[], id: number): string {
  return plans.find((plan) => plan.id === id)?.name ?? String(id);
}
