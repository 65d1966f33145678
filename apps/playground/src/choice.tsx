import type {JSX} from 'preact';

interface ChoiceProps {
  /** The label for screen readers. Absent if the element is inside of one that the page shows. */
  readonly label?: string;
  readonly class?: string;
  readonly value: string;
  /** Values with their texts; those that cannot be chosen are marked. */
  readonly options: readonly (readonly [value: string, text: string, isDisabled?: boolean])[];
  readonly onChoose: (value: string) => void;
}

export function Choice({label, value, options, onChoose, class: name}: ChoiceProps): JSX.Element {
  return (
    <select
      {...(name && {class: name})}
      {...(label && {'aria-label': label})}
      value={value}
      onChange={({currentTarget}) => onChoose(currentTarget.value)}
    >
      {options.map(([one, text, isDisabled = false]) => (
        <option key={one} value={one} disabled={isDisabled}>
          {text}
        </option>
      ))}
    </select>
  );
}
