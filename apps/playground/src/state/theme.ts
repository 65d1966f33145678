import {effect, signal} from '@preact/signals';
import type {Theme} from '../draw/palette.ts';

const KEY = 'epsball-theme';
const preference = matchMedia('(prefers-color-scheme: dark)');

/** The theme in use: the reader's choice, else the system's. */
export const theme = signal<Theme>(storedTheme() ?? (preference.matches ? 'dark' : 'light'));

preference.addEventListener('change', ({matches}) => {
  if (storedTheme() === undefined) theme.value = matches ? 'dark' : 'light';
});

effect(() => {
  document.documentElement.dataset['theme'] = theme.value;
});

/** Takes the other theme and remembers it. */
export function toggleTheme(): void {
  theme.value = theme.value === 'dark' ? 'light' : 'dark';
  try {
    localStorage.setItem(KEY, theme.value);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

function storedTheme(): Theme | undefined {
  try {
    const stored = localStorage.getItem(KEY);
    return stored === 'dark' || stored === 'light' ? stored : undefined;
  } catch {
    return undefined;
  }
}
