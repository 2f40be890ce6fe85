/** The numbers that a call contains only if they are set. */
export type NumberOption = "topP" | "topK" | "seed" | "frequencyPenalty" | "presencePenalty";

/** The valid range of a number. */
interface NumberRange {
  readonly min: number;
  readonly max: number;
  readonly whole: boolean;
}

const penalty: NumberRange = { min: -2, max: 2, whole: false };

/** The valid range of each number, in every protocol that has a field for it. */
export const numberOptions: Readonly<Record<NumberOption, NumberRange>> = {
  topP: { min: 0, max: 1, whole: false },
  topK: { min: 1, max: 1_000, whole: true },
  seed: { min: 0, max: Number.MAX_SAFE_INTEGER, whole: true },
  frequencyPenalty: penalty,
  presencePenalty: penalty,
};

/** The names of the numbers, in the order of their fields. */
export const numberOptionIds = Object.keys(numberOptions) as readonly NumberOption[];

/** True for a number in the range of its option. */
export function isInRange(option: NumberOption, value: number): boolean {
  const { min, max, whole } = numberOptions[option];
  return value >= min && value <= max && (!whole || Number.isInteger(value));
}
