const WIDTH = 84;
const HEIGHT = 28;
/** Between two bars, at most: of many bars a third of the place of each. */
const GAP = 3;
const LOWEST = 1;

/** The course of a number as small bars; the last one, whose time is not over, is pale. */
export function Sparkline(props: { values: readonly number[] }) {
  const { values } = props;
  const highest = Math.max(...values);
  const gap = Math.min(GAP, WIDTH / values.length / 3);
  const step = (WIDTH + gap) / values.length;
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className="h-7 w-21 shrink-0 fill-primary forced-colors:fill-[CanvasText]"
    >
      {values.map((value, index) => {
        const height = highest > 0 ? Math.max(LOWEST, (value / highest) * HEIGHT) : LOWEST;
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place in time
            key={index}
            x={index * step}
            y={HEIGHT - height}
            width={step - gap}
            height={height}
            opacity={index === values.length - 1 ? 0.45 : 1}
          />
        );
      })}
    </svg>
  );
}
