import type {JSX} from 'preact';
import {Choice} from '../choice.tsx';
import {isPlaying, recording, showStep, speed, step, togglePlaying} from './playback.ts';

const SPEEDS = [1, 2, 5, 15];

export function Controls(): JSX.Element {
  const last = recording.value.frames.length - 1;
  return (
    <div class="playback">
      <PlayButton isOn={isPlaying.value} onToggle={togglePlaying} />
      <button type="button" onClick={() => showStep(step.value - 1)} disabled={step.value === 0} aria-label="Step back">
        ‹
      </button>
      <button
        type="button"
        onClick={() => showStep(step.value + 1)}
        disabled={step.value === last}
        aria-label="Step forward"
      >
        ›
      </button>
      <input
        type="range"
        min="0"
        max={last}
        value={step.value}
        aria-label="Step"
        onInput={({currentTarget}) => showStep(currentTarget.valueAsNumber)}
      />
      <output>
        {step.value + 1} / {last + 1}
      </output>
      <Choice
        label="Speed"
        value={String(speed.value)}
        options={SPEEDS.map((one) => [String(one), `${one} a second`])}
        onChoose={(value) => (speed.value = Number(value))}
      />
    </div>
  );
}

export function PlayButton({isOn, onToggle}: {readonly isOn: boolean; readonly onToggle: () => void}): JSX.Element {
  return (
    <button type="button" class="strong" onClick={onToggle} aria-label={isOn ? 'Pause' : 'Play'}>
      {isOn ? '❚❚' : '▶'}
    </button>
  );
}
