import {computed, effect, signal} from '@preact/signals';
import {generateDataset} from '@epsball/datasets';
import {designs, type Design} from '../steps/animations.ts';
import type {Frame, Recording} from '../steps/frame.ts';
import {smallSets, type SmallSet} from '../steps/pointSets.ts';
import {link, setLink} from '../state/linkState.ts';

export const design = computed<Design>(() => designs.find(({id}) => id === link.value.design) ?? designs[0]);
export const smallSet = computed<SmallSet>(() => smallSets.find(({id}) => id === link.value.set) ?? smallSets[0]);

/** Parameters of the animation: those that suit its points, until the reader changes them. */
export const stageParams = computed(() => {
  const {eps, minPts, bandwidth} = smallSet.value;
  const {stageEps, stageMinPts} = link.value;
  if (design.value.isMeanShift) return {eps: stageEps || bandwidth, minPts};
  return {eps: stageEps || eps, minPts: stageMinPts || minPts};
});

export const stagePoints = computed(() => generateDataset(smallSet.value.spec));

export const recording = computed<Recording>(() => design.value.record(stagePoints.value, stageParams.value));

export const step = computed(() => Math.min(link.value.step, recording.value.frames.length - 1));

export const frame = computed<Frame>(() => recording.value.frames[step.value]);

export const isPlaying = signal(false);
export const speed = signal(2);

/** Shows a step; outside of the recording, the nearest one. */
export function showStep(wanted: number): void {
  setLink({step: Math.max(0, Math.min(wanted, recording.value.frames.length - 1))});
}

/** Plays on, from the beginning if the last step is shown. */
export function togglePlaying(): void {
  if (!isPlaying.value && step.value === recording.value.frames.length - 1) showStep(0);
  isPlaying.value = !isPlaying.value;
}

effect(() => {
  if (!isPlaying.value) return undefined;
  const timer = setInterval(() => {
    if (link.value.view !== 'designs' || step.value === recording.value.frames.length - 1) isPlaying.value = false;
    else showStep(step.value + 1);
  }, 1000 / speed.value);
  return () => clearInterval(timer);
});
