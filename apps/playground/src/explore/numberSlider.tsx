import type {JSX} from 'preact';

interface NumberSliderProps {
  readonly id: string;
  readonly label: string;
  readonly value: number;
  /** Steps of the slider, from 0. */
  readonly steps: number;
  readonly toStep: (value: number) => number;
  readonly fromStep: (step: number) => number;
  /** A value as it is typed; undefined if it is not allowed. */
  readonly parse: (text: string) => number | undefined;
  readonly onChange: (value: number) => void;
  /** Of the typed number. Default: any. */
  readonly step?: string;
  readonly min?: string;
}

/** One number, by a slider and by its digits. */
export function NumberSlider(props: NumberSliderProps): JSX.Element {
  const {id, label, value, steps, toStep, fromStep, parse, onChange, step = 'any', min = '0'} = props;
  return (
    <div class="slider">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="range"
        min="0"
        max={steps}
        value={toStep(value)}
        aria-valuetext={String(Number(value.toPrecision(3)))}
        onInput={({currentTarget}) => onChange(fromStep(currentTarget.valueAsNumber))}
      />
      <input
        type="number"
        aria-label={`${label}, as a number`}
        step={step}
        min={min}
        value={value}
        onChange={({currentTarget}) => {
          const parsed = parse(currentTarget.value);
          if (parsed === undefined) currentTarget.value = String(value);
          else onChange(parsed);
        }}
      />
    </div>
  );
}
